/// Cells that left the screen and wait to be reused.
///
/// For hosts without a pool of their own; `UITableView` and `UICollectionView` have one.
@MainActor
package final class ReusePool {
  /// The number of cells created because none could be reused.
  package var createdCount: Int { watch.createdCount }
  /// The number of times a cell was reused.
  package var reusedCount: Int { watch.reusedCount }
  /// Called when cells are created again and again instead of being reused, which is slow and easy
  /// to miss, or when a new cell does not match the identifier it was made for.
  ///
  /// The default stops a debug build, and writes to standard error in a release.
  package var brokenReuseHandler: @MainActor (String) -> Void {
    get { watch.handler }
    set { watch.handler = newValue }
  }

  private var watch = ReuseWatch()
  private let capacity: Int
  private var cells: [ReuseIdentifier: [any SnippetCell]] = [:]

  /// Makes an empty pool.
  ///
  /// - Parameter capacity: The most cells kept of each identifier. The default is 64; more are
  ///   released.
  package init(capacity: Int = 64) {
    self.capacity = max(0, capacity)
  }

  /// The number of cells that wait to be reused.
  package var count: Int {
    cells.values.reduce(0) { $0 + $1.count }
  }

  /// The number of cells of one kind that wait to be reused.
  ///
  /// - Parameter identifier: The kind.
  /// - Returns: Their number.
  package func count(of identifier: ReuseIdentifier) -> Int {
    cells[identifier]?.count ?? 0
  }

  /// Takes a cell out of the pool, or makes one.
  ///
  /// - Parameters:
  ///   - type: The concrete type of the cell.
  ///   - discriminator: Which cells of the type will do. The default is those without a
  ///     discriminator.
  ///   - make: Makes a cell of exactly this type and discriminator. A cell that does not match is
  ///     returned all the same, and ``brokenReuseHandler`` is called.
  /// - Returns: A cell that shows nothing.
  package func cell<Cell: SnippetCell>(
    of type: Cell.Type,
    discriminator: String = "",
    orMake make: () -> Cell
  ) -> Cell {
    let identifier = ReuseIdentifier(type, discriminator: discriminator)
    if let cell = cells[identifier]?.popLast() as? Cell {
      note(identifier, isNew: false)
      return cell
    }
    let cell = make()
    // Such a cell would silently never be reused.
    if cell.reuseIdentifier != identifier {
      watch.handler("a cell \(cell.reuseIdentifier) was made where \(identifier) was asked for")
    }
    note(identifier, isNew: true)
    return cell
  }

  /// Takes back a cell that is no longer bound.
  ///
  /// The cell is reset at once, so its bytes are released.
  ///
  /// - Parameter cell: A cell that has left the screen.
  package func recycle(_ cell: some SnippetCell) {
    cell.prepareForReuse()
    guard cells[cell.reuseIdentifier, default: []].count < capacity else { return }
    cells[cell.reuseIdentifier, default: []].append(cell)
  }

  private func note(_ identifier: ReuseIdentifier, isNew: Bool) {
    // After the watch is updated, because the handler may ask for its numbers or for a cell.
    if let message = watch.note(identifier, isNew: isNew) { watch.handler(message) }
  }

  /// Sets how many cells a screen takes, so that the watch knows when most cells must be reused
  /// ones.
  func expect(visibleCount: Int) {
    watch.expect(visibleCount)
  }

  /// Releases all cells.
  package func removeAll() {
    cells = [:]
  }
}
