/// The control characters that a text may contain.
enum TextCharacters {
  // Bell, backspace, tab, line feed, vertical tab, form feed, carriage return and escape: texts for
  // printers and terminals contain them.
  private static let allowedControls: UInt32 = 0x0800_3F80

  /// Checks whether a text may contain an ASCII character, which control characters foreign to
  /// texts may not.
  static func areAllowed(_ byte: UInt8) -> Bool {
    byte < 0x20 ? allowedControls >> UInt32(byte) & 1 == 1 : byte != 0x7F
  }

  /// Checks whether a text in an encoding older than Unicode may contain a character.
  ///
  /// Returns `false` for control characters foreign to texts.
  static func areAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x80 ? areAllowed(UInt8(scalar.value)) : scalar.value >= 0xA0
  }
}
