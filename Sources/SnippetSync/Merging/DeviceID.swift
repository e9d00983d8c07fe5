import Foundation
import SnippetBase
import SnippetStorage

/// The identity of a device in a repository: 16 random bytes, which a store takes when it joins.
struct DeviceID: Hashable, Sendable {
  private let uuid: UUID

  /// Draws a new one.
  init() { uuid = UUID() }

  /// Takes an identity from the bytes that a store keeps.
  init(_ uuid: UUID) { self.uuid = uuid }

  /// The bytes.
  var bytes: Data { uuid.bytes }
}

extension DeviceID: RawRepresentable, Codable {
  /// The bytes as small hexadecimal digits.
  var rawValue: String { bytes.hexadecimal }

  /// Reads an identity; `nil` if the text is none.
  init?(rawValue: String) {
    guard rawValue.isHexadecimal(byteCount: 16), let uuid = UUID(hexadecimal: rawValue) else {
      return nil
    }
    self.uuid = uuid
  }
}

extension DeviceID: Comparable {
  static func < (one: DeviceID, other: DeviceID) -> Bool {
    withUnsafeBytes(of: one.uuid.uuid) { one in
      withUnsafeBytes(of: other.uuid.uuid) { one.lexicographicallyPrecedes($0) }
    }
  }
}

extension String {
  /// Whether the text is nothing but small hexadecimal digits, two for each of so many bytes.
  func isHexadecimal(byteCount: Int) -> Bool {
    utf8.count == 2 * byteCount && utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }
}

extension UUID {
  /// The 16 bytes.
  var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }

  /// Takes 16 bytes from hexadecimal digits; `nil` if they are none.
  init?(hexadecimal digits: String) {
    guard let uuid = Data(hexadecimal: digits)?.withUnsafeBytes(UUID.init(bytes:)) else {
      return nil
    }
    self = uuid
  }
}
