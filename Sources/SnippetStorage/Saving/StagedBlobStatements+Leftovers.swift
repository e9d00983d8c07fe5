import Foundation
import GRDB

/// What becomes no snippet: how it is taken away in steps.
extension StagedBlobStatements {
  /// The chunks that are taken away in one transaction: 8 MiB as they are cut now, which holds the
  /// writer for a few milliseconds.
  private static let discardedChunkCount = 32

  /// Begins to take a capture away: from now on nobody sees it.
  ///
  /// - Parameters:
  ///   - id: What to take away; one that is gone already is no error.
  ///   - ifResumable: Whether to leave content alone that is being saved.
  /// - Throws: An error of SQLite.
  func discard(_ id: CaptureID, ifResumable: Bool = false) throws {
    try db.execute(
      sql: "UPDATE recording SET discarded = 1 WHERE id = ? AND resumable >= ?",
      arguments: [id.rawValue, ifResumable ? 1 : 0]
    )
  }

  /// Whether there is content that a process was saving when it ended, or something that is discarded
  /// and still to be taken away.
  func hasLeftovers() throws -> Bool {
    let isAnyDiscarded = try Bool.fetchOne(
      db,
      sql: "SELECT EXISTS (SELECT 1 FROM recording WHERE discarded = 1)"
    )
    return try isAnyDiscarded ?? false || !unfinishedSaves().isEmpty
  }

  /// Begins to take away the content that processes were saving when they ended.
  func discardUnfinishedSaves() throws {
    for id in try unfinishedSaves() { try discard(id) }
  }

  private func unfinishedSaves() throws -> [CaptureID] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT id, uuid, process FROM recording WHERE discarded = 0 AND resumable = 0 ORDER BY id
        """
    ).compactMap { row in
      let isInProgress = Self.isInProgress(
        try row.decode(atIndex: 1),
        in: try row.decode(atIndex: 2)
      )
      return isInProgress ? nil : CaptureID(rawValue: try row.decode(atIndex: 0))
    }
  }

  /// Takes away the next part of what was discarded.
  ///
  /// - Returns: How many chunks that were; `nil` when nothing is left.
  func sweep() throws -> Int? {
    guard
      let id = try Int64.fetchOne(db, sql: "SELECT id FROM recording WHERE discarded = 1 LIMIT 1")
    else { return nil }
    try db.execute(
      sql: """
        DELETE FROM blob_chunk WHERE id IN (
          SELECT id FROM blob_chunk WHERE id BETWEEN ?1 << 20 AND (?1 << 20) + 1048575
          ORDER BY id DESC LIMIT \(Self.discardedChunkCount)
        )
        """,
      arguments: [id]
    )
    let count = db.changesCount
    if count < Self.discardedChunkCount {
      try delete(CaptureID(rawValue: id))
      // It would be found again and again.
      guard db.changesCount > 0 else {
        throw DatabaseError.damage("capture \(id) cannot be taken away")
      }
    }
    return count
  }
}
