import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Files that a person moved or removed in a vault, which no export brings back.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct MissingFilesTests {
  let store: SnippetStore
  let tree: FileTree

  init() async throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
    for name in ["a.md", "b.md", "c.md", "d.md"] { try tree.add(name, "text of \(name)") }
    try await store.importFiles(at: [tree.url])
  }

  private let again = MarkdownExportOptions(writesMissing: true)
  private let trashing = ImportOptions(movesMissingToTrash: true)

  @Test func `a file that was renamed, moved or removed is named and not written again`()
    async throws
  {
    try tree.move("a.md", to: "new.md")
    try tree.move("b.md", to: "sub/b.md")
    try tree.remove("c.md")
    // An edit makes no difference.
    try await store.apply(SnippetEdit(text: "edited"), to: try store.row(titled: "c").id)
    let missing = Lock<[String]>([])

    let dry = try await store.exportMarkdown(to: tree.url, options: .init(isDryRun: true))
    let report = try await store.exportMarkdown(to: tree.url) { event in
      guard event.outcome == .missing, let file = event.file else { return }
      #expect(event.error?.recoverySuggestion?.contains("--missing") == true)
      missing.withLock { $0.append(file.lastPathComponent) }
    }

    #expect(missing.withLock { $0.sorted() } == ["a.md", "b.md", "c.md"])
    #expect(report[.missing] == 3 && report[.unchanged] == 1 && report[.exported] == 0)
    #expect(report == dry)
    #expect(try FileTree.files(in: tree.url) == ["d.md", "new.md", "sub/b.md"])
    // An import follows what was renamed, and keeps the edit.
    #expect(try await store.importFiles(at: [tree.url], options: trashing)[.moved] == 2)
    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 1)
    #expect(try FileTree.files(in: tree.url) == ["c.md", "d.md", "new.md", "sub/b.md"])
    #expect(try tree.text("c.md") == "edited")
  }

  @Test func `it is written again when asked for`() async throws {
    try tree.remove("a.md")
    #expect(try await store.exportMarkdown(to: tree.url)[.missing] == 1)

    #expect(try await store.exportMarkdown(to: tree.url, options: again)[.exported] == 1)

    #expect(try tree.text("a.md") == "text of a.md")
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 4)
  }

  @Test func `no note is written beside a picture that was moved`() async throws {
    try tree.add("photo.png", Samples.png)
    try await store.importFiles(at: [tree.url])
    let id = try store.row(titled: "photo").id
    try await store.apply(SnippetEdit(note: "The beach"), to: id)
    try tree.move("photo.png", to: "sea/photo.png")

    #expect(try await store.exportMarkdown(to: tree.url)[.missing] == 1)

    let files = try FileTree.files(in: tree.url)
    #expect(files == ["a.md", "b.md", "c.md", "d.md", "sea/photo.png"])
    #expect(try await store.importFiles(at: [tree.url])[.moved] == 1)
    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 1)
    #expect(try tree.text("sea/photo.png.md").hasSuffix("The beach\n"))
  }

  @Test(arguments: [true, false])
  func `a folder in which no known file is there is refused, unless asked for`(
    isGone: Bool
  ) async throws {
    if isGone {
      try FileManager.default.removeItem(at: tree.url)
    } else {
      for name in ["a.md", "b.md", "c.md", "d.md"] { try tree.remove(name) }
    }
    try await store.save(SnippetDraft(.text("new"), title: "new"))
    for isDryRun in [true, false] {
      let options = MarkdownExportOptions(scope: .ownFilesAndNew, isDryRun: isDryRun)

      let error = await #expect(throws: SnippetStoreError.self) {
        try await store.exportMarkdown(to: tree.url, options: options)
      }

      #expect(error?.code == .cannotCreate)
      #expect(error?.reason == "none of the 4 files known there is there any more")
      #expect(FileStatus.exists(tree.url.path) != isGone)
    }
    #expect(try await store.exportMarkdown(to: tree.url, options: again)[.exported] == 4)
    #expect(try FileTree.files(in: tree.url) == ["a.md", "b.md", "c.md", "d.md"])
  }

  @Test(arguments: [true, false])
  func `a folder inside or around the imported one is refused as well`(
    isInside: Bool
  ) async throws {
    try tree.add("sub/e.md", "text of e.md")
    try await store.importFiles(at: [tree.url])
    let folder = isInside ? tree.url.appendingPathComponent("sub") : TemporaryDirectory.current.url
    if isInside {
      try tree.remove("sub/e.md")
    } else {
      try FileManager.default.removeItem(at: tree.url)
    }

    #expect(await errorCode { try await store.exportMarkdown(to: folder) } == .cannotCreate)
  }

  @Test func `a folder whose snippets are all in the trash is not refused`() async throws {
    try await store.moveToTrash(try store.list().rows(in: 0..<9).map(\.id))
    for name in ["a.md", "b.md", "c.md", "d.md"] { try tree.remove(name) }
    try await store.save(SnippetDraft(.text("new"), title: "new"))

    let report = try await store.exportMarkdown(
      to: tree.url,
      options: .init(scope: .ownFilesAndNew)
    )

    #expect(report[.exported] == 1 && report[.missing] == 0, "\(report)")
  }

  @Test func `a snippet that went to the trash with its file comes back with it`() async throws {
    try tree.remove("a.md")
    #expect(try await store.importFiles(at: [tree.url], options: trashing)[.trashed] == 1)
    // A person or a program removes the file of a snippet in the trash.
    let b = try store.row(titled: "b").id
    try await store.moveToTrash([b])
    try tree.remove("b.md")
    try await store.exportMarkdown(to: tree.url)
    try await store.undelete(try store.list(.trash).rows(in: 0..<9).map(\.id))

    #expect(try await store.importFiles(at: [tree.url], options: trashing)[.trashed] == 0)
    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.exported] == 2 && report[.missing] == 0, "\(report)")
    #expect(try FileTree.files(in: tree.url) == ["a.md", "b.md", "c.md", "d.md"])
    // From then on they are files like others.
    try tree.remove("a.md")
    #expect(try await store.exportMarkdown(to: tree.url)[.missing] == 1)
    #expect(try await store.importFiles(at: [tree.url], options: trashing)[.trashed] == 1)
  }
}
