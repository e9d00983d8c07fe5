import Foundation

/// The identity of a device in a repository: 16 random bytes, which a store takes when it joins.
struct DeviceID: Hashable, Sendable {
  private let uuid: UUID

  /// Makes a new identity.
  init() { uuid = UUID() }

  /// Takes an identity from its bytes; `nil` unless there are 16.
  init?(_ bytes: Data) {
    guard bytes.count == 16 else { return nil }
    uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The 16 bytes.
  var bytes: Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }
}

extension DeviceID: Comparable {
  static func < (one: DeviceID, other: DeviceID) -> Bool {
    withUnsafeBytes(of: one.uuid.uuid) { one in
      withUnsafeBytes(of: other.uuid.uuid) { one.lexicographicallyPrecedes($0) }
    }
  }
}
