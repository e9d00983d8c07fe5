/// IKAsyncable, the framework of “Make your UIViewController Awesynchronous!”: operations with a
/// state, which the cells make themselves, and which are tried again.
@MainActor
final class AsyncableList: ArticleList {
  let stage: TrialStage
  private let manager: AsyncableManager

  init(_ stage: TrialStage) {
    self.stage = stage
    manager = AsyncableManager(stage)
  }

  func configure(_ cell: TrialCell, at position: Int) {
    let item = stage.model.rows[position]
    cell.title = item.title
    cell.content = .nothing
    cell.url = item.picture
  }

  func willDisplay(_ cell: TrialCell, at position: Int) {
    manager.willDisplay(cell, at: position)
  }

  func reset() {
    manager.resetAll()
  }

  var keptCount: Int { manager.keptCount }
}

@MainActor
private final class AsyncableManager {
  private let stage: TrialStage
  private var operations: [Int: AsyncableOperation] = [:]
  private var deliver: @MainActor (Int, AsyncableOperation) -> Void = { _, _ in }

  init(_ stage: TrialStage) {
    self.stage = stage
    let table = stage.screen
    // The manager keeps a closure over itself.
    deliver = { position, operation in
      guard let cell = table.cell(at: position) else { return }
      self.tell(cell, operation.state)
    }
  }

  var keptCount: Int {
    operations.values.count { operation in
      if case .complete = operation.state { true } else { false }
    }
  }

  func willDisplay(_ cell: TrialCell, at position: Int) {
    if operations[position] == nil {
      // The work comes from the cell, and looks at it when it runs.
      let operation = AsyncableOperation(cell.url ?? "?", on: stage) { cell.url ?? "?" }
      operations[position] = operation
      let (turns, deliver) = (stage.turns, deliver)
      operation.onStateChange = { [unowned operation] in
        // The state is looked at in the turn, not when it changes.
        let operation = operation
        turns.post { deliver(position, operation) }
      }
      operation.run()
    }
    if let operation = operations[position] { tell(cell, operation.state) }
  }

  func resetAll() {
    operations = [:]
    for (position, cell) in stage.screen.visibleCells { willDisplay(cell, at: position) }
  }

  private func tell(_ cell: TrialCell, _ state: AsyncableOperation.State) {
    switch state {
    case .inProgress: cell.content = .placeholder(failedCount: 0)
    case .complete(let picture): cell.content = .picture(picture)
    case .failed: cell.content = .failure
    }
  }
}

@MainActor
private final class AsyncableOperation {
  enum State {
    case inProgress
    case complete(TrialPicture)
    case failed
  }

  private(set) var state = State.inProgress { didSet { onStateChange() } }
  var onStateChange: @MainActor () -> Void = {}

  private let label: Character
  private let stage: TrialStage
  private let work: @MainActor () -> Character
  private var failureCount = 0

  init(_ label: Character, on stage: TrialStage, work: @escaping @MainActor () -> Character) {
    self.label = label
    self.stage = stage
    self.work = work
  }

  func run() {
    state = .inProgress
    stage.queue.load(label, reading: work) { answer in
      if case .picture(let picture) = answer {
        self.state = .complete(picture)
        return
      }
      self.failureCount += 1
      if self.failureCount < self.stage.setting.attemptCount {
        self.run()
      } else {
        self.state = .failed
      }
    }
  }
}
