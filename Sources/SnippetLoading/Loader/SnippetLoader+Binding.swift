public import SnippetStorage

extension SnippetLoader {
  /// Shows the row at a position and its blob in a cell.
  ///
  /// When this returns, the cell has the row, and the blob if that is in memory. Otherwise the cell
  /// shows ``LoadState/loading(_:)`` and gets the blob or the failure later. Nothing still under
  /// way for its former snippet reaches it any more.
  ///
  /// A cell that already shows this snippet does not change, so nothing flickers. If it shows a
  /// failure that may pass, binding it again loads again once ``RetryPolicy/memory`` is over.
  ///
  /// - Parameters:
  ///   - cell: The cell. The loader holds it weakly.
  ///   - position: The position in the list. Outside of the list, the bind fails.
  /// - Returns: The state of the cell.
  /// - Complexity: O(1) when the row is near the viewport; otherwise one read of rows.
  @discardableResult
  public func bind(_ cell: some SnippetCell, to position: Int) -> BindOutcome {
    // Usually the row is in memory, and there is nothing else to do for it.
    if !isClosed, let row = reader.machine.rowAtOnce(HostPosition(position)) {
      return bind(cell, to: row, at: position)
    }
    switch row(at: position) {
    case .success(let row): return bind(cell, to: row, at: position)
    case .failure(let error):
      defer { settleIfPossible() }
      return binder.fail(cell, error)
    }
  }

  /// Ends the binding of a cell that leaves the screen.
  ///
  /// Its loads are cancelled unless another cell needs them or the configuration lets them go on.
  /// The cell keeps its content until it is reused. Does nothing for a cell that is not bound.
  ///
  /// - Parameter cell: The cell, whatever its position was.
  public func unbind(_ cell: some SnippetCell) {
    binder.unbind(cell)
    settleIfPossible()
  }

  /// The row that a cell is bound to; `nil` when the cell is not bound.
  ///
  /// - Parameter cell: The cell.
  /// - Returns: The newest row that the cell got.
  public func row(of cell: some SnippetCell) -> SnippetRow? {
    binder.bindings.binding(of: cell)?.row
  }

  /// Lets a cell show a row that is already known.
  func bind(_ cell: any SnippetCell, to row: SnippetRow, at position: Int) -> BindOutcome {
    defer { settleIfPossible() }
    return binder.present(row, in: cell, at: HostPosition(position))
  }
}

/// The result of binding a cell.
public enum BindOutcome: Hashable, Sendable {
  /// Everything the cell needs was in memory, and the cell has it.
  case hit
  /// The cell shows the row.
  ///
  /// Some of its content comes later.
  case pending
  /// The cell was already bound to this snippet, and nothing was loaded or reset.
  ///
  /// It shows the newest row.
  case unchanged
  /// The cell shows the row and is complete: the rules want nothing else of the snippet.
  case rowOnly
  /// The bind failed.
  ///
  /// A cell was given the error; a view of a ``SnippetDataSource`` that no presenter fits is empty.
  case failed(LoadError)
}
