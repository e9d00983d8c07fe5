import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SystemPackage
import Testing

@testable import SnippetExchange

/// The folder of an export that is cut short, gets in the way, or takes only some files.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct VaultFolderTests {
  let store: SnippetStore
  let out = TemporaryDirectory.file("out")

  init() throws {
    store = try TemporaryStore.open()
  }

  // MARK: - Power cuts

  // A process of its own, whose calls of the file system can be made to fail.
  @Test func `no file counts as written before it is on the disk`() async throws {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/other.sqlite"))
      try await store.save(SnippetDraft(.text("Milk"), title: "List"))
      let out = folder + "/out"
      FileCalls.observer = { call in
        guard case .sync(out) = call else { return nil }
        return .ioError
      }
      let code = await errorCode { try await store.exportMarkdown(to: URL(fileURLWithPath: out)) }
      FileCalls.observer = nil

      #expect(code == .inputOutput)
      #expect(FileStatus.exists(out + "/List.md"))
      let known = try await store.seam.read(to: "test") { db in
        try OriginStatements(db: db).folders().map(\.path)
      }
      #expect(known.isEmpty)
      // What the disk has lost by then is no edit.
      try Data().write(to: URL(fileURLWithPath: out + "/List.md"))
      _ = try await store.importFiles(at: [URL(fileURLWithPath: out)])
      #expect(try store.list().rows(in: 0..<9).contains { $0.preview == "Milk" })
      try await store.close()
    }
  }

  // MARK: - Unfinished files

  @Test func `what an export that was killed left behind goes, in no one's way`() async throws {
    let id = try await store.save(SnippetDraft(.text("Milk"), title: "List")).id
    try await store.exportMarkdown(to: out)
    let process = ProcessInfo.processInfo.processIdentifier
    let left = (0..<9).map { ".snip-\(process)-\($0).partial" } + [unfinishedName()]
    let running = unfinishedName()
    for name in left + [running, ".snip-notes.partial"] {
      try Data("half".utf8).write(to: out.appendingPathComponent(name))
    }
    let open = try OpenFile(out.path + "/" + running)
    #expect(open.lock())
    try await store.apply(SnippetEdit(text: "Milk, eggs"), to: id)

    let report = try await store.exportMarkdown(to: out)

    #expect(report[.updated] == 1 && report[.conflict] + report[.failed] == 0, "\(report)")
    // One that is being written is locked, and what only looks like one is somebody's.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out.path).sorted()
        == [running, ".snip-notes.partial", "List.md"].sorted()
    )
  }

  @Test func `an unfinished file is no note, even where hidden files are`() async throws {
    let tree = try FileTree("vault")
    try tree.add(unfinishedName(), "half")
    try tree.add("folder/\(unfinishedName())", "half")
    try tree.add(".hidden.md", "whole")

    let report = try await store.importFiles(
      at: [tree.url],
      options: .init(includesHidden: true)
    )

    #expect(report[.imported] == 1 && report[.failed] == 0, "\(report)")
    #expect(try store.list().rows(in: 0..<1).first?.preview == "whole")
  }

  private func unfinishedName() -> String { ".snip-\(UUID().uuidString).partial" }

  // MARK: - Files that cannot be written

  @Test func `one file that the disk does not take keeps no other from it`() async throws {
    let ids = try await [
      store.save(SnippetDraft(.text("first"), title: "a")).id,
      store.save(SnippetDraft(.text("second"), title: "b")).id,
      store.save(SnippetDraft(.text("third"), title: "c")).id,
    ]
    // Names as other file systems have them.
    try store.seam.write(to: "test") { db in
      let origins = OriginStatements(db: db)
      let folder = try origins.makeImportedFolder(at: "/elsewhere")
      for path in [String(repeating: "x", count: 300) + ".md", "good.md"] {
        try origins.insert(
          OriginRow(
            folder: folder,
            path: path,
            snippet: ids[1],
            stamp: FileStamp(modifiedNanoseconds: 0, byteCount: 0),
            sha256: Data(count: 32)
          )
        )
      }
    }
    let failed = Lock<[SnippetID: SnippetStoreError]>([:])

    let report = try await store.exportMarkdown(to: out) { event in
      if event.outcome == .failed { failed.withLock { $0[event.snippetID] = event.error } }
    }

    #expect(report[.exported] == 3 && report[.failed] == 1, "\(report)")
    let error = try #require(failed.withLock { $0 }[ids[1]])
    #expect(error.code == .cannotCreate && failed.withLock { $0.count } == 1, "\(error)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out.path).sorted()
        == ["a.md", "c.md", "good.md"]
    )
  }

  // MARK: - Folders of another kind

  @Test func `a folder that an import reads by its manifest is refused`() async throws {
    try await store.save(SnippetDraft(.text("Milk"), title: "List"))
    try await store.export(to: out)
    let before = try FileManager.default.subpathsOfDirectory(atPath: out.path).sorted()

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.exportMarkdown(to: out)
    }

    #expect(error?.code == .alreadyExists, "\(String(describing: error))")
    #expect(error?.recoverySuggestion?.contains("another folder") == true)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: out.path).sorted() == before)
    // A file of that name that is no manifest is one like others.
    let other = try FileTree("other")
    try other.add("manifest.jsonl", "{\"a\": 1}\n")
    #expect(try await store.exportMarkdown(to: other.url)[.exported] == 1)
  }
}
