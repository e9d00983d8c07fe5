extension SnippetLoader {
  /// Finds a blob in memory and marks it as just used.
  ///
  /// It may be called from any thread and never waits. It finds an evicted blob that somebody still
  /// holds, too. It loads nothing, and changes no counter except ``LoaderCounters/cacheWeakHits``.
  ///
  /// - Parameter key: What to find.
  /// - Returns: The blob, or `nil` when it is not in memory or the loader is closed.
  /// - Complexity: O(1).
  public nonisolated func blobInMemory(for key: LoadKey) -> LoadedBlob? {
    coordinator.blobInMemory(for: key)
  }
}
