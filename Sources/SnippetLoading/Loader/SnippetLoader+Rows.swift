public import SnippetStorage

extension SnippetLoader {
  /// The number of rows in the list.
  ///
  /// It belongs to the state of the list that the host knows: it changes in ``reloadRows()``, and
  /// just before ``listChangeHandler`` is called. Reads the list the first time; when that fails it
  /// is 0, and ``listError`` says why: ``reloadRows()`` tries again. Without
  /// ``Configuration/countsFirst``, a long list shows its first rows before it has been counted:
  /// this is then the number known so far, until ``listChangeHandler`` is called.
  public var count: Int {
    isClosed ? 0 : reader.count
  }

  /// Whether ``count`` is the length of the whole list.
  ///
  /// It is `false` before the list is read, and without ``Configuration/countsFirst`` until a long
  /// list has been counted. A jump to the end of the list first calls ``reloadRows()`` then, which
  /// counts it at once.
  public var isCounted: Bool { reader.machine.isCounted }

  /// The row at a position, if it is in memory.
  ///
  /// It never reads from the list, so you may call it in any layout pass.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The row, or `nil` far from the viewport and outside of the list.
  public func rowInMemory(at position: Int) -> SnippetRow? {
    let rows = reader.machine
    return rows.position(of: HostPosition(position)).flatMap(rows.row)
  }

  /// Reads at once which rows were removed, inserted, moved and updated, and those around the
  /// viewport that changed.
  ///
  /// A bound cell shows its updated row, and loads its blob if that is another. Bindings follow
  /// snippets, not positions: bind a cell again if its position now belongs to another snippet.
  /// Where the list says when it changes, as lists and search results of a store do, the loader
  /// does this by itself, off the main actor.
  ///
  /// - Returns: The rows that were removed, inserted, moved and updated, and a row that can keep
  ///   its place on screen, with its new position.
  @discardableResult
  public func reloadRows() -> ListChange {
    guard !isClosed else { return ListChange() }
    screen.forgetHints()
    guard let change = reader.reload() else { return ListChange() }
    followViewport()
    binder.refresh(with: reader.machine.window)
    reader.refresh()
    settleIfPossible()
    return ListChange(change)
  }

  /// The row at a position: from memory, or read at once where reading ahead has not got to it.
  package func row(at position: Int) -> Result<SnippetRow, LoadError> {
    guard !isClosed else {
      return .failure(LoadError(.cancelled, reason: "the loader is closed"))
    }
    return reader.row(at: HostPosition(position))
  }

  /// The snippet at a position, for hosts that know their rows by identity.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The snippet; `nil` where it is gone and the host does not know yet, and where the
  ///   row cannot be read. No snippet is at two positions.
  package func rowID(at position: Int) -> SnippetID? {
    guard case .success = row(at: position) else { return nil }
    return reader.machine.id(at: HostPosition(position))
  }

  /// Takes in rows that were read on a thread of the loader.
  func receive(_ answer: Result<RowUpdate, any Error>, to request: RowRequest) {
    guard !isClosed else { return }
    switch reader.take(answer, to: request) {
    case .none: break
    case .rows: followViewport()
    case .change(let change): tell(change)
    }
    reader.refresh()
  }

  /// Updates the cells for a new state of the list, and tells the host.
  private func tell(_ change: RowChange) {
    screen.forgetHints()
    binder.refresh(after: change, reader.machine.window)
    // The host sets the visible range first; loads then start and stop by it.
    let movement = screen.movementCount
    if change.needsOtherCells { listChangeHandler?(ListChange(change)) }
    if movement == screen.movementCount { followViewport() }
  }
}

extension ListChange {
  init(_ change: RowChange) {
    self.init(anchor: change.anchor, batch: change.batch.isReset ? nil : change.batch)
  }
}
