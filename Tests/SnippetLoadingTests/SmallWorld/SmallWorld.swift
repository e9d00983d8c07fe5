import SnippetBase
@testable import SnippetLoading
import SnippetStorage
import SnippetTesting

/// Three cells and four rows, all whose threads, turns and time are events.
///
/// Two loads run at a time, each is tried twice, and one row is changed once at most.
@MainActor
final class SmallWorld {
  static let cellCount = 3
  static let rowCount = 4

  /// How much the cache keeps.
  enum Cache: CaseIterable {
    /// Everything, until it is evicted.
    case roomy
    /// One blob.
    case tight
  }

  private let fixture: ScriptedLoader
  private var cells: [OracleCell] = []
  /// What is on its way to the main actor.
  private var mails: [(key: LoadKey, result: String, tokens: [BindingToken], run: LoadID)] = []
  private var changedRow: Int?
  private(set) var violations: [String] = []

  init(_ cache: Cache) {
    fixture = ScriptedLoader(
      rows: ScriptedRows(count: Self.rowCount, byteCount: 8),
      source: ScriptedSource(byteCount: 8, pieceCount: 1)
    ) { limits in
      limits.loads.workerCount = 2
      limits.loads.reservedVisibleWorkers = 0
      limits.loads.cacheByteLimit = (8 + 128) * (cache == .roomy ? 2 * Self.rowCount : 1)
      limits.loads.retries = RetryPolicy()
      limits.loads.retries.maximumAttemptCount = 2
      limits.loads.retries.jitter = 0
      limits.list.ranges = .none
    }
    let judge = OracleCell.Judge(source: fixture.source, rules: .originals) { [weak self] in
      self?.violations.append($0)
    }
    cells = (0..<Self.cellCount).map { _ in OracleCell(judge) }
  }

  // Most worlds are left with reads that never run.
  isolated deinit { fixture.executor.dropAll() }

  private var loader: SnippetLoader { fixture.loader }

  private func binding(_ cell: Int) -> Binding? { loader.binder.bindings.binding(of: cells[cell]) }

  private var table: LoadTable { loader.pipeline.state.withLock { $0.table } }

  // MARK: - Events

  /// What may happen next.
  ///
  /// Cells that are not bound are all alike, and so are rows that nothing is known of: one of them
  /// stands for the others.
  var events: [SmallWorldEvent] {
    var events: [SmallWorldEvent] = []
    let freeCell = cells.indices.first { binding($0) == nil }
    let untouchedRow = (0..<Self.rowCount).first(where: isUntouched)
    for cell in cells.indices where binding(cell) != nil || cell == freeCell {
      for row in 0..<Self.rowCount where !isUntouched(row) || row == untouchedRow {
        events.append(.bind(cell: cell, row: row))
      }
      guard let binding = binding(cell) else { continue }
      events.append(.unbind(cell: cell))
      if binding.parts.contains(where: \.isAsking) { events.append(.retry(cell: cell)) }
    }
    for (index, run) in runs.enumerated() {
      events.append(.end(load: index))
      if table.isWanted(run.id) { events.append(.fail(load: index)) }
    }
    if fixture.scheduler.pendingCount > 0 { events.append(.deliver) }
    if fixture.timer.pendingCount > 0 || keys.contains(where: isKnownToFail) {
      events.append(.wait)
    }
    if changedRow == nil {
      for row in 0..<Self.rowCount where !isUntouched(row) { events.append(.change(row: row)) }
    }
    if loader.counters.cacheCount > 0 { events.append(.evict) }
    return events
  }

  func happen(_ event: SmallWorldEvent) {
    switch event {
    case .bind(let cell, let row):
      cells[cell].boundID = fixture.rows.rows[row].id
      loader.bind(cells[cell], to: row)
    case .unbind(let cell):
      loader.unbind(cells[cell])
      cells[cell].boundID = nil
    case .end(let load):
      run(load, failing: false)
    case .fail(let load):
      run(load, failing: true)
    case .deliver:
      fixture.scheduler.runAll()
      mails = []
    case .wait:
      fixture.clock.advance(by: .seconds(600))
      fixture.timer.runDue()
    case .retry(let cell):
      loader.retry(cells[cell])
    case .change(let row):
      changedRow = row
      fixture.rows.rows[row] = Self.changed(row)
      loader.reloadRows()
    case .evict:
      loader.pipeline.trimCache(to: 0)
    }
    if loader.counters.wrongDeliveries > 0 { violations.append("A wrong delivery.") }
  }

  private static func changed(_ row: Int) -> SnippetRow {
    SnippetRow.image(Int64(row) + 1, blob: Int64(row + rowCount) + 1, byteCount: 8)
  }

  private func run(_ load: Int, failing: Bool) {
    let (id, key) = runs[load]
    let isWanted = table.isWanted(id)
    let tokens = table.entries[key]?.tokens ?? []
    if failing { fixture.source.fail(key, with: LoadError(.unreadable, reason: "it is broken")) }
    fixture.executor.runNext(at: load)
    fixture.source.fail(key, with: nil)
    guard isWanted else { return }
    let isDelayed = table.delay(of: key) != nil
    let result = failing ? isDelayed ? "delayed" : "failed" : "loaded"
    mails.append((key, result, tokens, id))
  }

  // MARK: - At rest

  /// Lets everything come to its end, and looks whether each cell shows what it is bound to.
  func checkAtRest() {
    fixture.settleWithRetries()
    for cell in cells where cell.hasFailed { loader.retry(cell) }
    fixture.settleWithRetries()
    for cell in cells {
      guard let id = cell.boundID, let row = fixture.rows.rows.first(where: { $0.id == id }) else {
        continue
      }
      violations += cell.flaws(asShowing: row)
    }
    let counters = loader.counters
    let ended = counters.loadsFinished + counters.loadsFailed + counters.loadsCancelled
    if counters.loadsStarted != ended { violations.append("A load was lost.") }
    if !loader.isSettled { violations.append("Nothing is under way, and a cell waits.") }
  }

  // MARK: - The state

  /// The loads that workers have, in the order in which they got them.
  private var runs: [(id: LoadID, key: LoadKey)] {
    table.running.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Every blob that there is or may be.
  private var keys: [LoadKey] {
    (0..<2 * Self.rowCount).map { LoadKey(blob: Int64($0) + 1) }
  }

  private func isInMemory(_ key: LoadKey) -> Bool {
    loader.pipeline.state.withLock { $0.table.cache.contains(key) }
  }

  private func isKnownToFail(_ key: LoadKey) -> Bool {
    let now = fixture.clock.now
    return loader.pipeline.state.withLock { $0.failures.error(of: key, at: now) != nil }
  }

  private func isUntouched(_ row: Int) -> Bool {
    guard row != changedRow else { return false }
    let key = keys[row]
    return !isInMemory(key) && table.entries[key] == nil && !isKnownToFail(key)
      && !runs.contains { $0.key == key } && !mails.contains { $0.key == key }
      && !cells.contains { $0.boundID == fixture.rows.rows[row].id }
  }

  /// All that what happens next depends on.
  ///
  /// Two worlds that agree in it go on alike, so one of them is enough. Left out is what nobody can
  /// come to see: how often things were counted, and how high the numbers of runs and bindings are,
  /// but for their order.
  var state: String {
    let table = table
    let entries = keys.map { key in
      table.entries[key].map { describe($0, table) } ?? "-"
    }
    let known = keys.map { key in
      (isInMemory(key) ? "c" : "") + (isKnownToFail(key) ? "f" : "")
    }
    return [
      cells.indices.map(describe).joined(separator: " "),
      entries.joined(separator: " "),
      runs.map { "\($0.key)\(table.isWanted($0.id) ? "" : "!")" }.joined(separator: " "),
      mails.map(describe).joined(separator: " "),
      known.joined(separator: ","),
      "\(changedRow ?? -1) \(fixture.scheduler.pendingCount) \(fixture.timer.pendingCount)",
    ].joined(separator: "|")
  }

  private func describe(_ cell: Int) -> String {
    guard let binding = binding(cell), let row = binding.row else { return "-" }
    let part = binding.parts[0]
    let state =
      switch part.state {
      case .idle: "idle"
      case .waiting: "waiting"
      case .interrupted: "interrupted"
      case .loaded: "loaded"
      case .failed: "failed"
      }
    let isNewer = mails.filter { $0.key == part.key }.map { part.lastRun < $0.run }
    let priority = loader.screen.priority(of: part.key, boundAt: binding.position)
    return "\(row.blobID.map(\.description) ?? "")\(state)\(priority)\(isNewer)"
      + "\(cells[cell].hasFailed)\(cells[cell].isComplete)"
  }

  private func describe(_ entry: LoadEntry, _ table: LoadTable) -> String {
    let phase =
      switch entry.phase {
      case .new: "new"
      case .waiting: "waiting"
      case .queued(let sequence):
        "queued\(table.entries.values.count { $0.isQueued(before: sequence) })"
      case .running: "running"
      case .stopping: "stopping"
      case .delayed: "delayed"
      case .ended(let failure): failure == nil ? "ended" : "endedInFailure"
      }
    return "\(phase)\(entry.attemptCount)\(entry.isAbandoned)\(entry.tokens.map(cell(of:)))"
      + "\(entry.ownPriority.map { "\($0)" } ?? "")"
  }

  private func describe(
    _ mail: (key: LoadKey, result: String, tokens: [BindingToken], run: LoadID)
  ) -> String {
    "\(mail.key)\(mail.result)\(mail.tokens.map(cell(of:)))"
  }

  /// The cell whose binding a token is of; -1 when that is over.
  private func cell(of token: BindingToken) -> Int {
    let binding = loader.binder.bindings.binding(of: token)
    guard binding.part(for: token) != nil else { return -1 }
    return cells.firstIndex { $0 === binding.cell } ?? -1
  }
}

extension LoadEntry {
  fileprivate func isQueued(before sequence: UInt64) -> Bool {
    if case .queued(let other) = phase { other < sequence } else { false }
  }
}
