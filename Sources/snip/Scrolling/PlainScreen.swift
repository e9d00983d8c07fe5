import SnippetLoading
import SnippetStorage

/// A screen that draws nothing: it binds, unbinds and recycles cells as a table view does.
@MainActor
final class PlainScreen {
  private let loader: SnippetLoader
  private var cells: [Int: PlainCell] = [:]
  private var spareCells: [PlainCell] = []
  private(set) var createdCount = 0
  private(set) var reusedCount = 0
  /// The visible positions.
  private(set) var visible = 0..<0

  init(_ loader: SnippetLoader) {
    self.loader = loader
  }

  /// The cells on screen, from top to bottom.
  var visibleCells: [PlainCell] { visible.compactMap { cells[$0] } }

  func show(_ newVisible: Range<Int>) {
    for position in visible where !newVisible.contains(position) {
      guard let cell = cells.removeValue(forKey: position) else { continue }
      loader.unbind(cell)
      cell.prepareForReuse()
      spareCells.append(cell)
    }
    visible = newVisible
    loader.show(visible: visible)
    for position in visible where cells[position] == nil {
      let cell = takeCell()
      cells[position] = cell
      loader.bind(cell, to: position)
    }
  }

  private func takeCell() -> PlainCell {
    if let cell = spareCells.popLast() {
      reusedCount += 1
      return cell
    }
    createdCount += 1
    return PlainCell()
  }
}

/// A cell that remembers what it shows.
@MainActor
final class PlainCell: SnippetCell {
  private(set) var row: SnippetRow?
  private(set) var state = LoadState<LoadedBlob>.idle

  /// Whether the blob on show, if any, is the one of the snippet on show, and as large.
  var showsItsOwn: Bool {
    guard case .loaded(let blob) = state else { return true }
    return row.map { $0.blobID == blob.key.blobID && $0.byteCount == blob.byteCount } ?? false
  }

  func show(_ row: SnippetRow, changing fields: SnippetFields) { self.row = row }

  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe) { self.state = state }

  func prepareForReuse() {
    row = nil
    state = .idle
  }
}
