import Foundation
import SnippetBase
import SnippetStorage

/// The identity of a device in a repository: 16 random bytes, which a store takes when it joins.
struct DeviceID: Hashable, Sendable {
  /// The bytes as two numbers, which are compared and hashed several times for each entry.
  private let high: UInt64
  private let low: UInt64

  /// Draws a new one.
  init() { self.init(UUID()) }

  /// Takes an identity from the bytes that a store keeps.
  init(_ uuid: UUID) {
    (high, low) = uuid.words
  }

  /// The bytes.
  var bytes: Data {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
  }
}

// Not of RawRepresentable, whose values are compared and hashed by their texts.
extension DeviceID: Codable {
  /// The bytes as small hexadecimal digits.
  var rawValue: String { bytes.hexadecimal }

  /// Reads an identity; `nil` if the text is none.
  init?(rawValue: String) {
    guard rawValue.isHexadecimal(byteCount: 16), let uuid = UUID(hexadecimal: rawValue) else {
      return nil
    }
    self.init(uuid)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let device = DeviceID(rawValue: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "The identity of a device is none."
      )
    }
    self = device
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension DeviceID: Comparable {
  static func < (one: DeviceID, other: DeviceID) -> Bool {
    (one.high, one.low) < (other.high, other.low)
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

  /// The bytes as two numbers, whose order is that of the text.
  var words: (high: UInt64, low: UInt64) {
    withUnsafeBytes(of: uuid) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// Takes 16 bytes from hexadecimal digits; `nil` if they are none.
  init?(hexadecimal digits: String) {
    guard let uuid = Data(hexadecimal: digits)?.withUnsafeBytes(UUID.init(bytes:)) else {
      return nil
    }
    self = uuid
  }
}
