/// One step of a change: rows that stand side by side give way to others.
///
/// It is what `g_list_model_items_changed` and `replaceSubrange` take.
public struct ListSplice: Sendable, Hashable {
  /// Where it begins: in the new list, and in the old one with all splices before it made.
  public var position: Int
  /// How many rows go.
  public var removedCount: Int
  /// How many rows come: those at ``position`` and after it in the new list.
  public var insertedCount: Int

  /// Makes a splice.
  ///
  /// - Parameters:
  ///   - position: Where it begins.
  ///   - removedCount: How many rows go.
  ///   - insertedCount: How many rows come.
  public init(position: Int, removedCount: Int, insertedCount: Int) {
    self.position = position
    self.removedCount = removedCount
    self.insertedCount = insertedCount
  }
}

extension ListBatch {
  /// The change in steps, first to last, each of which leads to a list that could be shown.
  ///
  /// Make them in their order on a copy of the old list: with each, the list up to the end of the
  /// splice is the new one. A row that moved goes and comes again, and so does one that was updated,
  /// in its place. A reset is one splice of the whole list.
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
    // By how many of the rows that stay stand before them.
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
