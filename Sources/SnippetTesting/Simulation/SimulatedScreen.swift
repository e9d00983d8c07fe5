public import SnippetLoading
public import SnippetStorage

/// A screen without a UI framework: it holds the cells of the visible range, and binds, unbinds and
/// recycles them like a table view.
@MainActor
public final class SimulatedScreen {
  /// The visible positions.
  public private(set) var visible = 0..<0
  /// The number of cells created because none could be reused.
  public private(set) var createdCount = 0
  /// The number of times that a cell was reused.
  public private(set) var reusedCount = 0

  let loader: SnippetLoader
  private let viewport: Int
  private var cells: [Int: SimulatedCell] = [:]
  private var spareCells: [SimulatedCell] = []

  /// Makes a screen that shows nothing yet.
  ///
  /// - Parameters:
  ///   - loader: Fills the cells.
  ///   - viewport: The number of rows on the screen.
  public init(loader: SnippetLoader, viewport: Int) {
    self.loader = loader
    self.viewport = max(1, viewport)
  }

  /// The cells on screen, from top to bottom.
  public var visibleCells: [SimulatedCell] {
    visible.compactMap { cells[$0] }
  }

  /// Shows the rows from a position on, as many as fit.
  ///
  /// - Parameter first: The first visible position, limited to the list.
  public func scroll(to first: Int) {
    let count = loader.count
    let start = min(max(0, first), max(0, count - viewport))
    show(start..<min(count, start + viewport))
  }

  /// Shows the list after a change, at the same position.
  public func reload() {
    loader.reloadRows()
    layOut()
  }

  /// Shows the list as the loader knows it now, at the same position.
  public func layOut() {
    scroll(to: visible.lowerBound)
    for position in visible {
      guard let cell = cells[position] else { continue }
      loader.bind(cell, to: position)
    }
  }

  /// Follows a change reported by the loader: each cell follows its row, and the row that can keep
  /// its place on screen does.
  ///
  /// Call it from the `listChangeHandler` of the loader.
  ///
  /// - Parameter change: The change of the list; after a reload all cells are bound anew.
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

  /// Removes all cells from the screen and ends their loads.
  public func clear() {
    show(0..<0)
    loader.cancelAll()
  }

  func show(_ newVisible: Range<Int>) {
    visible = newVisible
    // In order, so that the same movement has the same effect.
    for position in cells.keys.sorted() where !newVisible.contains(position) {
      if let cell = cells.removeValue(forKey: position) { recycle(cell) }
    }
    loader.show(visible: newVisible)
    for position in newVisible where cells[position] == nil {
      let cell = takeCell()
      cells[position] = cell
      loader.bind(cell, to: position)
    }
  }

  private func recycle(_ cell: SimulatedCell) {
    loader.unbind(cell)
    cell.prepareForReuse()
    spareCells.append(cell)
  }

  private func takeCell() -> SimulatedCell {
    if let cell = spareCells.popLast() {
      reusedCount += 1
      return cell
    }
    createdCount += 1
    return SimulatedCell()
  }
}

/// A cell that draws nothing and remembers its content.
@MainActor
public final class SimulatedCell: SnippetCell {
  /// The row on show, or `nil` when the cell is not in use.
  public private(set) var row: SnippetRow?
  /// The state of the blob.
  public private(set) var state = LoadState<LoadedBlob>.idle

  /// Makes a cell that shows nothing.
  public init() {}

  /// Remembers the row.
  ///
  /// - Parameters:
  ///   - row: The row to show.
  ///   - fields: The fields that differ from the row before.
  public func show(_ row: SnippetRow, changing fields: SnippetFields) {
    self.row = row
  }

  /// Remembers the state, in place of the former one.
  ///
  /// - Parameters:
  ///   - state: The state to show.
  ///   - recipe: The recipe of the load.
  public func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe) {
    self.state = state
  }

  /// Forgets row and bytes.
  public func prepareForReuse() {
    row = nil
    state = .idle
  }
}
