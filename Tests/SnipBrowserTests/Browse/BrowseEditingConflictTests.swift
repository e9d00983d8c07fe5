import Foundation
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// Texts that others change, trash or delete, or whose store fails, while the user's editor is
/// open.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseEditingConflictTests {
  private let fixture: EditingFixture

  init() async throws { fixture = try await EditingFixture() }

  private var shown: String { fixture.shown }
  private var status: String { fixture.status }

  private func edit(andBy others: SnippetEdit) async throws {
    let note = fixture.note
    try await fixture.edit(into: "mine") { try await $0.apply(others, to: note) }
  }

  @Test(arguments: [
    ("m", ["mine"], "Saved. u takes it back."),
    ("n", ["theirs", "mine"], "Saved as a new snippet."),
    ("q", ["theirs"], "Your text is kept."),
  ])
  func `what others wrote is not written over, and the person chooses`(
    key: String,
    texts: [String],
    words: String
  ) async throws {
    try await edit(andBy: SnippetEdit(text: "theirs"))

    #expect(shown.contains("changed elsewhere while you edited it"), "\(shown)")
    // No other key answers it.
    try await fixture.run("?", "d", "e", "wait")
    #expect(shown.contains("Yours:\n\nmine\n\nTheirs:\n\ntheirs"), "\(shown)")
    #expect(status.contains("m mine  t theirs  n new  q later"), "\(status)")
    #expect(try await fixture.texts() == ["theirs"])
    // It is safe already.
    #expect(fixture.files.count == 1 && fixture.files[0].contains("-unsaved-"))

    try await fixture.run(key, "wait")
    #expect(try await fixture.texts() == texts)
    #expect(status.hasPrefix(" " + words), "\(status)")
    #expect(fixture.files.count == (key == "q" ? 1 : 0))
  }

  @Test(arguments: [("m", "mine"), ("t", "theirs"), ("n", "theirs")])
  func `a note that others wrote is not written over either`(key: String, note: String)
    async throws
  {
    var draft = Samples.image(Samples.bytes(100), title: "Harbour")
    draft.note = "first"
    let picture = try await fixture.store.save(draft)
    fixture.screen.list.refresh()
    try await fixture.run("g", "wait")

    try await fixture.edit(into: "mine") {
      try await $0.apply(SnippetEdit(note: "theirs", isPinned: true), to: picture.id)
    }
    #expect(shown.contains("The note of “Harbour” was changed elsewhere"), "\(shown)")
    #expect(shown.contains("Yours:\n\nmine\n\nTheirs:\n\ntheirs"), "\(shown)")
    try await fixture.run(key, "wait")

    #expect(try await fixture.others.note(of: picture.id) == note)
    #expect(try fixture.others.row(picture.id)?.isPinned == true)
    let isNew = key == "n"
    #expect(try fixture.others.list().count == (isNew ? 3 : 2))
    if isNew { #expect(try await fixture.others.text(of: SnippetID(rawValue: 3)) == "mine") }
    #expect(fixture.files.isEmpty)
  }

  @Test func `what was saved over the text of others can be taken back`() async throws {
    try await edit(andBy: SnippetEdit(text: "theirs"))
    try await fixture.run("m", "wait", "u", "wait")
    #expect(try await fixture.texts() == ["theirs"])
  }

  @Test func `the text of others is taken, and that can be taken back`() async throws {
    try await edit(andBy: SnippetEdit(text: "theirs"))

    try await fixture.run("t", "wait")
    #expect(shown.contains("as others have left it") && status.contains("u undo  q go on"))
    #expect(try await fixture.texts() == ["theirs"] && fixture.files.isEmpty)

    try await fixture.run("u", "wait")
    #expect(try await fixture.texts() == ["mine"])
    #expect(status == " Saved. u takes it back.")
    try await fixture.run("u", "wait")
    #expect(try await fixture.texts() == ["theirs"])
  }

  @Test func `a conflict that was put off is shown before the text is edited again`()
    async throws
  {
    try await edit(andBy: SnippetEdit(text: "theirs"))
    try await fixture.run("q", "wait", "e", "wait")
    #expect(fixture.programs.files.count == 1 && shown.contains("was kept"), "\(shown)")

    try await fixture.run("m", "wait")
    #expect(shown.contains("Theirs:\n\ntheirs"), "\(shown)")
    try await fixture.run("m", "wait")
    #expect(try await fixture.texts() == ["mine"] && fixture.files.isEmpty)
  }

  @Test func `what others write during the question is shown in it`() async throws {
    try await edit(andBy: SnippetEdit(text: "theirs"))
    try await fixture.others.apply(SnippetEdit(text: "theirs again"), to: fixture.note)
    try await fixture.browse.wait { $0.text.contains("theirs again") }

    try await fixture.others.delete([fixture.note])
    try await fixture.browse.wait { $0.text.contains("was deleted") }
    try await fixture.run("m", "wait")
    #expect(try await fixture.texts() == ["mine"] && fixture.files.isEmpty)
  }

  @Test(arguments: [("m", ["mine"], false), ("t", ["first\nsecond"], true)])
  func `a text that others moved to the trash is brought back, or left there`(
    key: String,
    texts: [String],
    isInTrash: Bool
  ) async throws {
    try await edit(andBy: SnippetEdit(isInTrash: true))
    #expect(shown.contains("was moved to the trash while you edited it"), "\(shown)")

    try await fixture.run(key, "wait")

    #expect(try await fixture.texts() == texts && fixture.files.isEmpty)
    #expect(try (fixture.others.row(fixture.note)?.deletedAt != nil) == isInTrash)
  }

  @Test(arguments: [("m", ["mine"]), ("t", [])])
  func `a text that others deleted becomes a new one, or is let go`(
    key: String,
    texts: [String]
  ) async throws {
    let note = fixture.note
    try await fixture.edit(into: "mine") { try await $0.delete([note]) }
    #expect(shown.contains("was deleted while you edited it"), "\(shown)")

    try await fixture.run(key, "wait")

    #expect(try await fixture.texts() == texts && fixture.files.isEmpty)
  }

  @Test func `another field that others change is no conflict`() async throws {
    try await edit(andBy: SnippetEdit(isPinned: true))
    #expect(try await fixture.texts() == ["mine"])
    #expect(try fixture.others.row(fixture.note)?.isPinned == true)
  }

  @Test func `a text of the other program that is the same is no conflict`() async throws {
    try await edit(andBy: SnippetEdit(text: "mine"))
    #expect(try await fixture.texts() == ["mine"] && fixture.files.isEmpty)
    #expect(status.hasPrefix(" Saved"), "\(status)")
  }

  // MARK: - A store that fails

  @Test func `a text that a busy store cannot take is kept, and offered at the next start`()
    async throws
  {
    let shell = try ShellSession(try #require(fixture.store.url))
    try await fixture.edit(into: "mine") { _ in
      _ = try await shell.run("BEGIN IMMEDIATE;")
    }
    #expect(status.hasPrefix(" Not saved, but kept:"), "\(status)")
    try await shell.end()
    #expect(try await fixture.texts() == ["first\nsecond"] && fixture.files.count == 1)

    // The same browser offers it when the text is edited again.
    try await fixture.run("e", "wait")
    #expect(shown.contains("was not saved, and was kept"), "\(shown)")
    try await fixture.run("m", "wait")
    #expect(try await fixture.texts() == ["mine"] && fixture.files.isEmpty)
  }

  @Test func `a text whose store was closed is kept`() async throws {
    let store = fixture.store
    try await fixture.edit(into: "mine") { _ in try await store.close() }
    #expect(status.hasPrefix(" Not saved, but kept:"), "\(status)")
    #expect(try await fixture.texts() == ["first\nsecond"])
    #expect(fixture.files.count == 1 && fixture.files[0].contains("-unsaved-"))
  }
}
