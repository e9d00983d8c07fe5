import Foundation
import SnippetTestSupport
import Testing

/// Commands that are given the store, or a name beside it, as the file to write.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct OutputPathTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
    #expect(try await snip("backup", "backup.sqlite").status == 0)
  }

  @Test(arguments: ["", "-wal", "-shm", "-journal", "-reserve"])
  func `no command puts a file in the place of the store or beside it`(
    suffix: String
  ) async throws {
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryDirectory.file("link").path,
      withDestinationPath: "store.sqlite\(suffix)"
    )
    let list = try await snip("list", "--json")
    let before = try files()

    for path in ["store.sqlite\(suffix)", "./home/../store.sqlite\(suffix)", "link"] {
      for arguments in commands(writing: path, besideStore: !suffix.isEmpty) {
        let output = try await snip.run(arguments)

        #expect(output.status == 65, "\(arguments): \(output)")
        #expect(output.bytes.isEmpty && output.standardError.hasPrefix("snip: could not "))
        #expect(output.standardError.contains("hint: Nothing was changed. Choose another name."))
        #expect(try files() == before, "\(arguments)")
      }
    }

    #expect(try await snip("list", "--json") == list)
    #expect(try await snip("check").status == 0)
  }

  // By its letters the path is that of the store; the system finds another place there.
  @Test func `a path that leaves a folder behind a link never leads to the store`() async throws {
    let folder = TemporaryDirectory.file("elsewhere/folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let link = TemporaryDirectory.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
    let list = try await snip("list", "--json")
    let bytes = try await snip("cat", "2").bytes

    let written = try await snip("cat", "2", "-o", link.path + "/../store.sqlite")
    let vault = try await snip("export", "--markdown", link.path + "/../store.sqlite-journal")

    #expect(written.status == 0, "\(written)")
    let file = TemporaryDirectory.file("elsewhere/store.sqlite")
    #expect(try Data(contentsOf: file) == Data(bytes))
    #expect(vault.status == 0, "\(vault)")
    #expect(FileManager.default.fileExists(atPath: file.path + "-journal"))
    #expect(!FileManager.default.fileExists(atPath: snip.store.path + "-journal"))
    #expect(try await snip("list", "--json") == list)
  }

  @Test func `a relative path out of a folder behind a link leads where the system goes`()
    async throws
  {
    let elsewhere = TemporaryDirectory.file("elsewhere")
    try FileManager.default.createDirectory(
      at: elsewhere.appendingPathComponent("folder"),
      withIntermediateDirectories: true
    )
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryDirectory.file("link").path,
      withDestinationPath: "elsewhere/folder"
    )
    try Data("Far".utf8).write(to: elsewhere.appendingPathComponent("far.txt"))

    for arguments in [
      ["cat", "2", "-o", "link/../copy.png"], ["backup", "link/../copy.sqlite"],
      ["export", "link/../copies"], ["import", "link/../far.txt"],
      ["add", "--text", "Far", "--store", "link/../far.sqlite"],
      ["sync", "join", "link/../meeting"],
    ] {
      let output = try await snip.run(arguments)
      #expect(output.status == 0, "\(arguments): \(output)")
    }
    // A process of its own starts at its current folder.
    let built = try await SnipTool().run(["cat", "2", "-o", "link/../built.png"])
    #expect(built.status == 0, "\(built)")

    for name in [
      "built.png", "copies/manifest.jsonl", "copy.png", "copy.sqlite", "far.sqlite",
      "meeting/format",
    ] {
      let path = elsewhere.appendingPathComponent(name).path
      #expect(FileManager.default.fileExists(atPath: path), "\(name)")
      let byLetters = TemporaryDirectory.file(name).path
      #expect(!FileManager.default.fileExists(atPath: byLetters), "\(name)")
    }
  }

  private func commands(writing path: String, besideStore isBeside: Bool) -> [[String]] {
    var commands = [
      ["cat", "2", "-o", path], ["backup", path], ["backup", "--force", path], ["export", path],
      ["export", "--markdown", path], ["setup", "--prefix", path],
    ]
    // The place of the store itself is theirs.
    if isBeside {
      commands += [
        ["salvage", path], ["restore", "backup.sqlite", "--yes", "--store", path],
        ["add", "--text", "Milk", "--store", path],
      ]
    }
    return commands
  }

  @Test func `another store is not replaced by a picture`() async throws {
    let other = try Data(contentsOf: TemporaryDirectory.file("backup.sqlite"))

    let output = try await snip("cat", "2", "-o", "backup.sqlite")

    #expect(output.status == 65, "\(output)")
    #expect(output.standardError.contains("it is a store of snippets, which would be lost"))
    #expect(try Data(contentsOf: TemporaryDirectory.file("backup.sqlite")) == other)
    #expect(try await snip("backup", "--force", "backup.sqlite").status == 0)
  }

  /// The files of the folder and their sizes; those that SQLite makes and removes are left out.
  private func files() throws -> [String: Int64] {
    var files: [String: Int64] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: snip.folder.path)
    where !name.hasSuffix("-wal") && !name.hasSuffix("-shm") {
      let path = snip.folder.appendingPathComponent(name).path
      files[name] = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
    }
    return files
  }
}
