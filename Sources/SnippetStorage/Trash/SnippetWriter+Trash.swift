package import Foundation
import GRDB

extension SnippetWriter {
  /// Moves a snippet to the trash; returns whether it was outside.
  @discardableResult
  package func moveToTrash(_ id: SnippetID, at date: Date) throws -> Bool {
    try db.cachedStatement(
      sql: """
        UPDATE snippet SET deleted_at = ?, revision = revision + 1
        WHERE id = ? AND deleted_at IS NULL
        """
    ).execute(arguments: [date.milliseconds, id.rawValue])
    return db.changesCount > 0
  }

  /// Brings a snippet back from the trash; returns whether it was there.
  package func bringBack(_ id: SnippetID) throws -> Bool {
    try db.cachedStatement(
      sql: """
        UPDATE snippet SET deleted_at = NULL, revision = revision + 1
        WHERE id = ? AND deleted_at IS NOT NULL
        """
    ).execute(arguments: [id.rawValue])
    return db.changesCount > 0
  }
}
