internal import SnippetStorage

/// The new rows that bound cells have yet to show.
struct NewRows {
  /// The newest rows of snippets that a cell may still show in a former state.
  var rows: [SnippetID: SnippetRow] = [:]
  /// The snippets that changed while their rows were not in memory.
  var unread: Set<SnippetID> = []
  /// The number of passes over the cells.
  var round = 0
}

/// Shows changed rows in the cells that are bound to their snippets.
extension CellBinder {
  /// Shows all rows around the viewport in their cells.
  func refresh(with window: RowWindow) {
    let known = Dictionary(window.range.compactMap { window[$0] }.map { ($0.id, $0) }) { _, new in
      new
    }
    newRows.unread.formUnion(boundSnippets(besides: known))
    refresh(with: known)
  }

  /// Shows the rows of a change in their cells.
  func refresh(after change: RowChange, _ window: RowWindow) {
    guard let known = change.rows, !change.batch.isReset else { return refresh(with: window) }
    let bound = boundSnippets(besides: known)
    for id in change.batch.updated.lazy.map(\.id) where bound.contains(id) {
      newRows.unread.insert(id)
    }
    for id in change.batch.moved.lazy.map(\.id) where bound.contains(id) {
      newRows.unread.insert(id)
    }
    refresh(with: known)
  }

  /// Shows rows that changed outside of memory, now that they may have been read.
  func refreshUnreadRows(_ rows: RowReader) {
    guard !newRows.unread.isEmpty else { return }
    newRows.unread.formIntersection(boundSnippets())
    let window = rows.machine.window
    var found: [SnippetID: SnippetRow] = [:]
    for case let row? in window.range.lazy.map({ window[$0] })
    where newRows.unread.remove(row.id) != nil {
      found[row.id] = row
    }
    for binding in bindings.open where screen.isInOtherStretch(binding.position) {
      // The row is on screen, and no movement brings the window there.
      guard let stored = binding.stored, newRows.unread.contains(stored.id),
        let position = binding.position,
        case .success(let row) = rows.row(at: position), row.id == stored.id
      else { continue }
      newRows.unread.remove(row.id)
      found[row.id] = row
    }
    if !found.isEmpty { refresh(with: found) }
  }

  /// Forgets rows that cells have not shown, because they belong to another list.
  func forgetNewRows() {
    newRows.rows = [:]
    newRows.unread = []
    newRows.round += 1
  }

  private func refresh(with known: [SnippetID: SnippetRow]) {
    newRows.rows.merge(known) { _, new in new }
    // A cell may report from within that the list has changed once more. The last pass shows
    // everything that is new.
    newRows.round += 1
    let round = newRows.round
    for binding in bindings.open {
      guard let bound = binding.stored, let row = newRows.rows[bound.id], row != bound,
        let cell = binding.cell
      else { continue }
      _ = present(row, in: cell)
      guard round == newRows.round else { return }
    }
    newRows.rows = [:]
  }

  /// Shows in their cells how snippets look with the unsaved edits.
  func refresh(_ ids: Set<SnippetID>) {
    for binding in bindings.open {
      guard let stored = binding.stored, ids.contains(stored.id), let cell = binding.cell,
        binding.row != editor?.shown(stored) ?? stored
      else { continue }
      _ = present(stored, in: cell)
    }
  }

  private func boundSnippets(besides known: [SnippetID: SnippetRow] = [:]) -> Set<SnippetID> {
    Set(bindings.open.compactMap(\.row?.id).filter { known[$0] == nil })
  }
}
