import Foundation
import GRDB
import SnippetStorage

/// An entry as it came from the log of a device, for when this version does not understand it.
///
/// A later entry of that device replaces it, since each holds the whole state of its snippet.
struct UnreadEntry: Sendable {
  let uuid: UUID
  /// The device in whose log it came.
  let author: DeviceID
  /// The devices that it names by their places here.
  let devices: [DeviceID]
  let line: Data

  func decoded() throws(MalformedEntry) -> Entry {
    try EntryCoding(devices: DeviceTable(devices)).decode(line)
  }
}

/// An entry that was understood, with what it was read from.
struct ReceivedEntry: Sendable {
  let entry: Entry
  let source: UnreadEntry
}

extension UnreadEntry {
  /// Reads some of the entries that only older versions have tried to understand.
  static func outdated(limit: Int, in db: Database) throws -> [UnreadEntry] {
    try db.values(
      """
      SELECT sync_unread.uuid, sync_device.device, devices, entry
      FROM sync_unread JOIN sync_device ON sync_device.id = sync_unread.device
      WHERE version < ? LIMIT ?
      """,
      [EntryCoding.version.databaseValue, limit.databaseValue]
    ) { row in
      let bytes = try row.bytes(2)
      return UnreadEntry(
        uuid: try row.uuid(0),
        author: DeviceID(try row.uuid(1)),
        devices: stride(from: 0, to: bytes.count, by: 16).compactMap { start in
          bytes[start..<(start + 16)].withUnsafeBytes(UUID.init(bytes:)).map(DeviceID.init)
        },
        line: Data(try row.text(3).utf8)
      )
    }
  }

  /// Keeps it until a newer version reads it.
  func keep(in db: Database) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO sync_unread (uuid, device, version, devices, entry)
      SELECT ?, id, ?, ?, ? FROM sync_device WHERE device = ?
      """,
      [
        uuid.bytes.databaseValue, EntryCoding.version.databaseValue,
        devices.reduce(into: Data()) { $0 += $1.bytes }.databaseValue,
        String(decoding: line, as: UTF8.self).databaseValue, author.bytes.databaseValue,
      ]
    )
  }

  /// Notes that this version has tried to understand it.
  func noteVersion(in db: Database) throws {
    try db.run(
      """
      UPDATE sync_unread SET version = ?
      WHERE uuid = ? AND device = (SELECT id FROM sync_device WHERE device = ?)
      """,
      [EntryCoding.version.databaseValue, uuid.bytes.databaseValue, author.bytes.databaseValue]
    )
  }

  /// Keeps those of merged entries that the store refused, and lets go what the others replace.
  static func note(_ batch: [ReceivedEntry], refused: [UUID: String], in db: Database) throws {
    let isAnyKept = try db.number("SELECT EXISTS (SELECT 1 FROM sync_unread)") == 1
    for received in batch {
      if refused[received.entry.uuid] != nil {
        try received.source.keep(in: db)
      } else if isAnyKept {
        try db.run(
          """
          DELETE FROM sync_unread
          WHERE uuid = ? AND device = (SELECT id FROM sync_device WHERE device = ?)
          """,
          [received.source.uuid.bytes.databaseValue, received.source.author.bytes.databaseValue]
        )
      }
    }
  }
}
