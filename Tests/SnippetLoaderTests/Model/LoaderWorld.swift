import Foundation
import SnippetLoader
import SnippetStore
import SnippetTestSupport

/// A list, a screen of cells and a loader between them, and a hand that does everything that users,
/// systems and disks do, at random.
///
/// The owner of the list behaves as the documentation asks, and no better: it binds before or after
/// it tells of the viewport, takes cells without unbinding them, forgets cells, binds twice.
@MainActor
final class LoaderWorld {
  let fixture: LoaderFixture
  private(set) var violations: [String] = []
  private(set) var stepCount = 0
  private var random: SeededGenerator
  private let viewport = 8
  private let isThreaded: Bool
  private let limits: SnippetLoader.Configuration
  private var visible = 0..<0
  private var cells: [Int: OracleCell] = [:]
  private var prepared: [OracleCell] = []
  private var spare: [OracleCell] = []
  private var lastID: Int64 = 0
  private var lastBlob: Int64 = 0
  private var nesting = 0

  init(seed: UInt64, isThreaded: Bool = false) {
    var random = SeededGenerator(seed: seed)
    var limits = SnippetLoader.Configuration()
    limits.workerCount = 1 + random.below(4)
    limits.reservedVisibleWorkers = random.below(3)
    limits.cacheByteLimit = random.element(of: [0, 1_000, 5_000, 10_000, 100_000])
    limits.ranges = random.element(of: [
      .none, .init(), .init(imminent: 1, leading: 3, trailing: 2),
    ])
    let chosen = limits
    self.random = random
    self.limits = limits
    self.isThreaded = isThreaded
    fixture = LoaderFixture(
      rows: FakeRows([]),
      source: FakeSource(byteCount: 300, pieceCount: 3),
      isThreaded: isThreaded
    ) {
      $0 = chosen
    }
    fixture.rows.rows = (0..<100).map { _ in newRow() }
    fixture.source.onPiece { [weak self] _, _ in
      guard !isThreaded else { return }
      MainActor.assumeIsolated { self?.interrupt() }
    }
    show(0)
  }

  private var loader: SnippetLoader { fixture.loader }
  private var rows: FakeRows { fixture.rows }

  // MARK: - Steps

  func step() {
    stepCount += 1
    switch random.below(100) {
    case 0..<30: runRead()
    case 30..<45: fixture.scheduler.runNext()
    case 45..<70: scroll()
    case 70..<78: edit()
    case 78..<83: bindAgain()
    case 83..<88: prepareCell()
    case 88..<91: breakOrMendBlob()
    case 91..<93: loader.trimCache(to: random.below(limits.cacheByteLimit + 1))
    case 93..<95: forgetCell()
    case 95..<96: leaveAndReturn()
    case 96..<98: fixture.clock.advance(by: .milliseconds(random.below(5)))
    case 98: loader.rangeMode = random.element(of: SnippetLoader.RangeMode.allCases)
    default: loader.viewportDidChange(visible)
    }
    check()
  }

  /// What happens on the main actor while a read is between two pieces.
  private func interrupt() {
    guard nesting < 2, random.chance(0.3) else { return }
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
    let start = min(max(0, first), max(0, rows.count - viewport))
    let newVisible = start..<min(rows.count, start + viewport)
    let tellsFirst = random.chance(0.5)
    if tellsFirst { loader.viewportDidChange(newVisible) }
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
    if !tellsFirst { loader.viewportDidChange(newVisible) }
  }

  private func bind(_ cell: OracleCell, to position: Int) {
    cells[position] = cell
    cell.boundID = rows.rows[position].id
    let outcome = loader.bind(cell, to: position)
    if case .hit = outcome, cell.loadedBytes == nil { report("A hit came late.") }
    if case .failed(let error) = outcome, error.code == .rowUnavailable {
      report("The row at \(position) could not be had.")
    }
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
    OracleCell(source: fixture.source) { [weak self] in self?.report($0) }
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
    guard rows.count > 0 else { return }
    let position = min(rows.count - 1, visible.upperBound + random.below(6))
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

  private func leaveAndReturn() {
    loader.cancelAll()
    if random.chance(0.5) { runRead() }
    loader.viewportDidChange(visible)
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
      guard !visible.isEmpty else { break }
      let position = visible.lowerBound + random.below(visible.count)
      let row = list[position]
      let changesContent = random.chance(0.5)
      let blob = changesContent ? newBlob() : row.blobID?.rawValue
      list[position] =
        blob.map { .image(row.id.rawValue, blob: $0, revision: row.revision + 1, byteCount: 300) }
        ?? .text(row.id.rawValue, "edited", revision: row.revision + 1)
    }
    rows.rows = list
    loader.rowsDidChange()
    if random.chance(0.3) { fixture.scheduler.runNext() }
    show(visible.lowerBound)
    for position in visible {
      guard let cell = cells[position] else { continue }
      bind(cell, to: position)
    }
  }

  // MARK: - Checks

  func report(_ violation: String) {
    violations.append("Step \(stepCount): \(violation)")
  }

  private func check() {
    let counters = loader.counters
    if counters.wrongDeliveries > 0 { report("A wrong delivery.") }
    if counters.cacheCost > limits.cacheByteLimit { report("The cache is over its limit.") }
    if counters.loadsRunning > limits.workerCount { report("Too many loads run.") }
    let ended = counters.loadsFinished + counters.loadsFailed + counters.loadsCancelled
    if counters.loadsStarted != ended + counters.loadsRunning { report("A load was lost.") }
  }

  /// Checks the screen when nothing is under way: failed cells are bound again first.
  func checkAtRest() {
    for position in visible {
      guard let cell = cells[position] else {
        report("No cell at \(position).")
        continue
      }
      for flaw in cell.flaws(asShowing: rows.rows[position]) { report(flaw) }
    }
    if !loader.isSettled { report("A cell waits for ever.") }
  }

  /// Binds the cells that show a failure again, as a user's tap would.
  func retryFailures() {
    loader.viewportDidChange(visible)
    for position in visible where cells[position]?.failure != nil {
      bindAgain(at: position)
    }
  }

  private func bindAgain(at position: Int) {
    guard let cell = cells[position] else { return }
    bind(cell, to: position)
  }
}
