import Foundation
import GRDB
import SnippetBase
import SnippetStorage

/// Where a store meets others, as it is kept in the store.
struct SyncState: Sendable {
  /// The name of the repository, in hexadecimal digits.
  var repository: String
  var address: String
  var device: DeviceID
  /// The name of the device for people.
  var name: String
  /// The machine, the file and its path, see ``StorePlace``: a copy of the store is another device.
  var place: String
  /// The last change that was captured; -1 for none.
  var changeNumber: Int64 = -1
  /// The number of the last log file that was sealed.
  var sealed: Int64 = 0
  /// The number of the last log file that the head names.
  var sent: Int64 = 0
  /// When both directions were last done, in milliseconds since 1970.
  var syncedAt: Int64?

  /// The place of a store that keeps what a backup held, until the logs have been read for that.
  static let backupPlace = "backup"

  /// The beginnings of the places of a store that was restored, before and after the backup was chosen,
  /// where the device is known whose store it replaced; and those of a store that left before the choice,
  /// whose backup had left the repository, or was made before it joined.
  ///
  /// SnippetStorage's restore knows them too.
  private static let restoredMark = "restored/"
  private static let backupMark = "backup/"
  private static let formerMark = "left/"
  private static let beforeMark = "before/"

  /// The place of a store that has left the repository, and may join it again.
  ///
  /// SnippetStorage's restore knows it too.
  private static let formerPlace = "left"

  /// Whether the store meets others; otherwise it has left the repository.
  var isJoined: Bool {
    place != Self.formerPlace && !place.hasPrefix(Self.formerMark) && hasEntries
  }
  /// Whether the store has been in the repository; a backup from before it joined knows nothing of that.
  var hasEntries: Bool { !place.hasPrefix(Self.beforeMark) }
  /// Whether the store was restored from a backup, and it is not decided what counts.
  var isRestored: Bool { place.isEmpty || place.hasPrefix(Self.restoredMark) }
  /// Whether what a backup held counts.
  var keepsBackup: Bool { place == Self.backupPlace || place.hasPrefix(Self.backupMark) }

  /// Makes what the backup held count.
  mutating func keepBackup() {
    guard isRestored else { return }
    let former = place.dropFirst(Self.restoredMark.count)
    place = former.isEmpty ? Self.backupPlace : "\(Self.backupMark)\(former)"
  }

  /// Leaves the repository; the device that a backup replaced stays known, for when the store joins
  /// again.
  mutating func leavePlace() {
    let mark = [Self.restoredMark, Self.backupMark].first { place.hasPrefix($0) }
    place = mark.map { "\(Self.formerMark)\(place.dropFirst($0.count))" } ?? Self.formerPlace
  }

  /// Finds the device whose store a backup replaced.
  ///
  /// - Parameter here: The place of this store.
  /// - Returns: The device, and when it wrote its last head; `nil` if that is not known, or if its store
  ///   was in another place.
  func replacedDevice(in here: String) -> (device: DeviceID, wroteAt: Int64)? {
    guard isRestored || keepsBackup || !isJoined else { return nil }
    let parts = place.split(separator: "/", maxSplits: 3)
    guard parts.count == 4, StorePlace.areSameFile(String(parts[3]), here),
      let wroteAt = Int64(parts[2]),
      let device = DeviceID(rawValue: String(parts[1]))
    else { return nil }
    return (device, wroteAt)
  }

  /// Finds the device that a store was before it left, or before a backup replaced it, as the store
  /// joins again.
  ///
  /// - Parameters:
  ///   - here: The place of this store.
  ///   - db: The connection.
  /// - Returns: The device, and when it wrote its last head; `nil` if there was none.
  /// - Throws: The error of the database.
  func formerDevice(
    in here: String,
    _ db: Database
  ) throws -> (device: DeviceID, wroteAt: Int64?)? {
    if let replaced = replacedDevice(in: here) { return (replaced.device, replaced.wroteAt) }
    guard let known = try KnownDevice.all(in: db).first(where: { $0.device == device }) else {
      return nil
    }
    return (known.device, known.wroteAt)
  }
}

extension SyncState {
  /// Reads the state, also of a store that has left; `nil` if it has never joined a repository.
  init?(in db: Database) throws {
    let state = try db.value(
      """
      SELECT repository, address, device, name, place, change_number, sealed, sent, synced_at
      FROM sync_state
      """
    ) { row in
      SyncState(
        repository: try row.bytes(0).hexadecimal,
        address: try row.text(1),
        device: DeviceID(try row.uuid(2)),
        name: try row.text(3),
        place: try row.text(4),
        changeNumber: try row.number(5),
        sealed: try row.number(6),
        sent: try row.number(7),
        syncedAt: try row.optionalNumber(8)
      )
    }
    guard let state else { return nil }
    self = state
  }

  func write(in db: Database) throws {
    try db.run(
      """
      INSERT INTO sync_state (
        id, repository, address, device, name, place, change_number, sealed, sent, synced_at
      ) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET repository = excluded.repository,
        address = excluded.address, device = excluded.device, name = excluded.name,
        place = excluded.place, change_number = excluded.change_number,
        sealed = excluded.sealed, sent = excluded.sent, synced_at = excluded.synced_at
      """,
      [
        (Data(hexadecimal: repository) ?? Data()).databaseValue, address.databaseValue,
        device.bytes.databaseValue,
        name.databaseValue, place.databaseValue, changeNumber.databaseValue,
        sealed.databaseValue, sent.databaseValue, syncedAt?.databaseValue ?? .null,
      ]
    )
  }

  /// Ends the log of this device, which is read on like that of another one.
  ///
  /// - Parameters:
  ///   - isKnown: Whether all that the log holds is known here; otherwise it is read again, and all
  ///     entries are sent again.
  ///   - db: The connection.
  /// - Throws: The error of the database.
  mutating func endLog(isKnown: Bool, in db: Database) throws {
    for var former in try KnownDevice.all(in: db) where former.device == device {
      former.applied = isKnown ? sent : 0
      former.headTag = ""
      try former.write(in: db)
    }
    if !isKnown || sent < sealed {
      try PendingTable.markAll(in: db)
      try db.run("UPDATE sync_row SET published = 1", [])
    }
    try db.run("DELETE FROM sync_outbox", [])
    (sealed, sent) = (0, 0)
    try write(in: db)
  }

  /// Makes another device of the store, whose log is empty.
  mutating func beginAnew(at place: String, in db: Database) throws {
    (device, self.place, sealed, sent) = (DeviceID(), place, 0, 0)
    try write(in: db)
    try KnownDevice.add(device, in: db)
    try db.run("DELETE FROM sync_outbox", [])
  }

  /// Forgets everything of a synchronization; the snippets stay.
  static func erase(in db: Database) throws {
    for table in ["state", "device", "row", "absent", "unread", "outbox", "blob"] {
      try db.run("DELETE FROM sync_\(table)", [])
    }
  }
}
