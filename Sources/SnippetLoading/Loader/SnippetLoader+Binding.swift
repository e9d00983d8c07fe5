public import SnippetStorage

extension SnippetLoader {
  /// Shows the row at a position and its blob in a cell.
  ///
  /// When this returns the cell has the row, and the blob if that is in memory. Otherwise it shows
  /// ``LoadState/loading(_:)`` and gets the blob or the failure later. Nothing that was on its way
  /// for its former snippet reaches it any more.
  ///
  /// A cell that already shows this snippet is left as it is, so nothing flickers. If it shows a
  /// failure that may pass, binding it again loads again once ``RetryPolicy/memory`` is over.
  ///
  /// - Parameters:
  ///   - cell: The cell. It is held weakly.
  ///   - position: The position in the list. Outside of the list the bind fails.
  /// - Returns: What the cell shows now.
  /// - Complexity: O(1) when the row is near the viewport; otherwise one read of rows.
  @discardableResult
  public func bind(_ cell: some SnippetCell, to position: Int) -> BindOutcome {
    // As a rule the row is here, and nothing else is to be done for it.
    if !isClosed, let row = reader.machine.rowAtOnce(HostPosition(position)) {
      return bind(cell, to: row, at: position)
    }
    switch row(at: position) {
    case .success(let row): return bind(cell, to: row, at: position)
    case .failure(let error):
      defer { settleIfPossible() }
      return binder.bind(cell, toMissing: HostPosition(position), error)
    }
  }

  /// Ends the binding of a cell that leaves the screen.
  ///
  /// Its loads are cancelled unless another cell needs them or the configuration lets them go on.
  /// The cell keeps what it shows until it is reused. Nothing happens to a cell that is not bound.
  ///
  /// - Parameter cell: The cell itself, whatever its position was.
  public func unbind(_ cell: some SnippetCell) {
    binder.unbind(cell)
    settleIfPossible()
  }

  /// The row that a cell is bound to; `nil` when the cell is not bound.
  ///
  /// - Parameter cell: The cell.
  /// - Returns: The newest row that the cell was given.
  public func row(of cell: some SnippetCell) -> SnippetRow? {
    binder.bindings.binding(of: cell)?.row
  }

  /// Lets a cell show a row that is known already.
  func bind(_ cell: any SnippetCell, to row: SnippetRow, at position: Int) -> BindOutcome {
    defer { settleIfPossible() }
    return binder.bind(cell, to: row, at: HostPosition(position))
  }
}

/// What a bind led to.
public enum BindOutcome: Hashable, Sendable {
  /// Everything the cell needs was in memory, and the cell has it.
  case hit
  /// The cell shows the row. Something that it needs comes later.
  case pending
  /// The cell was bound to this snippet already, and nothing was loaded or reset. It shows the
  /// newest row.
  case unchanged
  /// The cell shows the row, and that is all: the rules want nothing else of the snippet.
  case rowOnly
  /// It failed. A cell has been told; a view of a ``SnippetDataSource`` that no presenter fits shows
  /// nothing.
  case failed(LoadError)
}
