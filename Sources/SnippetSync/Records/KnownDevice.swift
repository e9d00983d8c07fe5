import Foundation
import GRDB
import SnippetBase
import SnippetStorage

/// A device of the repository, as this store knows it.
struct KnownDevice: Sendable {
  /// The number by which entries in the store name it.
  let number: Int64
  let device: DeviceID
  var name: String
  /// The number of its last log file that has come here.
  var applied: Int64
  /// The number of this store's last log file that it has received.
  var knows: Int64
  /// The tag of its head that was read last.
  var headTag: String
  /// When it wrote that head, by its clock, in milliseconds since 1970.
  var wroteAt: Int64?
  /// The same time, if it has left the repository by that head.
  var leftAt: Int64?

  /// Whether it has the name of a device that has left, and has sent something since, as a store does
  /// that joined again.
  func isLater(than former: KnownDevice) -> Bool {
    guard let end = former.leftAt, name == former.name, device != former.device else {
      return false
    }
    // One that has just joined has sent nothing yet.
    let last = wroteAt ?? .max
    return last > end || (last == end && (leftAt == nil || number > former.number))
  }
}

extension KnownDevice {
  static func all(in db: Database) throws -> [KnownDevice] {
    try db.values(
      """
      SELECT id, device, name, applied, knows, head, wrote_at, left_at FROM sync_device ORDER BY id
      """
    ) { row in
      KnownDevice(
        number: try row.number(0),
        device: DeviceID(try row.uuid(1)),
        name: try row.text(2),
        applied: try row.number(3),
        knows: try row.number(4),
        headTag: try row.text(5),
        wroteAt: try row.optionalNumber(6),
        leftAt: try row.optionalNumber(7)
      )
    }
  }

  /// Adds a device, unless it is known, with the next number.
  static func add(_ device: DeviceID, in db: Database) throws {
    try db.run(
      """
      INSERT INTO sync_device (id, device) SELECT (SELECT count(*) + 1 FROM sync_device), ?1
      WHERE NOT EXISTS (SELECT 1 FROM sync_device WHERE device = ?1)
      """,
      [device.bytes.databaseValue]
    )
  }

  /// Notes the last log file of a device that has come here.
  static func noteApplied(_ number: Int64, of device: DeviceID, in db: Database) throws {
    try db.run(
      "UPDATE sync_device SET applied = ? WHERE device = ?",
      [number.databaseValue, device.bytes.databaseValue]
    )
  }

  /// Notes that the head of a device is not there, so that it is written again.
  static func noteLostHead(of device: DeviceID, in db: Database) throws {
    try db.run(
      "UPDATE sync_device SET wrote_at = NULL WHERE device = ?",
      [device.bytes.databaseValue]
    )
  }

  func write(in db: Database) throws {
    try db.run(
      """
      UPDATE sync_device
      SET name = ?, applied = ?, knows = ?, head = ?, wrote_at = ?, left_at = ? WHERE id = ?
      """,
      [
        name.databaseValue, applied.databaseValue, knows.databaseValue, headTag.databaseValue,
        wroteAt?.databaseValue ?? .null, leftAt?.databaseValue ?? .null, number.databaseValue,
      ]
    )
  }
}
