import SnippetBase

extension ListBatch {
  /// How many rows it tells of.
  var placeCount: Int { removed.count + inserted.count + moved.count + updated.count }

  /// What this batch and the next one did to the list together.
  ///
  /// A row that came and went in between is not told of; one that went and came again has moved, or
  /// is updated where it stands among the same rows.
  ///
  /// - Parameter next: The batch that begins where this one ends.
  /// - Returns: The two as one, a reset where either is or where they tell of more rows than one
  ///   batch does; `nil` where `next` begins elsewhere.
  /// - Complexity: O(*m* log *m*) for *m* changed rows.
  func joined(with next: ListBatch) -> ListBatch? {
    guard next.formerVersion == version, next.formerCount == count else { return nil }
    var joined = ListBatch(
      formerVersion: formerVersion,
      version: next.version,
      formerCount: formerCount,
      count: next.count,
      isReset: isReset || next.isReset
    )
    guard !joined.isReset else { return joined }

    let (before, after) = (PositionMap(self), PositionMap(next))
    var rows = before.rows(of: self)
    for (id, step) in after.rows(of: next) {
      // Where the first batch has nothing of a row, it has kept its order among the others.
      var row = rows[id] ?? Row(old: step.old.map(before.old), isOrderedAnew: false)
      row.new = step.new
      row.isOrderedAnew = row.isOrderedAnew || step.isOrderedAnew
      rows[id] = row
    }
    let told = Set(after.rows(of: next).keys)
    for (id, row) in rows where !told.contains(id) { rows[id]?.new = row.new.map(after.new) }

    joined.add(rows.map { ($0.key.rawValue, $0.value.old, $0.value.new, $0.value.isOrderedAnew) })
    guard joined.placeCount <= ListDifference.maximumCount else {
      return ListBatch(
        formerVersion: formerVersion,
        version: next.version,
        formerCount: formerCount,
        count: next.count,
        isReset: true
      )
    }
    return joined
  }

  /// Where a row stood and stands, as far as it did and does.
  fileprivate struct Row {
    var old: Int?
    var new: Int?
    /// Whether it has come, gone or moved, so that the others stand still around it.
    var isOrderedAnew: Bool
  }

  /// Where the rows that keep their order stand before and after a batch.
  fileprivate struct PositionMap {
    /// The places that rows leave, in the old list, and those where rows arrive, in the new one.
    private let leaving: [Int]
    private let arriving: [Int]

    init(_ batch: ListBatch) {
      leaving = (batch.removed.map(\.position) + batch.moved.map(\.from)).sorted()
      arriving = (batch.inserted.map(\.position) + batch.moved.map(\.to)).sorted()
    }

    /// The new position of a row that keeps its order.
    func new(_ old: Int) -> Int { Self.place(old, from: leaving, to: arriving) }

    /// The old position of a row that keeps its order.
    func old(_ new: Int) -> Int { Self.place(new, from: arriving, to: leaving) }

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

    /// The rows that a batch tells of.
    func rows(of batch: ListBatch) -> [SnippetID: Row] {
      var rows: [SnippetID: Row] = [:]
      for place in batch.removed { rows[place.id] = Row(old: place.position, isOrderedAnew: true) }
      for place in batch.inserted { rows[place.id] = Row(new: place.position, isOrderedAnew: true) }
      for move in batch.moved {
        rows[move.id] = Row(old: move.from, new: move.to, isOrderedAnew: true)
      }
      for place in batch.updated {
        rows[place.id] = Row(
          old: old(place.position),
          new: place.position,
          isOrderedAnew: false
        )
      }
      return rows
    }
  }
}
