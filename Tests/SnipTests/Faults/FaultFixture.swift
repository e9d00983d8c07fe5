#if os(Linux)

import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// A folder with a store, a backup of an earlier state and files to import, of which every run
/// gets a copy.
struct FaultFixture: Sendable {
  /// How much there is before each run.
  enum Size: String, CaseIterable, Sendable {
    case small, medium, large

    /// How many texts there are besides those that all sizes have, and for ten of them one image.
    var textCount: Int {
      switch self {
      case .small: 0
      case .medium: 100
      case .large: 1_000
      }
    }

    /// How many notes there are to import.
    var noteCount: Int {
      switch self {
      case .small: 6
      case .medium: 20
      case .large: 60
      }
    }
  }

  /// What a run without a fault came to.
  struct Reference: Sendable {
    var run: FaultedRun
    var state: KeptState
    var files: [String: Data]
    /// That of the copy that it made.
    var copy: KeptState?
  }

  /// What the store keeps before each run.
  let before: KeptState
  /// The files that there are before each run, by their paths.
  let files: [String: Data]
  /// The files of the store for a start that is not ``FaultedOperation/Start/closed``.
  private var starts: [FaultedOperation.Start: [String: Data]] = [:]
  private let folder: URL

  /// Lays it out in the folder of the running test case; it is made once in a run of the tests.
  init(_ size: Size = .small) async throws {
    let template = try await Self.template(size)
    (before, files, starts) = (template.before, template.files, template.starts)
    folder = TemporaryDirectory.file("base")
    let snip = try SnipTool(in: folder)
    for (path, bytes) in files { try snip.write(bytes, path) }
  }

  private static let making = Lock<[Size: Task<FaultFixture, any Error>]>([:])

  private static func template(_ size: Size) async throws -> FaultFixture {
    try await making.withLock { making in
      let task =
        making[size]
        ?? Task.detached {
          let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("fault-fixture-\(UUID().uuidString)")
          defer { try? FileManager.default.removeItem(at: folder) }
          return try await FaultFixture(makingIn: folder, size)
        }
      making[size] = task
      return task
    }.value
  }

  private init(makingIn folder: URL, _ size: Size) async throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let snip = try SnipTool(in: folder)
    try snip.write(Data("A first note\nabout tea\n".utf8), "files/a.txt")
    try snip.write(Data(Samples.longText("c").utf8), "files/b.txt")
    try snip.write(try SampleFiles.demo("rising-arpeggio.wav"), "files/c.wav")
    try snip.write(try SampleFiles.demo("sunset-over-hills.png"), "files/d.png")
    for number in 0..<size.noteCount {
      try snip.write(Data("Note \(number)\n".utf8), "files/n\(number).txt")
    }

    let store = try SnippetStore(at: snip.store)
    try await store.save(SnippetDraft(.text("Milk, eggs"), tags: ["shopping"]))
    try await store.save(SnippetDraft(.bytes(Samples.png)))
    try await store.save(SnippetDraft(.text(Samples.longText())))
    try await store.save(SnippetDraft(.text("Old note")))
    try await store.backUp(to: folder.appendingPathComponent("backup.sqlite"))
    try await store.save(SnippetDraft(.text("Trash one")))
    try await store.save(SnippetDraft(.bytes(Samples.wav())))
    try await store.save(SnippetDraft(.text("Kept later")))
    for number in 0..<3 {
      let text = String(repeating: "Hidden number \(number). ", count: 4000)
      try await store.save(SnippetDraft(.text(text)))
    }
    try await Self.fill(store, size)
    if size != .small {
      try await store.backUp(
        to: folder.appendingPathComponent("backup.sqlite"),
        replacesExisting: true
      )
    }
    let large = try await store.save(Samples.image(Samples.bytes(400_000)))
    // Free pages, for the collection of garbage.
    _ = try await store.delete([large.id])
    _ = try await store.moveToTrash([5, 6].map(SnippetID.init(rawValue:)))
    // Else a search goes on with that in the background, and how far it gets is left to chance.
    try await store.updateSearchIndex()
    for name in ["store.sqlite", "store.sqlite-wal"] {
      let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
      try #require(!bytes.isEmpty, "\(name) has something")
      starts[.withLog, default: [:]][name] = bytes
    }
    try await store.close()
    before = try await KeptState(of: snip.store)
    files = try Self.files(in: folder)
    starts[.ofFormerVersion] = try await Self.formerVersion(of: snip.store)
  }

  /// Saves what larger sizes have more than the small one.
  private static func fill(_ store: SnippetStore, _ size: Size) async throws {
    for number in 0..<size.textCount {
      // Some fit into a row, some are blobs.
      let words = String(repeating: "Word \(number) of many. ", count: 1 + number % 7 * 40)
      try await store.save(SnippetDraft(.text(words), tags: ["many"]))
      if number % 10 == 0 {
        try await store.save(Samples.image(Samples.bytes(100_000, seed: UInt64(number))))
      }
    }
    let rows = try store.list().rows(in: 0..<size.textCount / 5)
    _ = try await store.moveToTrash(rows.map(\.id))
  }

  /// Returns a store as the version before this one had it, whose schema has no synchronization.
  private static func formerVersion(of store: URL) async throws -> [String: Data] {
    let copy = store.deletingLastPathComponent().appendingPathComponent("former.sqlite")
    try FileManager.default.copyItem(at: store, to: copy)
    let output = try await Shell.sqlite3(
      copy,
      """
      DROP TABLE sync_state;
      DROP TABLE sync_device;
      DROP TABLE sync_row;
      DROP TABLE sync_absent;
      DROP TABLE sync_unread;
      DROP TABLE sync_outbox;
      DROP TABLE sync_blob;
      PRAGMA user_version = 8;
      """
    )
    try #require(output.status == 0, "\(output)")
    return ["store.sqlite": try Data(contentsOf: copy)]
  }

  /// Runs an operation without a fault.
  func reference(_ operation: FaultedOperation) async throws -> Reference {
    try await withCopy(operation.start) { snip in
      let run = try await snip.run(operation.arguments, input: operation.input, under: nil)
      try #require(run.output.status == 0, "\(run.output)")
      let copy = snip.folder.appendingPathComponent(operation.target ?? "")
      return Reference(
        run: run,
        state: try await KeptState(of: snip.store),
        files: try Self.files(in: snip.folder),
        copy: copy.pathExtension == "sqlite" ? try await KeptState(of: copy) : nil
      )
    }
  }

  /// Hands out a copy of the folder, which is removed afterwards.
  func withCopy<Result>(
    _ start: FaultedOperation.Start = .closed,
    _ body: (SnipTool) async throws -> Result
  ) async throws -> Result {
    let copy = folder.deletingLastPathComponent().appendingPathComponent("run")
    try FileManager.default.copyItem(at: folder, to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    for (name, bytes) in starts[start] ?? [:] {
      try bytes.write(to: copy.appendingPathComponent(name))
    }
    return try await body(try SnipTool.inProcess(in: copy))
  }

  /// The files below a folder, by their paths.
  static func files(in folder: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let file = folder.appendingPathComponent(path)
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
      if !isFolder.boolValue { files[path] = try Data(contentsOf: file) }
    }
    return files
  }
}

#endif
