/// One step of a change: neighbouring rows are replaced by others.
///
/// `g_list_model_items_changed` and `replaceSubrange` take this form.
public struct ListSplice: Sendable, Hashable {
  /// The start of the splice: a position in the new list, and in the old one after all earlier
  /// splices.
  public var position: Int
  /// The number of rows to remove.
  public var removedCount: Int
  /// The number of rows to insert: those of the new list from ``position`` on.
  public var insertedCount: Int
}

extension ListBatch {
  /// The change in steps, first to last.
  ///
  /// The list can be shown after each of them.
  ///
  /// Apply them in order to a copy of the old list. After each, the list is the new one up to the
  /// end of the splice. A row that moved is removed and inserted again; a row that was updated is
  /// replaced in its place. A reset is one splice of the whole list.
  ///
  /// - Complexity: O(*m* log *m*) for *m* changed rows.
  public var splices: [ListSplice] {
    guard !isReset else {
      guard formerCount > 0 || count > 0 else { return [] }
      return [ListSplice(position: 0, removedCount: formerCount, insertedCount: count)]
    }
    let positions = ListPositions(self)
    let leaving =
      removed.map(\.position) + moved.map(\.from) + updated.map { positions.old($0.position) }
    let arriving = inserted.map(\.position) + moved.map(\.to) + updated.map(\.position)
    // Grouped by the number of unmoved rows before them.
    var gaps: [Int: (removed: Int, inserted: Int)] = [:]
    for (rank, place) in leaving.sorted().enumerated() {
      gaps[place - rank, default: (0, 0)].removed += 1
    }
    for (rank, place) in arriving.sorted().enumerated() {
      gaps[place - rank, default: (0, 0)].inserted += 1
    }
    var arrived = 0
    return gaps.sorted { $0.key < $1.key }.map { stayed, gap in
      defer { arrived += gap.inserted }
      return ListSplice(
        position: stayed + arrived,
        removedCount: gap.removed,
        insertedCount: gap.inserted
      )
    }
  }
}
