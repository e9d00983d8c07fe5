@testable import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// Random events against the row machine, beside arrays of what the list is and of what its host
/// knows.
struct RowMachineModelTests {
  @Test(arguments: Array(1...60) as [UInt64])
  func `the host and the rows follow the list, and only what is missing is read`(seed: UInt64) {
    var model = Model(seed: seed)
    for _ in 0..<800 where model.violations.isEmpty { model.step() }
    model.rest()
    #expect(model.violations == [], "seed \(seed)")
    #expect(model.batchCount > 5, "seed \(seed)")
  }
}

/// A list, a machine and a host that knows its rows by what it was told alone.
private struct Model {
  private(set) var violations: [String] = []
  private(set) var batchCount = 0
  private var random: SeededGenerator
  private let list: ScriptedRows
  /// Whether the list always knows what became of its rows.
  private let isExact: Bool
  private var machine = RowMachine(maximumRowCount: 40)
  /// The list in each of its versions.
  private var history: [Int64: [SnippetRow]] = [:]
  /// The rows that the host shows; `nil` before it has asked.
  private var told: [SnippetRow]?
  private var apart: [RowRequest] = []
  private var lastID: Int64 = 0
  /// Whether some read has failed since the host was told last.
  private var hasFailed = false

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    isExact = random.chance(0.7)
    list = ScriptedRows(count: random.element(of: [0, 1, 30, 300]))
    lastID = Int64(list.count)
    if random.chance(0.3) { list.countedAhead = 10 }
    history[list.version] = list.rows
  }

  mutating func step() {
    list.hidesBatches = !isExact && random.chance(0.3)
    switch random.below(100) {
    case 0..<30: edit()
    case 30..<40: machine.listDidChange()
    case 40..<60: answer()
    case 60..<78: look()
    case 78..<90: askForRow()
    case 90..<94: list.error = list.error == nil ? LoadError(.unreadable) : nil
    default: hostSaysSo()
    }
    startRefresh()
    check()
  }

  /// Lets everything come to its end, and compares.
  mutating func rest() {
    guard violations.isEmpty else { return }
    (list.error, list.hidesBatches) = (nil, false)
    if told == nil { look() }
    machine.look(at: machine.visible ?? Range(0..<8))
    machine.listDidChange()
    startRefresh()
    for _ in 0..<20 where !apart.isEmpty {
      answer()
      follow()
      startRefresh()
      check()
    }
    if !apart.isEmpty || machine.due != nil { violations.append("The machine never rests.") }
    if told?.map(\.id) != list.rows.map(\.id) { violations.append("The host missed a change.") }
    let shown = machine.shown?.rawValues ?? 0..<0
    if shown.contains(where: { machine.window[$0] != list.rows[$0] }) {
      violations.append("A row on screen is not that of the list.")
    }
    if machine.failure != nil { violations.append("A failure that is over stays.") }
  }

  // MARK: - Events

  private mutating func edit() {
    var rows = list.rows
    for _ in 0..<1 + random.below(3) {
      let place = random.below(rows.count + 1)
      switch random.below(4) {
      case 0:
        lastID += 1
        rows.insert(.image(lastID), at: place)
      case 1 where place < rows.count: rows.remove(at: place)
      case 2 where place < rows.count:
        let row = rows.remove(at: place)
        rows.insert(row, at: random.below(rows.count + 1))
      case 3 where place < rows.count:
        rows[place] = .image(rows[place].id.rawValue, revision: rows[place].revision + 1)
      default: break
      }
    }
    list.rows = rows
    history[list.version] = rows
  }

  private mutating func look() {
    let start = random.below((told?.count ?? 30) + 3)
    machine.look(at: Range(start..<start + random.below(9)))
    follow()
  }

  private mutating func follow() {
    for _ in 0..<2 {
      guard let shown = machine.shown,
        let request = machine.request(shown, mayBeUncounted: true)
      else { break }
      read(request)
    }
    if told == nil, machine.window.count != nil { adopt() }
    guard let shown = machine.shown else { return }
    if let request = machine.requestAhead(shown) { apart.append(request) }
    machine.trim(around: shown)
  }

  private mutating func askForRow() {
    guard let told, !told.isEmpty else { return }
    let position = random.below(told.count)
    for _ in 0..<3 {
      guard let now = machine.position(of: HostPosition(position)) else { return }
      if let row = machine.row(at: now) {
        // The row that it means, in a later state perhaps, or the next one where that is gone.
        let isGone = !list.rows.contains { $0.id == told[position].id }
        // After a reset nobody can tell.
        let isUnknown = machine.untold?.batch.isReset == true || machine.asideBatch?.isReset == true
        if row.id != told[position].id, !isGone, !isUnknown, !hasFailed {
          violations.append("Another row was found at \(position).")
        }
        return
      }
      guard let request = machine.request(rowAt: now, mayBeUncounted: true) else { return }
      read(request)
    }
  }

  private mutating func hostSaysSo() {
    apart = []
    guard let request = machine.requestChange() else {
      told = nil
      return
    }
    read(request)
  }

  private mutating func startRefresh() {
    if let request = machine.requestRefresh() { apart.append(request) }
    if apart.count > 1 { violations.append("Two reads are under way.") }
  }

  private mutating func answer() {
    guard !apart.isEmpty else { return }
    read(apart.removeFirst())
  }

  private mutating func read(_ request: RowRequest) {
    let answer = Result { try request.read(list) }
    if case .failure = answer { hasFailed = true }
    if case .success(let update) = answer { judgeCost(of: update, to: request) }
    let former = told
    guard
      case .change(let change) = machine.take(
        answer.mapError(LoadError.init(readingRows:)),
        to: request
      )
    else { return }
    apply(change, to: former)
  }

  // MARK: - Judging

  /// Only rows that the batch tells of or that were not held are read.
  private mutating func judgeCost(of update: RowUpdate, to request: RowRequest) {
    guard request.form == .update, !update.batch.isReset,
      let former = history[update.batch.formerVersion]
    else { return }
    let held = Set(former[request.held.positions.clamped(to: 0..<former.count)].map(\.self))
    let batch = update.batch
    let told = Set((batch.inserted + batch.updated).map(\.id) + batch.moved.map(\.id))
    for row in update.rows.values where held.contains(row) && !told.contains(row.id) {
      violations.append("The row \(row.id) was read again without a reason.")
    }
  }

  private mutating func apply(_ change: RowChange, to former: [SnippetRow]?) {
    defer {
      adopt()
      hasFailed = false
    }
    guard let now = history[change.batch.version] else { return }
    if let anchor = change.anchor, now[anchor.to].id != anchor.id {
      violations.append("The anchor is not where it is said to be.")
    }
    guard let former, !change.batch.isReset else { return }
    batchCount += 1
    if let anchor = change.anchor, former[anchor.from].id != anchor.id {
      violations.append("The anchor was not where it is said to have been.")
    }
    var rows = former
    let newest = Dictionary(uniqueKeysWithValues: now.map { ($0.id, $0) })
    var version = change.batch.formerVersion
    let isApplied = try? change.batch.apply(to: &rows, at: &version) {
      try #require(newest[$0.id])
    }
    if isApplied != true || rows.map(\.id) != now.map(\.id) {
      violations.append("A batch does not lead to the state that it names.")
    }
    if !change.needsOtherCells, former.map(\.id) != now.map(\.id) {
      violations.append("The host would not be told of other rows.")
    }
  }

  /// The host shows the state of the machine.
  private mutating func adopt() {
    guard let version = machine.window.listVersion else { return }
    told = history[abs(version)].map { Array($0.prefix(machine.window.count ?? 0)) }
  }

  private mutating func check() {
    if let told, let count = machine.count, count != told.count, !hasFailed {
      violations.append("The count is \(count), the host shows \(told.count) rows.")
    }
    guard let version = machine.window.listVersion, let rows = history[abs(version)] else { return }
    let window = machine.window
    if window.range.contains(where: { $0 >= rows.count || window[$0] != rows[$0] }) {
      violations.append("The rows in memory are not of one state.")
    }
  }
}
