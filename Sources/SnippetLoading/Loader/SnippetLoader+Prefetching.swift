extension SnippetLoader {
  /// Call this with positions that may come on screen soon, beyond those ahead of the movement.
  ///
  /// They are loaded last, if their rows are in memory and the cache has room. The last 100 count,
  /// until they are taken back or the list changes.
  ///
  /// - Parameter positions: Positions in the list; others are left out.
  public func prefetch(_ positions: some Sequence<Int>) {
    guard !isClosed else { return }
    for position in Array(positions).suffix(100) where !hints.contains(position) {
      hints.append(position)
    }
    hints.removeFirst(max(0, hints.count - 100))
    followViewport()
  }

  /// Takes back positions given to ``prefetch(_:)``.
  ///
  /// Loads that the movement, a cell or another position needs go on.
  ///
  /// - Parameter positions: Positions in the list.
  public func cancelPrefetching(_ positions: some Sequence<Int>) {
    guard !hints.isEmpty else { return }
    let taken = Set(positions)
    hints.removeAll(where: taken.contains)
    followViewport()
  }
}
