extension SnippetStore {
  /// Calls a closure after every change of the store, by this process or any other.
  ///
  /// Whatever a read after this call does not see yet is reported once it is committed. A change by
  /// this store is reported at once, a change by another process, another ``SnippetStore`` on the
  /// same file or the `sqlite3` shell within ``Configuration/foreignChangeInterval``. All come from
  /// the record that the database keeps, so each comes with the snippets that it concerns.
  ///
  /// The handler is called on a thread of the store's own, one call at a time and in the order of
  /// the commits. Commits that come while it runs may be reported as one. It may call the store,
  /// observe and cancel. A slow handler delays other observations, never a write. Closing the store
  /// ends the observation; what has not been reported by then is dropped.
  ///
  /// The first observation opens a connection of its own, which takes a fraction of a millisecond;
  /// the last one closes it. If the file cannot be opened, the store tries again from time to time
  /// and reports ``StoreChange/unknown`` when it succeeds.
  ///
  /// - Parameter handler: Gets what was changed.
  /// - Returns: The observation, which ends with its last reference. That of a closed store has
  ///   ended.
  /// - Complexity: O(1); each commit then costs O(*m*) for *m* changes that it makes.
  public func observeChanges(
    _ handler: @escaping @Sendable (StoreChange) -> Void
  ) -> ChangeObservation {
    changeFeed.observe(handler)
  }
}
