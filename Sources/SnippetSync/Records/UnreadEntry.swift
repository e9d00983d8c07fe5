import Foundation
import GRDB
import SnippetStorage

/// An entry as it came from the log of a device, which is kept until it is merged.
///
/// A later entry of that device replaces it, since each holds the whole state of its snippet and knows
/// all that the earlier ones knew. One that this version does not understand waits for a newer one.
struct UnreadEntry: Sendable {
  let uuid: UUID
  /// The device in whose log it came.
  let author: DeviceID
  /// The devices that it names by their places here.
  let devices: [DeviceID]
  let line: Data

  /// The snippet and the device.
  struct Identity: Hashable {
    let uuid: UUID
    let author: DeviceID
  }

  var identity: Identity { Identity(uuid: uuid, author: author) }

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
  /// The version of the coding of an entry that none has tried to understand yet.
  static let untried: Int64 = 0

  /// That of an entry whose blob could not be read: it waits like one that an older version did not
  /// understand.
  private static let withoutBlob = EntryCoding.version - 1

  /// That of an entry that a purge dropped: its text is to be read again.
  private static let dropped = Int64.max

  /// Finds the snippets whose entries wait for a blob that could not be read.
  static func withoutBlobs(in db: Database) throws -> Set<UUID> {
    let uuids = try db.values(
      "SELECT DISTINCT uuid FROM sync_unread WHERE version > ? AND version <= ?",
      [untried.databaseValue, withoutBlob.databaseValue]
    ) { try $0.uuid(0) }
    return Set(uuids)
  }

  /// Finds the devices whose entries wait, also those that only a later version understands.
  static func authors(in db: Database) throws -> Set<DeviceID> {
    let devices = try db.values(
      "SELECT device FROM sync_device WHERE id IN (SELECT device FROM sync_unread)",
      []
    ) { DeviceID(try $0.uuid(0)) }
    return Set(devices)
  }

  /// Notes that its blob could not be read.
  func noteMissingBlob(in db: Database) throws {
    try db.run(
      """
      UPDATE sync_unread SET version = ?
      WHERE uuid = ? AND device = (SELECT id FROM sync_device WHERE device = ?) AND version = ?
      """,
      [
        Self.withoutBlob.databaseValue, uuid.bytes.databaseValue, author.bytes.databaseValue,
        Self.untried.databaseValue,
      ]
    )
  }

  /// Finds the snippets whose entries wait to be merged, the oldest first.
  ///
  /// Entries wait that have just come, and those that only older versions have tried to understand.
  static func waiting(in db: Database) throws -> [UUID] {
    try db.values(
      """
      SELECT uuid FROM sync_unread WHERE version < ? GROUP BY uuid
      ORDER BY min(CASE WHEN json_valid(entry) THEN json_extract(entry, '$.made[0]') END), uuid
      """,
      [EntryCoding.version.databaseValue]
    ) { try $0.uuid(0) }
  }

  /// Counts the snippets whose entries wait to be merged.
  ///
  /// - Parameters:
  ///   - limit: The number at which to stop; no more entries are read then. By default all are counted.
  ///   - db: The connection.
  /// - Returns: The number.
  /// - Throws: The error of the database.
  static func waitingCount(upTo limit: Int64 = .max, in db: Database) throws -> Int64 {
    try db.number(
      """
      SELECT count(*) FROM (SELECT DISTINCT uuid FROM sync_unread WHERE version < ? LIMIT ?)
      """,
      [EntryCoding.version.databaseValue, limit.databaseValue]
    ) ?? 0
  }

  /// Reads the entries of a snippet that wait: the last one of each device.
  static func waiting(of uuid: UUID, in db: Database) throws -> [UnreadEntry] {
    try db.values(
      """
      SELECT sync_unread.uuid, sync_device.device, devices, entry
      FROM sync_unread JOIN sync_device ON sync_device.id = sync_unread.device
      WHERE sync_unread.uuid = ? AND version < ?
      """,
      [uuid.bytes.databaseValue, EntryCoding.version.databaseValue]
    ) { row in
      let bytes = try row.bytes(2)
      guard bytes.count.isMultiple(of: 16) else {
        throw DatabaseError.damage("the devices of an entry that waits have not 16 bytes each")
      }
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

  /// Keeps it instead of an earlier one of its device.
  ///
  /// Where that one waits for a blob, it does so too: its snippet may have the same one, and the place
  /// may still lack it.
  ///
  /// - Parameters:
  ///   - version: The version of the coding that has tried to understand it; this one by default.
  ///   - db: The connection.
  /// - Throws: The error of the database.
  func keep(triedBy version: Int64 = EntryCoding.version, in db: Database) throws {
    try db.run(
      """
      INSERT INTO sync_unread (uuid, device, version, devices, entry)
      SELECT ?, id, ?, ?, ? FROM sync_device WHERE device = ?
      ON CONFLICT (uuid, device) DO UPDATE SET
        version = CASE
          WHEN excluded.version = ? AND version > ? AND version <= ? THEN version
          ELSE excluded.version
        END,
        devices = excluded.devices, entry = excluded.entry
      """,
      [
        uuid.bytes.databaseValue, version.databaseValue,
        devices.reduce(into: Data()) { $0 += $1.bytes }.databaseValue,
        String(decoding: line, as: UTF8.self).databaseValue, author.bytes.databaseValue,
        Self.untried.databaseValue, Self.untried.databaseValue, Self.withoutBlob.databaseValue,
      ]
    )
  }

  /// Lets go the merged entries, but keeps those that the store refused.
  static func note(
    _ batch: [ReceivedEntry],
    refused: Set<Identity>,
    in db: Database
  ) throws {
    for received in batch {
      if refused.contains(received.source.identity) {
        try received.source.keep(in: db)
      } else {
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

  /// Lets go the texts of all entries that wait, and notes their snippets, so that they are read again.
  ///
  /// How far the logs have come stays noted: without that, no lost file of theirs could be replaced.
  static func dropAll(in db: Database) throws {
    try db.run(
      "UPDATE sync_unread SET version = ?, devices = x'', entry = '{}'",
      [dropped.databaseValue]
    )
  }

  /// Finds the snippets whose entries a purge dropped, by the devices in whose logs they came.
  static func allDropped(in db: Database) throws -> [DeviceID: Set<UUID>] {
    let found = try db.values(
      """
      SELECT sync_device.device, uuid FROM sync_unread
      JOIN sync_device ON sync_device.id = sync_unread.device WHERE version = ?
      """,
      [dropped.databaseValue]
    ) { row in (device: DeviceID(try row.uuid(0)), snippet: try row.uuid(1)) }
    return Dictionary(grouping: found) { $0.device }
      .mapValues { found in Set(found.map { $0.snippet }) }
  }

  /// Forgets which entries of a device a purge dropped, once its log was read for them.
  static func forgetDropped(of device: DeviceID, in db: Database) throws {
    try db.run(
      """
      DELETE FROM sync_unread
      WHERE version = ? AND device = (SELECT id FROM sync_device WHERE device = ?)
      """,
      [dropped.databaseValue, device.bytes.databaseValue]
    )
  }
}
