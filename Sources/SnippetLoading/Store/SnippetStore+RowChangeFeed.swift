public import SnippetStorage

extension SnippetStore: RowChangeFeed {
  /// Calls a closure after every commit by any program, or after several at once.
  ///
  /// - Parameter handler: Called on a thread of the store, after the commit can be read.
  /// - Returns: The observation, which ends with its last reference.
  public func observeRows(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    observeChanges { _ in handler() }
  }
}
