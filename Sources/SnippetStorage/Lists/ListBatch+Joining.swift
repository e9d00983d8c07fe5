extension ListBatch {
  /// The number of rows in the batch.
  var placeCount: Int { removed.count + inserted.count + moved.count + updated.count }

  /// Joins this batch and the next one into a single change of the list.
  ///
  /// A row that was inserted and then removed drops out. A row that was removed and then inserted
  /// again counts as moved, or as updated if it stands among the same rows.
  ///
  /// - Parameter next: The batch that begins where this one ends.
  /// - Returns: The joined batch. It is a reset if either batch is, or if it would hold more rows
  ///   than a batch may; `nil` if `next` begins at another state.
  /// - Complexity: O(*m* log *m*) for *m* changed rows.
  package func joined(with next: ListBatch) -> ListBatch? {
    guard next.formerVersion == version, next.formerCount == count else { return nil }
    var joined = ListBatch(
      formerVersion: formerVersion,
      version: next.version,
      formerCount: formerCount,
      count: next.count,
      isReset: isReset || next.isReset
    )
    guard !joined.isReset else { return joined }

    let (before, after) = (ListPositions(self), ListPositions(next))
    let (first, second) = (rows(before), next.rows(after))
    var rows = first
    for (id, step) in second {
      // The first batch does not mention this row, so it kept its order among the others.
      var row = rows[id] ?? Place(old: step.old.map(before.old), isOrderedAnew: false)
      row.new = step.new
      row.isOrderedAnew = row.isOrderedAnew || step.isOrderedAnew
      rows[id] = row
    }
    for (id, row) in first where second[id] == nil { rows[id]?.new = row.new.map(after.new) }

    joined.add(rows.map { ($0.key.rawValue, $0.value.old, $0.value.new, $0.value.isOrderedAnew) })
    return joined.placeCount <= ListDifference.maximumCount ? joined : joined.asReset
  }

  /// The same change as a reset, without its rows.
  package var asReset: ListBatch {
    ListBatch(
      formerVersion: formerVersion,
      version: version,
      formerCount: formerCount,
      count: count,
      isReset: true
    )
  }

  /// The old and new position of a row; `nil` where the list did not hold it.
  private struct Place {
    var old: Int?
    var new: Int?
    /// Whether the row was inserted, removed or moved, so that the others keep their order.
    var isOrderedAnew: Bool
  }

  /// The rows of this batch, by snippet.
  private func rows(_ positions: ListPositions) -> [SnippetID: Place] {
    var rows: [SnippetID: Place] = [:]
    for place in removed { rows[place.id] = Place(old: place.position, isOrderedAnew: true) }
    for place in inserted { rows[place.id] = Place(new: place.position, isOrderedAnew: true) }
    for move in moved { rows[move.id] = Place(old: move.from, new: move.to, isOrderedAnew: true) }
    for place in updated {
      let old = positions.old(place.position)
      rows[place.id] = Place(old: old, new: place.position, isOrderedAnew: false)
    }
    return rows
  }
}
