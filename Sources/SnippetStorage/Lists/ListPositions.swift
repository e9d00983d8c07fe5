import SnippetBase

/// The positions, before and after a batch, of the rows that keep their order.
package struct ListPositions: Sendable {
  /// The positions that rows leave in the old list, and those at which rows arrive in the new one.
  private let leaving: [Int]
  private let arriving: [Int]

  /// Collects the positions of a batch.
  ///
  /// - Parameter batch: A batch that is not a reset.
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
    // The position with this rank among those that the others do not take.
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if others[middle] - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }
}
