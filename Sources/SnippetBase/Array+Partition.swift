extension Array {
  /// How many elements come first, where those for which something holds come before all others;
  /// O(log *n*).
  package func partitionPoint(
    where isBefore: (Element) throws -> Bool
  ) rethrows -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if try isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
