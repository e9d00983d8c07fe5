import Foundation

/// The upper half of a single-byte encoding whose lower half is ASCII.
struct SingleByteTable: CharacterDecoder, Sendable {
  // The numbers of the encodings in `CFStringEncodingExt.h`.
  private static let tables = Dictionary(
    uniqueKeysWithValues: [
      (TextEncoding.windows1252, 0x0500), (.windows1250, 0x0501), (.iso8859Part2, 0x0202),
      (.windows1254, 0x0504), (.windows1251, 0x0502), (.koi8R, 0x0A02), (.koi8U, 0x0A08),
      (.iso8859Part5, 0x0205), (.ibm866, 0x041B), (.windows1253, 0x0503), (.iso8859Part7, 0x0207),
      (.windows1255, 0x0505), (.windows1256, 0x0506), (.windows874, 0x041D), (.ibm850, 0x0410),
      (.macintosh, 0),
    ].map { ($0.0, SingleByteTable(coreFoundationEncoding: $0.1)) }
  )

  private static let iso8859Part15 = SingleByteTable(
    scalars: (0x80...0xFF as ClosedRange<UInt8>).map { euroSigns[$0] ?? Unicode.Scalar($0) }
  )
  // What differs from ISO 8859-1, whose bytes are the first characters of Unicode.
  private static let euroSigns: [UInt8: Unicode.Scalar] = [
    0xA4: "€", 0xA6: "Š", 0xA8: "š", 0xB4: "Ž", 0xB8: "ž", 0xBC: "Œ", 0xBD: "œ", 0xBE: "Ÿ",
  ]

  // The characters from 0x80 on where no converter of a system is relied on.
  private static let ownTables = Dictionary(
    uniqueKeysWithValues: [
      (TextEncoding.ibm857, turkishOfDOS), (.ibm862, hebrewOfDOS), (.macCyrillic, cyrillicOfMac),
    ].map { ($0.0, SingleByteTable(characters: $0.1)) }
  )
  private static let turkishOfDOS = """
    ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞş\
    áíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\u{FFFD}ÍÎÏ┘┌█▄¦Ì▀\
    ÓßÔÒõÕµ\u{FFFD}×ÚÛÙìÿ¯´\u{AD}±\u{FFFD}¾¶§÷¸°¨·¹³²■\u{A0}
    """
  private static let hebrewOfDOS = """
    אבגדהוזחטיךכלםמןנסעףפץצקרשת¢£¥₧ƒ\
    áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
    """
  private static let cyrillicOfMac = """
    АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ\
    †°Ґ£§•¶І®©™Ђђ≠Ѓѓ∞±≤≥іµґЈЄєЇїЉљЊњ\
    јЅ¬√ƒ≈∆«»…\u{A0}ЋћЌќѕ–—“”‘’÷„ЎўЏџ№Ёёя\
    абвгдежзийклмнопрстуфхцчшщъыьэю€
    """

  private let scalars: [Unicode.Scalar?]

  /// Returns the table of an encoding; for an encoding of another structure, one without
  /// characters.
  static func table(of encoding: TextEncoding) -> SingleByteTable {
    if encoding == .iso8859Part15 { return iso8859Part15 }
    return tables[encoding] ?? ownTables[encoding] ?? SingleByteTable(scalars: [])
  }

  private init(scalars: [Unicode.Scalar?]) {
    self.scalars = scalars
  }

  /// Makes a table from the characters from 0x80 on, with a replacement character for each that there
  /// is none for.
  private init(characters: String) {
    scalars = characters.unicodeScalars.map { scalar in
      let isMissing = scalar == "\u{FFFD}"
      return isMissing ? nil : scalar
    }
  }

  private init(coreFoundationEncoding: UInt) {
    // The result of CFStringConvertEncodingToNSStringEncoding, which Linux lacks.
    let encoding = String.Encoding(rawValue: 0x8000_0000 | coreFoundationEncoding)
    scalars = (0x80...0xFF).map { byte in
      String(data: Data([byte]), encoding: encoding)?.unicodeScalars.first
    }
  }

  /// Returns the character for a byte; `nil` if the encoding has none there.
  subscript(byte: UInt8) -> Unicode.Scalar? {
    guard byte >= 0x80 else { return Unicode.Scalar(byte) }
    let index = Int(byte - 0x80)
    return scalars.indices.contains(index) ? scalars[index] : nil
  }

  func next(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> DecodedCharacter {
    guard let scalar = self[bytes[index]] else { return .malformed(byteCount: 1) }
    return .scalar(scalar, byteCount: 1)
  }
}
