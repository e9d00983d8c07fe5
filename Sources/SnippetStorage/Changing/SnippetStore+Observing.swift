extension SnippetStore {
  /// Tells of every change of the store, whoever makes it, until the observation ends.
  ///
  /// What a read that follows this call does not see yet is told of once it is committed; what is
  /// undone is never told of. A change by this store is told of at once, and one by another
  /// process, another ``SnippetStore`` on the same file or the `sqlite3` shell within
  /// ``Configuration/foreignChangeInterval``. All are read from the record that the database itself
  /// keeps, so that each is told of with the snippets that it changes.
  ///
  /// The handler is called on a thread of the store's own, one call at a time and in the order of
  /// the commits; commits that come while it runs can be told of as one. No lock is held meanwhile,
  /// so it may call the store, observe and cancel. A handler that takes long delays those of other
  /// observations, and never a write. Closing the store ends the observation; what has not been told
  /// of by then is not told of.
  ///
  /// The first observation opens a connection of its own to the file, which takes a fraction of a
  /// millisecond; the last one closes it. Should it not open, that is tried again from time to time,
  /// and told of as ``StoreChange/unknown`` when it succeeds.
  ///
  /// - Parameter handler: Told what was changed.
  /// - Returns: The observation, which ends with its last reference. On a store that is closed it
  ///   has ended already.
  /// - Complexity: O(1); each commit then costs O(*m*) for *m* changes that it makes.
  public func observeChanges(
    _ handler: @escaping @Sendable (StoreChange) -> Void
  ) -> ChangeObservation {
    changeFeed.observe(handler)
  }
}
