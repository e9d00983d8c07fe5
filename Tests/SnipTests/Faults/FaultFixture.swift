#if os(Linux)

import Foundation
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// A folder with a store, a backup of an earlier state and files to import, of which every run
/// gets a copy.
struct FaultFixture: Sendable {
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
  private let folder: URL

  /// Lays it out in the folder of the running test case; it is made once in a run of the tests.
  init() async throws {
    let template = try await Self.making.value
    (before, files) = (template.before, template.files)
    folder = TemporaryDirectory.file("base")
    let snip = try SnipTool(in: folder)
    for (path, bytes) in files { try snip.write(bytes, path) }
  }

  private static let making = Task.detached {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fault-fixture-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await FaultFixture(makingIn: folder)
  }

  private init(makingIn folder: URL) async throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let snip = try SnipTool(in: folder)
    try snip.write(Data("A first note\nabout tea\n".utf8), "files/a.txt")
    try snip.write(Data(Samples.longText("c").utf8), "files/b.txt")
    try snip.write(try SampleFiles.demo("rising-arpeggio.wav"), "files/c.wav")
    try snip.write(try SampleFiles.demo("sunset-over-hills.png"), "files/d.png")
    for number in 0..<6 { try snip.write(Data("Note \(number)\n".utf8), "files/n\(number).txt") }

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
    let large = try await store.save(Samples.image(Samples.bytes(400_000)))
    // Free pages, for the collection of garbage.
    _ = try await store.delete([large.id])
    _ = try await store.moveToTrash([5, 6].map(SnippetID.init(rawValue:)))
    // Else a search goes on with that in the background, and how far it gets is left to chance.
    try await store.updateSearchIndex()
    try await store.close()
    before = try await KeptState(of: snip.store)
    files = try Self.files(in: folder)
  }

  /// Runs an operation without a fault.
  func reference(_ operation: FaultedOperation) async throws -> Reference {
    try await withCopy { snip in
      let run = try await snip.run(operation.arguments, input: operation.input, under: nil)
      try #require(run.output.status == 0, "\(run.output)")
      let copy = snip.folder.appendingPathComponent("copy.sqlite")
      return Reference(
        run: run,
        state: try await KeptState(of: snip.store),
        files: try Self.files(in: snip.folder),
        copy: operation.target == "copy.sqlite" ? try await KeptState(of: copy) : nil
      )
    }
  }

  /// Hands out a copy of the folder, which is removed afterwards.
  func withCopy<Result>(_ body: (SnipTool) async throws -> Result) async throws -> Result {
    let copy = folder.deletingLastPathComponent().appendingPathComponent("run")
    try FileManager.default.copyItem(at: folder, to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
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
