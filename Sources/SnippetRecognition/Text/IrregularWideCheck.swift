/// Judges, piece by piece, a text that is marked as UTF-16 and has some irregular units.
///
/// They are halves of pairs, control characters foreign to texts, or half a unit at the end. Zeros at
/// the end, as after a power failure, are one irregularity.
struct IrregularWideCheck {
  private static let unitsPerIrregularOne = 64
  private static let minimumLimit = 2

  private let isBigEndian: Bool
  private var firstByte: UInt8?
  private var unitCount = 0
  private var irregularCount = 0
  private var lead: UInt16?
  /// The number of zeros at the present end.
  private var zeroCount = 0

  init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  /// Whether everything checked is a text.
  var isText: Bool {
    let repeated = max(0, zeroCount - 1)
    let unitCount = unitCount - repeated
    let count = irregularCount - repeated + (lead == nil ? 0 : 1) + (firstByte == nil ? 0 : 1)
    // The mark is no character, and few characters before zeros are those of another format.
    return unitCount > (repeated > 0 ? 4 : 1)
      && count <= max(Self.minimumLimit, unitCount / Self.unitsPerIrregularOne)
      && count * 2 <= unitCount
  }

  /// Checks the next piece.
  mutating func check(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes {
      guard let first = firstByte else {
        firstByte = byte
        continue
      }
      firstByte = nil
      let (high, low) = isBigEndian ? (first, byte) : (byte, first)
      check(UInt16(high) << 8 | UInt16(low))
    }
  }

  private mutating func check(_ unit: UInt16) {
    unitCount += 1
    zeroCount = unit == 0 ? zeroCount + 1 : 0
    if UTF16.isTrailSurrogate(unit) {
      if lead == nil { irregularCount += 1 }
      lead = nil
      return
    }
    if lead != nil { irregularCount += 1 }
    lead = UTF16.isLeadSurrogate(unit) ? unit : nil
    if unit < 0x80, !TextCharacters.areAllowed(UInt8(unit)) { irregularCount += 1 }
    if unit >= 0xFFFE { irregularCount += 1 }
  }
}
