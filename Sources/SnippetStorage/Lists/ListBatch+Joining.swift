extension ListBatch {
  /// How many rows it tells of.
  package var placeCount: Int { removed.count + inserted.count + moved.count + updated.count }

  /// What this batch and the next one did to the list together.
  ///
  /// A row that came and went in between is not told of; one that went and came again has moved, or
  /// is updated where it stands among the same rows.
  ///
  /// - Parameter next: The batch that begins where this one ends.
  /// - Returns: The two as one, a reset where either is or where they tell of more rows than one
  ///   batch does; `nil` where `next` begins elsewhere.
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
      // Where the first batch has nothing of a row, it has kept its order among the others.
      var row = rows[id] ?? Place(old: step.old.map(before.old), isOrderedAnew: false)
      row.new = step.new
      row.isOrderedAnew = row.isOrderedAnew || step.isOrderedAnew
      rows[id] = row
    }
    for (id, row) in first where second[id] == nil { rows[id]?.new = row.new.map(after.new) }

    joined.add(rows.map { ($0.key.rawValue, $0.value.old, $0.value.new, $0.value.isOrderedAnew) })
    return joined.placeCount <= ListDifference.maximumCount ? joined : joined.asReset
  }

  /// The same change of the list, with no word of its rows.
  package var asReset: ListBatch {
    ListBatch(
      formerVersion: formerVersion,
      version: version,
      formerCount: formerCount,
      count: count,
      isReset: true
    )
  }

  /// Where a row stood and stands, as far as it did and does.
  private struct Place {
    var old: Int?
    var new: Int?
    /// Whether it has come, gone or moved, so that the others stand still around it.
    var isOrderedAnew: Bool
  }

  /// The rows that this batch tells of, by snippet.
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
