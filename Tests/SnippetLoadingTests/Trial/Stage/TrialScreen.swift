/// A table view without a UI framework: it holds the cells of the visible rows, and recycles them.
@MainActor
final class TrialScreen {
  weak var list: (any ListOnTrial)?
  private(set) var visible = 0..<0
  /// Every cell that was made and still lives, wherever it is.
  private(set) var made: [WeakCell] = []

  private let model: TrialModel
  private let judge: TrialJudge
  private let viewport: Int
  private let tellsLate: Bool
  private var cells: [Int: TrialCell] = [:]
  /// Cells that were configured ahead of time, and are not on screen.
  private var prepared: [Int: TrialCell] = [:]
  private var pool: [String: [TrialCell]] = [:]
  /// Cells that have left the screen without their list knowing.
  private var leaving: [(cell: TrialCell, position: Int)] = []
  private var bindCount = 0
  /// The most cells that were needed at a time.
  private(set) var mostNeeded = 0

  struct WeakCell {
    weak var cell: TrialCell?
  }

  init(_ setting: TrialSetting, _ model: TrialModel, _ judge: TrialJudge) {
    self.model = model
    self.judge = judge
    viewport = setting.viewport
    tellsLate = setting.tellsLate
  }

  /// The cell at a position, if it is on screen; a table view tells of no other.
  func cell(at position: Int) -> TrialCell? { cells[position] }

  /// The cells on screen, from top to bottom.
  var visibleCells: [(position: Int, cell: TrialCell)] {
    cells.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The cells that show something to somebody, or will.
  var boundCells: [TrialCell] {
    visibleCells.map(\.cell) + prepared.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The cells that the list may think of as shown.
  var heldCells: [TrialCell] { boundCells + leaving.map(\.cell) }

  var hasLeaving: Bool { !leaving.isEmpty }
  func hasPrepared(_ position: Int) -> Bool { prepared[position] != nil }

  /// Which bind of all binds was the last.
  var lastBind: Int { bindCount }

  /// Whether the only cell on screen is of the type of another row, which has none.
  func canReuse(for position: Int) -> Bool {
    guard cells.count == 1, let cell = visibleCells.first?.cell, cells[position] == nil,
      prepared[position] == nil, model.rows.indices.contains(position)
    else { return false }
    return type(of: cell) == model.rows[position].kind.cellType
  }

  // MARK: - Moving

  func scroll(to first: Int) {
    show(first..<min(model.rows.count, first + viewport))
  }

  /// Takes all cells off the screen.
  func clear() {
    show(model.rows.count..<model.rows.count)
  }

  /// Configures a cell ahead of time.
  func prepare(_ position: Int) {
    prepared[position] = configuredCell(at: position)
    noteNeed()
  }

  /// Shows another row in the cell on screen at once, as a reload may.
  func reuse(for position: Int) {
    guard let (former, cell) = visibleCells.first else { return }
    cells[former] = nil
    visible = position..<position + 1
    list?.show(visible: visible)
    configure(cell, at: position)
    cells[position] = cell
    list?.willDisplay(cell, at: position)
  }

  /// Configures the cells on screen anew, each for the row that it shows.
  func configureAnew() {
    list?.willReload()
    for (position, cell) in visibleCells {
      configure(cell, at: position)
      list?.willDisplay(cell, at: position)
    }
  }

  /// A row came at the top: every cell stays with its row, and those pushed out leave.
  func insertAtTop() {
    cells = Dictionary(uniqueKeysWithValues: cells.map { ($0 + 1, $1) })
    prepared = Dictionary(uniqueKeysWithValues: prepared.map { ($0 + 1, $1) })
    leaving = leaving.map { ($0.cell, $0.position + 1) }
    show(visible)
  }

  /// The first row went, and its cell with it: every other stays with its row.
  func removeAtTop() {
    let gone = [cells.removeValue(forKey: 0), prepared.removeValue(forKey: 0)].compactMap(\.self)
    cells = Dictionary(uniqueKeysWithValues: cells.map { ($0 - 1, $1) })
    prepared = Dictionary(uniqueKeysWithValues: prepared.map { ($0 - 1, $1) })
    leaving = leaving.map { ($0.cell, max(0, $0.position - 1)) }
    for cell in gone { take(cell, from: 0) }
    let first = min(visible.lowerBound, model.rows.count)
    show(first..<min(model.rows.count, first + visible.count))
  }

  /// Tells the list of the cells that have left.
  func tellLeaving() {
    let gone = leaving
    leaving = []
    for (cell, position) in gone { tell(cell, at: position) }
  }

  /// Throws the cells away that nobody shows.
  func emptyPool() {
    mostNeeded += pool.values.reduce(0) { $0 + $1.count }
    pool = [:]
  }

  private func show(_ range: Range<Int>) {
    visible = range
    for (position, cell) in visibleCells where !range.contains(position) {
      cells[position] = nil
      take(cell, from: position)
    }
    list?.show(visible: range)
    for position in range where cells[position] == nil {
      let cell = prepared.removeValue(forKey: position) ?? configuredCell(at: position)
      // Only now does the screen know it: while it was configured, it was not to be found.
      cells[position] = cell
      list?.willDisplay(cell, at: position)
    }
    noteNeed()
  }

  private func noteNeed() {
    mostNeeded = max(mostNeeded, cells.count + prepared.count + leaving.count)
  }

  private func take(_ cell: TrialCell, from position: Int) {
    if tellsLate { leaving.append((cell, position)) } else { tell(cell, at: position) }
  }

  private func tell(_ cell: TrialCell, at position: Int) {
    list?.didEndDisplaying(cell, at: position)
    cell.unbind()
    guard let identifier = list?.identifier(of: cell) else { return }
    pool[identifier, default: []].append(cell)
  }

  // MARK: - Cells

  private func configuredCell(at position: Int) -> TrialCell {
    let kind = model.rows[position].kind
    let cell = list.flatMap { pool[$0.identifier(for: kind)]?.popLast() } ?? make(kind)
    if type(of: cell) != kind.cellType { judge.note(.wrongType) }
    configure(cell, at: position)
    return cell
  }

  private func make(_ kind: TrialItem.Kind) -> TrialCell {
    let cell = kind.cellType.init(judge)
    made.append(WeakCell(cell: cell))
    return cell
  }

  private func configure(_ cell: TrialCell, at position: Int) {
    bindCount += 1
    cell.bind(to: model.rows[position], bindCount)
    list?.configure(cell, at: position)
  }
}
