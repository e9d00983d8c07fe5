import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// The title, the tags, the pin and the date of pictures and recordings in a folder of Markdown.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SideFilePropertiesTests: VaultTests {
  let store: SnippetStore
  let tree: FileTree
  private let out = TemporaryDirectory.file("out")

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
  }

  /// The text of a file in the folder of the export.
  private func text(_ name: String) throws -> String {
    try String(contentsOf: out.appendingPathComponent(name), encoding: .utf8)
  }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: out.appendingPathComponent(name))
  }

  /// Imports a picture, gives it all properties, and exports it to another folder.
  private func exportPhoto() async throws -> SnippetID {
    try tree.add("sea/photo.png", Samples.png)
    try tree.setDate("sea/photo.png")
    try await importVault(makesTagsOfFolders: true)
    let id = try #require(try row("photo")?.id)
    let edit = SnippetEdit(title: "The beach", isPinned: true, addedTags: ["one", "two"])
    try await store.apply(edit, to: id)
    try await store.exportMarkdown(to: out)
    return id
  }

  @Test func `all properties of a picture and a recording come back from another folder`()
    async throws
  {
    let photo = try await exportPhoto()
    let draft = SnippetDraft(.bytes(Samples.wav()), title: "Memo", createdAt: Samples.date)
    let memo = try await store.save(draft).id
    try await store.apply(SnippetEdit(note: "Call Anna", addedTags: ["work"]), to: memo)

    let report = try await store.exportMarkdown(to: out)

    #expect(report[.exported] == 2 && report[.unchanged] == 2, "\(report)")
    #expect(
      try text("sea/photo.png.md") == """
        ---
        note-of: "[[photo.png]]"
        title: The beach
        tags:
          - one
          - two
        pinned: true
        ---

        """
    )
    #expect(
      try text("Memo.wav.md") == """
        ---
        note-of: "[[Memo.wav]]"
        tags:
          - work
        created: \(Samples.date.iso8601Milliseconds)
        ---

        Call Anna

        """
    )
    let other = try TemporaryStore.open("other.sqlite")
    try await other.importFiles(at: [out], options: .init(makesTagsOfFolders: true))
    #expect(try other.list().count == 2)
    for id in [photo, memo] {
      let row = try #require(try store.row(id))
      let copy = try other.row(titled: row.title)
      #expect(copy.tags == row.tags && copy.isPinned == row.isPinned)
      #expect(copy.createdAt == row.createdAt)
      #expect(try await other.note(of: copy.id) == store.note(of: id))
    }
    for store in [store, other] {
      #expect(try await store.exportMarkdown(to: out)[.unchanged] == 4)
      #expect(try await store.importFiles(at: [out])[.unchanged] == 4)
      #expect(try await store.check().isSound)
    }
  }

  @Test func `only what was changed in a side file changes its picture`() async throws {
    let id = try await exportPhoto()
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: id)
    try write(
      """
      ---
      note-of: "[[photo.png]]"
      title: The lake
      tags: [two, three]
      created: 2001-02-03T04:05:06Z
      ---

      """,
      "sea/photo.png.md"
    )

    #expect(try await store.importFiles(at: [out])[.updated] == 1)

    let row = try #require(try store.row(id))
    #expect(row.title == "The lake" && !row.isPinned)
    #expect(row.tags == ["mine", "sea", "three", "two"])
    #expect(row.createdAt == Date(iso8601Milliseconds: "2001-02-03T04:05:06.000Z"))
    #expect(try await store.exportMarkdown(to: out)[.updated] == 1)
    #expect(try text("sea/photo.png.md").contains("tags: [two, three, mine]\n"))
    #expect(try await store.exportMarkdown(to: out)[.unchanged] == 2)

    // A title that a person gave the snippet stays.
    try await store.apply(SnippetEdit(title: "Mine"), to: id)
    let edited = try text("sea/photo.png.md").replacing("The lake", with: "Theirs")
    try write(edited, "sea/photo.png.md")
    #expect(try await store.exportMarkdown(to: out)[.conflict] == 1)
    #expect(try await store.importFiles(at: [out])[.unreadValue] == 1)
    #expect(try store.row(id)?.title == "Mine")
    #expect(try await store.exportMarkdown(to: out)[.updated] == 1)
    #expect(try text("sea/photo.png.md").contains("title: Mine\n"))
  }

  @Test func `a title in a side file counts more than the one within its picture`() async throws {
    let file = try #require(TitledFile.all.first { $0.testDescription == "PNG with a text" })
    try tree.add("photo.png", Data(file.bytes(Array("Sunset".utf8))))
    try await importVault()
    let id = try #require(try row("Sunset")?.id)
    #expect(try await store.exportMarkdown(to: out)[.exported] == 1)

    for (field, title) in [("title: Dawn\n", "Dawn"), ("", "Sunset")] {
      try write("---\nnote-of: \"[[photo.png]]\"\n\(field)---\n", "photo.png.md")
      try await store.importFiles(at: [out])
      #expect(try store.row(id)?.title == title)
      #expect(try await store.exportMarkdown(to: out)[.unchanged] == 2)
    }
  }

  @Test func `a date that was edited on either side goes to the other`() async throws {
    let draft = SnippetDraft(.bytes(Samples.png), title: "Photo", createdAt: Samples.date)
    let id = try await store.save(draft).id
    try await store.apply(SnippetEdit(isPinned: true), to: id)
    try await store.exportMarkdown(to: out)
    let (second, third) = (Samples.date - 86_400, Samples.date - 172_800)
    try await store.apply(SnippetEdit(createdAt: second), to: id)

    #expect(try await store.exportMarkdown(to: out)[.updated] == 1)

    let date = second.iso8601Milliseconds
    let side = "---\nnote-of: \"[[Photo.png]]\"\npinned: true\ncreated: \(date)\n---\n"
    #expect(try text("Photo.png.md") == side)
    try write(side.replacing(date, with: third.iso8601Milliseconds), "Photo.png.md")
    #expect(try await store.importFiles(at: [out])[.updated] == 1)
    #expect(try store.row(id)?.createdAt == third)
    #expect(try await store.exportMarkdown(to: out)[.unchanged] == 2)
  }

  @Test func `in its own folder a picture gets a side file once it was edited`() async throws {
    try tree.add("photo.png", Samples.png)
    // It says nothing of the picture.
    try tree.add("photo.png.md", "# Of my own\n")
    try tree.add("other.png", Samples.png + Data([0]))
    try await store.importFiles(at: [tree.url], options: .init(tags: ["given"]))
    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 0)
    #expect(try FileTree.files(in: tree.url) == ["other.png", "photo.png", "photo.png.md"])
    let id = try #require(try row("other")?.id)
    try await store.apply(SnippetEdit(isPinned: true), to: id)

    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 1)

    let text = "---\nnote-of: \"[[other.png]]\"\ntags:\n  - given\npinned: true\n---\n"
    #expect(try tree.text("other.png.md") == text)
    try await store.apply(SnippetEdit(isPinned: false, removedTags: ["given"]), to: id)
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)
    #expect(try tree.text("other.png.md") == "---\nnote-of: \"[[other.png]]\"\n---\n")
    #expect(try await importVault()[.unchanged] == 4)
  }

  @Test func `one of two equal pictures is enough to say the title and the date`() async throws {
    // In the order of their whole paths the second one comes first.
    try tree.add("a/p.png", Samples.png)
    try tree.add("a-b/q.png", Samples.png)
    try tree.setDate("a-b/q.png")
    try await importVault(makesTagsOfFolders: true)
    #expect(try store.list().count == 1)

    let report = try await store.exportMarkdown(to: out)

    #expect(report[.exported] == 2, "\(report)")
    #expect(try await store.exportMarkdown(to: out)[.unchanged] == 2)
  }

  @Test func `what cannot be written into a side file is reported`() async throws {
    let side = "{\"note-of\": \"[[photo.png]]\"}\n\nThe beach\n"
    try tree.add("photo.png", Samples.png)
    try tree.add("photo.png.md", side)
    try await importVault()
    let row = try #require(try row("photo"))
    #expect(try await store.note(of: row.id) == "The beach")
    try await store.apply(SnippetEdit(addedTags: ["one"]), to: row.id)

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.incomplete] == 1 && report[.unchanged] == 2, "\(report)")
    #expect(try tree.text("photo.png.md") == side)
  }
}
