import SnippetBase
import SnippetLoading
import SnippetStorage
import SnippetTesting

/// Ours: a ``SnippetDataSource`` whose threads, turns and clock the schedule moves.
@MainActor
final class OwnList: ListOnTrial {
  private let stage: TrialStage
  private let rows: ScriptedRows
  private let source = TrialSource()
  private let executor = TrialExecutor()
  private let rowExecutor = ManualExecutor()
  private let scheduler = ManualScheduler()
  private let clock = ManualClock()
  private let timer: ManualTimer
  /// The pictures whose loads were started and not handed over yet.
  private let started = Lock<[Character]>([])
  private let dataSource: SnippetDataSource
  private(set) var hasReportedWaste = false

  init(_ stage: TrialStage) {
    self.stage = stage
    rows = ScriptedRows(stage.model.rows.map { SnippetRow($0) })
    timer = ManualTimer(clock: clock)
    var surroundings = LoaderSurroundings(
      executor: ManualExecutor(),
      rowExecutor: rowExecutor,
      scheduler: scheduler,
      timer: timer,
      clock: clock
    )
    surroundings.executeLoad = { [executor] in executor.execute($0) }
    var environment = surroundings.environment
    environment.onEvent = { [started] event in
      guard case .loadStarted(let key) = event, let picture = key.picture else { return }
      started.withLock { $0.append(picture) }
    }
    let limits = ScriptedLoader.Limits(stage.setting)
    let loader = SnippetLoader(
      list: rows,
      source: source,
      configuration: limits.list,
      limits: limits.loads,
      environment: environment
    )
    dataSource = SnippetDataSource(loader: loader)
    dataSource.register(TrialPresenter<Notes.Row>.init, for: .text)
    dataSource.register(TrialPresenter<Photos.Row>.init, for: .image)
    dataSource.brokenReuseHandler = { [weak self] _ in self?.hasReportedWaste = true }
  }

  private var loader: SnippetLoader { dataSource.loader }

  // MARK: - Cells

  func identifier(for kind: TrialItem.Kind) -> String {
    SnippetDataSource.reuseIdentifier(of: kind == .note ? Notes.Row.self : Photos.Row.self)
  }

  func identifier(of cell: TrialCell) -> String? {
    SnippetDataSource.reuseIdentifier(of: type(of: cell))
  }

  func configure(_ cell: TrialCell, at position: Int) {
    dataSource.present(position, in: cell)
  }

  func willDisplay(_ cell: TrialCell, at position: Int) {
    dataSource.willDisplay(cell, at: position)
  }

  func didEndDisplaying(_ cell: TrialCell, at position: Int) {
    dataSource.didEndDisplaying(cell)
  }

  // MARK: - The list

  func show(visible: Range<Int>) {
    dataSource.show(visible: visible)
  }

  func reloadRows() {
    rows.rows = stage.model.rows.map { SnippetRow($0) }
    loader.reloadRows()
  }

  func itemDidChange() {
    rows.rows = stage.model.rows.map { SnippetRow($0) }
    rows.announce()
  }

  func willReload() {}
  func reset() { loader.resetAll() }
  func screenWillDisappear() { dataSource.suspend() }
  func screenDidAppear() { dataSource.resume() }

  // MARK: - The surroundings

  func memoryDidRunShort() {
    loader.respond(to: .critical)
  }

  func timePasses() {
    clock.advance(by: .seconds(60))
    timer.runDue()
  }

  /// Gives workers the loads that were started since, under the names of their pictures.
  func handOver() {
    let names = started.withLock { names in
      defer { names = [] }
      return names
    }
    for (name, work) in zip(names, executor.takeAll()) {
      stage.queue.add(name, reading: { name }) { [source] answer in
        source.picture(answering: answer, to: work)
      }
    }
  }

  /// The rows are read before the turn in which they are delivered.
  var turnCount: Int { rowExecutor.pendingCount + scheduler.pendingCount }

  func takeTurn() {
    rowExecutor.runAll()
    scheduler.runNext()
  }

  var keptCount: Int { loader.counters.cacheCount }
}

extension ScriptedLoader.Limits {
  /// The limits of a tiny world.
  fileprivate init(_ setting: TrialSetting) {
    self.init()
    loads.workerCount = setting.workerCount ?? TrialSetting.crowd
    list.ranges = .none
    loads.retries.maximumAttemptCount = setting.attemptCount
    loads.retries.jitter = 0
    // Each picture has two bytes, and 128 are counted for each.
    if let limit = setting.memoryLimit { loads.cacheByteLimit = limit * 130 }
  }
}

/// Keeps the loads of ours until the schedule has them run.
final class TrialExecutor: Sendable {
  private let works = Lock<[@Sendable () -> Void]>([])

  func execute(_ work: @escaping @Sendable () -> Void) {
    works.withLock { $0.append(work) }
  }

  /// What was handed over since the last call, in its order.
  func takeAll() -> [@Sendable () -> Void] {
    works.withLock { works in
      defer { works = [] }
      return works
    }
  }
}
