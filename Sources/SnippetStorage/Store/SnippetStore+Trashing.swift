import Foundation
import GRDB

extension SnippetStore {
  /// Moves snippets to the trash in one transaction.
  ///
  /// They leave every list, search, tag and count, except those that ask for the trash with
  /// ``SnippetFilter/isInTrash``. ``undelete(_:)`` brings them back as they were. Until then they
  /// can be read but not changed. On return the move is durable.
  ///
  /// - Parameter ids: The snippets to move.
  /// - Returns: The moved snippets. The others were already in the trash, or are gone.
  /// - Throws: ``SnippetStoreError``: `.busy`, after which you can try again; `.cancelled` if the
  ///   task was cancelled before the commit.
  /// - Complexity: O(*m* log *n*) for *m* snippets, whatever the size of their blobs.
  @discardableResult
  public func moveToTrash(_ ids: [SnippetID]) async throws(SnippetStoreError) -> [SnippetID] {
    let now = configuration.now()
    return try await connections.writeWithReserve(to: "move snippets to the trash") { db in
      let writer = SnippetWriter(db: db)
      return try ids.filter { try writer.moveToTrash($0, at: now) }
    }
  }

  /// Brings snippets back from the trash in one transaction.
  ///
  /// They keep their identity, dates and tags. On return the change is durable.
  ///
  /// - Parameter ids: The snippets to bring back.
  /// - Returns: The snippets that were brought back. The others were not in the trash.
  /// - Throws: ``SnippetStoreError``: `.busy`, after which you can try again; `.cancelled` if the
  ///   task was cancelled before the commit.
  /// - Complexity: O(*m* log *n*) for *m* snippets.
  @discardableResult
  public func undelete(_ ids: [SnippetID]) async throws(SnippetStoreError) -> [SnippetID] {
    try await connections.writeWithReserve(to: "bring snippets back from the trash") { db in
      try SnippetWriter(db: db).bringBack(ids)
    }
  }
}
