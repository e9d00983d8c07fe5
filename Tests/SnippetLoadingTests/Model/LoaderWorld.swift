import Foundation
@testable import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// A list, a screen of cells and a loader between them, and a hand that does everything that users,
/// systems and disks do, at random.
///
/// The owner of the list behaves as the documentation asks, and no better: it binds before or after
/// it tells of the viewport, takes cells without unbinding them, forgets cells, binds twice.
@MainActor
final class LoaderWorld {
  let fixture: ScriptedLoader
  private(set) var violations: [String] = []
  private(set) var stepCount = 0
  private var random: SeededGenerator
  private let viewport = 8
  private let isThreaded: Bool
  private let limits: ScriptedLoader.Limits
  private let rules: RecipeRules
  private lazy var judge = OracleCell.Judge(source: fixture.source, rules: rules) { [weak self] in
    self?.report($0)
  }
  private var visible = 0..<0
  private var cells: [Int: OracleCell] = [:]
  private var prepared: [OracleCell] = []
  private var spare: [OracleCell] = []
  /// The list on screen; now and then it is another one.
  private var rows: ScriptedRows
  /// The list as it was in its latest versions.
  private var history: [Int64: [SnippetRow]] = [:]
  private var lastID: Int64 = 0
  private var lastBlob: Int64 = 0
  private var nesting = 0
  /// Whether nothing comes in between any more.
  private var isResting = false
  /// The world of another list that shares the loads.
  private weak var partner: LoaderWorld?

  /// Makes a world.
  ///
  /// - Parameters:
  ///   - seed: What happens follows from it.
  ///   - isThreaded: Whether reads run on threads.
  ///   - onEvent: Called with each step of the loader's work.
  ///   - other: The world of another list whose loads this one shares. The default is none.
  init(
    seed: UInt64,
    isThreaded: Bool = false,
    onEvent: (@Sendable (LoaderEvent) -> Void)? = nil,
    sharing other: LoaderWorld? = nil
  ) {
    var random = SeededGenerator(seed: seed)
    var limits = ScriptedLoader.Limits()
    limits.workerCount = 1 + random.below(4)
    limits.reservedVisibleWorkers = random.below(3)
    limits.cacheByteLimit = random.element(of: [0, 1_000, 5_000, 10_000, 100_000])
    limits.ranges = random.element(of: [
      .none, .init(), .init(imminent: 1, leading: 3, trailing: 2),
    ])
    limits.countsFirst = false
    limits.retries = random.element(of: [.none, RetryPolicy()])
    limits.finishesStartedLoads = random.chance(0.3)
    // Threads take their own time, which the clock of the world does not tell.
    limits.loadTimeout = isThreaded ? nil : random.element(of: [nil, nil, .milliseconds(500)])
    if let other { limits.loads = other.limits.loads }
    let chosen = limits
    let rules = random.element(of: RecipeRules.allOfWorld)
    let givesUpQuietly = random.chance(0.5)
    self.random = random
    self.limits = limits
    self.rules = rules
    self.isThreaded = isThreaded
    fixture =
      if let other {
        ScriptedLoader(
          sharing: other.fixture,
          rows: ScriptedRows([]),
          rules: rules,
          configuration: chosen.list
        )
      } else {
        ScriptedLoader(
          rows: ScriptedRows([]),
          source: ScriptedSource(byteCount: 300, pieceCount: 3, givesUpQuietly: givesUpQuietly),
          rules: rules,
          isThreaded: isThreaded,
          onEvent: onEvent
        ) {
          $0 = chosen
        }
      }
    rows = fixture.rows
    partner = other
    other?.partner = self
    rows.rows = (0..<100).map { _ in newRow() }
    if other == nil, !isThreaded {
      fixture.source.onPiece { [weak self] _, _ in
        MainActor.assumeIsolated {
          self?.interrupt()
          self?.partner?.interrupt()
        }
      }
    }
    history[rows.version] = rows.rows
    let clock = fixture.clock
    judge.onState = { [weak self] in
      // Some cells take their time, so that a drain is used up.
      if self?.random.chance(0.2) == true { clock.advance(by: .milliseconds(1)) }
    }
    fixture.loader.listChangeHandler = { [weak self] in self?.layOut(after: $0) }
    show(0)
  }

  private var loader: SnippetLoader { fixture.loader }

  // MARK: - Steps

  func step() {
    stepCount += 1
    isResting = false
    switch random.below(100) {
    case 0..<25: runRead()
    case 25..<28: fixture.rowExecutor.runNext()
    case 28..<42: fixture.scheduler.runNext()
    case 42..<66: scroll()
    case 66..<75: edit()
    case 75..<79: bindAgain()
    case 79..<83: prepareCell()
    case 83..<86: breakOrMendBlob()
    case 86..<88: trimCache()
    case 88..<90: forgetCell()
    case 90..<92: leaveOrReturn()
    case 92..<94: retryOrReset()
    case 94..<96: passTime()
    case 96: loader.respond(to: random.element(of: MemoryPressure.allCases))
    case 97: loader.ranges = random.element(of: [limits.list.ranges, .minimum, .none])
    case 98: showAnotherList()
    default: loader.show(visible: visible)
    }
    check()
  }

  /// What happens on the main actor while a read is between two pieces.
  private func interrupt() {
    guard !isResting, nesting < 2, random.chance(0.3) else { return }
    nesting += 1
    step()
    nesting -= 1
  }

  private func runRead() {
    fixture.executor.runNext(at: random.below(max(1, fixture.executor.pendingCount)))
  }

  private func scroll() {
    let distance = random.element(of: [1, 1, 1, 2, 3, 8, 1_000])
    show(visible.lowerBound + random.below(2 * distance + 1) - distance)
  }

  private func show(_ first: Int) {
    let count = loader.count
    let start = min(max(0, first), max(0, count - viewport))
    let newVisible = start..<min(count, start + viewport)
    let tellsFirst = random.chance(0.5)
    if tellsFirst { loader.show(visible: newVisible) }
    for position in visible where !newVisible.contains(position) {
      guard let cell = cells.removeValue(forKey: position) else { continue }
      // A cell that is used again at once need not be unbound first.
      if random.chance(0.3) { spare.append(cell) } else { retire(cell) }
    }
    visible = newVisible
    for position in newVisible where cells[position] == nil {
      bind(spare.popLast() ?? newCell(), to: position)
    }
    for cell in spare where cell.boundID != nil { unbind(cell) }
    if !tellsFirst { loader.show(visible: newVisible) }
  }

  private func bind(_ cell: OracleCell, to position: Int) {
    cells[position] = cell
    let expected = expectation(at: position)
    switch expected {
    case .row(let id):
      cell.boundID = id
      // The bind itself may read that the list went too far for anybody to tell.
      let loader = loader
      cell.adoptsNextRow = { loader.reader.machine.untold?.batch.isReset == true }
    case .any: cell.adoptsNextRow = { true }
    case .none: cell.boundID = nil
    }
    let outcome = loader.bind(cell, to: position)
    cell.adoptsNextRow = { false }
    if case .hit = outcome, !cell.isComplete { report("A hit came late.") }
    if case .failed(let error) = outcome, error.code == .rowUnavailable {
      cell.boundID = nil
      if case .row = expected { report("The row at \(position) could not be had.") }
    }
  }

  private enum Expectation {
    case row(SnippetID)
    /// What the owner means is gone, or the list went too far since for anybody to tell.
    case any
    case none
  }

  /// The row that the owner means by a position, which it knows from the state that it was told of.
  private func expectation(at position: Int) -> Expectation {
    if let row = loader.rowInMemory(at: position) { return .row(row.id) }
    let untold = loader.reader.machine.untold?.batch
    guard let known = untold?.formerVersion ?? loader.reader.machine.window.listVersion,
      let former = history[known]
    else { return position < rows.count ? .row(rows.rows[position].id) : .none }
    guard position < former.count else { return .none }
    guard rows.version - known < 60, untold?.isReset != true,
      rows.rows.contains(where: { $0.id == former[position].id })
    else { return .any }
    return .row(former[position].id)
  }

  private func unbind(_ cell: OracleCell) {
    loader.unbind(cell)
    cell.boundID = nil
  }

  private func retire(_ cell: OracleCell) {
    unbind(cell)
    cell.prepareForReuse()
    spare.append(cell)
  }

  private func newCell() -> OracleCell {
    OracleCell(judge)
  }

  private func bindAgain() {
    guard !visible.isEmpty else { return }
    let position = visible.lowerBound + random.below(visible.count)
    guard let cell = cells[position] else { return }
    bind(cell, to: position)
  }

  /// Binds a cell outside of the viewport, as collection views do ahead of time.
  private func prepareCell() {
    if prepared.count > 3 || (random.chance(0.5) && !prepared.isEmpty) {
      retire(prepared.removeFirst())
      return
    }
    guard loader.count > 0 else { return }
    let position = min(loader.count - 1, visible.upperBound + random.below(6))
    guard cells[position] == nil else { return }
    let cell = spare.popLast() ?? newCell()
    bind(cell, to: position)
    cells[position] = nil
    prepared.append(cell)
  }

  private func forgetCell() {
    guard let position = visible.first, cells.removeValue(forKey: position) != nil else { return }
    spare.removeAll()
    bind(newCell(), to: position)
  }

  private func breakOrMendBlob() {
    let key = LoadKey(blob: 1 + Int64(random.below(Int(lastBlob))))
    let error = random.element(of: [LoadError(.unreadable), LoadError(.notFound)])
    switch fixture.source.failure(of: key)?.isRetryable {
    case nil: fixture.source.fail(key, with: error)
    case true?: fixture.source.fail(key, with: nil)
    // A blob that is gone does not come back.
    case false?: break
    }
  }

  private func leaveOrReturn() {
    switch random.below(4) {
    case 0: loader.suspend()
    case 1: loader.resume()
    case 2: loader.cancelAll()
    default:
      loader.resume()
      loader.show(visible: visible)
    }
  }

  private func retryOrReset() {
    guard !visible.isEmpty else { return }
    let position = visible.lowerBound + random.below(visible.count)
    judge.allowsReset = true
    defer { judge.allowsReset = false }
    switch random.below(5) {
    case 0: loader.resetAll()
    case 1: loader.retryAll()
    case 2: loader.reset(at: position)
    case 3: cells[position].map { loader.reset($0) }
    default: cells[position].map { loader.retry($0) }
    }
  }

  private func trimCache() {
    let byteCount = random.below(limits.cacheByteLimit + 1)
    loader.pipeline.trimCache(to: byteCount)
    // A thread may have put something in by now.
    if !isThreaded, loader.counters.cacheCost > byteCount { report("A trim has left too much.") }
  }

  private func passTime() {
    fixture.clock.advance(by: .milliseconds(random.element(of: [1, 5, 100, 1_000])))
    fixture.timer.runDue()
  }

  // MARK: - The list

  private func newRow() -> SnippetRow {
    lastID += 1
    if random.chance(0.2) { return .text(lastID, "text \(lastID)") }
    return .image(lastID, blob: newBlob(), byteCount: byteCount())
  }

  /// A new blob, or now and then one that another snippet has.
  private func newBlob() -> Int64 {
    if lastBlob > 0, random.chance(0.1) { return 1 + Int64(random.below(Int(lastBlob))) }
    lastBlob += 1
    return lastBlob
  }

  /// What the row says of the size; not every list tells the truth.
  private func byteCount() -> Int {
    random.chance(0.9) ? 300 : random.element(of: [-1, 0, 1, 5_000, .max])
  }

  private func edit() {
    var list = rows.rows
    switch random.below(10) {
    case 0..<2:
      list.insert(newRow(), at: random.below(list.count + 1))
    case 2..<4:
      if list.count > 5 { list.remove(at: random.below(list.count)) }
    case 4:
      guard !list.isEmpty else { break }
      let row = list.remove(at: random.below(list.count))
      list.insert(row, at: random.below(list.count + 1))
    default:
      let seen = visible.clamped(to: 0..<list.count)
      guard !seen.isEmpty else { break }
      let position = seen.lowerBound + random.below(seen.count)
      let row = list[position]
      let changesContent = random.chance(0.5)
      let blob = changesContent ? newBlob() : row.blobID?.rawValue
      list[position] =
        blob.map {
          .image(
            row.id.rawValue,
            blob: $0,
            revision: row.revision + 1,
            title: random.chance(0.5) ? "edit \(stepCount)" : row.title,
            byteCount: 300
          )
        } ?? .text(row.id.rawValue, "edited at \(stepCount)", revision: row.revision + 1)
    }
    rows.rows = list
    history[rows.version] = list
    history[rows.version - 100] = nil
    // The owner knows of some changes by itself, and the loader reports the others.
    guard random.chance(0.5) else { return rows.announce() }
    let change = loader.reloadRows()
    if random.chance(0.3) { fixture.scheduler.runNext() }
    layOut(after: change)
  }

  /// Shows a part of the list, perhaps the other way round, as another filter or order does.
  private func showAnotherList() {
    let kept = rows.rows.filter { _ in random.chance(0.8) } + [newRow()]
    rows = ScriptedRows(random.chance(0.5) ? kept : kept.reversed())
    history = [rows.version: rows.rows]
    loader.show(rows)
    layOut(after: ListChange())
  }

  /// Whether a change makes what it says it does of the list that the owner knew.
  private func judge(_ change: ListChange) {
    guard let batch = change.batch, let former = history[batch.formerVersion],
      let list = history[batch.version]
    else { return }
    let now = Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) })
    var (applied, version) = (former, batch.formerVersion)
    let told = Set((batch.inserted + batch.updated).map(\.id) + batch.moved.map(\.id))
    let isApplied = try? batch.apply(to: &applied, at: &version) { place in
      try #require(now[place.id])
    }
    if isApplied != true || applied != list {
      report("A change does not lead from \(batch.formerVersion) to \(batch.version).")
    }
    if former.contains(where: {
      !told.contains($0.id) && now[$0.id].map(\.revision) ?? $0.revision != $0.revision
    }) {
      report("A change keeps a row from the owner.")
    }
    if loader.count != list.count { report("The count is not that of the change.") }
  }

  /// Shows the list as it is now, as the owner does when it is told to: at the same positions, or
  /// with the same rows on screen.
  private func layOut(after change: ListChange) {
    judge(change)
    if let anchor = change.anchor, let row = loader.reader.machine.window[anchor.to],
      row.id != anchor.id,
      loader.reader.machine.untold == nil
    {
      report("The anchor \(anchor.id) is not where it is said to be.")
    }
    show(visible.lowerBound + (random.chance(0.5) ? change.displacement : 0))
    for position in visible {
      guard let cell = cells[position] else { continue }
      bind(cell, to: position)
    }
  }

  // MARK: - Checks

  var isSound: Bool { violations.isEmpty }

  func report(_ violation: String) {
    violations.append("Step \(stepCount): \(violation)")
  }

  private func check() {
    let counters = loader.counters
    if counters.wrongDeliveries > 0 { report("A wrong delivery.") }
    if counters.cacheCost > limits.cacheByteLimit { report("The cache is over its limit.") }
    if counters.loadsRunning > limits.workerCount { report("Too many loads run.") }
    let parts = partCount + (partner?.partCount ?? 0)
    let window = loader.reader.machine.window
    if let list = window.listVersion.flatMap({ history[$0] }),
      window.range.contains(where: { $0 >= list.count || window[$0] != list[$0] })
    {
      report("The rows in memory are not those of one version of the list.")
    }
    if loader.pipeline.askCount > parts { report("Somebody asks who is not bound.") }
    let ended = counters.loadsFinished + counters.loadsFailed + counters.loadsCancelled
    if counters.loadsStarted != ended + counters.loadsRunning { report("A load was lost.") }
  }

  /// How many things the cells may ask for.
  private var partCount: Int { loader.binder.bindings.open.reduce(0) { $0 + $1.parts.count } }

  /// Checks the screen when nothing is under way: failed cells are bound again first.
  func checkAtRest() {
    if visible.upperBound != min(rows.count, visible.lowerBound + viewport) {
      report("The screen shows \(visible) of \(rows.count) rows.")
      return
    }
    for position in visible {
      guard let cell = cells[position] else {
        report("No cell at \(position).")
        continue
      }
      for flaw in cell.flaws(asShowing: rows.rows[position]) { report(flaw) }
    }
    if !loader.isSettled { report("A cell waits for ever.") }
  }

  /// Comes back to the screen, and tries again what failed, as a user's tap would.
  func returnAndRetry() {
    isResting = true
    loader.resume()
    loader.show(visible: visible)
    for position in visible where cells[position]?.hasFailed == true {
      if let cell = cells[position] { loader.retry(cell) }
    }
  }
}

extension LoadPipeline {
  /// How many parts of bindings ask for a load, including those that know of its failure.
  var askCount: Int {
    locked { $0.table.entries.values.reduce(0) { $0 + $1.tokens.count } }
  }
}
