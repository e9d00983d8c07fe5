/// The changes of one commit, or of several consecutive ones.
enum StoreChange: Sendable, Hashable {
  /// These snippets changed.
  ///
  /// No snippet is in two of the sets. Adding, removing or renaming a tag updates the snippets that
  /// have it. A snippet that was inserted and deleted again is only in `deleted`.
  ///
  /// The trash counts as deleted: a snippet moved there, or changed or deleted there, is in
  /// `deleted`. A snippet that comes back is in `inserted`, or in `updated` if more happened to it
  /// at once.
  case snippets(inserted: Set<SnippetID>, updated: Set<SnippetID>, deleted: Set<SnippetID>)
  /// Any snippet may have changed, or none.
  ///
  /// More than 4,096 snippets changed at once, or a backup was restored.
  case unknown

  /// The most snippets that are reported one by one.
  static let maximumCount = 4096

  /// Combines recorded changes; `nil` if there are none.
  init?(_ records: [ChangeRecord]) {
    guard !records.isEmpty else { return nil }
    var sets = Sets()
    for record in records {
      let id = SnippetID(rawValue: record.snippet)
      switch record.event {
      case .inserted where record.isInTrash, .updated where record.isInTrash: sets.delete(id)
      case .inserted: sets.insert(id)
      case .updated where record.former?.deletedAt != nil: sets.insert(id)
      case .updated, .tagPutOn, .tagTakenOff: sets.update(id)
      case .deleted: sets.delete(id)
      }
    }
    self.init(sets)
  }

  /// Adds a later change.
  mutating func merge(_ later: StoreChange) {
    guard case .snippets(let inserted, let updated, let deleted) = self,
      case .snippets(let nowInserted, let nowUpdated, let nowDeleted) = later
    else {
      self = .unknown
      return
    }
    var sets = Sets(inserted: inserted, updated: updated, deleted: deleted)
    for id in nowInserted { sets.insert(id) }
    // An updated snippet that was deleted before must have come back.
    for id in nowUpdated {
      if deleted.contains(id) { sets.insert(id) } else { sets.update(id) }
    }
    for id in nowDeleted { sets.delete(id) }
    self = StoreChange(sets)
  }

  private init(_ sets: Sets) {
    let count = sets.inserted.count + sets.updated.count + sets.deleted.count
    self =
      count > Self.maximumCount
      ? .unknown
      : .snippets(inserted: sets.inserted, updated: sets.updated, deleted: sets.deleted)
  }

  /// Three disjoint sets.
  private struct Sets {
    var inserted: Set<SnippetID> = []
    var updated: Set<SnippetID> = []
    var deleted: Set<SnippetID> = []

    mutating func insert(_ id: SnippetID) {
      // To observers, a snippet that comes back under its number is an updated one.
      if deleted.remove(id) != nil { updated.insert(id) }
      // The record of a damaged file may insert a snippet twice.
      if !updated.contains(id) { inserted.insert(id) }
    }

    mutating func update(_ id: SnippetID) {
      if !inserted.contains(id), !deleted.contains(id) { updated.insert(id) }
    }

    mutating func delete(_ id: SnippetID) {
      inserted.remove(id)
      updated.remove(id)
      // Even if it was inserted in between: a reader may have seen it.
      deleted.insert(id)
    }
  }
}
