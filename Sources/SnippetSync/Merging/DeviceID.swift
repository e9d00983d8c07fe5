import Foundation
import SnippetBase

/// The identity of a device in a repository: 16 random bytes, which a store takes when it joins.
struct DeviceID: Hashable, Sendable {
  private let uuid: UUID

  /// Draws a new one.
  init() { uuid = UUID() }

  /// The bytes.
  var bytes: Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }
}

extension DeviceID: RawRepresentable, Codable {
  /// The bytes as small hexadecimal digits.
  var rawValue: String { bytes.hexadecimal }

  /// Reads an identity; `nil` if the text is none.
  init?(rawValue: String) {
    guard rawValue.isHexadecimal(byteCount: 16) else { return nil }
    var digits = rawValue
    for place in [8, 13, 18, 23] {
      digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place))
    }
    guard let uuid = UUID(uuidString: digits) else { return nil }
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
