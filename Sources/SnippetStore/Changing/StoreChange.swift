/// What one commit, or several that follow each other, changed in a store.
public enum StoreChange: Sendable, Hashable {
  /// These snippets were changed, and no others.
  ///
  /// None is in two of the sets. A tag that was put on, taken off or renamed updates the snippets
  /// that carry it. A snippet that is gone again can be among the deleted ones without ever having
  /// been told of as inserted.
  case snippets(inserted: Set<SnippetID>, updated: Set<SnippetID>, deleted: Set<SnippetID>)
  /// Any snippet may have been changed, or none.
  ///
  /// Another process or the `sqlite3` shell has committed, or more than 4,096 snippets were changed
  /// at once.
  case unknown

  /// The most snippets that are told of one by one.
  static let maximumCount = 4096

  /// Adds what was changed after this.
  mutating func merge(_ later: StoreChange) {
    guard case .snippets(var inserted, var updated, var deleted) = self,
      case .snippets(let nowInserted, let nowUpdated, let nowDeleted) = later
    else {
      self = .unknown
      return
    }
    inserted.formUnion(nowInserted)
    inserted.subtract(nowDeleted)
    updated.formUnion(nowUpdated.subtracting(inserted))
    updated.subtract(nowDeleted)
    // Also those that were inserted in between: whoever has read meanwhile knows them.
    deleted.formUnion(nowDeleted)
    let count = inserted.count + updated.count + deleted.count
    self =
      count > Self.maximumCount
      ? .unknown : .snippets(inserted: inserted, updated: updated, deleted: deleted)
  }
}
