import SnippetBase

/// An array of numbers with the sums of those before each.
struct PrefixCounts: Sendable {
  /// The sum of the numbers before each place, the last of them the sum of all.
  private var sums: [Int] = [0]

  /// Adds up numbers, none of them negative; O(*n*).
  init(_ counts: [Int]) {
    sums.reserveCapacity(counts.count + 1)
    for count in counts { sums.append(total + count) }
  }

  /// The sum of all numbers.
  var total: Int { sums[sums.count - 1] }

  /// The numbers themselves.
  var values: [Int] { zip(sums.dropFirst(), sums).map { $0 - $1 } }

  /// One of the numbers; setting it takes O(*n*), in place.
  subscript(index: Int) -> Int {
    get { sums[index + 1] - sums[index] }
    set {
      let difference = newValue - self[index]
      guard difference != 0 else { return }
      for later in (index + 1)..<sums.count { sums[later] += difference }
    }
  }

  /// The sum of the numbers before an index.
  func sum(before index: Int) -> Int { sums[index] }

  /// Finds a position when the numbers are lengths laid end to end; O(log *n*).
  ///
  /// - Parameter position: A position below ``total``, from 0.
  /// - Returns: The index of the number, and the place within its length.
  func find(_ position: Int) -> (index: Int, rest: Int) {
    let index = sums.partitionPoint { $0 <= position } - 1
    return (index, position - sums[index])
  }
}
