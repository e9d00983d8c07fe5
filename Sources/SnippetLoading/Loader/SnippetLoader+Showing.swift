public import SnippetStorage

extension SnippetLoader {
  /// Shows another list of the same store, for another filter, order or search on one screen.
  ///
  /// Blobs stay: what the former list loaded is in a cell when its bind returns. Loads go on if
  /// they are still needed, failures are remembered, and ``counters`` continue. The rows of the
  /// former list are forgotten.
  ///
  /// Cells stay bound and keep what they show. Then lay out the list as a new one: say what is
  /// visible, bind every cell on screen, and unbind the others.
  ///
  /// ```swift
  /// loader.show(store.list(SnippetFilter(kinds: [.image])))
  /// loader.show(results)
  /// ```
  ///
  /// After ``close()`` nothing happens.
  ///
  /// - Parameter list: The list. Its blobs are those of the loader's source.
  /// - Complexity: O(1); the list is read when something is asked of it.
  public func show(_ list: any RowList) {
    guard !isClosed else { return }
    // Where the former list was has nothing to do with this one. What it asked for goes on until
    // the host says what is visible.
    screen.leave()
    binder.forgetNewRows()
    reader.show(list)
    trace?.record(.listChanged(listCount: 0))
    settleIfPossible()
  }
}
