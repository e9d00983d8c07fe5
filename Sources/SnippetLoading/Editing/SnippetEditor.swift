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
  /// - Complexity: O(*m*) for *m* snippets, some microseconds each before it returns. A store makes
  ///   4,096 edits in each transaction, but those of a text one by one.
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
    carryOut(rows.map { (action, $0) }, of: history.newStep())
  }

  /// The edit that ``undo()`` takes back, to name it; `nil` when there is none.
  public var nextUndo: (edit: SnippetEdit, id: SnippetID)? {
    history.last.map { ($0.edit, $0.id) }
  }

  /// For how many snippets ``undo()`` takes back what was done: 1, unless an edit was made to
  /// several at once; 0 when there is nothing to take back.
  public var nextUndoCount: Int { history.lastStepCount }

  /// Undoes the most recent edit that has not been undone yet, for every snippet that it changed;
  /// call it again for the one before.
  ///
  /// The last 100 edits can be undone, fewer if those before the last changed more than 50,000
  /// snippets together. An edit that is under way is waited for. One that failed or changed nothing
  /// has nothing to take back. What others changed since is not taken back with it: then
  /// ``failureHandler`` is called.
  ///
  /// - Returns: A task that ends when all is as before, or it is known that it cannot be; `nil`
  ///   when there is no edit.
  @discardableResult
  public func undo() -> Task<Void, Never>? {
    let entries = history.removeLastStep()
    guard !entries.isEmpty else { return nil }
    announceUndo()
    return Task {
      var inverses: [(action: EditAction, seen: SnippetRow)] = []
      // Of one snippet, what was done last is taken back first.
      for entry in entries.reversed() {
        await self.end(of: entry.number)
        guard let made = self.history.takeOutcome(of: entry) else { continue }
        inverses.append((.edit(made.inverse), made.row))
      }
      await self.carryOut(inverses, of: nil).value
    }
  }

  /// Waits until no edit and no deletion is under way, such as before the program ends.
  public func settled() async {
    while let number = waiters.keys.first { await end(of: number) }
  }

  /// Takes an edit that was carried out elsewhere into the history, as a step of its own.
  func remember(_ edit: SnippetEdit, _ outcome: EditOutcome) {
    let number = overlay.newNumber()
    history.add(number, edit, of: outcome.row.id, to: history.newStep())
    history.note([(number, outcome)])
    announceUndo()
  }

  /// Shows actions, and carries them out: at once where none is under way for the snippet, for the
  /// others when their turn comes.
  ///
  /// The task ends with the last of the actions. An edit that takes another back belongs to no step
  /// of the history.
  private func carryOut(
    _ actions: [(action: EditAction, seen: SnippetRow)],
    of step: UInt64?
  ) -> Task<Void, Never> {
    var numbers: [UInt64] = []
    var ready: [EditOverlay.PendingAction] = []
    ready.reserveCapacity(actions.count)
    overlay.reserve(actions.count)
    waiters.reserveCapacity(waiters.count + actions.count)
    if step != nil { history.reserve(actions.count) }
    for (action, row) in actions {
      let number = overlay.add(action, seen: row)
      if waiters[number] == nil {
        waiters[number] = []
        if let step, let edit = action.edit { history.add(number, edit, of: row.id, to: step) }
      }
      numbers.append(number)
      if let next = overlay.begin(of: row.id) { ready.append(next) }
    }
    refresh(Set(actions.lazy.map(\.seen.id)))
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
    while !ready.isEmpty {
      let edits = ready.compactMap { pending in pending.action.edit.map { ($0, pending.seen) } }
      var edited = (edits.isEmpty ? [] : await receiver.apply(edits)).makeIterator()
      let deleted = await deletion(of: ready.filter { $0.action == .delete }.map(\.seen.id))
      await conclude(ready) { action in
        guard action != .delete else { return deleted }
        // A receiver that says too little leaves the rest undone.
        return edited.next()?.map(Optional.some) ?? .failure(CancellationError())
      }
      ready = ready.compactMap { overlay.begin(of: $0.seen.id) }
    }
  }

  /// Deletes snippets, if there are any; a deletion has no outcome.
  private func deletion(of ids: [SnippetID]) async -> Result<EditOutcome?, any Error> {
    guard !ids.isEmpty else { return .success(nil) }
    do {
      try await receiver.delete(ids)
      return .success(nil)
    } catch {
      return .failure(error)
    }
  }

  /// The number of outcomes to show, and of failures to tell, before other work has its turn.
  private static let (outcomesAtATime, failuresAtATime) = (1500, 64)

  /// Shows the outcomes of actions, asked for in their order, and wakes those who wait for them.
  private func conclude(
    _ actions: [EditOverlay.PendingAction],
    _ outcome: (EditAction) -> Result<EditOutcome?, any Error>
  ) async {
    var failures: [(action: EditOverlay.PendingAction, error: any Error)] = []
    for start in stride(from: 0, to: actions.count, by: Self.outcomesAtATime) {
      if start > 0 { await Task.yield() }
      let part = actions[start..<min(start + Self.outcomesAtATime, actions.count)]
      var ended: [(number: UInt64, outcome: EditOutcome?)] = []
      for action in part {
        switch outcome(action.action) {
        case .success(let outcome):
          overlay.finish(action.seen.id, outcome)
          ended.append((action.number, outcome))
        case .failure(let error):
          overlay.takeBack(action.seen.id)
          ended.append((action.number, nil))
          failures.append((action, error))
        }
      }
      history.note(ended)
      announceUndo()
      refresh(Set(part.lazy.map(\.seen.id)))
    }
    overlay.rest(actions.map(\.seen.id))
    for (place, failure) in failures.enumerated() {
      if place % Self.failuresAtATime == Self.failuresAtATime - 1 { await Task.yield() }
      failureHandler?(failure.action.action.edit, failure.action.seen.id, failure.error)
    }
    for action in actions {
      for waiter in waiters.removeValue(forKey: action.number) ?? [] { waiter.resume() }
    }
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
  ///   - fields: The fields: title, preview for the text or note, pin or tags.
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
    refresh([id])
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

  private func refresh(_ ids: Set<SnippetID>) {
    // A cell may send the next edit from within.
    for observer in observers.compactMap(\.observer) { observer.editorDidChange(ids) }
  }
}

/// Follows an editor.
@MainActor
protocol EditObserver: AnyObject {
  /// Called when ``SnippetEditor/shown(_:)`` gives other rows for some snippets.
  func editorDidChange(_ ids: Set<SnippetID>)
}
