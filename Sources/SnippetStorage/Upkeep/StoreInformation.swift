public import Foundation
import GRDB
import SnippetBase

/// The state of a store in figures: versions, counts and sizes.
public struct StoreInformation: Sendable, Hashable {
  /// The file; `nil` for a store in memory.
  public var url: URL?
  /// The version of the schema.
  public var schemaVersion: Int
  /// The number of snippets of each kind, without those in the trash.
  public var snippetCounts: [SnippetKind: Int]
  /// The number of snippets in the trash.
  public var trashCount: Int
  /// The number of tags that snippets outside of the trash have.
  public var tagCount: Int
  /// The number of blobs, including those of snippets in the trash.
  public var blobCount: Int
  /// The size of all blobs in bytes.
  public var blobByteCount: Int64
  /// The number of captures that have not become snippets yet.
  public var captureCount: Int
  /// The size of the file in bytes; for a store in memory, the size that its file would have.
  public var fileByteCount: Int64
  /// The size of the log beside the file in bytes.
  public var logByteCount: Int64
  /// The bytes of the file that are free for new content.
  public var freeByteCount: Int64
  /// The version of the SQLite library in use.
  public var sqliteVersion: String
  /// Whether that version of SQLite can damage a file if another program writes and checkpoints
  /// at the same instant (fixed in 3.51.3).
  ///
  /// The writers of this package never do that.
  public var sqliteHasLogResetBug: Bool
}

extension StoreInformation {
  /// Looks into the store, in one snapshot.
  init(of db: Database, at url: URL?, logByteCount: Int64) throws {
    var counts: [SnippetKind: Int] = [:]
    for kind in SnippetKind.allCases { counts[kind] = 0 }
    let found = try db.values(
      "SELECT kind, count(*) FROM snippet WHERE deleted_at IS NULL GROUP BY kind"
    ) { (kind: Int(try $0.number(0)), count: Int(try $0.number(1))) }
    for (kind, count) in found {
      if let kind = SnippetKind(rawValue: kind) { counts[kind] = count }
    }
    func number(_ sql: String) throws -> Int64 { try db.number(sql) ?? 0 }
    let pageSize = try number("PRAGMA page_size")
    let version = try db.value("SELECT sqlite_version()") { try $0.text(0) } ?? ""
    self.init(
      url: url,
      schemaVersion: Int(try number("PRAGMA user_version")),
      snippetCounts: counts,
      trashCount: Int(try number("SELECT count(*) FROM snippet WHERE deleted_at IS NOT NULL")),
      tagCount: Int(try number("SELECT count(*) FROM tags")),
      blobCount: Int(try number("SELECT count(*) FROM blob")),
      blobByteCount: try number("SELECT CAST(total(byte_count) AS INTEGER) FROM blob"),
      captureCount: Int(try number("SELECT count(*) FROM capture")),
      fileByteCount: try number("PRAGMA page_count") * pageSize,
      logByteCount: logByteCount,
      freeByteCount: try number("PRAGMA freelist_count") * pageSize,
      sqliteVersion: version,
      sqliteHasLogResetBug: Self.hasLogResetBug(version)
    )
  }

  /// Whether a version has the WAL-reset bug, fixed in 3.51.3 and in the maintained branches at
  /// 3.50.7 and 3.44.6.
  static func hasLogResetBug(_ version: String) -> Bool {
    let parts = version.split(separator: ".").compactMap { Int($0) }
    guard parts.count >= 3 else { return true }
    switch (parts[0], parts[1]) {
    case (3, 51): return parts[2] < 3
    case (3, 50): return parts[2] < 7
    case (3, 44): return parts[2] < 6
    default: return (parts[0], parts[1]) < (3, 51)
    }
  }
}
