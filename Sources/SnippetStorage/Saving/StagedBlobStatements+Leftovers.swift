import Foundation
import GRDB

/// Removes staged blobs that will not become part of a snippet, in steps.
extension StagedBlobStatements {
  /// The most chunks to remove in one transaction: 8 MiB at the usual chunk size, which holds the
  /// writer for a few milliseconds.
  private static let discardedChunkCount = 32

  /// Begins to remove a staged blob.
  ///
  /// It and its capture are invisible from now on.
  ///
  /// A blob that has already ended is not an error.
  func discard(_ id: BlobID) throws {
    try db.execute(
      sql: "UPDATE staged_blob SET discarded = 1 WHERE id = ?",
      arguments: [id.rawValue]
    )
  }

  /// Whether a process ended while it was saving a file, or discarded blobs are still to be
  /// removed.
  func hasLeftovers() throws -> Bool {
    let isAnyDiscarded = try db.number(
      "SELECT EXISTS (SELECT 1 FROM staged_blob WHERE discarded = 1)"
    )
    return try isAnyDiscarded == 1 || !unfinishedSaves().isEmpty
  }

  /// Begins to remove the files that processes were saving when they ended.
  func discardUnfinishedSaves() throws {
    for id in try unfinishedSaves() { try discard(id) }
  }

  private func unfinishedSaves() throws -> [BlobID] {
    try db.values(
      """
      SELECT id, uuid, process FROM staged_blob
      WHERE discarded = 0 AND NOT EXISTS (SELECT 1 FROM capture WHERE capture.id = staged_blob.id)
      ORDER BY id
      """
    ) { row in
      let isInProgress = Self.isInProgress(try row.uuid(1), in: try row.text(2))
      return isInProgress ? nil : BlobID(rawValue: try row.number(0))
    }.compactMap(\.self)
  }

  /// Removes the next part of a discarded blob.
  ///
  /// - Returns: The number of removed chunks; `nil` if nothing is left.
  func sweep() throws -> Int? {
    guard
      let id = try db.number("SELECT id FROM staged_blob WHERE discarded = 1 LIMIT 1")
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
      try delete(BlobID(rawValue: id))
      // Otherwise it would be found again forever.
      guard db.changesCount > 0 else {
        throw DatabaseError.damage("staged blob \(id) cannot be removed")
      }
    }
    return count
  }
}

extension Connections {
  /// Removes discarded blobs in transactions of a few milliseconds.
  func sweepStagedBlobs(to operation: String) throws(SnippetStoreError) {
    while try write(to: operation, { try StagedBlobStatements(db: $0).sweep() }) != nil {}
  }
}
