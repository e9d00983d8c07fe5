/// An array of numbers with fast prefix sums: a Fenwick tree.
struct PrefixCounts: Sendable {
  /// At place *i*, counted from 1, the sum of the numbers up to *i*, as many as its lowest set bit
  /// says.
  private var sums: [Int]

  /// The sum of all numbers.
  private(set) var total: Int

  /// Builds the tree from numbers; O(*n*).
  init(_ counts: [Int]) {
    sums = [0] + counts
    total = counts.reduce(0, +)
    for place in sums.indices.dropFirst() {
      let parent = place + (place & -place)
      if parent < sums.count { sums[parent] += sums[place] }
    }
  }

  /// The number of numbers.
  var count: Int { sums.count - 1 }

  /// One of the numbers; O(log *n*).
  subscript(index: Int) -> Int {
    sum(before: index + 1) - sum(before: index)
  }

  /// The numbers themselves; O(*n*).
  var values: [Int] {
    var values = sums
    for place in sums.indices.dropFirst().reversed() {
      let parent = place + (place & -place)
      if parent < values.count { values[parent] -= values[place] }
    }
    return Array(values.dropFirst())
  }

  /// The sum of the numbers before an index; O(log *n*).
  func sum(before index: Int) -> Int {
    var (place, sum) = (index, 0)
    while place > 0 {
      sum += sums[place]
      place &= place - 1
    }
    return sum
  }

  /// Adds to one of the numbers; O(log *n*).
  mutating func add(_ difference: Int, at index: Int) {
    total += difference
    var place = index + 1
    while place < sums.count {
      sums[place] += difference
      place += place & -place
    }
  }

  /// Finds a position when the numbers are lengths laid end to end; O(log *n*).
  ///
  /// - Parameter position: A position below ``total``, from 0; no number may be negative.
  /// - Returns: The index of the number, and the place within its length.
  func find(_ position: Int) -> (index: Int, rest: Int) {
    var (place, rest) = (0, position)
    var step = 1 << (Int.bitWidth - 1 - max(1, count).leadingZeroBitCount)
    while step > 0 {
      let next = place + step
      if next < sums.count, sums[next] <= rest {
        place = next
        rest -= sums[next]
      }
      step >>= 1
    }
    return (place, rest)
  }
}
