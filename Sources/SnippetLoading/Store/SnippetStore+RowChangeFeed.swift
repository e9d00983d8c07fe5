public import SnippetStorage

extension SnippetStore: RowChangeFeed {
  /// Calls a closure after every commit of anybody, or after several at once.
  ///
  /// - Parameter handler: Called on a thread of the store, after the commit can be read.
  /// - Returns: What keeps the closure being called; it ends with the last reference to this.
  public func observeRows(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    observeChanges { _ in handler() }
  }
}
