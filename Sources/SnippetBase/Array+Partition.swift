extension Array {
  /// Returns the number of leading elements that satisfy a condition, in an array in which they
  /// come before all others; O(log *n*).
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
