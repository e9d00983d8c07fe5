import Foundation

/// The characters of two bytes of one encoding.
///
/// Foundation makes the tables: it knows these encodings on Linux and on Apple platforms alike,
/// with its own data, where `iconv` needs modules that small Linux installations lack and another
/// library on Apple platforms. It gives up on a text with one malformed character, though, which is
/// why the text itself is not handed to it. EUC-JP, which it does not know on Linux, is
/// a rearrangement of Shift_JIS.
struct DoubleByteTable: Sendable {
  /// Shift_JIS with the additions of Windows.
  static let windows932 = DoubleByteTable(coreFoundationEncoding: 0x0420)
  /// EUC-KR with the additions of Windows.
  static let windows949 = DoubleByteTable(coreFoundationEncoding: 0x0422)
  /// Big5 with the additions of Windows.
  static let windows950 = DoubleByteTable(coreFoundationEncoding: 0x0423)
  /// The two-byte part of GB 18030.
  static let gb18030 = DoubleByteTable(coreFoundationEncoding: 0x0632)

  private static let leads: ClosedRange<UInt8> = 0x81...0xFE
  private static let privateUse: ClosedRange<UInt16> = 0xE000...0xF8FF

  // By lead and trail; zero where there is no character.
  private var scalars = [UInt16](repeating: 0, count: leads.count * 256)

  /// Has the table made by Foundation.
  ///
  /// - Parameter coreFoundationEncoding: The number of the encoding in `CFStringEncodingExt.h`.
  private init(coreFoundationEncoding: UInt) {
    // As CFStringConvertEncodingToNSStringEncoding, which Linux lacks, does it.
    let encoding = String.Encoding(rawValue: 0x8000_0000 | coreFoundationEncoding)
    let trails = Array(UInt8(0x40)...0x7E) + Array(0x80...0xFE)
    for lead in Self.leads { fill(lead, trails[...], encoding) }
  }

  /// Decodes a run of characters at once; halves it as long as there is one that is none.
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

  /// The character of two bytes.
  ///
  /// - Parameters:
  ///   - lead: The first byte.
  ///   - trail: The second byte.
  /// - Returns: `nil` when the encoding has no character there that Unicode has.
  subscript(lead: UInt8, trail: UInt8) -> Unicode.Scalar? {
    guard Self.leads.contains(lead) else { return nil }
    let unit = scalars[Self.index(lead, trail)]
    return unit == 0 ? nil : Unicode.Scalar(unit)
  }

  /// The character at a place of the Japanese standard JIS X 0208.
  ///
  /// - Parameters:
  ///   - row: The first byte as EUC-JP writes it, from 0xA1 to 0xFE.
  ///   - cell: The second byte as EUC-JP writes it, from 0xA1 to 0xFE.
  /// - Returns: `nil` when there is no character, and everywhere in a table of another encoding
  ///   than Shift_JIS.
  func character(row: UInt8, cell: UInt8) -> Unicode.Scalar? {
    // Shift_JIS packs two rows of 94 cells under one lead, and leaves out 0x7F.
    let pair = (row - 0xA1) / 2
    let lead = pair + (pair < 31 ? 0x81 : 0xC1)
    guard row % 2 == 1 else { return self[lead, cell - 0x02] }
    return self[lead, cell - 0x61 + (cell < 0xE0 ? 0 : 1)]
  }
}
