package import Foundation

extension Data {
  /// The bytes as hexadecimal digits, two for each.
  package var hexadecimal: String {
    map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
  }
}
