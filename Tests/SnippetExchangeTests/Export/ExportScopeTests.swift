import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// An export into a folder that was imported, which gets back its own.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ExportScopeTests {
  let store: SnippetStore
  let notes: FileTree
  let photos: FileTree

  init() async throws {
    store = try TemporaryStore.open()
    notes = try FileTree("notes")
    photos = try FileTree("photos")
    try notes.add("sub/a.md", "a note")
    try notes.add("b.md", "another note")
    try photos.add("sub/p.png", Samples.png)
    try await store.importFiles(at: [notes.url, photos.url])
    try await store.save(SnippetDraft(.text("Milk, eggs")))
  }

  @Test func `a folder that was imported gets back what came from it, and nothing else`()
    async throws
  {
    let report = try await store.exportMarkdown(to: notes.url)

    #expect(report[.unchanged] == 2 && report[.exported] == 0, "\(report)")
    #expect(report.leftOutCount == 2)
    #expect(try FileTree.files(in: notes.url) == ["b.md", "sub/a.md"])
  }

  @Test func `a snippet without a file anywhere is added when asked for`() async throws {
    let report = try await store.exportMarkdown(
      to: notes.url,
      options: .init(scope: .ownFilesAndNew)
    )

    #expect(report[.exported] == 1 && report.leftOutCount == 1, "\(report)")
    #expect(try FileTree.files(in: notes.url) == ["Milk, eggs.md", "b.md", "sub/a.md"])
    // From then on it is one of the folder's own.
    let milk = try #require(try store.list().rows(in: 0..<9).first { $0.preview.contains("Milk") })
    try await store.apply(SnippetEdit(text: "Milk"), to: milk.id)
    #expect(try await store.exportMarkdown(to: notes.url)[.updated] == 1)
  }

  @Test func `everything is added when asked for, other folders below their names`() async throws {
    let report = try await store.exportMarkdown(to: notes.url, options: .init(scope: .everything))

    #expect(report[.exported] == 2 && report.leftOutCount == 0, "\(report)")
    #expect(
      try FileTree.files(in: notes.url) == [
        "Milk, eggs.md", "b.md", "photos/sub/p.png", "sub/a.md",
      ]
    )
  }

  @Test func `a folder inside an imported one is a part of it`() async throws {
    let sub = notes.url.appendingPathComponent("sub")
    try await store.apply(SnippetEdit(text: "edited"), to: try store.row(titled: "a").id)
    try await store.apply(SnippetEdit(text: "edited too"), to: try store.row(titled: "b").id)

    let report = try await store.exportMarkdown(to: sub)

    #expect(report[.updated] == 1 && report.leftOutCount == 3, "\(report)")
    #expect(try notes.text("sub/a.md") == "edited" && notes.text("b.md") == "another note")
    #expect(try await store.importFiles(at: [notes.url])[.unchanged] == 2)
    let all = try await store.exportMarkdown(to: sub, options: .init(scope: .ownFilesAndNew))
    #expect(all[.exported] == 1)
    #expect(try FileTree.files(in: notes.url) == ["b.md", "sub/Milk, eggs.md", "sub/a.md"])
    #expect(try await store.importFiles(at: [notes.url])[.unchanged] == 3)
  }

  @Test func `a folder around imported ones has their files in their places`() async throws {
    try await store.apply(SnippetEdit(text: "edited"), to: try store.row(titled: "a").id)
    let around = notes.url.deletingLastPathComponent()

    let report = try await store.exportMarkdown(to: around)

    #expect(report[.updated] == 1 && report[.unchanged] == 2 && report.leftOutCount == 1)
    #expect(try notes.text("sub/a.md") == "edited")
    #expect(try await store.exportMarkdown(to: notes.url)[.unchanged] == 2)
  }

  @Test func `a folder that was never imported gets everything, each time`() async throws {
    let out = TemporaryDirectory.file("out")
    #expect(try await store.exportMarkdown(to: out)[.exported] == 4)
    try await store.save(SnippetDraft(.text("Bread")))

    let report = try await store.exportMarkdown(to: out)

    #expect(report[.exported] == 1 && report.leftOutCount == 0, "\(report)")
    // A new folder inside an imported one is not the imported one.
    let inside = notes.url.appendingPathComponent("copy")
    #expect(try await store.exportMarkdown(to: inside)[.exported] == 5)
  }

  @Test func `a dry run says what an export does, and writes nothing`() async throws {
    try await store.apply(SnippetEdit(text: "edited"), to: try store.row(titled: "a").id)
    try notes.add("Milk, eggs.md", "of another program")
    for scope in MarkdownExportOptions.Scope.allCases {
      for folder in [notes.url, TemporaryDirectory.file("fresh-\(scope)")] {
        let before = try tree(folder)
        let dry = try await outcomes(of: folder, .init(scope: scope, isDryRun: true))
        #expect(try tree(folder) == before)
        let copy = try await outcomes(of: folder, .init(scope: scope))
        #expect(dry == copy, "\(scope)")
      }
      try notes.add("sub/a.md", "a note")
      try await store.importFiles(at: [notes.url], options: .init(comparesContent: true))
      try await store.apply(SnippetEdit(text: "edited \(scope)"), to: try store.row(titled: "a").id)
    }
  }

  @Test func `a dry run of a plain export writes nothing`() async throws {
    let out = TemporaryDirectory.file("out")

    let report = try await store.rehearseExport(to: out)

    #expect(report[.exported] == 4 && !FileStatus.exists(out.path))
    #expect(try await store.export(to: out) == report)
    #expect(await errorCode { try await store.rehearseExport(to: out) } == .alreadyExists)
  }

  // MARK: - Helpers

  private func outcomes(
    of folder: URL,
    _ options: MarkdownExportOptions
  ) async throws -> [String] {
    let found = Lock<[String]>([])
    let report = try await store.exportMarkdown(to: folder, options: options) { event in
      found.withLock {
        $0.append("\(event.snippetID) \(event.outcome) \(event.file?.path ?? "")")
      }
    }
    let counts = ExportEvent.Outcome.allCases.map { "\($0) \(report[$0])" }
    return found.withLock { $0 } + counts + ["\(report.leftOutCount) \(report.byteCount)"]
  }

  private func tree(_ folder: URL) throws -> [String: Data?] {
    guard FileStatus.exists(folder.path) else { return [:] }
    return try Dictionary(
      uniqueKeysWithValues: FileTree.files(in: folder).map {
        ($0, FileManager.default.contents(atPath: folder.path + "/" + $0))
      }
    )
  }
}
