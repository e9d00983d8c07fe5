import Foundation
import GRDB
import SnippetStorage

/// The blobs that are in the repository, as far as the store knows.
enum RepositoryBlobs {
  static func contains(_ sha256: Data, in db: Database) throws -> Bool {
    try db.number("SELECT 1 FROM sync_blob WHERE sha256 = ?", [sha256.databaseValue]) != nil
  }

  static func insert(_ sha256: Data, in db: Database) throws {
    try db.run(
      "INSERT INTO sync_blob (sha256, generation) VALUES (?, 1) ON CONFLICT DO NOTHING",
      [sha256.databaseValue]
    )
  }

  /// Reads the hashes of the snippets' blobs that are in the repository.
  static func sent(in db: Database) throws -> [Data: NeededBlob] {
    let blobs = try db.values(
      """
      SELECT blob.sha256, blob.byte_count, min(snippet.id) FROM sync_blob
      CROSS JOIN blob ON blob.sha256 = sync_blob.sha256
      CROSS JOIN snippet ON blob_id = blob.id
      GROUP BY blob.sha256
      """
    ) { row in
      let snippet = SnippetID(rawValue: try row.number(2))
      return (try row.bytes(0), NeededBlob(byteCount: try row.number(1), snippet: snippet))
    }
    return Dictionary(blobs) { one, _ in one }
  }

  /// Finds the blobs of snippets that are not in the repository, the newest first.
  ///
  /// - Parameters:
  ///   - end: The blob before which to look, in the order of their numbers; `nil` for all.
  ///   - limit: The most blobs to find.
  ///   - byteLimit: The most bytes of each.
  ///   - db: The connection.
  /// - Returns: The blobs.
  /// - Throws: The error of the database.
  static func missing(
    before end: BlobID?,
    limit: Int,
    byteLimit: Int64,
    in db: Database
  ) throws -> [StoredBlob] {
    try db.values(
      """
      SELECT blob.id, sha256, byte_count FROM blob
      WHERE blob.id < ? AND byte_count <= ? AND EXISTS (SELECT 1 FROM snippet WHERE blob_id = blob.id)
        AND NOT EXISTS (SELECT 1 FROM sync_blob WHERE sync_blob.sha256 = blob.sha256)
      ORDER BY blob.id DESC LIMIT ?
      """,
      [
        (end?.rawValue ?? .max).databaseValue, byteLimit.databaseValue, limit.databaseValue,
      ]
    ) { row in
      StoredBlob(
        id: BlobID(rawValue: try row.number(0)),
        sha256: try row.bytes(1),
        byteCount: try row.number(2)
      )
    }
  }

  /// Finds a blob of the store.
  ///
  /// - Returns: The blob, and whether a snippet has it for which no entry waits, so that a
  ///   synchronization leaves it there; `nil` if the store has no such blob.
  static func stored(_ sha256: Data, in db: Database) throws -> (blob: StoredBlob, isSafe: Bool)? {
    try db.value(
      """
      SELECT id, byte_count, EXISTS (
        SELECT 1 FROM snippet
        WHERE blob_id = blob.id AND NOT EXISTS (
          SELECT 1 FROM sync_unread WHERE sync_unread.uuid = snippet.uuid AND version < ?2
        )
      )
      FROM blob WHERE sha256 = ?1
      """,
      [sha256.databaseValue, EntryCoding.version.databaseValue]
    ) { row in
      let blob = StoredBlob(
        id: BlobID(rawValue: try row.number(0)),
        sha256: sha256,
        byteCount: try row.number(1)
      )
      return (blob, try row.number(2) != 0)
    }
  }
}

/// A blob of the store.
struct StoredBlob: Sendable {
  var id: BlobID
  var sha256: Data
  var byteCount: Int64
}

/// A blob that must be in the repository.
struct NeededBlob: Sendable {
  var byteCount: Int64
  /// A snippet of this store that has it.
  var snippet: SnippetID?
}
