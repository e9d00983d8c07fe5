import Foundation

/// Decodes the East Asian encodings in which a leading byte below 0x80 is ASCII.
///
/// For the structures, see
/// <https://encoding.spec.whatwg.org/#legacy-multi-byte-chinese-(simplified)-encodings> and the
/// sections after it.
struct MultiByteDecoder: CharacterDecoder {
  private let encoding: TextEncoding
  private let table: DoubleByteTable
  private let singleBytes: ClosedRange<UInt8>?

  /// Makes a decoder of EUC-JP, Shift_JIS, EUC-KR, GB 18030 or Big5.
  init(_ encoding: TextEncoding) {
    self.encoding = encoding
    singleBytes = encoding == .shiftJIS ? 0xA1...0xDF : nil
    switch encoding {
    case .eucJP, .shiftJIS: table = .windows932
    case .eucKR: table = .windows949
    case .gb18030: table = .gb18030
    case .big5: table = .windows950
    default: preconditionFailure("\(encoding.name) is not made of characters of two bytes")
    }
  }

  func next(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> DecodedCharacter {
    let lead = bytes[index]
    if lead < 0x80 { return .scalar(Unicode.Scalar(lead), byteCount: 1) }
    if let singleBytes, singleBytes.contains(lead) {
      return .scalar(Self.halfWidthKatakana(lead), byteCount: 1)
    }
    guard lead > 0x80, lead < 0xFF else { return .malformed(byteCount: 1) }
    guard index + 1 < bytes.count else { return .incomplete }
    let trail = bytes[index + 1]
    switch encoding {
    case .eucJP:
      return eucJPCharacter(lead, trail, third: index + 2 < bytes.count ? bytes[index + 2] : nil)
    case .gb18030 where (0x30...0x39).contains(trail):
      guard index + 3 < bytes.count else { return .incomplete }
      return Self.fourByteCharacter(lead, trail, bytes[index + 2], bytes[index + 3])
    default:
      return Self.character(table[lead, trail], trail: trail)
    }
  }

  private static func halfWidthKatakana(_ byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(0xFF61 + UInt16(byte - 0xA1)) ?? "\u{FFFD}"
  }

  private static func character(_ scalar: Unicode.Scalar?, trail: UInt8) -> DecodedCharacter {
    if let scalar { return .scalar(scalar, byteCount: 2) }
    // An invalid lead byte must not swallow an ASCII character.
    return .malformed(byteCount: trail < 0x80 ? 1 : 2)
  }

  private func eucJPCharacter(_ lead: UInt8, _ trail: UInt8, third: UInt8?) -> DecodedCharacter {
    let cells: ClosedRange<UInt8> = 0xA1...0xFE
    guard cells.contains(trail) else { return .malformed(byteCount: 1) }
    switch lead {
    case 0x8E:
      guard trail <= 0xDF else { return .malformed(byteCount: 2) }
      return .scalar(Self.halfWidthKatakana(trail), byteCount: 2)
    case 0x8F:
      guard let third else { return .incomplete }
      guard cells.contains(third) else { return .malformed(byteCount: 2) }
      guard let scalar = Self.supplementaryCharacter(trail, third) else {
        return .malformed(byteCount: 3)
      }
      return .scalar(scalar, byteCount: 3)
    case cells:
      return Self.character(table.character(row: lead, cell: trail), trail: trail)
    default:
      return .malformed(byteCount: 1)
    }
  }

  /// Returns a character of JIS X 0212, the rarely used supplement.
  private static func supplementaryCharacter(_ row: UInt8, _ cell: UInt8) -> Unicode.Scalar? {
    // ISO-2022-JP-1 includes it, after an escape sequence.
    let bytes: [UInt8] = [0x1B, 0x24, 0x28, 0x44, row & 0x7F, cell & 0x7F, 0x1B, 0x28, 0x42]
    let text = String(data: Data(bytes), encoding: String.Encoding(rawValue: 0x8000_0822))
    return text?.unicodeScalars.first
  }

  private static func fourByteCharacter(
    _ first: UInt8,
    _ second: UInt8,
    _ third: UInt8,
    _ fourth: UInt8
  ) -> DecodedCharacter {
    guard (0x81...0xFE).contains(third), (0x30...0x39).contains(fourth) else {
      return .malformed(byteCount: 1)
    }
    let row = (UInt32(first) - 0x81) * 10 + UInt32(second) - 0x30
    let position = (row * 126 + UInt32(third) - 0x81) * 10 + UInt32(fourth) - 0x30
    // The supplementary planes are in order; the rest of the basic plane is not.
    if position >= 189_000 {
      guard let scalar = Unicode.Scalar(position - 189_000 + 0x10000) else {
        return .malformed(byteCount: 4)
      }
      return .scalar(scalar, byteCount: 4)
    }
    let text = String(
      data: Data([first, second, third, fourth]),
      encoding: String.Encoding(rawValue: 0x8000_0632)
    )
    guard let scalar = text?.unicodeScalars.first else { return .malformed(byteCount: 4) }
    return .scalar(scalar, byteCount: 4)
  }
}
