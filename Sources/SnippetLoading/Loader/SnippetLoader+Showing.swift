public import SnippetStorage

extension SnippetLoader {
  /// Shows another list of the same store, for another filter, order or search on one screen.
  ///
  /// Blobs stay in memory: a blob that the former list loaded is in a cell when its bind returns.
  /// Loads that are still needed go on, failures are remembered, and ``counters`` continue. The
  /// rows of the former list are forgotten.
  ///
  /// Cells stay bound and keep their content. Then lay out the list as a new one: report the
  /// visible range, bind every cell on screen, and unbind the others.
  ///
  /// ```swift
  /// loader.show(store.list(SnippetFilter(kinds: [.image])))
  /// loader.show(results)
  /// ```
  ///
  /// Does nothing after ``close()``.
  ///
  /// - Parameter list: The list. Its blobs are those of the loader's source.
  /// - Complexity: O(1); the list is read at its first use.
  public func show(_ list: any RowList) {
    guard !isClosed else { return }
    // The position in the former list means nothing in this one. Loads of the former list go on
    // until the host reports the visible range.
    screen.leave()
    binder.forgetNewRows()
    reader.show(list)
    settleIfPossible()
  }
}
