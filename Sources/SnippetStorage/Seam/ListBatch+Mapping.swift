/// Used by SnippetGTK, whose list model is asked for many positions between two steps of a change.
extension ListBatch {
  /// Makes a map from the positions of rows that keep their order in the old list to those in the
  /// new one.
  ///
  /// - Returns: The map. It has no answer for the rows that left or moved.
  /// - Complexity: O(*m* log *m*) for *m* changed rows; the map is O(log *m*).
  package func newPositions() -> @Sendable (Int) -> Int {
    let positions = ListPositions(self)
    return { positions.new($0) }
  }
}
