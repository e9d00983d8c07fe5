extension SnippetLoader {
  /// Loads positions that may come on screen soon, beyond those ahead of the movement.
  ///
  /// They are loaded last, if their rows are in memory and the cache has room. The last 100
  /// positions count, until they are taken back or the list changes.
  ///
  /// - Parameter positions: Positions in the list; others are ignored.
  public func prefetch(_ positions: some Sequence<Int>) {
    guard !isClosed else { return }
    screen.expect(positions.lazy.map { HostPosition($0) })
    followViewport()
  }

  /// Takes back positions given to ``prefetch(_:)``.
  ///
  /// Loads that the movement, a cell or another position needs continue.
  ///
  /// - Parameter positions: Positions in the list.
  public func cancelPrefetching(_ positions: some Sequence<Int>) {
    if screen.expectNoLonger(positions.lazy.map { HostPosition($0) }) { followViewport() }
  }
}
