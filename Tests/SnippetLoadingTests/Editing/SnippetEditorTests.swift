import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetLoading

/// Edits that show at once, and are carried out or taken back.
@MainActor
struct SnippetEditorTests {
  private let receiver = HeldReceiver()
  private let stage = ScriptedLoader(
    rows: ScriptedRows([.text(1, "first"), .text(2, "second")]),
    rules: RecipeRules(recipes: [:])
  )
  private let editor: SnippetEditor
  private let cell: RecordingCell

  init() {
    editor = SnippetEditor(receiver)
    stage.loader.editor = editor
    cell = stage.boundCell(to: 0)
  }

  private func shown() throws -> SnippetRow { try #require(cell.row) }

  private func pin(_ isPinned: Bool) -> SnippetEdit { SnippetEdit(isPinned: isPinned) }

  /// Puts a row in place of the one with its number, as another process does.
  private func replace(with row: SnippetRow) {
    stage.rows.rows = stage.rows.rows.map { $0.id == row.id ? row : $0 }
    stage.rows.announce()
    stage.settle()
  }

  @Test func `an edit shows in every cell before it is carried out`() async throws {
    let twin = stage.boundCell(to: 0)
    let sent = editor.apply(pin(true), to: try shown())
    #expect(try shown().isPinned)
    #expect(twin.row?.isPinned == true)
    #expect(cell.changes.last == SnippetFields(.isPinned))
    #expect(receiver.performed.isEmpty)

    receiver.succeed()
    await sent.value
    #expect(receiver.performed == [pin(true)])
  }

  @Test func `a cell that is bound in the meantime shows the edit too`() throws {
    editor.apply(pin(true), to: try shown())
    let late = stage.boundCell(to: 0)
    #expect(late.row?.isPinned == true)
  }

  @Test func `a row of a model shows the edit whenever the list reads it again`() throws {
    let list = SnippetListModel(stage.loader)
    let row = list.rows[0]
    row.appear()
    editor.apply(pin(true), to: try #require(row.row))
    #expect(row.row?.isPinned == true)

    #expect(list.rows[0] === row)

    #expect(row.row?.isPinned == true)
  }

  @Test func `what is carried out stays on screen though the list is behind`() async throws {
    let sent = editor.apply(pin(true), to: try shown())
    receiver.succeed()
    await sent.value
    #expect(try shown().isPinned)
    #expect(stage.boundCell(to: 0).row?.isPinned == true)

    // What comes next is newer than the edit.
    replace(with: try shown().copy(isPinned: false, revision: 3))
    #expect(try !shown().isPinned)
  }

  @Test func `an edit that fails is taken back, with the reason`() async throws {
    var failures: [SnippetEdit?] = []
    editor.failureHandler = { edit, id, error in
      #expect(id == SnippetID(rawValue: 1))
      #expect((error as? LoadError)?.code == .unreadable)
      failures.append(edit)
    }
    let sent = editor.apply(pin(true), to: try shown())
    #expect(try shown().isPinned)

    receiver.fail()
    await sent.value

    #expect(try !shown().isPinned)
    #expect(failures == [pin(true)])
    #expect(editor.nextUndo == nil)
  }

  @Test func `what others change of other fields is kept`() async throws {
    let sent = editor.apply(pin(true), to: try shown())
    replace(with: try shown().copy(title: "theirs", isPinned: false, revision: 2))
    #expect(try shown().title == "theirs")
    #expect(try shown().isPinned)

    receiver.succeed { $0.copy(title: "theirs", revision: 3) }
    await sent.value
    #expect(try shown().title == "theirs")
    #expect(try shown().isPinned)
  }

  @Test func `quick taps become two edits at most, and the last one holds`() async throws {
    var sent: [Task<Void, Never>] = []
    for _ in 0..<5 { sent.append(editor.apply(pin(try !shown().isPinned), to: try shown())) }
    #expect(try shown().isPinned)

    receiver.succeed()
    receiver.succeed()
    for task in sent { await task.value }

    #expect(receiver.performed == [pin(true), pin(true)])
    #expect(try shown().isPinned)
  }

  @Test func `keystrokes become one edit while a former one is under way`() async throws {
    var sent: [Task<Void, Never>] = []
    for length in 1...6 {
      let title = String("second".prefix(length))
      sent.append(editor.apply(SnippetEdit(title: title), to: try shown()))
      #expect(try shown().title == title)
    }
    receiver.succeed()
    receiver.succeed()
    for task in sent { await task.value }
    #expect(
      receiver.performed == ["s", "second"].map { SnippetEdit(title: $0) }
    )
  }

  @Test func `settling waits for the edits that are under way and those that wait`() async throws {
    editor.apply(pin(true), to: try shown())
    editor.apply(SnippetEdit(title: "mine"), to: try shown())
    let settling = Task { await editor.settled() }
    receiver.succeed()
    receiver.succeed()
    await settling.value
    #expect(receiver.performed == [pin(true), SnippetEdit(title: "mine")])
    await editor.settled()
  }

  @Test func `edits that wait are joined field by field`() {
    let joined = SnippetEdit(title: "a", isPinned: true, addedTags: ["x", "y"])
      .joined(with: SnippetEdit(title: "b", addedTags: ["z"], removedTags: ["x"]))
    #expect(
      joined
        == SnippetEdit(title: "b", isPinned: true, addedTags: ["y", "z"], removedTags: ["x"])
    )
  }

  @Test func `edits of one snippet are carried out in their order, those on others beside`()
    async throws
  {
    let other = stage.boundCell(to: 1)
    let first = editor.apply(pin(true), to: try shown())
    let second = editor.apply(SnippetEdit(isInTrash: true), to: try shown())
    let beside = editor.apply(pin(true), to: try #require(other.row))
    await receiver.untilWaiting(2)
    #expect(receiver.waitingCount == 2)

    receiver.succeed()
    receiver.succeed()
    receiver.succeed()
    for task in [first, second, beside] { await task.value }
    #expect(receiver.performed.count == 3)
    #expect(try shown().deletedAt != nil)
  }

  @Test func `snippets that were edited together each go on with their own next edit`()
    async throws
  {
    let other = stage.boundCell(to: 1)
    let rows = [try shown(), try #require(other.row)]
    let both = editor.apply(pin(true), to: rows)
    await receiver.untilWaiting(1)
    let first = editor.apply(SnippetEdit(title: "a"), to: rows[0])
    let second = editor.apply(SnippetEdit(title: "b"), to: rows[1])

    for _ in 0..<4 { receiver.succeed() }
    for task in [both, first, second] { await task.value }

    #expect(
      receiver.performed
        == [pin(true), pin(true), SnippetEdit(title: "a"), SnippetEdit(title: "b")]
    )
    #expect(try shown().title == "a")
    #expect(other.row?.title == "b")
  }

  @Test func `a field that is being edited is not written over`() async throws {
    let former = try shown()
    editor.beginEditing([SnippetFields(.title), SnippetFields(.preview)], of: former)
    replace(with: try shown().copy(title: "theirs", isPinned: true, revision: 2))
    #expect(try shown().title == former.title)
    #expect(try shown().isPinned)
    // Whoever ends it says from which text the edit was made.
    #expect(try shown().revision == 1)

    editor.endEditing(SnippetID(rawValue: 1))
    #expect(try shown().title == "theirs")
    #expect(try shown().revision == 2)
  }

  @Test func `what is edited in place is sent before the field is let go, without a flicker`()
    async throws
  {
    editor.beginEditing(SnippetFields(.title), of: try shown())
    let former = cell.changes.count
    let sent = editor.apply(SnippetEdit(title: "mine"), to: try shown())
    editor.endEditing(SnippetID(rawValue: 1))
    #expect(cell.changes.count == former + 1)
    #expect(try shown().title == "mine")
    receiver.succeed()
    await sent.value
  }

  @Test func `undo takes the last edit back, and the one before after it`() async throws {
    let former = try shown()
    var undos = 0
    editor.undoHandler = { undos += 1 }
    for edit in [pin(true), SnippetEdit(title: "new")] {
      let sent = editor.apply(edit, to: try shown())
      receiver.succeed()
      await sent.value
    }
    #expect(undos == 2)
    #expect(editor.nextUndo?.edit == SnippetEdit(title: "new"))

    let undo = editor.undo()
    receiver.succeed()
    await undo?.value
    #expect(try shown().title == former.title)
    #expect(try shown().isPinned)

    let again = editor.undo()
    receiver.succeed()
    await again?.value
    #expect(try !shown().isPinned)
    #expect(editor.undo() == nil)
    #expect(editor.nextUndo == nil)
  }

  @Test(.temporaryDirectory, arguments: [false, true])
  func `a text is taken back behind what was done since, unless somebody else came between`(
    _ isChangedElsewhere: Bool
  ) async throws {
    let text = try await EditedText()
    try await text.apply(SnippetEdit(isPinned: true))
    if isChangedElsewhere { try await text.changeElsewhere() }
    try await text.apply(SnippetEdit(addedTags: ["tag"]))

    for _ in 0..<3 { await text.editor.undo()?.value }

    #expect(try await text.text == (isChangedElsewhere ? "theirs\n" : "first\nsecond"))
    let row = try text.row
    #expect(!row.isPinned && row.tags.isEmpty)
  }

  @Test(.temporaryDirectory, arguments: [false, true])
  func `a text is taken back behind the trash, unless somebody else came between`(
    _ isChangedElsewhere: Bool
  ) async throws {
    let text = try await EditedText()
    try await text.apply(SnippetEdit(isInTrash: true))
    if isChangedElsewhere {
      try await text.store.undelete([text.id])
      try await text.changeElsewhere()
      try await text.store.moveToTrash([text.id])
    }

    for _ in 0..<2 { await text.editor.undo()?.value }

    #expect(try await text.text == (isChangedElsewhere ? "theirs\n" : "first\nsecond"))
    #expect(try text.row.deletedAt == nil)
  }

  @Test(.temporaryDirectory)
  func `what is in the trash already is not brought back from it`() async throws {
    let store = try TemporaryStore.open("trash.sqlite")
    let row = try await store.save(SnippetDraft(.text("Milk")))
    let editor = SnippetEditor(store)
    await editor.apply(SnippetEdit(isInTrash: false), to: row).value

    await editor.undo()?.value

    #expect(try store.row(row.id)?.deletedAt == nil)
  }

  @Test(.temporaryDirectory)
  func `what was sent for several snippets at once is taken back at once`() async throws {
    let store = try TemporaryStore.open("several.sqlite")
    try await store.save(contentsOf: (0..<150).map { SnippetDraft(.text("\($0)")) })
    let rows = try store.list().rows(in: 0..<150)
    let editor = SnippetEditor(store)
    await editor.apply(pin(true), to: rows[0]).value
    var undos = 0
    editor.undoHandler = { undos += 1 }

    // More than there are steps to take back, and in one transaction.
    let changes = Lock(0)
    let observation = store.observeChanges { changes.withLock { $0 += 1 } }
    await editor.apply(SnippetEdit(isInTrash: true), to: rows).value
    observation.cancel()
    #expect(changes.withLock(\.self) <= 1)
    #expect(try store.list().count == 0 && editor.nextUndoCount == 150)
    #expect(undos == 1)
    await editor.undo()?.value

    #expect(try store.list().count == 150 && editor.nextUndoCount == 1)
    await editor.undo()?.value
    #expect(try store.row(rows[0].id)?.isPinned == false)
    #expect(editor.nextUndoCount == 0 && editor.undo() == nil)
  }

  @Test(.temporaryDirectory)
  func `of several that are sent at once, those that fail are not taken back`() async throws {
    let store = try TemporaryStore.open("several.sqlite")
    try await store.save(contentsOf: (0..<3).map { SnippetDraft(.text("\($0)"), title: "\($0)") })
    let rows = try store.list().rows(in: 0..<3)
    try await store.apply(SnippetEdit(title: "theirs"), to: rows[1].id)
    let editor = SnippetEditor(store)
    var failed: [SnippetID] = []
    editor.failureHandler = { _, id, _ in failed.append(id) }

    await editor.apply(SnippetEdit(title: "mine"), to: rows).value
    #expect(failed == [rows[1].id] && editor.nextUndoCount == 2)
    await editor.undo()?.value

    let titles = try rows.map { try store.row($0.id)?.title }
    #expect(titles == [rows[0].title, "theirs", rows[2].title])
  }

  @Test(.temporaryDirectory)
  func `what is taken back differently is taken back at once too`() async throws {
    let store = try TemporaryStore.open("several.sqlite")
    try await store.save(contentsOf: (0..<150).map { SnippetDraft(.text("\($0)"), title: "\($0)") })
    let rows = try store.list().rows(in: 0..<150)
    let receiver = CountingReceiver(StoreEdits(store: store))
    let editor = SnippetEditor(receiver)

    await editor.apply(SnippetEdit(title: "same"), to: rows).value
    #expect(receiver.counts == [150])
    #expect(try store.list().rows(in: 0..<150).allSatisfy { $0.title == "same" })
    await editor.undo()?.value

    #expect(receiver.counts == [150, 150])
    #expect(try store.list().rows(in: 0..<150).map(\.title) == rows.map(\.title))
  }

  @Test func `lists hear once that many snippets look different, and once when it is so`()
    async throws
  {
    let observer = CountingObserver()
    editor.add(observer)
    let rows = (1...500).map { SnippetRow.text($0, "text \($0)") }

    let sent = editor.apply(pin(true), to: rows)
    #expect(observer.counts == [500])
    for _ in rows { receiver.succeed() }
    await sent.value

    #expect(observer.counts == [500, 500])
  }

  @Test func `many that are carried out stay so on screen though the lists are behind`()
    async throws
  {
    let rows = (1...500).map { SnippetRow.text($0, "text \($0)") }
    let sent = editor.apply(pin(true), to: rows)
    for _ in rows { receiver.succeed() }
    await sent.value

    #expect(rows.allSatisfy { editor.shown($0).isPinned })
  }

  @Test func `those of many that fail are told of one by one, and no waiter wakes before`()
    async throws
  {
    let rows = (1...200).map { SnippetRow.text($0, "text \($0)") }
    var failed: [SnippetID] = []
    editor.failureHandler = { _, id, _ in failed.append(id) }
    let sent = editor.apply(pin(true), to: rows)
    for _ in rows { receiver.fail() }
    await sent.value

    #expect(failed == rows.map(\.id))
    #expect(editor.nextUndo == nil && rows.allSatisfy { !editor.shown($0).isPinned })
  }

  @Test func `undo of an edit that is under way waits for it`() async throws {
    editor.apply(pin(true), to: try shown())
    let undo = try #require(editor.undo())
    receiver.succeed()
    receiver.succeed()
    await undo.value
    #expect(receiver.performed == [pin(true), pin(false)])
    #expect(try !shown().isPinned)
  }

  @Test func `undo of an edit that fails meanwhile does nothing`() async throws {
    editor.apply(pin(true), to: try shown())
    let undo = try #require(editor.undo())
    receiver.fail()
    await undo.value
    #expect(receiver.performed == [pin(true)])
  }

  @Test func `an editor holds no loader`() {
    weak var loader: SnippetLoader?
    do {
      let stage = ScriptedLoader()
      stage.loader.editor = editor
      loader = stage.loader
    }
    #expect(loader == nil)
  }
}

/// Carries out edits when it is told to.
private final class HeldReceiver: EditReceiver {
  private enum Answer: Sendable {
    case success(@Sendable (SnippetRow) -> SnippetRow)
    case failure
  }

  private struct State {
    var performed: [SnippetEdit] = []
    var answers: [Answer] = []
    var waiting: [CheckedContinuation<Answer, Never>] = []
    var watchers: [(Int, CheckedContinuation<Void, Never>)] = []
    /// The newest row of each snippet.
    var rows: [SnippetID: SnippetRow] = [:]
  }

  private let state = Lock(State())

  var performed: [SnippetEdit] { state.withLock(\.performed) }
  var waitingCount: Int { state.withLock(\.waiting.count) }

  /// Lets the next edit succeed, on the row that others have made of it.
  func succeed(
    on others: @escaping @Sendable (SnippetRow) -> SnippetRow = { $0 }
  ) {
    answer(.success(others))
  }

  func fail() { answer(.failure) }

  private func answer(_ answer: Answer) {
    let waiter = state.withLock { state -> CheckedContinuation<Answer, Never>? in
      guard !state.waiting.isEmpty else {
        state.answers.append(answer)
        return nil
      }
      return state.waiting.removeFirst()
    }
    waiter?.resume(returning: answer)
  }

  func untilWaiting(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.waiting.count < count { state.watchers.append((count, continuation)) }
        return state.waiting.count >= count
      }
      if isThere { continuation.resume() }
    }
  }

  func delete(_ ids: [SnippetID]) async throws {}

  func apply(
    _ edits: [(edit: SnippetEdit, seen: SnippetRow)]
  ) async -> [Result<EditOutcome, any Error>] {
    var outcomes: [Result<EditOutcome, any Error>] = []
    for (edit, row) in edits {
      do {
        outcomes.append(.success(try await apply(edit, to: row)))
      } catch {
        outcomes.append(.failure(error))
      }
    }
    return outcomes
  }

  private func apply(_ edit: SnippetEdit, to row: SnippetRow) async throws -> EditOutcome {
    let answer = await withCheckedContinuation { continuation in
      let (ready, watchers) = state.withLock {
        state -> (Answer?, [CheckedContinuation<Void, Never>]) in
        guard state.answers.isEmpty else { return (state.answers.removeFirst(), []) }
        state.waiting.append(continuation)
        let ready = state.watchers.filter { $0.0 <= state.waiting.count }
        state.watchers.removeAll { $0.0 <= state.waiting.count }
        return (nil, ready.map(\.1))
      }
      if let ready { continuation.resume(returning: ready) }
      for watcher in watchers { watcher.resume() }
    }
    state.withLock { $0.performed.append(edit) }
    guard case .success(let others) = answer else { throw LoadError(.unreadable) }
    let stored = state.withLock { $0.rows[row.id] } ?? row
    let former = others(stored)
    let after = former.edited(by: edit).copy(revision: max(former.revision, row.revision) + 1)
    state.withLock { $0.rows[row.id] = after }
    let inverse = SnippetEdit(
      title: edit.title == nil ? nil : former.title,
      isPinned: edit.isPinned == nil ? nil : former.isPinned,
      isInTrash: edit.isInTrash == nil ? nil : former.deletedAt != nil
    )
    return EditOutcome(row: after, formerRevision: former.revision, inverse: inverse)
  }
}

/// Counts the edits of each call on their way to another receiver.
private final class CountingReceiver: EditReceiver {
  private let receiver: any EditReceiver
  private let state = Lock<[Int]>([])

  init(_ receiver: some EditReceiver) { self.receiver = receiver }

  var counts: [Int] { state.withLock(\.self) }

  func apply(
    _ edits: [(edit: SnippetEdit, seen: SnippetRow)]
  ) async -> [Result<EditOutcome, any Error>] {
    state.withLock { $0.append(edits.count) }
    return await receiver.apply(edits)
  }

  func delete(_ ids: [SnippetID]) async throws { try await receiver.delete(ids) }
}

/// Counts the snippets of each call.
private final class CountingObserver: EditObserver {
  private(set) var counts: [Int] = []

  func editorDidChange(_ ids: Set<SnippetID>) { counts.append(ids.count) }
}

/// A text that was edited, in a store of its own.
@MainActor
private struct EditedText {
  let store: SnippetStore
  let id: SnippetID
  let editor: SnippetEditor

  init() async throws {
    store = try TemporaryStore.open("text.sqlite")
    id = try await store.save(SnippetDraft(.text("first\nsecond"))).id
    editor = SnippetEditor(store)
    try await apply(SnippetEdit(text: "other\nlines"))
  }

  var row: SnippetRow {
    get throws { try #require(try store.row(id)) }
  }

  var text: String {
    get async throws { try await store.text(of: id) }
  }

  func apply(_ edit: SnippetEdit) async throws {
    await editor.apply(edit, to: try row).value
  }

  /// As another program does.
  func changeElsewhere() async throws {
    try await store.apply(SnippetEdit(text: "theirs\n"), to: id)
  }
}
