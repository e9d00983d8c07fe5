import Foundation
import GRDB

extension SnippetStore {
  /// Saves a draft into a history of the newest snippets, such as that of a clipboard.
  ///
  /// The history is all that carries the tags of the draft, outside the trash; without tags, the
  /// whole store. Everything is done in one transaction, which is durable on return, so two writers
  /// with the same content make one snippet.
  ///
  /// - Parameters:
  ///   - draft: The draft; a new snippet is dated now, unless ``SnippetDraft/createdAt`` is given.
  ///   - isOnce: Whether a snippet of the history with the same content is dated now instead,
  ///     keeping its title, tags and pin. The default is `true`.
  ///   - limit: The most snippets to keep that are not pinned; the oldest ones beyond go to the
  ///     trash. Dates still to come are those of a wrong clock, and count as the oldest. The default
  ///     is no limit.
  /// - Returns: The new snippet, or the one that was there.
  /// - Throws: ``SnippetStoreError`` as ``save(_:)`` does; nothing is changed then.
  /// - Complexity: O(log *n*), plus O(*m* log *m*) for *m* snippets of the history if there is a
  ///   limit, plus the size of the content.
  @discardableResult
  package func saveNewest(
    _ draft: SnippetDraft,
    isOnce: Bool = true,
    keeping limit: Int? = nil
  ) async throws(SnippetStoreError) -> NewestSave {
    let operation = "save a snippet"
    let clock = configuration.now
    let now = clock()
    let staging = staging(for: operation)
    // The date of a file or a photo could make it the oldest.
    let dated = draft.dated(now)
    return try await staging.write(keeping: .inMemory) { check in
      try staging.stage(
        DraftPreparation(now: now, operation: operation, check: check).prepare(dated),
        check: check
      )
    } then: { snippet, db in
      let writer = SnippetWriter(db: db, check: Task.checkCancellation)
      let history = NewestSnippets(db: db, tags: snippet.tags)
      let known = isOnce ? try history.snippet(equalTo: snippet) : nil
      if let known { try history.bringToTop(known, at: now) }
      let id = try known ?? writer.insert(snippet)
      // Dated now by a clock that was set back, it may have an earlier date than all others.
      let newest = known == nil && draft.createdAt != nil ? nil : id
      let trashed = try limit.map { try history.ids(beyond: $0, after: newest, at: clock()) } ?? []
      for id in trashed { try writer.moveToTrash(id, at: now) }
      guard let row = try SnippetRowQuery.row(id, in: db) else {
        throw DatabaseError.damage("a new row cannot be found")
      }
      return NewestSave(row: row, isNew: known == nil, trashed: trashed)
    }
  }
}

extension SnippetDraft {
  /// The same draft, made at a moment unless it says when.
  fileprivate func dated(_ moment: Date) -> SnippetDraft {
    var draft = self
    draft.createdAt = createdAt ?? moment
    return draft
  }
}

/// The outcome of saving into a history.
package struct NewestSave: Sendable, Hashable {
  /// The new snippet, or the one with the same content, dated anew.
  package let row: SnippetRow
  /// Whether the snippet is new.
  package let isNew: Bool
  /// The snippets that went to the trash, the newest first.
  package let trashed: [SnippetID]
}
