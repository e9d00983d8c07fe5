package import Foundation

extension Data {
  /// The bytes as hexadecimal digits, two for each.
  package var hexadecimal: String {
    String(unsafeUninitializedCapacity: 2 * count) { digits in
      for (place, byte) in enumerated() {
        digits[2 * place] = Self.digit(byte >> 4)
        digits[2 * place + 1] = Self.digit(byte & 15)
      }
      return 2 * count
    }
  }

  /// Decodes pairs of hexadecimal digits; `nil` for anything else.
  package init?(hexadecimal text: String) {
    var bytes: [UInt8] = []
    var digits = Array(text.utf8)[...]
    while let first = digits.popFirst() {
      guard let second = digits.popFirst(), let high = Self.value(first),
        let low = Self.value(second)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
