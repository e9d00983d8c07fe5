import SnippetBase

/// Where the rows that keep their order stand before and after a batch.
package struct ListPositions: Sendable {
  /// The places that rows leave, in the old list, and those where rows arrive, in the new one.
  private let leaving: [Int]
  private let arriving: [Int]

  /// Finds the places that a batch tells of.
  ///
  /// - Parameter batch: One that is no reset.
  /// - Complexity: O(*m* log *m*) for *m* changed rows.
  package init(_ batch: ListBatch) {
    leaving = (batch.removed.map(\.position) + batch.moved.map(\.from)).sorted()
    arriving = (batch.inserted.map(\.position) + batch.moved.map(\.to)).sorted()
  }

  /// The new position of a row that keeps its order; O(log *m*).
  package func new(_ old: Int) -> Int { Self.place(old, from: leaving, to: arriving) }

  /// The old position of a row that keeps its order; O(log *m*).
  package func old(_ new: Int) -> Int { Self.place(new, from: arriving, to: leaving) }

  private static func place(_ position: Int, from gaps: [Int], to others: [Int]) -> Int {
    let rank = position - gaps.partitionPoint { $0 < position }
    // The so many-th place that none of the others takes.
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if others[middle] - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }
}
