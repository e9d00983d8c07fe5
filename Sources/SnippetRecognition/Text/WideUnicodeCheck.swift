/// Checks, piece by piece, that a text is well-formed UTF-16 or UTF-32.
struct WideUnicodeCheck {
  /// The encoding to check for.
  let encoding: TextEncoding
  /// Whether the bytes so far are valid text in that encoding.
  private(set) var isWellFormed = true
  /// Statistics of the characters.
  private(set) var profile = UnicodeProfile()

  private let unitByteCount: Int
  private let isBigEndian: Bool
  private var unit: UInt32 = 0
  private var unitFill = 0
  private var leadSurrogate: UInt32?

  /// Starts checking for an encoding with units of two or four bytes.
  init(_ encoding: TextEncoding) {
    self.encoding = encoding
    unitByteCount = [.utf16LittleEndian, .utf16BigEndian].contains(encoding) ? 2 : 4
    isBigEndian = [.utf16BigEndian, .utf32BigEndian].contains(encoding)
  }

  /// Whether the bytes so far end between two characters.
  var isComplete: Bool { unitFill == 0 && leadSurrogate == nil }

  /// Checks the next piece.
  mutating func check(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes {
      guard isWellFormed else { return }
      let place = isBigEndian ? unitByteCount - 1 - unitFill : unitFill
      unit |= UInt32(byte) << UInt32(place * 8)
      unitFill += 1
      guard unitFill == unitByteCount else { continue }
      isWellFormed = unitByteCount == 2 ? checkUTF16(unit) : checkScalar(unit)
      (unit, unitFill) = (0, 0)
    }
  }

  private mutating func checkUTF16(_ unit: UInt32) -> Bool {
    switch (leadSurrogate, unit) {
    case (nil, 0xD800...0xDBFF):
      leadSurrogate = unit
      return true
    case (let lead?, 0xDC00...0xDFFF):
      leadSurrogate = nil
      return checkScalar(0x10000 + (lead - 0xD800) << 10 + (unit - 0xDC00))
    case (nil, _):
      return checkScalar(unit)
    default:
      return false
    }
  }

  private mutating func checkScalar(_ value: UInt32) -> Bool {
    // The last two code points of each plane are never characters.
    guard let scalar = Unicode.Scalar(value), value & 0xFFFE != 0xFFFE else { return false }
    // A byte order mark at the beginning is not a character of the text.
    if value == 0xFEFF { return true }
    guard value >= 0x80 || TextCharacters.areAllowed(UInt8(value)) else { return false }
    profile.count(scalar)
    return true
  }
}
