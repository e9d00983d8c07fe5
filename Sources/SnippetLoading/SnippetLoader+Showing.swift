internal import SnippetStorage

extension SnippetLoader {
  /// Shows another list of the same blobs, as for another filter, order or search on one screen.
  ///
  /// All that is known of blobs stays: what is in memory is in its cell when a bind returns, also if
  /// the former list had loaded it; loads that are on their way go on as far as they are still wanted;
  /// failures are not forgotten. ``counters`` go on. Rows of the former list are forgotten, and what
  /// is read of it or told of its changes from here on counts for nothing.
  ///
  /// Cells stay bound to their snippets and keep what they show. The host lays out its cells as for a
  /// list that it has never seen: it says what is visible, binds the cells on screen, those that show
  /// a snippet of both lists among them, and unbinds the others.
  ///
  /// ```swift
  /// loader.show(store.list(SnippetFilter(kinds: [.image])), changes: store)
  /// loader.show(results, changes: results)
  /// ```
  ///
  /// After ``close()`` nothing happens.
  ///
  /// - Parameters:
  ///   - rows: The list. Its blobs are those of the loader's source.
  ///   - changes: Tells when the list may have changed. The default is that the owner does, by
  ///     ``rowsDidChange()``.
  /// - Complexity: O(1); the list is read when something is asked of it.
  public func show(_ rows: any RowList, changes: (any RowChangeFeed)? = nil) {
    guard !isClosed else { return }
    let former = self.changes
    self.rows = rows
    self.changes = changes.map { [mailbox] in ChangeInbox(feed: $0, mailbox: mailbox) }
    former?.close()
    window.removeAll()
    anchors.forget()
    reading.abandon()
    isOrderInDoubt = false
    listError = nil
    hints = []
    // A cell may ask for this while it is shown a newer row of the former list.
    refreshRound += 1
    // Where the former list was has nothing to do with this one. What it asked for goes on until the
    // host says what is visible.
    viewport = nil
    trace?.record(.listChanged(listCount: 0))
    settleIfPossible()
  }
}
