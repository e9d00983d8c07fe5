import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetLoading

/// Texts that are edited outside of the editor, and kept for it.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct KeptTextTests: TextDeskSuite {
  let desk: TextDesk
  let others: SnippetStore

  init() throws {
    desk = try TextDesk(TemporaryStore.open())
    others = try TemporaryStore.open()
  }

  /// A text that was edited elsewhere.
  private func edited(_ id: SnippetID, into text: String) async throws -> UnsavedText {
    var edited = try await editor.original(of: id)
    edited.text = text
    return edited
  }

  @Test func `a text from elsewhere is saved as one edit, over the version it was made from`()
    async throws
  {
    let id = try await save("first")
    let text = try await edited(id, into: "mine")

    try await editor.keep(text)
    #expect(desk.files.count == 1)
    #expect(await editor.keptTexts() == [text])
    try await editor.open(kept: text)
    #expect(await editor.leave())

    #expect(try await others.text(of: id) == "mine")
    #expect(desk.files == [])
    await desk.commands.undo()?.value
    #expect(try await others.text(of: id) == "first")
  }

  @Test func `a text from elsewhere goes over no other version`() async throws {
    let id = try await save("first")
    let text = try await edited(id, into: "mine")
    try await others.apply(SnippetEdit(text: "theirs"), to: id)

    try await editor.keep(text)
    try await editor.open(kept: text)

    #expect(editor.state == .conflict(theirs: "theirs"))
    #expect(try await others.text(of: id) == "theirs")
    #expect(await editor.leave())
    #expect(await editor.keptTexts() == [text])
  }

  @Test func `texts that an ended process has kept are found beside a new one`() async throws {
    let id = try await save("first")
    try await editor.keep(edited(id, into: "mine"))
    await desk.end()

    let later = try TextDesk(others)
    var text = try await later.editor.original(of: id)
    text.text = "another"
    try await later.editor.keep(text)
    #expect(await later.editor.keptTexts().map(\.text) == ["mine", "another"])
  }

  // write ─▶ wait for the disk ─▶ rename
  //               killed
  @Test func `a text that was whole when its process was killed is found without its own name`()
    async throws
  {
    let id = try await save("first")
    let text = try await edited(id, into: "mine")
    try await editor.keep(text)
    let kept = try #require(desk.files.first)
    await desk.end()
    let prefix = try #require(others.url).path + "-unsaved"
    try FileManager.default.moveItem(atPath: kept, toPath: "\(prefix)-partial-aBc123")

    let later = try TextDesk(others)
    #expect(await later.editor.keptTexts() == [text])
    try await later.editor.open(id)
    #expect(await later.editor.close())

    #expect(try await others.text(of: id) == "mine")
    #expect(later.files == [])
  }

  @Test func `a text goes into no other snippet that has its number in a later store`()
    async throws
  {
    let id = try await save("first")
    var text = try await edited(id, into: "mine")
    // As if the store had been deleted, and another one had taken its place.
    text = UnsavedText(
      snippet: id,
      uuid: UUID(),
      isNote: false,
      title: text.title,
      tags: text.tags,
      text: "mine",
      formerText: "first",
      revision: text.revision
    )
    try await editor.keep(text)

    try await editor.open(kept: text)
    #expect(editor.state == .deleted)
    desk.runDue()
    editor.keepMine()
    #expect(await editor.leave())

    #expect(try await others.text(of: id) == "first")
    #expect(try others.list().count == 2)
    #expect(desk.files == [])
  }

  @Test func `a kept text that is dropped is nowhere`() async throws {
    let id = try await save("first")
    let text = try await edited(id, into: "mine")
    try await editor.keep(text)
    editor.drop(kept: text)
    #expect(await editor.keptTexts() == [])
    #expect(desk.files == [])
  }

  @Test func `a store in memory keeps no text`() async throws {
    let desk = try TextDesk(TemporaryStore.inMemory())
    let id = try await desk.store.save(SnippetDraft(.text("first"))).id
    let text = try await desk.editor.original(of: id)
    await #expect(throws: SnippetStoreError.self) { try await desk.editor.keep(text) }
  }
}
