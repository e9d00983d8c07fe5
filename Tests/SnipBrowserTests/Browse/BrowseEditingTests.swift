import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnipBrowser

/// Texts that are edited in the user's editor, without others that change them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseEditingTests {
  private let fixture: EditingFixture

  init() async throws { fixture = try await EditingFixture() }

  private var store: SnippetStore { fixture.store }
  private var programs: ScriptedPrograms { fixture.programs }
  private var status: String { fixture.status }

  private func text() async throws -> String { try await store.text(of: fixture.note) }

  @Test func `an edited text is saved, and the edit can be taken back`() async throws {
    let place = TemporaryDirectory.current.url.path
    programs.editing = { file in
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      let folder = file.deletingLastPathComponent()
      let rights = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
      #expect((rights as? NSNumber)?.intValue == 0o700)
      // As safe as the store, wherever temporary files are.
      #expect(folder.deletingLastPathComponent().path == place)
      #expect(try String(contentsOf: file, encoding: .utf8) == "first\nsecond")
      try Data("changed ü".utf8).write(to: file)
      return 0
    }

    try await fixture.run("e", "wait")

    #expect(try await text() == "changed ü" && status == " Saved. u takes it back.", "\(status)")
    #expect(fixture.files.isEmpty)
    try await fixture.run("u", "wait")
    #expect(try await text() == "first\nsecond")
  }

  @Test func `a tag that is typed into a text is in the row, and taken back with it`() async throws
  {
    try await fixture.edit(into: "---\ntitle: Typed\n---\nfirst #new")
    #expect(try store.row(fixture.note)?.tags == ["new"])
    // The title was not that of the text, which now has one.
    #expect(try store.row(fixture.note)?.title == "Typed")

    try await fixture.run("u", "wait")
    #expect(try store.row(fixture.note)?.tags == [])
    #expect(try store.row(fixture.note)?.title == "Note")
    #expect(try await text() == "first\nsecond")
  }

  @Test(arguments: ["first\nsecond", "first\nsecond\n"])
  func `a text that was not changed is not saved`(text: String) async throws {
    let former = try store.row(fixture.note)

    try await fixture.run("enter", "wait")
    try await fixture.edit(into: text)

    #expect(try store.row(fixture.note) == former && status.hasPrefix(" Nothing was changed."))
  }

  @Test func `a text of which only the normal form was changed is saved`() async throws {
    try await store.apply(SnippetEdit(text: "Gr\u{FC}\u{DF}e"), to: fixture.note)
    fixture.screen.list.refresh()
    try await fixture.run("wait")

    try await fixture.edit(into: "Gru\u{308}\u{DF}e")

    #expect(status == " Saved. u takes it back.", "\(status)")
    #expect(Array(try await text().utf8) == Array("Gru\u{308}\u{DF}e".utf8))
  }

  @Test func `an opened text is edited and shown as it is then`() async throws {
    try await fixture.run("enter", "wait")
    try await fixture.edit(into: "another")
    try await fixture.browse.wait { $0.openedText.contains("\nanother\n") }
  }

  @Test func `a text that was emptied is saved so, and told`() async throws {
    try await fixture.edit(into: "")
    #expect(status == " Saved, and empty now. u takes it back." && fixture.files.isEmpty)
    try await fixture.run("u", "wait")
    #expect(try await text() == "first\nsecond")
  }

  @Test func `a text with bytes that an editor would lose is not edited`() async throws {
    // A line in Latin-1 after many in UTF-8.
    let bytes =
      Data(String(repeating: "Grüße aus Köln\n", count: 20).utf8) + Data([0x47, 0x72, 0xFC, 0x0A])
    let row = try await store.save(SnippetDraft(.bytes(bytes), createdAt: Date()))
    #expect(row.facts.isIrregular)
    fixture.screen.list.refresh()

    try await fixture.run("g", "wait")
    try await fixture.edit(into: "mine")

    #expect(status.contains("would lose the bytes"), "\(status)")
    #expect(programs.files.isEmpty && fixture.files.isEmpty)
    #expect(try await store.content(of: row.id) == bytes)
  }

  @Test func `an irregular text that an editor keeps whole is edited`() async throws {
    let bytes = Data("a line\n\0\nof text\n".utf8)
    let row = try await store.save(SnippetDraft(.bytes(bytes), createdAt: Date()))
    #expect(row.facts.isIrregular)
    fixture.screen.list.refresh()

    try await fixture.run("g", "wait")
    try await fixture.edit(into: "mine")

    #expect(try await store.text(of: row.id) == "mine", "\(status)")
  }

  @Test func `one editor is started, however often it is asked for`() async throws {
    try await fixture.run("e", "e", "wait")
    #expect(programs.files.count == 1)
    try await fixture.run("e", "wait")
    #expect(programs.files.count == 2)
  }

  @Test func `an editor that cannot be started leaves nothing behind`() async throws {
    programs.editing = { _ in throw OtherProgramError(message: "there is no editor") }

    try await fixture.run("e", "wait")

    #expect(status.contains("there is no editor") && fixture.files.isEmpty, "\(status)")
  }

  @Test func `of a picture the note is edited, and an empty file takes it off`() async throws {
    let picture = try await store.save(Samples.image(Samples.bytes(100), title: "Picture"))
    fixture.screen.list.refresh()
    try await fixture.run("g", "wait")

    try await fixture.edit(into: "The harbour\n\nat night\n")
    #expect(status == " Saved. u takes it back.", "\(status)")
    #expect(programs.files.first?.lastPathComponent == "snippet-\(picture.id).md")
    #expect(try await store.note(of: picture.id) == "The harbour\n\nat night")

    programs.editing = { file in
      #expect(try String(contentsOf: file, encoding: .utf8) == "The harbour\n\nat night")
      try Data("\n".utf8).write(to: file)
      return 0
    }
    try await fixture.run("enter", "wait", "e", "wait")
    #expect(status.contains("The note was taken off."), "\(status)")
    #expect(try await store.note(of: picture.id) == "" && fixture.files.isEmpty)

    try await fixture.run("esc", "wait", "u", "wait")
    #expect(try await store.note(of: picture.id) == "The harbour\n\nat night")
    try await fixture.run("u", "wait")
    #expect(try await store.note(of: picture.id) == "")
    #expect(try await store.content(of: picture.id) == Samples.bytes(100))
  }

  @Test func `nothing is edited in a store that cannot be changed`() async throws {
    fixture.screen.readOnlyReason = "it is on a read-only disk"
    try await fixture.run("G", "e", "wait")
    #expect(status.contains("it is on a read-only disk") && programs.files.isEmpty, "\(status)")
  }

  // MARK: - The end of an editor

  @Test(arguments: [
    (Int32(2), "Nothing was changed: the editor ended with status 2."),
    (Int32(126), "“my editor” cannot be run. Set VISUAL or EDITOR."),
    (Int32(127), "“my editor” was not found. Set VISUAL or EDITOR."),
    (128 + SIGKILL, "Nothing was changed: a signal ended the editor (Killed)."),
  ])
  func `how an editor ended that changed nothing is told`(end: Int32, words: String) async throws {
    try await fixture.edit(into: "first\nsecond", status: end)
    #expect(status == " \(words)", "\(status)")
    #expect(fixture.files.isEmpty)
  }

  @Test func `a text whose editor failed stays in its file, and is offered later`() async throws {
    try await fixture.edit(into: "mine", status: 1)

    #expect(try await text() == "first\nsecond")
    #expect(fixture.shown.contains("the editor ended with status 1"), "\(fixture.shown)")
    let file = try #require(programs.files.first)
    #expect(fixture.shows(file.path))
    #expect(try String(contentsOf: file, encoding: .utf8) == "mine")

    // It is not saved unasked, also when the snippet is edited again.
    try await fixture.run("q", "e", "wait")
    #expect(programs.files.count == 1 && fixture.shown.contains("was not saved, and was kept"))
    #expect(try await text() == "first\nsecond")
    try await fixture.run("D", "wait", "e", "wait")
    #expect(programs.files.count == 2 && fixture.files.allSatisfy { $0.contains("-edit-") })
  }

  @Test func `an editor that goes on in a window of its own loses nothing`() async throws {
    programs.editing = { _ in 0 }
    try await fixture.run("e", "wait")
    #expect(status.contains("must wait: `code --wait`"), "\(status)")
    // It is still open there.
    let file = try #require(programs.files.first)
    try Data("from the window".utf8).write(to: file)

    try await fixture.run("e", "wait")

    #expect(programs.files.count == 1 && fixture.shown.contains("from the window"))
    try await fixture.run("m", "wait")
    #expect(try await text() == "from the window" && fixture.files.isEmpty)
  }
}
