import SnippetBase
import Testing

@testable import SnippetStorage

/// The snippets that have changed since an observer was last called, by the record of changes.
enum SeenChange: Sendable, Hashable {
  /// These snippets changed.
  ///
  /// No snippet is in two of the sets. The trash counts as deleted. A snippet that was inserted and
  /// deleted again is only in `deleted`; one that was deleted and came back is in `updated`.
  case snippets(inserted: Set<SnippetID>, updated: Set<SnippetID>, deleted: Set<SnippetID>)
  /// The record no longer tells, or there are too many.
  case unknown

  static func inserted(_ ids: SnippetID...) -> SeenChange {
    .snippets(inserted: Set(ids), updated: [], deleted: [])
  }

  static func updated(_ ids: SnippetID...) -> SeenChange {
    .snippets(inserted: [], updated: Set(ids), deleted: [])
  }

  static func deleted(_ ids: SnippetID...) -> SeenChange {
    .snippets(inserted: [], updated: [], deleted: Set(ids))
  }

  fileprivate init(_ records: [ChangeRecord]) {
    var inserted: Set<SnippetID> = []
    var updated: Set<SnippetID> = []
    var deleted: Set<SnippetID> = []
    for record in records {
      let id = SnippetID(rawValue: record.snippet)
      let isDeleted = record.event == .deleted || record.isInTrash
      let isBack = record.event == .inserted || record.former?.deletedAt != nil
      if isDeleted {
        inserted.remove(id)
        updated.remove(id)
        deleted.insert(id)
      } else if isBack {
        if deleted.remove(id) == nil { inserted.insert(id) } else { updated.insert(id) }
      } else if !inserted.contains(id), !deleted.contains(id) {
        updated.insert(id)
      }
    }
    self = .snippets(inserted: inserted, updated: updated, deleted: deleted)
  }
}

extension SnippetStore {
  /// The end of the record of changes.
  func lastMark() throws -> ChangeMark {
    try connections.read(.rows, to: "test") { try ChangeMark(endIn: $0) }
  }

  /// Observes the store, and reads in each call which snippets have changed since the last one.
  ///
  /// By default it begins at the end of the record; in memory, reading that waits for the writer.
  func observeEachChange(
    since mark: ChangeMark? = nil,
    _ handler: @escaping @Sendable (SeenChange) -> Void
  ) throws -> ChangeObservation {
    let known = Lock(try mark ?? lastMark())
    return changeFeed.observe { [weak self] in
      do {
        guard let change = try self?.change(since: known) else { return }
        handler(change)
      } catch {
        // Closing the store may overtake the call.
        if (error as? SnippetStoreError)?.code != .closed { Issue.record(error) }
      }
    }
  }

  private func change(since known: Lock<ChangeMark>) throws -> SeenChange {
    let former = known.withLock { $0 }
    let (change, mark) = try connections.read(.rows, to: "test") { db in
      guard let records = try former.knownChanges(limit: 16_384, in: db) else {
        return (SeenChange.unknown, try ChangeMark(knownEndIn: db))
      }
      return (SeenChange(records), former.advanced(by: records))
    }
    known.withLock { $0 = mark }
    return change
  }
}
