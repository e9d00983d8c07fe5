import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Notes of pictures and recordings in a folder of Markdown: each in a file beside its own.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SideFileTests {
  private let store: SnippetStore
  private let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
  }

  private static let head = "---\nnote-of: \"[[photo.png]]\"\n---\n"

  /// Imports a picture, gives it a note, and exports both.
  private func exportPhoto(_ note: String = "The beach\nat noon") async throws -> SnippetID {
    try tree.add("photo.png", Samples.png)
    try await store.importFiles(at: [tree.url])
    let images = store.list(SnippetFilter(kinds: [.image]))
    let row = try #require(try images.rows(in: 0..<1).first)
    try await store.apply(SnippetEdit(note: note), to: row.id)
    try await store.exportMarkdown(to: tree.url)
    return row.id
  }

  @Test func `a note is written beside its picture, and comes back as its note`() async throws {
    let id = try await exportPhoto()

    #expect(try tree.text("photo.png.md") == Self.head + "\nThe beach\nat noon\n")
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 2)
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)
    #expect(try store.list().count == 1)

    let other = try TemporaryStore.open("other.sqlite")
    let report = try await other.importFiles(at: [tree.url])
    #expect(report[.imported] == 1 && report[.updated] == 1, "\(report)")
    let row = try #require(try other.list().rows(in: 0..<2).first)
    #expect(try await other.note(of: row.id) == "The beach\nat noon")
    #expect(try await other.content(of: row.id) == store.content(of: id))
    #expect(try await other.exportMarkdown(to: tree.url)[.unchanged] == 2)
  }

  @Test(arguments: ["photo", "IMG_1.", "two words"])
  func `a note comes back to a picture whose name has no extension`(name: String) async throws {
    try tree.add(name, Samples.png)
    try tree.add("another.md", "A text")
    try await store.importFiles(at: [tree.url])
    let images = store.list(SnippetFilter(kinds: [.image]))
    let id = try #require(try images.row(at: 0)).id
    try await store.apply(SnippetEdit(title: "Dunes", note: "The beach"), to: id)
    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 1)

    let other = try TemporaryStore.open("other.sqlite")
    let report = try await other.importFiles(at: [tree.url])

    #expect(report[.imported] == 2 && report[.updated] == 1, "\(report)")
    #expect(report[.unreadValue] == 0)
    let row = try #require(try other.list(SnippetFilter(kinds: [.image])).row(at: 0))
    #expect(row.title == "Dunes")
    #expect(try await other.note(of: row.id) == "The beach")
    #expect(try await other.importFiles(at: [tree.url])[.unchanged] == 3)
  }

  @Test func `a note file that was edited keeps its picture in the vault, and brings it back`()
    async throws
  {
    let id = try await exportPhoto()
    try tree.add("other.md", "other")
    try await store.importFiles(at: [tree.url])
    try await store.moveToTrash([id])
    let edited = Self.head + "\nThe beach at night\n"
    try tree.add("photo.png.md", edited)
    let bin = TemporaryDirectory.file("bin")

    let options = MarkdownExportOptions(trashedFiles: .move(to: bin))
    let report = try await store.exportMarkdown(to: tree.url, options: options)

    #expect(report[.trashed] == 0 && report[.conflict] == 1, "\(report)")
    #expect(try FileTree.files(in: tree.url) == ["other.md", "photo.png", "photo.png.md"])
    #expect(try await store.importFiles(at: [tree.url])[.broughtBack] == 1)
    #expect(try store.row(id)?.deletedAt == nil)
    #expect(try await store.note(of: id) == "The beach at night")
  }

  @Test func `a note file whose picture is not there becomes a text, and that is named`()
    async throws
  {
    try tree.add("photo.png.md", Self.head + "\nThe beach\n")
    let reasons = Lock<[String]>([])

    let report = try await store.importFiles(at: [tree.url]) { event in
      guard event.outcome == .unreadValue else { return }
      reasons.withLock { $0.append(event.error?.reason ?? "") }
    }

    #expect(report[.imported] == 1, "\(report)")
    #expect(reasons.withLock(\.self).contains { $0.contains("(note-of)") }, "\(reasons)")
  }

  /// Adds a picture with a note in its bytes.
  private func addNotedPhoto() throws {
    var photo = Samples.png
    let text = Data("Description\0The beach".utf8)
    let head = Data([0, 0, 0, UInt8(text.count)]) + Data("tEXt".utf8)
    // Behind the first chunk.
    photo.insert(contentsOf: head + text + Data(count: 4), at: 33)
    try tree.add("photo.png", photo)
  }

  @Test(arguments: ["", "The sea"])
  func `a note within a picture that was removed or edited does not come back`(note: String)
    async throws
  {
    try addNotedPhoto()
    try await store.importFiles(at: [tree.url])
    let row = try #require(try store.list().row(at: 0))
    try await store.apply(SnippetEdit(note: note), to: row.id)

    for folder in [tree.url, TemporaryDirectory.file("out")] {
      try await store.exportMarkdown(to: folder)
      let other = try TemporaryStore.open("\(folder.lastPathComponent).sqlite")
      try await other.importFiles(at: [folder])
      let found = try #require(try other.list().row(at: 0))
      #expect(try other.list().count == 1)
      #expect(try await other.note(of: found.id) == note)
      #expect(try await other.exportMarkdown(to: folder)[.unchanged] == 2)
      #expect(try await other.importFiles(at: [folder])[.unchanged] == 2)
      #expect(try await store.importFiles(at: [folder])[.unchanged] == 2)
      #expect(try await store.exportMarkdown(to: folder)[.unchanged] == 2)
    }
  }

  @Test func `a note within a picture needs no file until it is edited`() async throws {
    try addNotedPhoto()
    try await store.importFiles(at: [tree.url])
    let row = try #require(try store.list().rows(in: 0..<1).first)
    #expect(try await store.note(of: row.id) == "The beach")

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.unchanged] == 1 && report[.exported] == 0, "\(report)")
    #expect(!FileManager.default.fileExists(atPath: tree.path("photo.png.md")))
    try await store.apply(SnippetEdit(note: "The sea"), to: row.id)
    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 1)
    #expect(try tree.text("photo.png.md") == Self.head + "\nThe sea\n")
    try await store.apply(SnippetEdit(note: "The beach"), to: row.id)
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)
  }

  @Test func `an edit on either side goes to the other, and front matter stays`() async throws {
    let id = try await exportPhoto()
    try tree.add(
      "photo.png.md",
      "---\naliases: [sea]\nnote-of: \"[[photo.png]]\"\n---\nA lighthouse\n"
    )

    let report = try await store.importFiles(at: [tree.url])

    #expect(report[.updated] == 1 && report[.imported] == 0, "\(report)")
    #expect(try await store.note(of: id) == "A lighthouse")
    try await store.apply(SnippetEdit(note: "Two lighthouses"), to: id)
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)
    #expect(
      try tree.text("photo.png.md")
        == "---\naliases: [sea]\nnote-of: \"[[photo.png]]\"\n---\n\nTwo lighthouses\n"
    )
    try await store.apply(SnippetEdit(note: ""), to: id)
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)
    #expect(try await store.note(of: id) == "")
    #expect(try await store.check().isSound)
  }

  @Test func `a note that was edited on both sides has both texts`() async throws {
    let id = try await exportPhoto()
    try await store.apply(SnippetEdit(note: "Mine"), to: id)
    try tree.add("photo.png.md", Self.head + "Theirs\n")

    #expect(try await store.exportMarkdown(to: tree.url)[.conflict] == 1)
    #expect(try await store.importFiles(at: [tree.url])[.updated] == 1)

    #expect(try await store.note(of: id) == "Mine\n\n---\n\nTheirs")
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)
    #expect(try tree.text("photo.png.md") == Self.head + "\nMine\n\n---\n\nTheirs\n")
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)
  }

  @Test func `a note without the field is a text, and is not written over`() async throws {
    try tree.add("photo.png.md", "# Of my own\n")
    let id = try await exportPhoto("The beach")

    #expect(try tree.text("photo.png.md") == "# Of my own\n")
    #expect(try store.list().count == 2)
    let advice = Lock<[String]>([])
    let report = try await store.exportMarkdown(to: tree.url) { event in
      if let hint = event.error?.recoverySuggestion { advice.withLock { $0.append(hint) } }
    }
    #expect(report[.conflict] == 1 && advice.withLock { $0.count } == 1)
    #expect(try await store.note(of: id) == "The beach")

    // The advice helps.
    #expect(advice.withLock { $0 }.allSatisfy { $0.hasPrefix("Give that file another name") })
    try tree.move("photo.png.md", to: "own.md")
    try await store.importFiles(at: [tree.url])
    let next = try await store.exportMarkdown(to: tree.url)
    #expect(next[.conflict] == 0 && next[.exported] == 1)
    #expect(try tree.text("photo.png.md") == Self.head + "\nThe beach\n")
    #expect(try tree.text("own.md") == "# Of my own\n")
  }

  @Test func `a side file without its picture is a text`() async throws {
    try tree.add("photo.png.md", Self.head + "Words\n")

    #expect(try await store.importFiles(at: [tree.url])[.imported] == 1)
    #expect(try store.list().rows(in: 0..<2).map(\.kind) == [.text])
  }

  @Test func `no note is read through a link in the place of a picture`() async throws {
    try tree.add("photo.png", Samples.png)
    try await store.importFiles(at: [tree.url])
    let row = try #require(try store.list().row(at: 0))
    try tree.remove("photo.png")
    try addNotedPhoto()
    let (photo, other) = (tree.path("photo.png"), TemporaryDirectory.file("other.png").path)
    try FileManager.default.moveItem(atPath: photo, toPath: other)
    try FileManager.default.createSymbolicLink(atPath: photo, withDestinationPath: other)
    try tree.add("photo.png.md", Self.head + "The beach\n")

    try await store.importFiles(at: [tree.url])

    #expect(try await store.note(of: row.id) == "The beach")
  }

  @Test func `a note goes with a picture that is moved, and stays when its file is gone`()
    async throws
  {
    let id = try await exportPhoto()
    try tree.move("photo.png", to: "sea/dawn.png")
    try tree.move("photo.png.md", to: "sea/dawn.png.md")

    let moved = try await store.importFiles(at: [tree.url])
    #expect(moved[.moved] == 1 && moved[.unchanged] == 1, "\(moved)")
    #expect(try store.list().count == 1)
    let export = try await store.exportMarkdown(to: tree.url)
    #expect(export[.updated] == 1 && export[.unchanged] == 1, "\(export)")
    let text = "---\nnote-of: \"[[dawn.png]]\"\n---\n\nThe beach\nat noon\n"
    #expect(try tree.text("sea/dawn.png.md") == text)
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 2)
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)

    try tree.remove("sea/dawn.png.md")
    let report = try await store.importFiles(
      at: [tree.url],
      options: .init(movesMissingToTrash: true)
    )
    #expect(report[.trashed] == 0, "\(report)")
    #expect(try await store.note(of: id) == "The beach\nat noon")
    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 1)
  }

  @Test func `a note file that keeps its name stays that of its renamed picture`() async throws {
    let id = try await exportPhoto()
    try tree.move("photo.png", to: "dawn.png")

    let moved = try await store.importFiles(at: [tree.url])
    #expect(moved[.moved] == 1 && moved[.unchanged] == 1, "\(moved)")
    let export = try await store.exportMarkdown(to: tree.url)
    #expect(export[.updated] == 1 && export[.unchanged] == 1, "\(export)")
    let head = "---\nnote-of: \"[[dawn.png]]\"\n---\n"
    #expect(try tree.text("photo.png.md") == head + "\nThe beach\nat noon\n")
    #expect(!FileManager.default.fileExists(atPath: tree.path("dawn.png.md")))

    try tree.add("photo.png.md", head + "\nThe beach at dawn\n")
    #expect(try await store.importFiles(at: [tree.url])[.updated] == 1)
    #expect(try await store.note(of: id) == "The beach at dawn")

    try tree.move("photo.png.md", to: "dawn.png.md")
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 2)
    #expect(!FileManager.default.fileExists(atPath: tree.path("photo.png.md")))
    #expect(try await store.note(of: id) == "The beach at dawn")
    #expect(try store.list().count == 1)
  }

  @Test(arguments: [false, true])
  func `a note file that was a text while it was damaged is the note once it is mended`(
    isEdited: Bool
  ) async throws {
    try tree.add("photo.png", Samples.png)
    try tree.add("photo.png.md", "---\nnote-of [[photo.png]]\n---\n\nThe beach\n")
    try await store.importFiles(at: [tree.url])
    let texts = store.list(SnippetFilter(kinds: [.text]))
    let textID = try #require(try texts.rows(in: 0..<1).first?.id)
    let image = try #require(try store.list(SnippetFilter(kinds: [.image])).row(at: 0)?.id)
    if isEdited { try await store.apply(SnippetEdit(text: "My words"), to: textID) }
    try tree.add("photo.png.md", Self.head + "\nThe beach\n")

    let (report, events) = try await store.importAll([tree.url])

    #expect(report[.updated] == 1 && report[.conflict] == 0, "\(events)")
    #expect(events.filter { $0.outcome == .leftOut }.map(\.snippetID) == [textID])
    #expect(try await store.note(of: image) == "The beach")
    #expect(try (store.row(textID)?.deletedAt == nil) == isEdited)
    try await store.apply(SnippetEdit(note: "The beach at dawn"), to: image)
    let export = try await store.exportMarkdown(to: tree.url)
    #expect(export[.updated] == 1 && export[.conflict] == 0, "\(export)")
    #expect(try tree.text("photo.png.md") == Self.head + "\nThe beach at dawn\n")
    #expect(try await store.importAll([tree.url]).report[.unchanged] == 2)
  }

  @Test(arguments: [
    ("photo.png", "beach.png"), ("[[photo.png]]", "[[beach.png]]"),
    ("'[[photo.png]]'", "'[[beach.png]]'"),
    (#""[[photo.png|Sea]]" # c"#, #""[[beach.png|Sea]]" # c"#),
    (#""[photo](photo.png)""#, #""[photo](beach.png)""#), ("a photo", "a photo"),
  ])
  func `a link that a person wrote is renamed with the picture`(
    link: String,
    renamed: String
  ) async throws {
    try tree.add("photo.png", Samples.png)
    try tree.add("photo.png.md", "---\nnote-of: \(link)\n---\n\nWords\n")
    try await store.importFiles(at: [tree.url])
    try tree.move("photo.png", to: "beach.png")
    #expect(try await store.importFiles(at: [tree.url])[.moved] == 1)

    try await store.exportMarkdown(to: tree.url)

    #expect(try tree.text("photo.png.md") == "---\nnote-of: \(renamed)\n---\n\nWords\n")
    // Without a new name the file stays as it is.
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 0)
  }

  @Test func `a note file that was renamed alone stays that of its picture`() async throws {
    let id = try await exportPhoto()
    try tree.move("photo.png.md", to: "dawn.png.md")

    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 2)
    #expect(!FileManager.default.fileExists(atPath: tree.path("photo.png.md")))

    try await store.apply(SnippetEdit(note: "The beach at dawn"), to: id)
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)
    #expect(try tree.text("dawn.png.md") == Self.head + "\nThe beach at dawn\n")
    #expect(try store.list().count == 1)
  }

  @Test(arguments: [("dawn.png", "sea.png.md"), ("sea.png", "dawn.png.md"), ("sea.png", "sea.md")])
  func `a note file stays that of its picture when both have other names`(
    picture: String,
    side: String
  ) async throws {
    let id = try await exportPhoto()
    try tree.move("photo.png", to: picture)
    try tree.move("photo.png.md", to: side)

    let moved = try await store.importFiles(at: [tree.url])
    #expect(moved[.moved] == 1 && moved[.unchanged] == 1, "\(moved)")
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)
    #expect(try FileTree.files(in: tree.url) == [picture, side].sorted())

    try tree.move(side, to: "other.png.md")
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 2)
    #expect(try FileTree.files(in: tree.url) == ["other.png.md", picture].sorted())

    // Another store has the link alone to tell.
    let other = try TemporaryStore.open("other.sqlite")
    let report = try await other.importFiles(at: [tree.url])
    #expect(report[.imported] == 1 && report[.updated] == 1, "\(report)")
    #expect(try other.list().count == 1)
    #expect(try await other.exportMarkdown(to: tree.url)[.unchanged] == 2)

    #expect(try await store.note(of: id) == "The beach\nat noon")
    #expect(try store.list().count == 1)
  }

  @Test(arguments: [true, false])
  func `a note file that is not where it was left is written beside its picture`(isMoved: Bool)
    async throws
  {
    _ = try await exportPhoto()
    try tree.move("photo.png", to: "dawn.png")
    try await store.importFiles(at: [tree.url])
    if isMoved {
      try tree.move("photo.png.md", to: "dawn.png.md")
    } else {
      try tree.remove("photo.png.md")
    }

    let export = try await store.exportMarkdown(to: tree.url)

    #expect(export[isMoved ? .updated : .exported] == 1 && export[.unchanged] == 1, "\(export)")
    #expect(try FileTree.files(in: tree.url) == ["dawn.png", "dawn.png.md"])
    let text = "---\nnote-of: \"[[dawn.png]]\"\n---\n\nThe beach\nat noon\n"
    #expect(try tree.text("dawn.png.md") == text)
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 2)
  }

  @Test(arguments: [
    "note-of: \"[[other.png]]\"", "note-of: \"[[sea/photo.png]]\"", "note-of: \"[[photo.png|A]]\"",
    "note-of: photo.png", "note-of: \"[[..]]\"", "note-of: \"[[]]\"",
  ])
  func `a link that a person wrote stays, and so does one to a picture that is there`(
    field: String
  ) async throws {
    let text = "---\n\(field)\n---\nThe beach\n"
    try tree.add("photo.png", Samples.png)
    try tree.add("photo.png.md", text)
    try tree.add("other.png", Samples.png + Data([0]))
    try await store.importFiles(at: [tree.url])

    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 3)

    #expect(try tree.text("photo.png.md") == text)
  }

  @Test func `a picture without a note has no file beside it`() async throws {
    try await store.save(SnippetDraft(.bytes(Samples.png), title: "Photo"))
    try await store.save(SnippetDraft(.bytes(Samples.wav()), title: "Memo", note: "Two words"))
    let out = TemporaryDirectory.file("out")

    let report = try await store.exportMarkdown(to: out)

    #expect(report[.exported] == 3, "\(report)")
    let names = try FileManager.default.contentsOfDirectory(atPath: out.path)
    #expect(Set(names) == ["Photo.png", "Memo.wav", "Memo.wav.md"])
    #expect(try await store.importFiles(at: [out])[.unchanged] == 3)
  }
}
