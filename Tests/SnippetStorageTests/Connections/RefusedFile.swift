import Foundation
import Migrations
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

/// A file that is no store of ours to open, with what the store says of it.
struct RefusedFile: CustomTestStringConvertible, Sendable {
  typealias Access = SnippetStore.Configuration.Access

  var name: String
  var access: [Access] = [.readWriteCreate, .readWrite, .readOnly]
  var code: SnippetStoreError.Code
  var text: String
  var make: @Sendable (URL) async throws -> Void

  var testDescription: String { name }

  static let all = missing + older + otherThings + otherDatabases + damaged + companions

  private static let missing = [
    RefusedFile(
      name: "nothing",
      access: [.readWrite, .readOnly],
      code: .noSuchFile,
      text: "there is no such file. Check the path, or let the store be created."
    ) { _ in },
    RefusedFile(
      name: "an empty file",
      access: [.readWrite, .readOnly],
      code: .foreignFile,
      text: "the file is empty. Check the path, or let the store be created."
    ) { try Data().write(to: $0) },
    RefusedFile(
      name: "an empty database",
      access: [.readWrite, .readOnly],
      code: .foreignFile,
      text: "the file is empty. Check the path, or let the store be created."
    ) { try await shell($0, "VACUUM") },
    RefusedFile(
      name: "a link that leads nowhere",
      access: [.readWriteCreate],
      code: .cannotCreate,
      text:
        "PATH: it is a link that leads nowhere. Check that the folder exists and can be written."
    ) { url in
      let target = url.deletingLastPathComponent().appendingPathComponent("none")
      try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)
    },
  ]

  private static let older = [
    RefusedFile(
      name: "a store of an older version, which only a writer can bring up to date",
      access: [.readOnly],
      code: .readOnly,
      text: """
        its schema is 1 and must first become \(Migrations.latestVersion), which needs writing. \
        Open it for writing once.
        """
    ) { try await shell($0, "\n\(Migrations.all[0].sql)") }
  ]

  private static let otherThings = [
    RefusedFile(
      name: "a folder",
      code: .unreadable,
      text: "it is not a regular file. Give the path of a file."
    ) { try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false) },
    RefusedFile(
      name: "a pipe, which would keep its reader waiting",
      code: .unreadable,
      text: "it is not a regular file. Give the path of a file."
    ) { #expect(mkfifo($0.path, 0o600) == 0) },
    RefusedFile(
      name: "a text",
      code: .foreignFile,
      text: noDatabase
    ) { try Data("This is no database, it is a text.\n".utf8).write(to: $0) },
    RefusedFile(
      name: "one byte",
      code: .foreignFile,
      text: noDatabase
    ) { try Data([0]).write(to: $0) },
    RefusedFile(
      name: "noise",
      code: .foreignFile,
      text: noDatabase
    ) { try Samples.bytes(100_000).write(to: $0) },
  ]

  private static let otherDatabases = [
    RefusedFile(
      name: "a database of nobody",
      code: .foreignFile,
      text: ofAnotherProgram
    ) { try await shell($0, "CREATE TABLE note (body TEXT)") },
    RefusedFile(
      name: "a database of another program",
      code: .foreignFile,
      text: ofAnotherProgram
    ) { try await shell($0, "PRAGMA application_id = 7; PRAGMA user_version = 1") },
    RefusedFile(
      name: "a database with a version and nothing else",
      code: .foreignFile,
      text: ofAnotherProgram
    ) { try await shell($0, "PRAGMA user_version = 1") },
    RefusedFile(
      name: "a store of a newer version",
      code: .newerStore,
      text: ofANewerVersion
    ) { url in
      try await SnippetStore(at: url).close()
      try await shell(url, "PRAGMA user_version = 999")
    },
    RefusedFile(
      name: "a store of a newer version, which stands only in the log",
      code: .newerStore,
      text: ofANewerVersion
    ) { url in
      try await SnippetStore(at: url).close()
      try await crash(after: "PRAGMA user_version = 999", in: url)
    },
    RefusedFile(
      name: "another program's database, which stands only in the log",
      code: .foreignFile,
      text: ofAnotherProgram
    ) { url in
      try await shell(url, "PRAGMA journal_mode = WAL")
      try await crash(after: "PRAGMA application_id = 7; CREATE TABLE note (body TEXT)", in: url)
    },
  ]

  private static let damaged = [
    RefusedFile(
      name: "the first 50 bytes of a store",
      code: .damaged,
      text: looksDamaged
    ) { try await truncatedStore($0, byteCount: 50) },
    RefusedFile(
      name: "the first page of a store",
      code: .damaged,
      text: looksDamaged
    ) { try await truncatedStore($0, byteCount: 8192) },
    RefusedFile(
      name: "a store whose schema is overwritten",
      code: .damaged,
      text: looksDamaged
    ) { url in
      try await SnippetStore(at: url).close()
      var bytes = try Data(contentsOf: url)
      bytes.replaceSubrange(100..<8192, with: Samples.bytes(8092))
      try bytes.write(to: url)
    },
  ]

  /// A thing that has a name beside a store, and is no regular file.
  private enum Companion: CaseIterable {
    case folder, link, pipe
    #if os(Linux)
    case socket
    #endif

    func make(at path: String) throws {
      switch self {
      case .folder:
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .link:
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "none")
      case .pipe: #expect(mkfifo(path, 0o600) == 0)
      #if os(Linux)
      case .socket: #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
      #endif
      }
    }
  }

  private static let companions: [RefusedFile] = ["-journal", "-wal", "-shm"].flatMap { suffix in
    Companion.allCases.flatMap { companion -> [RefusedFile] in
      [
        RefusedFile(
          name: "a store beside a \(companion) with the name of its \(suffix)",
          code: .unreadable,
          text: irregular(suffix)
        ) { url in
          try await SnippetStore(at: url).close()
          try companion.make(at: url.path + suffix)
        },
        RefusedFile(
          name: "nothing beside a \(companion) with the name of its \(suffix)",
          access: [.readWriteCreate],
          code: .unreadable,
          text: irregular(suffix)
        ) { try companion.make(at: $0.path + suffix) },
      ]
    }
  }

  private static func irregular(_ suffix: String) -> String {
    """
    PATH\(suffix), a name that SQLite uses, is not a regular file. Nothing was changed. Move away \
    what has that name.
    """
  }

  private static let noDatabase = """
    the file is not a SQLite database. It was left as it is. Give the path of a snippet store.
    """

  private static let ofAnotherProgram = """
    it is a database of another program. It was left as it is. Give the path of a snippet \
    store.
    """

  private static let ofANewerVersion = """
    it was made by a newer version (its schema is 999, this version knows \
    \(Migrations.latestVersion)). It was left as it is. Update this program.
    """

  private static let looksDamaged = """
    the file looks damaged (database disk image is malformed). It was left as it is. Run a \
    check; if it confirms the damage, restore a backup.
    """

  private static func shell(_ file: URL, _ sql: String) async throws {
    let output = try await Shell.sqlite3(file, sql)
    guard output.status == 0 else { throw Shell.Failure(output: output) }
  }

  /// Leaves what is done in the log, as a process does that ends in the middle of its work.
  private static func crash(after sql: String, in file: URL) async throws {
    let session = try ShellSession(file)
    _ = try await session.run("\(sql);")
    try await session.crash()
    let log = FileManager.default.fileExists(atPath: file.path + "-wal")
    #expect(log, "the log is left behind")
  }

  private static func truncatedStore(_ file: URL, byteCount: Int) async throws {
    try await SnippetStore(at: file).close()
    try Data(contentsOf: file).prefix(byteCount).write(to: file)
  }
}
