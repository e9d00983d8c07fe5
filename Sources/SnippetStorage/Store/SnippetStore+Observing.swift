extension SnippetStore {
  /// Calls a closure after every change of the store, by this process or any other.
  ///
  /// Every change that a read after this call does not see yet is reported once it is committed. A
  /// change by this store is reported at once. A change by another process, by another
  /// ``SnippetStore`` on the same file or by the `sqlite3` shell is reported within
  /// ``Configuration/foreignChangeInterval``. Use ``changeBatches(after:limit:)`` to learn which
  /// snippets changed.
  ///
  /// The handler is called on a thread of the store, one call at a time and in the order of the
  /// commits. Several commits that happen while it runs may be reported as one. It may call the
  /// store, observe and cancel. A slow handler delays other observations, but never a write.
  /// Closing the store ends the observation and drops unreported changes.
  ///
  /// The first observation opens a separate connection, which takes a fraction of a millisecond;
  /// the last one closes it. If the file cannot be opened, the store tries again from time to time
  /// and reports a change when it succeeds.
  ///
  /// - Parameter handler: Called on a thread of the store, after the change can be read.
  /// - Returns: The observation. It ends when it is released. An observation of a closed store has
  ///   already ended.
  /// - Complexity: O(1); each commit then costs O(*m*) for *m* observations.
  public func observeChanges(
    _ handler: @escaping @Sendable () -> Void
  ) -> ChangeObservation {
    changeFeed.observe(handler)
  }
}
