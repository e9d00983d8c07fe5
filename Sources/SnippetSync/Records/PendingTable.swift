import Foundation
import GRDB
import SnippetBase
import SnippetStorage

/// A table of entries, as far as they must be sent.
struct PendingTable: Sendable {
  /// A key that comes before all.
  let first: DatabaseValue
  private let name: String
  private let key: String
  private let value: @Sendable (StatementRow) throws -> DatabaseValue
  private let assignment: String
  /// The condition for entries that need not wait for anything.
  private var condition = ""

  static let rows = PendingTable(
    first: 0.databaseValue,
    name: "sync_row",
    key: "snippet_id",
    value: { try $0.number(0).databaseValue },
    assignment: "pending = 0, published = 1",
    // Where many blobs are on their way, reading the entries that wait for them takes long.
    condition: """
      AND NOT EXISTS (
        SELECT 1 FROM snippet JOIN blob ON blob.id = blob_id
        WHERE snippet.id = snippet_id
          AND NOT EXISTS (SELECT 1 FROM sync_blob WHERE sync_blob.sha256 = blob.sha256)
      )
      """
  )
  static let absent = PendingTable(
    first: Data().databaseValue,
    name: "sync_absent",
    key: "uuid",
    value: { try $0.bytes(0).databaseValue },
    assignment: "pending = 0"
  )

  /// The most entries to read at a time: each may have a text of many kilobytes.
  private static let limit = 100

  /// Whether an entry of any table must be sent.
  static func isAny(in db: Database) throws -> Bool {
    try db.number(
      """
      SELECT EXISTS (SELECT 1 FROM sync_row WHERE pending = 1)
        OR EXISTS (SELECT 1 FROM sync_absent WHERE pending = 1)
      """
    ) == 1
  }

  /// Marks all entries, so that the next log files hold everything.
  static func markAll(in db: Database) throws {
    try db.run("UPDATE sync_row SET pending = 1", [])
    try db.run("UPDATE sync_absent SET pending = 1", [])
  }

  /// Takes the entries that must be sent, as long as they fit into a log file, and marks them as sent.
  ///
  /// An entry is sent as it was kept. One that has a blob which is not in the repository yet waits for it:
  /// of any of its versions, since each may be the one that another device shows.
  ///
  /// - Returns: The lines, and whether there are more than fit.
  /// - Throws: The error of the database.
  static func take(in db: Database) throws -> (lines: [Data], isFull: Bool) {
    var lines: [Data] = []
    var byteCount = 0
    for table in [rows, absent] {
      var last = table.first
      while true {
        let pending = try table.pending(after: last, in: db)
        guard let end = pending.last?.key else { break }
        last = end
        for (key, line, blobs) in pending {
          let areSent = try blobs.allSatisfy { try RepositoryBlobs.contains($0, in: db) }
          guard areSent else { continue }
          guard lines.isEmpty || byteCount + line.count <= LogFile.entryLimit else {
            return (lines, true)
          }
          lines.append(line)
          byteCount += line.count
          try table.markAsSent(key, in: db)
        }
      }
    }
    return (lines, false)
  }

  /// Reads the next entries after a key, in the order of the keys, with the hashes of their blobs.
  private func pending(
    after key: DatabaseValue,
    in db: Database
  ) throws -> [(key: DatabaseValue, line: Data, blobs: [Data])] {
    // Most entries have no blob, and to look for one takes longer than to read the text.
    try db.values(
      """
      SELECT \(self.key), entry,
        CASE WHEN instr(entry, '"sha256"') THEN (
          SELECT group_concat(value, ' ') FROM json_tree(entry, '$.c') WHERE key = 'sha256'
        ) END
      FROM \(name)
      WHERE pending = 1 AND \(self.key) > ? \(condition)
      ORDER BY \(self.key) LIMIT \(Self.limit)
      """,
      [key]
    ) { row in
      let hashes = try row.optionalText(2)?.split(separator: " ") ?? []
      let blobs = hashes.compactMap { Data(hexadecimal: String($0)) }
      return (try value(row), Data(try row.text(1).utf8), blobs)
    }
  }

  private func markAsSent(_ key: DatabaseValue, in db: Database) throws {
    try db.run("UPDATE \(name) SET \(assignment) WHERE \(self.key) = ?", [key])
  }
}
