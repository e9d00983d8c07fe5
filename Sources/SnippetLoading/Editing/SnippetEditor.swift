public import SnippetStorage

/// Carries out the commands of cells, and lets them show at once.
///
/// A command is in every cell that shows the snippet before ``send(_:on:)-(_,SnippetRow)`` returns. Then it is
/// carried out, and what others changed meanwhile is kept, field by field. Where it fails, or
/// somebody else changed the very same, the cells show the snippet as it is, and ``failureHandler``
/// is told why. Quick taps and keystrokes become one command while a former one is under way.
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
  /// Called when a command failed: with the command, its snippet and the reason.
  public var failureHandler: (@MainActor (SnippetCommand, SnippetID, any Error) -> Void)?
  /// Called when ``nextUndo`` has become another.
  public var undoHandler: (@MainActor () -> Void)?

  private let receiver: any CommandReceiver
  private var overlay = EditOverlay()
  private var waiters: [UInt64: [CheckedContinuation<Void, Never>]] = [:]
  private var observers: [WeakObserver] = []
  private var history = EditHistory() {
    didSet { if history.last?.number != oldValue.last?.number { undoHandler?() } }
  }

  private struct WeakObserver {
    weak var observer: (any EditObserver)?
  }

  /// Makes an editor.
  ///
  /// - Parameter receiver: Carries out the commands, such as the store.
  public init(_ receiver: any CommandReceiver) {
    self.receiver = receiver
  }

  // MARK: - Commands

  /// Shows a command at once, and carries it out.
  ///
  /// - Parameters:
  ///   - command: What to do.
  ///   - row: The snippet, as whoever sends the command sees it.
  /// - Returns: A task that ends with the command, whatever it comes to.
  @discardableResult
  public func send(_ command: SnippetCommand, on row: SnippetRow) -> Task<Void, Never> {
    carryOut(command, on: [row], of: history.newStep())
  }

  /// Shows a command at once for several snippets, and carries it out for each; ``undo()`` takes it
  /// back for all of them at once.
  ///
  /// - Parameters:
  ///   - command: What to do.
  ///   - rows: The snippets, as whoever sends the command sees them.
  /// - Returns: A task that ends with the last of the commands. One may fail, of which
  ///   ``failureHandler`` is told, and the others not.
  @discardableResult
  public func send(_ command: SnippetCommand, on rows: [SnippetRow]) -> Task<Void, Never> {
    carryOut(command, on: rows, of: history.newStep())
  }

  /// The command that ``undo()`` takes back, to name it; `nil` when there is none.
  public var nextUndo: (command: SnippetCommand, id: SnippetID)? {
    history.last.map { ($0.command, $0.row.id) }
  }

  /// For how many snippets ``undo()`` takes back what was done: 1, unless a command was sent for
  /// several at once; 0 when there is nothing to take back.
  public var nextUndoCount: Int { history.lastStepCount }

  /// Takes back the command that was sent last, of all that have not been taken back, for all
  /// snippets that it was sent for; call it again for the one before.
  ///
  /// A command that is under way is waited for. One that failed has nothing to take back, nor has a
  /// deletion for good. What somebody else changed since is not taken back with it: then the
  /// ``failureHandler`` is told.
  ///
  /// - Returns: A task that ends when all is as before, or it is known that it cannot be; `nil` when
  ///   there is no command.
  @discardableResult
  public func undo() -> Task<Void, Never>? {
    let entries = history.removeLastStep()
    guard !entries.isEmpty else { return nil }
    return Task {
      // What is taken back alike is so at once.
      var inverses: [SnippetCommand: [SnippetRow]] = [:]
      for entry in entries {
        await self.end(of: entry.number)
        guard let made = self.history.takeOutcome(of: entry), let inverse = made.inverse
        else { continue }
        inverses[inverse, default: []].append(made.row ?? entry.row)
      }
      for (inverse, rows) in inverses { await self.carryOut(inverse, on: rows, of: nil).value }
    }
  }

  /// Shows a command for some snippets, and carries it out: at once for all of which none is under
  /// way, for the others when their turn comes.
  ///
  /// - Parameters:
  ///   - command: What to do.
  ///   - rows: The snippets, as they were seen.
  ///   - step: The step of the history that the command belongs to; `nil` for one that takes another
  ///     back.
  /// - Returns: A task that ends with the last of the commands.
  private func carryOut(
    _ command: SnippetCommand,
    on rows: [SnippetRow],
    of step: UInt64?
  ) -> Task<Void, Never> {
    var numbers: [UInt64] = []
    var ready: [(command: EditOverlay.Command, id: SnippetID)] = []
    for row in rows {
      let number = overlay.add(command, seen: row)
      if waiters[number] == nil {
        waiters[number] = []
        if let step { history.add(number, command, row, to: step) }
      }
      numbers.append(number)
      if let next = overlay.begin(of: row.id) { ready.append((next, row.id)) }
      refresh(row.id)
    }
    return Task {
      if ready.count == 1 {
        await self.run(ready[0].command, of: ready[0].id)
      } else if !ready.isEmpty {
        await self.run(command, ready)
      }
      for number in numbers { await self.end(of: number) }
    }
  }

  /// Carries out a command of several snippets, and then what has come for them meanwhile.
  private func run(
    _ command: SnippetCommand,
    _ ready: [(command: EditOverlay.Command, id: SnippetID)]
  ) async {
    let outcomes = await receiver.perform(command, on: ready.map(\.command.seen))
    for (one, outcome) in zip(ready, outcomes) { conclude(one.command, of: one.id, outcome) }
    for (_, id) in ready {
      if let next = overlay.begin(of: id) { await run(next, of: id) }
    }
  }

  /// Carries out the commands of a snippet until none waits.
  private func run(_ first: EditOverlay.Command, of id: SnippetID) async {
    var next: EditOverlay.Command? = first
    while let command = next {
      let outcome: Result<CommandOutcome, any Error>
      do {
        outcome = .success(try await receiver.perform(command.command, on: command.seen))
      } catch {
        outcome = .failure(error)
      }
      conclude(command, of: id, outcome)
      next = overlay.begin(of: id)
    }
  }

  /// Shows what a command came to, and tells those who wait for it.
  private func conclude(
    _ command: EditOverlay.Command,
    of id: SnippetID,
    _ outcome: Result<CommandOutcome, any Error>
  ) {
    switch outcome {
    case .success(let outcome):
      overlay.finish(id, outcome)
      history.note(outcome, of: command.number)
      refresh(id)
    case .failure(let error):
      overlay.takeBack(id)
      history.forget(command.number)
      refresh(id)
      failureHandler?(command.command, id, error)
    }
    for waiter in waiters.removeValue(forKey: command.number) ?? [] { waiter.resume() }
  }

  /// Waits until a command has come to something.
  private func end(of number: UInt64) async {
    guard waiters[number] != nil else { return }
    await withCheckedContinuation { waiters[number]?.append($0) }
  }

  // MARK: - Editing in place

  /// Keeps fields of a snippet as they are on screen while somebody edits them there, so that
  /// nothing is written over.
  ///
  /// - Parameters:
  ///   - fields: The fields: the title, the preview, the pin or the tags.
  ///   - row: The snippet as it is on screen. Commands are sent with it as what was seen.
  public func beginEditing(_ fields: SnippetFields, of row: SnippetRow) {
    overlay.hold(fields, of: row)
  }

  /// Lets the fields of a snippet show again what they are.
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
  /// - Returns: The row with the commands that are under way.
  public func shown(_ row: SnippetRow) -> SnippetRow { overlay.shown(row) }

  /// Tells an observer, held weakly, from now on which snippets look different.
  func add(_ observer: any EditObserver) {
    observers.removeAll { $0.observer == nil || $0.observer === observer }
    observers.append(WeakObserver(observer: observer))
  }

  private func refresh(_ id: SnippetID) {
    // A cell may send the next command from within.
    for observer in observers.compactMap(\.observer) { observer.editorDidChange(id) }
  }
}

/// Follows an editor.
@MainActor
protocol EditObserver: AnyObject {
  /// Called when ``SnippetEditor/shown(_:)`` gives another row for a snippet.
  func editorDidChange(_ id: SnippetID)
}

/// The commands that can be taken back, and what they came to.
struct EditHistory {
  struct Entry {
    let number: UInt64
    let command: SnippetCommand
    /// The row that the command was made from.
    let row: SnippetRow
  }

  /// How many steps can be taken back.
  private static let capacity = 100

  /// The commands that are taken back at once.
  private struct Step {
    let number: UInt64
    var entries: [Entry]
  }

  private var steps: [Step] = []
  private var lastStep: UInt64 = 0
  /// The commands that can be taken back, or are being taken back, and what they came to, if they
  /// have.
  private var outcomes: [UInt64: CommandOutcome?] = [:]
  /// The numbers of these commands, by snippet.
  private var numbers: [SnippetID: Set<UInt64>] = [:]

  var last: Entry? { steps.last?.entries.last }

  var lastStepCount: Int { steps.last?.entries.count ?? 0 }

  /// The number of a step that has no command yet.
  mutating func newStep() -> UInt64 {
    lastStep += 1
    return lastStep
  }

  mutating func add(
    _ number: UInt64,
    _ command: SnippetCommand,
    _ row: SnippetRow,
    to step: UInt64
  ) {
    outcomes[number] = .some(nil)
    numbers[row.id, default: []].insert(number)
    let entry = Entry(number: number, command: command, row: row)
    if let last = steps.last, last.number == step {
      steps[steps.count - 1].entries.append(entry)
      return
    }
    steps.append(Step(number: step, entries: [entry]))
    guard steps.count > Self.capacity else { return }
    for entry in steps.removeFirst().entries { takeOutcome(of: entry) }
  }

  /// Takes the last step out; what its commands came to stays until it is taken.
  mutating func removeLastStep() -> [Entry] { steps.popLast()?.entries ?? [] }

  /// Notes what a command came to.
  mutating func note(_ outcome: CommandOutcome, of number: UInt64) {
    follow(outcome)
    guard outcomes[number] != nil else { return }
    guard outcome.inverse != nil else { return forget(number) }
    outcomes[number] = outcome
  }

  /// Has former commands follow an edit of the same snippet where nobody else came between: they are
  /// taken back from what is there now.
  private mutating func follow(_ outcome: CommandOutcome) {
    guard let row = outcome.row, let former = outcome.formerRevision else { return }
    for number in numbers[row.id] ?? [] {
      guard let made = outcomes[number], let known = made?.row, known.revision == former else {
        continue
      }
      outcomes[number]??.row = known.copy(revision: row.revision)
    }
  }

  /// Forgets a command that failed, or cannot be taken back.
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

  /// Takes out what a command came to; `nil` where it failed.
  @discardableResult
  mutating func takeOutcome(of entry: Entry) -> CommandOutcome? {
    numbers[entry.row.id]?.remove(entry.number)
    if numbers[entry.row.id]?.isEmpty == true { numbers[entry.row.id] = nil }
    return outcomes.removeValue(forKey: entry.number) ?? nil
  }
}
