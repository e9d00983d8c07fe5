import Foundation

/// The two-byte characters of one encoding.
///
/// The tables come from Foundation, which has its own data for these encodings on Linux and on
/// Apple platforms. `iconv` would need modules that small Linux installations lack, and another
/// library on Apple platforms. But Foundation gives up on a text with a single malformed character,
/// so the text itself is not passed to it. EUC-JP, which Foundation does not know on Linux, is a
/// rearrangement of Shift_JIS.
struct DoubleByteTable: Sendable {
  /// Shift_JIS with the additions of Windows.
  static let windows932 = DoubleByteTable(coreFoundationEncoding: 0x0420)
  /// EUC-KR with the additions of Windows.
  static let windows949 = DoubleByteTable(coreFoundationEncoding: 0x0422)
  /// Big5 with the additions of Windows and, in their gaps, those of Hong Kong.
  static let windows950 = DoubleByteTable(coreFoundationEncoding: 0x0423, gapsFrom: 0x0A06)
  /// The two-byte part of GB 18030.
  static let gb18030 = DoubleByteTable(coreFoundationEncoding: 0x0632)

  private static let leads: ClosedRange<UInt8> = 0x81...0xFE
  private static let privateUse: ClosedRange<UInt16> = 0xE000...0xF8FF

  // Indexed by lead and trail; zero if there is no character.
  private var scalars = [UInt16](repeating: 0, count: leads.count * 256)

  /// Makes the table with Foundation, from the number of the encoding in `CFStringEncodingExt.h`; what
  /// that lacks may come from another one.
  private init(coreFoundationEncoding: UInt, gapsFrom other: UInt? = nil) {
    let trails = Array(UInt8(0x40)...0x7E) + Array(0x80...0xFE)
    for number in [other, coreFoundationEncoding].compactMap(\.self) {
      // The result of CFStringConvertEncodingToNSStringEncoding, which Linux lacks.
      let encoding = String.Encoding(rawValue: 0x8000_0000 | number)
      for lead in Self.leads { fill(lead, trails[...], encoding) }
    }
  }

  /// Decodes a run of characters at once, and halves it while it contains an invalid one.
  private mutating func fill(
    _ lead: UInt8,
    _ trails: ArraySlice<UInt8>,
    _ encoding: String.Encoding
  ) {
    let text = String(data: Data(trails.flatMap { [lead, $0] }), encoding: encoding)
    if let units = text?.utf16, units.count == trails.count {
      for (trail, unit) in zip(trails, units) where !Self.privateUse.contains(unit) {
        scalars[Self.index(lead, trail)] = unit
      }
    } else if trails.count > 1 {
      let middle = (trails.startIndex + trails.endIndex) / 2
      fill(lead, trails[..<middle], encoding)
      fill(lead, trails[middle...], encoding)
    }
  }

  private static func index(_ lead: UInt8, _ trail: UInt8) -> Int {
    Int(lead - leads.lowerBound) << 8 | Int(trail)
  }

  /// Returns the character for two bytes; `nil` if there is none or Unicode does not have it.
  subscript(lead: UInt8, trail: UInt8) -> Unicode.Scalar? {
    guard Self.leads.contains(lead) else { return nil }
    let unit = scalars[Self.index(lead, trail)]
    return unit == 0 ? nil : Unicode.Scalar(unit)
  }

  /// Returns a character of the Japanese standard JIS X 0208 by its two bytes in EUC-JP, from 0xA1
  /// to 0xFE.
  ///
  /// It is `nil` if there is none, and always in the table of an encoding other than Shift_JIS.
  func character(row: UInt8, cell: UInt8) -> Unicode.Scalar? {
    // Shift_JIS packs two rows of 94 cells under one lead, and leaves out 0x7F.
    let pair = (row - 0xA1) / 2
    let lead = pair + (pair < 31 ? 0x81 : 0xC1)
    guard row % 2 == 1 else { return self[lead, cell - 0x02] }
    return self[lead, cell - 0x61 + (cell < 0xE0 ? 0 : 1)]
  }
}
