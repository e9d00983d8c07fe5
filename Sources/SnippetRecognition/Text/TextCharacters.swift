/// Which control characters a text may hold.
enum TextCharacters {
  // Bell, backspace, tab, line feed, vertical tab, form feed, carriage return and escape: texts
  // made for printers and terminals have them.
  private static let allowedControls: UInt32 = 0x0800_3F80

  /// Tells whether an ASCII character may stand in a text.
  ///
  /// - Parameter byte: The character, below 0x80.
  /// - Returns: `false` for control characters that no text has.
  static func areAllowed(_ byte: UInt8) -> Bool {
    byte < 0x20 ? allowedControls >> UInt32(byte) & 1 == 1 : byte != 0x7F
  }

  /// Tells whether a character that came from an encoding older than Unicode may stand in a text.
  ///
  /// - Parameter scalar: The character.
  /// - Returns: `false` for control characters that no text has.
  static func areAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x80 ? areAllowed(UInt8(scalar.value)) : scalar.value >= 0xA0
  }
}
