import Foundation

/// The first line of a log file or a head.
///
/// Keys that later versions add are let be.
struct LogHeader: Equatable, Sendable {
  /// The name of the file.
  var object: ObjectName
  /// The devices, which entries name by their places here, from 1 on.
  var devices: [DeviceID]
  /// The last file of each of these devices that had come to the writer.
  var knows: [Int64]
  /// The time of writing, in milliseconds since 1970.
  var wrote: Int64
  /// The name of the writing device for people.
  var name: String
  /// The state of the log of the device, which only a head has.
  var head: Head?

  /// The state of a log, as its head tells it.
  struct Head: Equatable, Codable, Sendable {
    /// The number of the last log file.
    var number: Int64
    /// The first number that is still a file of its own.
    var first: Int64
    /// The names of the runs into which the files before were joined.
    var runs: [String] = []
    /// The blobs that are to go once all devices know.
    var condemned: [String] = []
    /// Whether the device has left the repository; only such a head tells it.
    var left: Bool?
  }

  /// Whether a head is called one, each device is known up to some file, and the time is a date.
  var isSound: Bool {
    guard devices.count == knows.count, Stamp.dates.contains(wrote) else { return false }
    return switch object {
    case .head: head != nil
    case .log, .notice: head == nil
    default: false
    }
  }

  /// The header as a line of JSON, without line end.
  var line: Data {
    get throws(SyncError) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      do {
        return try encoder.encode(self)
      } catch {
        throw SyncError(
          .failed,
          "write \(object.rawValue)",
          because: "its header is no JSON",
          underlying: error
        )
      }
    }
  }
}

extension LogHeader: Codable {
  private enum CodingKeys: CodingKey {
    case object, devices, knows, wrote, name
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    object = try fields.decode(ObjectName.self, forKey: .object)
    devices = try fields.decode([DeviceID].self, forKey: .devices)
    knows = try fields.decode([Int64].self, forKey: .knows)
    wrote = try fields.decode(Int64.self, forKey: .wrote)
    name = try fields.decode(String.self, forKey: .name)
    // Beside the others, as people read it.
    if case .head = object { head = try Head(from: decoder) }
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(object, forKey: .object)
    try fields.encode(devices, forKey: .devices)
    try fields.encode(knows, forKey: .knows)
    try fields.encode(wrote, forKey: .wrote)
    try fields.encode(name, forKey: .name)
    try head?.encode(to: encoder)
  }
}
