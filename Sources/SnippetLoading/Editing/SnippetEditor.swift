public import SnippetStorage

/// Carries out the edits of cells, and lets them show at once.
///
/// An edit is in every cell that shows the snippet before ``apply(_:to:)-(_,SnippetRow)`` returns.
/// Then it is carried out, and what others have changed in the meantime is kept, field by field. If
/// it fails, or the same field was changed by others, the cells show the snippet as it is, and
/// ``failureHandler`` gets the reason. Quick taps and keystrokes become one edit while a former one
/// is under way.
///
/// ```swift
/// let editor = SnippetEditor(store)
/// let dataSource = SnippetDataSource(loader: loader, editor: editor)
/// editor.failureHandler = { _, _, error in message = error.localizedDescription }
/// editor.undo()  // when a key says so
/// ```
///
/// An app makes one for each store and gives it to all lists of it.
@MainActor
public final class SnippetEditor {
  /// Called when an edit failed: with the edit, its snippet and the reason, for a store a
  /// `SnippetStoreError`; the edit is `nil` for a deletion.
  public var failureHandler: (@MainActor (SnippetEdit?, SnippetID, any Error) -> Void)?
  /// Called when ``nextUndo`` has changed.
  public var undoHandler: (@MainActor () -> Void)?

  private let receiver: any EditReceiver
  private var overlay = EditOverlay()
  private var waiters: [UInt64: [CheckedContinuation<Void, Never>]] = [:]
  private var observers: [WeakObserver] = []
  private var history = EditHistory()
  /// The number of the edit that ``undoHandler`` announced last.
  private var announcedUndo: UInt64?

  private struct WeakObserver {
    weak var observer: (any EditObserver)?
  }

  /// Makes an editor for a store.
  ///
  /// - Parameter store: Carries out the edits.
  public convenience init(_ store: SnippetStore) {
    self.init(StoreEdits(store: store))
  }

  /// Makes an editor for what stands in for a store.
  ///
  /// - Parameter receiver: Carries out the edits.
  public init(_ receiver: some EditReceiver) {
    self.receiver = receiver
  }

  // MARK: - Edits

  /// Shows an edit at once, and carries it out.
  ///
  /// - Parameters:
  ///   - edit: The changes.
  ///   - row: The snippet, as it was seen when the edit was made.
  /// - Returns: A task that ends with the edit, whether it succeeds or fails.
  @discardableResult
  public func apply(_ edit: SnippetEdit, to row: SnippetRow) -> Task<Void, Never> {
    carryOut(.edit(edit), on: [row])
  }

  /// Shows an edit at once for several snippets, and carries it out for each; ``undo()`` takes it
  /// back for all of them at once.
  ///
  /// - Parameters:
  ///   - edit: The changes to each.
  ///   - rows: The snippets, as they were seen when the edit was made.
  /// - Returns: A task that ends with the last of the edits. One may fail, which calls
  ///   ``failureHandler``, and the others not.
  @discardableResult
  public func apply(_ edit: SnippetEdit, to rows: [SnippetRow]) -> Task<Void, Never> {
    carryOut(.edit(edit), on: rows)
  }

  /// Shows snippets as deleted at once, and deletes them for good.
  ///
  /// It cannot be undone. To be able to, move them to the trash: apply an edit with `isInTrash`.
  ///
  /// - Parameter rows: The snippets. Those that are gone already are no failure.
  /// - Returns: A task that ends with the deletion, whether it succeeds or fails.
  @discardableResult
  public func delete(_ rows: [SnippetRow]) -> Task<Void, Never> {
    carryOut(.delete, on: rows)
  }

  /// Shows an action at once, and carries it out, as a step of the history.
  func carryOut(_ action: EditAction, on rows: [SnippetRow]) -> Task<Void, Never> {
    carryOut(action, on: rows, of: history.newStep())
  }

  /// The edit that ``undo()`` takes back, to name it; `nil` when there is none.
  public var nextUndo: (edit: SnippetEdit, id: SnippetID)? {
    history.last.map { ($0.edit, $0.row.id) }
  }

  /// For how many snippets ``undo()`` takes back what was done: 1, unless an edit was made to
  /// several at once; 0 when there is nothing to take back.
  public var nextUndoCount: Int { history.lastStepCount }

  /// Undoes the most recent edit that has not been undone yet, for every snippet that it changed;
  /// call it again for the one before.
  ///
  /// An edit that is under way is waited for. One that failed or changed nothing has nothing to
  /// take back. What others changed since is not taken back with it: then ``failureHandler`` is
  /// called.
  ///
  /// - Returns: A task that ends when all is as before, or it is known that it cannot be; `nil`
  ///   when there is no edit.
  @discardableResult
  public func undo() -> Task<Void, Never>? {
    let entries = history.removeLastStep()
    guard !entries.isEmpty else { return nil }
    announceUndo()
    return Task {
      // What is taken back alike is so at once.
      var inverses: [SnippetEdit: [SnippetRow]] = [:]
      for entry in entries {
        await self.end(of: entry.number)
        guard let made = self.history.takeOutcome(of: entry) else { continue }
        inverses[made.inverse, default: []].append(made.row)
      }
      for (inverse, rows) in inverses {
        await self.carryOut(.edit(inverse), on: rows, of: nil).value
      }
    }
  }

  /// Waits until no edit and no deletion is under way, such as before the program ends.
  public func settled() async {
    while let number = waiters.keys.first { await end(of: number) }
  }

  /// Takes an edit that was carried out elsewhere into the history, as a step of its own.
  func remember(_ edit: SnippetEdit, _ outcome: EditOutcome) {
    let number = overlay.newNumber()
    history.add(number, edit, outcome.row, to: history.newStep())
    history.note(outcome, of: number)
    announceUndo()
  }

  /// Shows an action for some snippets, and carries it out: at once for all of which none is under
  /// way, for the others when their turn comes.
  ///
  /// The task ends with the last of the actions. An edit that takes another back belongs to no step
  /// of the history.
  private func carryOut(
    _ action: EditAction,
    on rows: [SnippetRow],
    of step: UInt64?
  ) -> Task<Void, Never> {
    var numbers: [UInt64] = []
    var ready: [EditOverlay.PendingAction] = []
    for row in rows {
      let number = overlay.add(action, seen: row)
      if waiters[number] == nil {
        waiters[number] = []
        if let step, let edit = action.edit { history.add(number, edit, row, to: step) }
      }
      numbers.append(number)
      if let next = overlay.begin(of: row.id) { ready.append(next) }
      refresh(row.id)
    }
    announceUndo()
    return Task {
      await self.run(ready)
      for number in numbers { await self.end(of: number) }
    }
  }

  /// Carries out actions, and then those that were added for the same snippets in the meantime,
  /// until none waits.
  private func run(_ ready: [EditOverlay.PendingAction]) async {
    var ready = ready
    while let action = ready.first?.action {
      let alike = ready.filter { $0.action == action }
      ready.removeAll { $0.action == action }
      let outcomes = await outcomes(of: action, on: alike.map(\.seen))
      for (pending, outcome) in zip(alike, outcomes) { conclude(pending, outcome) }
      ready += alike.compactMap { overlay.begin(of: $0.seen.id) }
    }
  }

  /// Makes an edit or a deletion, which has no outcome.
  private func outcomes(
    of action: EditAction,
    on rows: [SnippetRow]
  ) async -> [Result<EditOutcome?, any Error>] {
    switch action {
    case .edit(let edit):
      return await receiver.apply(edit, to: rows).map { $0.map(Optional.some) }
    case .delete:
      do {
        try await receiver.delete(rows.map(\.id))
        return rows.map { _ in .success(nil) }
      } catch {
        return rows.map { _ in .failure(error) }
      }
    }
  }

  /// Shows the outcome of an action, and wakes those who wait for it.
  private func conclude(
    _ pending: EditOverlay.PendingAction,
    _ outcome: Result<EditOutcome?, any Error>
  ) {
    let id = pending.seen.id
    switch outcome {
    case .success(let outcome):
      overlay.finish(id, outcome)
      if let outcome { history.note(outcome, of: pending.number) }
      announceUndo()
      refresh(id)
    case .failure(let error):
      overlay.takeBack(id)
      history.forget(pending.number)
      announceUndo()
      refresh(id)
      failureHandler?(pending.action.edit, id, error)
    }
    for waiter in waiters.removeValue(forKey: pending.number) ?? [] { waiter.resume() }
  }

  /// Calls ``undoHandler`` if ``nextUndo`` has changed.
  private func announceUndo() {
    guard history.last?.number != announcedUndo else { return }
    announcedUndo = history.last?.number
    undoHandler?()
  }

  /// Waits until an action has ended.
  private func end(of number: UInt64) async {
    guard waiters[number] != nil else { return }
    await withCheckedContinuation { waiters[number]?.append($0) }
  }

  // MARK: - Editing in place

  /// Keeps fields of a snippet as they are on screen while they are edited there, so that nothing
  /// is written over.
  ///
  /// - Parameters:
  ///   - fields: The fields: the title, the preview for the text, the pin or the tags.
  ///   - row: The snippet as it is on screen. Edits are made to it as what was seen.
  public func beginEditing(_ fields: SnippetFields, of row: SnippetRow) {
    overlay.hold(fields, of: row)
  }

  /// Ends editing in place: the fields follow the snippet again.
  ///
  /// Send the edit first, so that the former text is not seen in between.
  ///
  /// - Parameter id: The snippet.
  public func endEditing(_ id: SnippetID) {
    overlay.release(id)
    refresh(id)
  }

  // MARK: - Lists

  /// The row that cells are shown.
  ///
  /// - Parameter row: The row as a list has it.
  /// - Returns: The row with the edits that are under way.
  public func shown(_ row: SnippetRow) -> SnippetRow { overlay.shown(row) }

  /// Tells an observer, held weakly, from now on which snippets look different.
  func add(_ observer: any EditObserver) {
    observers.removeAll { $0.observer == nil || $0.observer === observer }
    observers.append(WeakObserver(observer: observer))
  }

  private func refresh(_ id: SnippetID) {
    // A cell may send the next edit from within.
    for observer in observers.compactMap(\.observer) { observer.editorDidChange(id) }
  }
}

/// Follows an editor.
@MainActor
protocol EditObserver: AnyObject {
  /// Called when ``SnippetEditor/shown(_:)`` gives another row for a snippet.
  func editorDidChange(_ id: SnippetID)
}

/// The edits that can be taken back, and their outcomes.
struct EditHistory {
  struct Entry {
    let number: UInt64
    let edit: SnippetEdit
    /// The row that the edit was made from.
    let row: SnippetRow
  }

  /// The most steps that can be taken back.
  private static let capacity = 100

  /// The edits that are taken back at once.
  private struct Step {
    let number: UInt64
    var entries: [Entry]
  }

  private var steps: [Step] = []
  private var lastStep: UInt64 = 0
  /// The edits that can be taken back, or are being taken back, and their outcomes once they have
  /// ended.
  private var outcomes: [UInt64: EditOutcome?] = [:]
  /// The numbers of these edits, by snippet.
  private var numbers: [SnippetID: Set<UInt64>] = [:]

  var last: Entry? { steps.last?.entries.last }

  var lastStepCount: Int { steps.last?.entries.count ?? 0 }

  /// The number of a step that has no edit yet.
  mutating func newStep() -> UInt64 {
    lastStep += 1
    return lastStep
  }

  mutating func add(
    _ number: UInt64,
    _ edit: SnippetEdit,
    _ row: SnippetRow,
    to step: UInt64
  ) {
    outcomes[number] = .some(nil)
    numbers[row.id, default: []].insert(number)
    let entry = Entry(number: number, edit: edit, row: row)
    if let last = steps.last, last.number == step {
      steps[steps.count - 1].entries.append(entry)
      return
    }
    steps.append(Step(number: step, entries: [entry]))
    guard steps.count > Self.capacity else { return }
    for entry in steps.removeFirst().entries { takeOutcome(of: entry) }
  }

  /// Takes the last step out; the outcomes of its edits stay until they are taken.
  mutating func removeLastStep() -> [Entry] { steps.popLast()?.entries ?? [] }

  /// Notes the outcome of an edit.
  mutating func note(_ outcome: EditOutcome, of number: UInt64) {
    follow(outcome)
    guard outcomes[number] != nil else { return }
    guard outcome.inverse != SnippetEdit() else { return forget(number) }
    outcomes[number] = outcome
  }

  /// Has former edits follow one of the same snippet, unless others came between: they are taken
  /// back from what is there now.
  private mutating func follow(_ outcome: EditOutcome) {
    for number in numbers[outcome.row.id] ?? [] {
      guard let made = outcomes[number], let made, made.row.revision == outcome.formerRevision
      else { continue }
      outcomes[number] = EditOutcome(
        row: made.row.copy(revision: outcome.row.revision),
        formerRevision: made.formerRevision,
        inverse: made.inverse
      )
    }
  }

  /// Forgets an edit that failed, or has nothing to take back.
  mutating func forget(_ number: UInt64) {
    for step in steps.indices.reversed() {
      guard let place = steps[step].entries.firstIndex(where: { $0.number == number }) else {
        continue
      }
      takeOutcome(of: steps[step].entries.remove(at: place))
      if steps[step].entries.isEmpty { steps.remove(at: step) }
      return
    }
  }

  /// Takes out the outcome of an edit; `nil` where it failed.
  @discardableResult
  mutating func takeOutcome(of entry: Entry) -> EditOutcome? {
    numbers[entry.row.id]?.remove(entry.number)
    if numbers[entry.row.id]?.isEmpty == true { numbers[entry.row.id] = nil }
    return outcomes.removeValue(forKey: entry.number) ?? nil
  }
}
