import Foundation
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetLoading

/// Texts that are typed while another store on the same file, as another program has it, changes
/// them.
@MainActor
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct SnippetTextEditorTests: TextDeskSuite {
  let desk: TextDesk
  let others: SnippetStore

  init() throws {
    desk = try TextDesk(TemporaryStore.open())
    others = try TemporaryStore.open()
  }

  private func allTexts() async throws -> [String] {
    let list = others.list(.all, order: .oldestFirst)
    var texts: [String] = []
    for row in try list.rows(in: 0..<list.count) {
      texts.append(try await others.text(of: row.id))
    }
    return texts.sorted()
  }

  // MARK: - D1

  @Test func `a text whose snippet others delete goes into no other, and can become a new one`()
    async throws
  {
    let id = try await save("first")
    let next = try await save("second")
    try await editor.open(id)
    editor.typed("first, and more")
    try await others.delete([id])
    desk.pause()
    await desk.reach(.deleted)
    #expect(editor.snippet == id)
    #expect(editor.text == "first, and more")
    #expect(try await allTexts() == ["second"])

    editor.typed("first, and more and more")
    desk.pause()
    editor.keepMine()
    await desk.reach(.saved)
    #expect(try await allTexts() == ["first, and more and more", "second"])
    let new = try #require(editor.snippet)
    #expect(new != id && new != next)
    let row = try #require(try others.row(new))
    #expect(row.title == "Title")
    #expect(row.tags == ["tag"])

    // It goes on there.
    editor.typed("third")
    #expect(await editor.close())
    #expect(try await allTexts() == ["second", "third"])
    #expect(desk.files == [])
  }

  @Test func `a text whose snippet others move to the trash is brought back with it`()
    async throws
  {
    let id = try await save("first")
    try await editor.open(id)
    editor.typed("first, and more")
    try await others.apply(SnippetEdit(isInTrash: true), to: id)
    desk.pause()
    await desk.reach(.inTrash)
    #expect(try await store.text(of: id) == "first")

    editor.keepMine()
    await desk.reach(.saved)
    #expect(try await store.text(of: id) == "first, and more")
    #expect(try store.row(id)?.deletedAt == nil)
  }

  // MARK: - D2

  @Test func `a text that leaves the search it was opened from takes what is typed further`()
    async throws
  {
    let id = try await save("apples")
    let other = try await save("more apples")
    let found = try await store.search(SearchQuery("apples"))
    #expect(try found.count == 2)
    try await editor.open(id)
    editor.typed("pears")
    desk.pause()
    await desk.reach(.saved)
    #expect(try await store.search(SearchQuery("apples")).count == 1)

    editor.typed("pears and plums")
    desk.pause()
    await desk.reach(.saved)
    #expect(try await store.text(of: id) == "pears and plums")
    #expect(try await store.text(of: other) == "more apples")
  }

  // MARK: - D3

  @Test func `closing saves what was typed since the last pause`() async throws {
    let id = try await save("first")
    try await editor.open(id)
    editor.typed("first, and more")
    #expect(await editor.close())
    #expect(try await others.text(of: id) == "first, and more")
    #expect(editor.state == .empty)
    #expect(desk.files == [])
  }

  @Test func `a text that cannot be saved is kept, and the next start saves it`() async throws {
    let id = try await save("first")
    try await editor.open(id)
    editor.typed("first, and more")
    try await store.close()
    #expect(await editor.close())
    let file = try #require(desk.files.first)
    #expect(desk.files.count == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // It belongs to this process, and to no other that starts meanwhile.
    let early = try TextDesk(others)
    #expect(await early.editor.keptSnippets() == [])
    await desk.end()

    let later = try TextDesk(others)
    #expect(await later.editor.keptSnippets() == [id])
    try await later.editor.open(id)
    #expect(later.shown == ["first, and more"])
    await later.reach(.saved)
    #expect(try await others.text(of: id) == "first, and more")
    #expect(later.files == [])
  }

  @Test func `a kept text does not replace what others wrote since`() async throws {
    let id = try await save("first")
    try await editor.open(id)
    editor.typed("mine")
    try await store.close()
    #expect(await editor.close())
    await desk.end()
    try await others.apply(SnippetEdit(text: "theirs"), to: id)

    var later = try TextDesk(others)
    try await later.editor.open(id)
    #expect(later.editor.state == .conflict(theirs: "theirs"))
    #expect(later.editor.text == "mine")
    // It stays so until the person has chosen.
    #expect(await later.editor.leave())
    #expect(later.files.count == 1)
    await later.end()

    later = try TextDesk(others)
    try await later.editor.open(id)
    later.editor.saveAsNew()
    await later.reach(.saved)
    #expect(try await allTexts() == ["mine", "theirs"])
    #expect(later.files == [])
  }

  @Test func `a kept text of a deleted snippet is offered as a new one`() async throws {
    let id = try await save("first")
    try await editor.open(id)
    editor.typed("mine")
    try await store.close()
    #expect(await editor.close())
    await desk.end()
    try await others.delete([id])

    let later = try TextDesk(others)
    #expect(await later.editor.keptSnippets() == [id])
    try await later.editor.open(id)
    #expect(later.editor.state == .deleted)
    later.editor.keepMine()
    await later.reach(.saved)
    let new = try #require(later.editor.snippet)
    #expect(try others.row(new)?.title == "Title")
    #expect(try await allTexts() == ["mine"])
    #expect(later.files == [])
  }

  @Test func `what is not saved is on the disk before closing waits`() async throws {
    let id = try await save("first")
    try await editor.open(id)
    editor.typed("first, and more")
    desk.texts.hold()
    let closing = Task { await editor.close() }
    await desk.texts.untilHeld()
    #expect(desk.files.count == 1)
    desk.texts.release()
    #expect(await closing.value)
    #expect(desk.files == [])
    #expect(try await others.text(of: id) == "first, and more")
  }

  @Test func `a text that can neither be saved nor kept stays`() async throws {
    let desk = try TextDesk(TemporaryStore.inMemory())
    let id = try await desk.store.save(SnippetDraft(.text("first"))).id
    try await desk.editor.open(id)
    desk.editor.typed("mine")
    desk.texts.failure = SnippetStoreError(.diskFull, "save", because: "the disk is full")
    #expect(await !desk.editor.leave())
    #expect(desk.editor.state == .failed)
    #expect(desk.editor.text == "mine")
    #expect(desk.failures == [.diskFull])

    desk.texts.failure = nil
    #expect(await desk.editor.close())
    #expect(try await desk.store.text(of: id) == "mine")
  }

  @Test func `a text that is opened again while it is saved at last takes what is typed`()
    async throws
  {
    let desk = try TextDesk(TemporaryStore.inMemory())
    let id = try await desk.store.save(SnippetDraft(.text("first"))).id
    let other = try await desk.store.save(SnippetDraft(.text("second"))).id
    try await desk.editor.open(id)
    desk.editor.typed("mine")
    desk.texts.failure = SnippetStoreError(.diskFull, "save", because: "the disk is full")
    try await desk.editor.open(other)
    while desk.failures.isEmpty { await Task.yield() }
    // The next attempt, which succeeds once it may.
    desk.texts.failure = nil
    desk.texts.hold()
    desk.clock.advance(by: .seconds(5))
    desk.runDue()
    await desk.texts.untilHeld()

    let opening = Task { try await desk.editor.open(id) }
    while desk.editor.snippet == other { await Task.yield() }
    desk.texts.release()
    try await opening.value
    let ends: [SnippetTextEditor.State] = [.saved, .empty]
    while !ends.contains(desk.editor.state) { await Task.yield() }
    let isTaken = desk.editor.typed("mine, and more")

    #expect(isTaken)
    #expect(await desk.editor.close())
    #expect(try await desk.store.text(of: id) == "mine, and more")
    #expect(try await desk.store.text(of: other) == "second")
  }

  @Test func `files beside the store that are no kept texts do no harm`() async throws {
    let id = try await save("first")
    let prefix = try #require(store.url).path + "-unsaved"
    try Data("{".utf8).write(to: URL(filePath: "\(prefix)-1"))
    try Data("half".utf8).write(to: URL(filePath: "\(prefix)-partial-1"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(prefix)-2",
      withDestinationPath: try #require(store.url).path
    )
    #expect(await editor.keptSnippets() == [])
    // A text that was not kept whole is no text.
    #expect(desk.files == ["\(prefix)-1", "\(prefix)-2"])
    try await editor.open(id)
    editor.typed("mine")
    #expect(await editor.close())
    #expect(try await others.text(of: id) == "mine")
  }

  // MARK: - D4

  enum Choice: CaseIterable {
    case mine, theirs, both
  }

  @Test(arguments: Choice.allCases)
  func `what others write to the same text is not written over`(choice: Choice)
    async throws
  {
    let id = try await save("first")
    try await editor.open(id)
    editor.typed("mine")
    try await others.apply(SnippetEdit(text: "theirs"), to: id)
    desk.pause()
    await desk.reach(.conflict(theirs: "theirs"))
    #expect(editor.text == "mine")
    #expect(try await allTexts() == ["theirs"])
    #expect(desk.files.count == 1)

    switch choice {
    case .mine: editor.keepMine()
    case .theirs: editor.takeTheirs()
    case .both: editor.saveAsNew()
    }
    await desk.reach(.saved)
    switch choice {
    case .mine: #expect(try await allTexts() == ["mine"])
    case .theirs:
      #expect(try await allTexts() == ["theirs"])
      #expect(desk.shown.last == "theirs")
      editor.undo()
      #expect(desk.shown.last == "mine")
    case .both: #expect(try await allTexts() == ["mine", "theirs"])
    }
    #expect(await editor.close())
    #expect(desk.files == [])
  }

  @Test func `a text that was given up comes back, also after others have written once more`()
    async throws
  {
    let id = try await save("first")
    desk.looksByItself = true
    try await editor.open(id)
    editor.typed("mine")
    try await others.apply(SnippetEdit(text: "theirs"), to: id)
    await desk.reach(.conflict(theirs: "theirs"))
    editor.takeTheirs()
    for text in ["theirs again", "theirs at last"] {
      try await others.apply(SnippetEdit(text: text), to: id)
      await desk.untilShown(text)
    }

    editor.undo()
    #expect(editor.text == "mine")
    editor.redo()
    #expect(editor.text == "theirs at last")
    editor.undo()
    #expect(await editor.leave())
    #expect(try await allTexts() == ["mine"])
  }

  @Test func `a conflict is told as soon as others have written`() async throws {
    let id = try await save("first")
    desk.looksByItself = true
    try await editor.open(id)
    editor.typed("mine")
    try await others.apply(SnippetEdit(text: "theirs"), to: id)
    await desk.reach(.conflict(theirs: "theirs"))

    // Theirs may change once more, unseen.
    desk.looksByItself = false
    try await others.apply(SnippetEdit(text: "theirs again"), to: id)
    editor.keepMine()
    await desk.reach(.conflict(theirs: "theirs again"))
    #expect(try await allTexts() == ["theirs again"])
  }

  @Test func `others who change another field of a long text make no conflict`() async throws {
    let long = String(repeating: "long ", count: 200)
    let id = try await save(long)
    try await editor.open(id)
    editor.typed(long + "mine")
    try await others.apply(SnippetEdit(isPinned: true), to: id)
    desk.pause()
    await desk.reach(.saved)
    #expect(try await others.text(of: id) == long + "mine")
    #expect(try others.row(id)?.isPinned == true)
  }

  @Test func `texts that look alike in a row are told apart`() async throws {
    let id = try await save("a\nb")
    try await editor.open(id)
    editor.typed("mine")
    try await others.apply(SnippetEdit(text: "a b"), to: id)
    desk.pause()
    await desk.reach(.conflict(theirs: "a b"))
    #expect(try await others.text(of: id) == "a b")
  }

  @Test func `what others write is shown while nothing is typed`() async throws {
    let id = try await save("first")
    desk.looksByItself = true
    try await editor.open(id)
    try await others.apply(SnippetEdit(text: "theirs"), to: id)
    await desk.untilShown("theirs")
    #expect(editor.state == .saved)
    editor.typed("theirs, and mine")
    #expect(await editor.close())
    #expect(try await others.text(of: id) == "theirs, and mine")
  }

  // MARK: - Typing on

  @Test func `keys that come while a text is saved are saved after it`() async throws {
    let id = try await save("")
    try await editor.open(id)
    editor.typed("a")
    desk.texts.hold()
    desk.pause()
    await desk.texts.untilHeld()
    editor.typed("ab")
    desk.pause()
    desk.texts.release()
    await desk.reach(.saved)
    #expect(try await others.text(of: id) == "ab")
    #expect(desk.texts.savedTexts == ["a", "ab"])
  }

  @Test func `a person who never pauses is saved all the same`() async throws {
    let id = try await save("")
    try await editor.open(id)
    for length in 1...30 {
      editor.typed(String(repeating: "a", count: length))
      desk.clock.advance(by: .milliseconds(200))
      desk.runDue()
    }
    #expect(await editor.close())
    #expect(desk.texts.savedTexts.count > 1)
    #expect(try await others.text(of: id).count == 30)
  }

  @Test func `the next snippet is opened while the former is still saved`() async throws {
    let ids = [try await save("first"), try await save("second")]
    try await editor.open(ids[0])
    editor.typed("first, mine")
    desk.texts.hold()
    try await editor.open(ids[1])
    #expect(desk.shown.last == "second")
    editor.typed("second, mine")
    await desk.texts.untilHeld()
    desk.texts.release()
    #expect(await editor.close())
    #expect(try await allTexts() == ["first, mine", "second, mine"])
  }

  @Test func `a snippet that is opened again has what was typed before`() async throws {
    let id = try await save("first")
    try await editor.open(id)
    editor.typed("first, mine")
    try await editor.open(id)
    #expect(desk.shown.last == "first, mine")
    #expect(editor.state == .saved)
  }

  @Test func `going back crosses saves, and what was typed is undone as one edit once left`()
    async throws
  {
    let id = try await save("first")
    try await editor.open(id)
    for text in ["a", "ab"] {
      editor.typed(text)
      desk.pause()
      await desk.reach(.saved)
    }
    editor.undo()
    #expect(desk.shown.last == "a")
    desk.pause()
    await desk.reach(.saved)
    #expect(try await others.text(of: id) == "a")
    editor.redo()
    #expect(desk.shown.last == "ab")
    #expect(await editor.leave())
    #expect(try await others.text(of: id) == "ab")

    await desk.commands.undo()?.value
    #expect(try await others.text(of: id) == "first")
  }

  @Test func `what completes the edits is saved with the text, and undone with it`() async throws {
    let desk = try TextDesk(store) { edit, _ in
      var edit = edit
      edit.title = edit.text.map { "Title of \($0)" }
      edit.addedTags = edit.text == "ab" ? ["new"] : []
      return edit
    }
    let id = try await save("first")
    try await desk.editor.open(id)
    for text in ["a", "ab"] {
      desk.editor.typed(text)
      desk.pause()
      await desk.reach(.saved)
    }
    let row = try #require(try others.row(id))
    #expect(row.title == "Title of ab" && row.tags == ["new", "tag"])
    #expect(await desk.editor.leave())

    await desk.commands.undo()?.value

    #expect(try await others.text(of: id) == "first")
    #expect(try others.row(id)?.title == "Title")
    #expect(try others.row(id)?.tags == ["tag"])
  }

  private nonisolated static func tags(in text: String) -> [String] {
    text.split(separator: " ").filter { $0.hasPrefix("#") }.map { String($0.dropFirst()) }
  }

  @Test func `a tag that the snippet had before the text said it stays, and no other does`()
    async throws
  {
    let desk = try TextDesk(store) { [others] edit, id in
      let former = Self.tags(in: try await others.text(of: id))
      let new = Self.tags(in: edit.text ?? "")
      var edit = edit
      edit.addedTags = new.filter { !former.contains($0) }
      edit.removedTags = former.filter { !new.contains($0) }
      return edit
    }
    let texts = ["none", "#tag", "#tag #b", "#tagged"]
    let triples = texts.flatMap { first in
      texts.flatMap { second in texts.map { [first, second, $0] } }
    }
    for triple in triples {
      let id = try await save("start")
      try await desk.editor.open(id)
      for text in triple {
        desk.editor.typed(text)
        desk.pause()
        await desk.reach(.saved)
        let row = try #require(try others.row(id))
        #expect(Set(row.tags) == Set(Self.tags(in: text) + ["tag"]), "\(triple)")
      }
      #expect(await desk.editor.leave())
    }
  }

  @Test func `a busy store is tried again at the next pause`() async throws {
    let id = try await save("first")
    try await editor.open(id)
    editor.typed("mine")
    desk.texts.failure = SnippetStoreError(.busy, "save", because: "another program writes")
    desk.pause()
    await desk.reach(.failed)
    #expect(desk.files.count == 1)

    desk.texts.failure = nil
    desk.pause()
    await desk.reach(.saved)
    #expect(try await others.text(of: id) == "mine")
    #expect(desk.files == [])
  }

  @Test func `letters that only look the same are saved`() async throws {
    let id = try await save("\u{E9}")
    try await editor.open(id)
    editor.typed("e\u{301}")
    #expect(await editor.close())
    #expect(Array(try await others.text(of: id).unicodeScalars).count == 2)
  }

  @Test func `a text with bytes that are no characters is shown, and never saved over them`()
    async throws
  {
    let bytes =
      Data(String(repeating: "Grüße aus Köln\n", count: 20).utf8) + Data([0x47, 0x72, 0xFC, 0x0A])
    let row = try await store.save(SnippetDraft(.bytes(bytes)))
    #expect(row.facts.isIrregular)

    try await editor.open(row.id)
    #expect(editor.text.contains("Gr\u{FFFD}") && !editor.isEditable)
    let isTaken = editor.typed("mine")
    #expect(!isTaken)
    desk.pause()
    editor.keepMine()
    #expect(await editor.close())
    #expect(try await others.content(of: row.id) == bytes)
    #expect(desk.files == [])

    try await others.apply(SnippetEdit(text: "whole"), to: row.id)
    try await editor.open(row.id)
    #expect(editor.isEditable)
    editor.typed("mine")
    #expect(await editor.close())
    #expect(try await others.text(of: row.id) == "mine")
  }

  // MARK: - A storm

  /// Adds to a text, unless it was changed since it was read.
  private func appendByOthers(to id: SnippetID) async throws {
    let row = try #require(try others.row(id))
    let text = try await others.text(of: id)
    do throws(SnippetStoreError) {
      try await others.apply(SnippetEdit(text: text + "!"), to: row)
    } catch {
      #expect(error.code == .conflict)
    }
  }

  @Test func `in a storm of changes by others every keystroke is in one of the texts`()
    async throws
  {
    var random = SeededGenerator()
    let ids = [try await save("0"), try await save("1")]
    var typed: [SnippetID: Set<Character>] = [:]
    // As many letters as keystrokes, none of which is typed twice.
    let letters = (0..<400).compactMap { Unicode.Scalar(0x4E00 + $0).map(Character.init) }
    try await editor.open(ids[0])
    for letter in letters {
      let id = try #require(editor.snippet)
      let text = editor.text + String(letter)
      editor.typed(text)
      typed[id, default: []].insert(letter)
      switch random.below(6) {
      case 0: try await appendByOthers(to: ids[0])
      case 1: try await others.apply(SnippetEdit(isPinned: random.chance(0.5)), to: ids[0])
      case 2, 3: desk.pause()
      case 4:
        if random.chance(0.3) { try await editor.open(random.element(of: ids)) }
      default: await Task.yield()
      }
      desk.runDue()
      if case .conflict = editor.state {
        let former = editor.snippet
        editor.saveAsNew()
        await desk.reach(.saved)
        let new = try #require(editor.snippet)
        typed[new] = former.flatMap { typed[$0] }
        try await editor.open(ids[0])
      }
    }
    #expect(await editor.close())
    for kept in await editor.keptSnippets() {
      try await editor.open(kept)
      if case .conflict = editor.state { editor.saveAsNew() }
      await desk.reach(.saved)
      #expect(await editor.close())
    }

    let texts = try await allTexts().joined()
    let all = typed.values.reduce(into: Set()) { $0.formUnion($1) }
    #expect(all.subtracting(texts).isEmpty)
    let other = try await others.text(of: ids[1])
    #expect(Set(other).subtracting(typed[ids[1]] ?? []).subtracting("1").isEmpty)
  }
}
