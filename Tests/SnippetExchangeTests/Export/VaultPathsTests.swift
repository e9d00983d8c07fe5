import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Snippets whose files would have the same name.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct VaultPathsTests {
  let store: SnippetStore
  let out = TemporaryDirectory.file("out")

  init() throws {
    store = try TemporaryStore.open()
  }

  @Test func `a name that a title has got is not that of a file from elsewhere too`() async throws {
    try await store.save(SnippetDraft(.text("1"), title: "x"))
    try await store.save(SnippetDraft(.text("2"), title: "x", tags: ["t"]))
    let tagged = TemporaryDirectory.file("tagged")
    try await store.exportMarkdown(to: tagged, only: SnippetFilter(tags: ["t"]))

    let report = try await store.exportMarkdown(to: out)

    #expect(report[.exported] == 2 && report[.conflict] == 0, "\(report)")
    #expect(try names(in: out) == ["x 2.md", "x.md"])
    #expect(try await store.exportMarkdown(to: out)[.unchanged] == 2)
  }

  @Test func `a name is taken too when it was given to a file long before`() async throws {
    // More than are written down at once.
    try await store.save(
      contentsOf: (0..<600).map { SnippetDraft(.text("\($0)"), title: $0 == 0 ? "x" : "-") }
    )
    try await store.save(SnippetDraft(.text("last"), title: "x", tags: ["t"]))
    try await store.exportMarkdown(
      to: TemporaryDirectory.file("tagged"),
      only: SnippetFilter(tags: ["t"])
    )

    let report = try await store.exportMarkdown(to: out)

    #expect(report[.exported] == 601 && report[.conflict] == 0, "\(report)")
  }

  @Test func `folders of one name have one each, whatever they are called`() async throws {
    let tree = try FileTree("tree")
    for name in ["a/notes", "b/notes", "c/notes 2", "d/NOTES"] {
      try tree.add("\(name)/x.md", name)
      try await store.importFiles(at: [tree.url.appendingPathComponent(name)])
    }

    let report = try await store.exportMarkdown(to: out)

    #expect(report[.exported] == 4 && report[.conflict] == 0, "\(report)")
    let found = try names(in: out).filter { $0.hasSuffix(".md") }
    #expect(Set(found.map { $0.lowercased() }).count == 4, "\(found)")
    #expect(found.contains("notes/x.md") && found.contains("notes 2/x.md"), "\(found)")
  }

  @Test func `a copy of a manifest gets a name with which an import still reads the folder`()
    async throws
  {
    let tree = try FileTree("vault")
    try tree.add("a.md", "a")
    try await store.importFiles(at: [tree.url])
    let export = TemporaryDirectory.file("export")
    try await store.export(to: export)
    let manifest = try String(
      contentsOf: export.appendingPathComponent("manifest.jsonl"),
      encoding: .utf8
    )
    try await store.save(SnippetDraft(.text(manifest), title: "manifest.jsonl"))

    try await store.exportMarkdown(to: tree.url, options: .init(scope: .ownFilesAndNew))

    #expect(try names(in: tree.url) == ["a.md", "manifest.jsonl.md"])
    let report = try await store.importFiles(at: [tree.url])
    #expect(report[.unchanged] == 2 && report[.failed] == 0, "\(report)")
  }

  // MARK: - Files that were given by themselves

  @Test(arguments: [true, false])
  func `a file that was given by itself is that of its snippet in a folder around it`(
    isImported: Bool
  ) async throws {
    let tree = try FileTree("vault")
    try tree.add("a.md", "a")
    if isImported { try await store.importFiles(at: [tree.url]) }
    let file = try tree.add("sub/x.md", "Milk")
    try await store.importFiles(at: [file])
    let options = MarkdownExportOptions(scope: .ownFilesAndNew)

    let report = try await store.exportMarkdown(to: tree.url, options: options)

    #expect(report[.unchanged] == (isImported ? 2 : 1) && report[.exported] == 0, "\(report)")
    #expect(try FileTree.files(in: tree.url) == ["a.md", "sub/x.md"])
    try await store.apply(SnippetEdit(text: "Eggs"), to: try store.row(titled: "x").id)
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)
    #expect(try tree.text("sub/x.md") == "Eggs")
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == (isImported ? 2 : 1))
  }

  @Test func `a file that was given by itself and changed since stays as it is`() async throws {
    let tree = try FileTree("vault")
    try await store.importFiles(at: [tree.add("x.md", "Milk")])
    try tree.add("x.md", "Eggs")

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.conflict] == 1 && report[.exported] == 0, "\(report)")
    #expect(try FileTree.files(in: tree.url) == ["x.md"] && tree.text("x.md") == "Eggs")
    // Importing the folder settles it, and loses neither.
    try await store.importFiles(at: [tree.url])
    #expect(try store.list().count == 2)
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
  }
}
