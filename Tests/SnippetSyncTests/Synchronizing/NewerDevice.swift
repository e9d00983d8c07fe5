import Foundation
import SnippetStorage

@testable import SnippetSync

/// A device of a newer version, which writes log files by hand.
struct NewerDevice {
  private let place: MemoryPlace
  private let key: RepositoryKey
  private let device: DeviceID
  private var number: Int64 = 0

  init(_ place: MemoryPlace, key: String, as device: DeviceID = DeviceID()) {
    (self.place, self.device) = (place, device)
    // A key that a store has given is one.
    self.key = RepositoryKey((try? AgeIdentity(key)) ?? AgeIdentity())
  }

  /// Encodes a text as this version does, and adds what a newer one has.
  func entry(
    _ uuid: UUID,
    text: String,
    _ change: (inout [String: Any]) -> Void = { _ in }
  ) throws -> Data {
    let row = CapturedRow(
      uuid: uuid,
      content: .text(text, file: nil),
      title: "",
      isPinned: false,
      createdAt: 1_700_000_000_000,
      modifiedAt: 1_700_000_000_000,
      tags: []
    )
    var coding = EntryCoding(devices: DeviceTable([device]))
    let line = coding.encode(Entry(of: row, on: device, now: 1_700_000_000_000 + number))
    var object = try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
    change(&object)
    return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
  }

  /// Encodes a snippet of a kind that this version does not know.
  func drawing(_ uuid: UUID) throws -> Data {
    try entry(uuid, text: "lines") { Self.changeVersion(of: &$0, "kind", to: "drawing") }
  }

  /// Gives a field of the version of an entry another value.
  static func changeVersion(of entry: inout [String: Any], _ key: String, to value: Any) {
    var content = entry["c"] as? [String: Any] ?? [:]
    content["of"] = (content["of"] as? [[String: Any]] ?? []).map { version in
      version.merging([key: value]) { $1 }
    }
    entry["c"] = content
  }

  /// The version of the content that an entry has.
  static func version(of entry: [String: Any]?) -> [String: Any]? {
    ((entry?["c"] as? [String: Any])?["of"] as? [[String: Any]])?.first
  }

  mutating func send(_ lines: [Data]) async throws {
    number += 1
    let name = ObjectName.log(device, number: number)
    var header = LogHeader(object: name, devices: [device], knows: [0], wrote: 0, name: "newer")
    try put(LogFile(header: header, entries: lines))
    header.object = .head(device)
    header.head = LogHeader.Head(number: number, first: 1)
    try put(LogFile(header: header, entries: []))
  }

  private func put(_ file: LogFile) throws {
    place.put(try file.sealed(with: key), as: file.header.object.rawValue)
  }

  /// The entries that other devices have sent, in the order of their files.
  func received() async throws -> [[String: Any]] {
    var objects: [[String: Any]] = []
    for (path, bytes) in place.objects.sorted(by: { $0.key < $1.key }) {
      guard let name = ObjectName(rawValue: path), case .log(let author, _) = name,
        author != device
      else { continue }
      for line in try LogFile(bytes, named: name, key: key).entries {
        objects.append(try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:])
      }
    }
    return objects
  }
}
