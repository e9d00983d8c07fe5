extension SnippetLoader {
  /// Finds a blob in memory, and counts it as used just now.
  ///
  /// It may be called from any thread, and never waits for a read. A blob that the cache has let go
  /// of is found as long as somebody holds it. Nothing is loaded, and ``counters`` stay as they are
  /// but for ``LoaderCounters/cacheWeakHits``.
  ///
  /// - Parameter key: What to find.
  /// - Returns: The blob, or `nil` when it is not in memory or the loader is closed.
  /// - Complexity: O(1).
  public nonisolated func blobInMemory(for key: LoadKey) -> LoadedBlob? {
    coordinator.blobInMemory(for: key)
  }
}
