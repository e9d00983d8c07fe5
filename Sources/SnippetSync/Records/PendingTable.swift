import Foundation
import GRDB
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
    // Where many blobs are on their way, decoding the entries that wait for them takes long.
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

  /// Reads the next entries after a key, in the order of the keys.
  func pending(
    after key: DatabaseValue,
    in db: Database
  ) throws -> [(key: DatabaseValue, entry: String)] {
    try db.values(
      """
      SELECT \(self.key), entry FROM \(name) WHERE pending = 1 AND \(self.key) > ? \(condition)
      ORDER BY \(self.key) LIMIT \(Self.limit)
      """,
      [key]
    ) { (try value($0), try $0.text(1)) }
  }

  func markAsSent(_ key: DatabaseValue, in db: Database) throws {
    try db.run("UPDATE \(name) SET \(assignment) WHERE \(self.key) = ?", [key])
  }
}

/// The lines of a log file that is being sealed.
struct Sealing {
  var coding: EntryCoding
  private(set) var lines: [Data] = []
  private(set) var isFull = false
  private var byteCount = 0

  init(coding: EntryCoding) {
    self.coding = coding
  }

  /// Adds an entry, or returns `false` if there is no room left for it.
  mutating func take(_ entry: Entry) throws -> Bool {
    let line = try coding.encode(entry)
    guard !isFull, lines.isEmpty || byteCount + line.count <= LogFile.entryLimit else {
      isFull = true
      return false
    }
    lines.append(line)
    byteCount += line.count
    return true
  }
}
