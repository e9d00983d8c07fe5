public import SnippetLoading
public import SnippetStorage

/// A screen without a UI framework: it holds the cells of the visible range, and binds, unbinds and
/// recycles them as a table view does.
@MainActor
public final class SimulatedScreen {
  /// The visible positions.
  public private(set) var visible = 0..<0

  let loader: SnippetLoader
  private let viewport: Int
  private var cells: [Int: SimulatedCell] = [:]

  /// Makes a screen that shows nothing yet.
  ///
  /// - Parameters:
  ///   - loader: Fills the cells.
  ///   - viewport: How many rows the screen shows.
  public init(loader: SnippetLoader, viewport: Int) {
    self.loader = loader
    self.viewport = max(1, viewport)
  }

  /// The cells on screen, from top to bottom.
  public var visibleCells: [SimulatedCell] {
    visible.compactMap { cells[$0] }
  }

  /// Shows the rows from a position on, as many as the screen has room for.
  ///
  /// - Parameter first: The first visible position; it is brought into the list.
  public func scroll(to first: Int) {
    let count = loader.count
    let start = min(max(0, first), max(0, count - viewport))
    show(start..<min(count, start + viewport))
  }

  /// Shows the list as it is after a change, at the same position.
  public func reload() {
    loader.reloadRows()
    layOut()
  }

  /// Shows the list as the loader knows it by now, at the same position.
  public func layOut() {
    scroll(to: visible.lowerBound)
    for position in visible {
      guard let cell = cells[position] else { continue }
      loader.bind(cell, to: position)
    }
  }

  /// Shows the list as the loader has told of it: each cell follows its row, and the row that can
  /// keep its place on screen does.
  ///
  /// Call it from the `listChangeHandler` of the loader.
  ///
  /// - Parameter change: What became of the list; after a reload all cells are bound anew.
  public func update(by change: ListChange) {
    guard let batch = change.batch else { return layOut() }
    let gone = Set(batch.removed.map(\.position))
    let former = cells
    cells = [:]
    for (position, cell) in former.sorted(by: { $0.key < $1.key }) {
      if !gone.contains(position), let now = batch.position(of: position) {
        cells[now] = cell
      } else {
        recycle(cell)
      }
    }
    scroll(to: visible.lowerBound + change.displacement)
  }

  /// Takes all cells off the screen and gives up their loads.
  public func clear() {
    show(0..<0)
    loader.cancelAll()
  }

  func show(_ newVisible: Range<Int>) {
    visible = newVisible
    // In their order, so that the same movement does the same.
    for position in cells.keys.sorted() where !newVisible.contains(position) {
      if let cell = cells.removeValue(forKey: position) { recycle(cell) }
    }
    loader.show(visible: newVisible)
    for position in newVisible where cells[position] == nil {
      let cell = loader.pool.cell(of: SimulatedCell.self) { SimulatedCell() }
      cells[position] = cell
      loader.bind(cell, to: position)
    }
  }

  private func recycle(_ cell: SimulatedCell) {
    loader.unbind(cell)
    loader.pool.recycle(cell)
  }
}

/// A cell that draws nothing and remembers what it shows.
@MainActor
public final class SimulatedCell: SnippetCell {
  /// The row on show, or `nil` when the cell is not in use.
  public private(set) var row: SnippetRow?
  /// How far the blob is.
  public private(set) var state = LoadState.idle

  /// Makes a cell that shows nothing.
  public init() {}

  /// Remembers the row.
  ///
  /// - Parameters:
  ///   - row: What to show.
  ///   - fields: What differs from the row before.
  public func show(_ row: SnippetRow, changing fields: SnippetFields) {
    self.row = row
  }

  /// Remembers the state, in place of the former one.
  ///
  /// - Parameters:
  ///   - state: What to show.
  ///   - recipe: The recipe that it is the state of.
  public func show(_ state: LoadState, of recipe: Recipe) {
    self.state = state
  }

  /// Forgets row and bytes.
  public func prepareForReuse() {
    row = nil
    state = .idle
  }
}
