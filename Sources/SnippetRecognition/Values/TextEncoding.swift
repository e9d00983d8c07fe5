/// An encoding of text as bytes.
public enum TextEncoding: String, Sendable, Hashable, CaseIterable {
  /// UTF-8, with a byte order mark or without; plain ASCII is UTF-8.
  case utf8 = "utf-8"
  /// UTF-8 of the two halves of each character beyond the first 65,536, as some databases and Java
  /// write it.
  case cesu8 = "cesu-8"
  /// UTF-16 with the low byte first.
  case utf16LittleEndian = "utf-16le"
  /// UTF-16 with the high byte first.
  case utf16BigEndian = "utf-16be"
  /// UTF-32 with the low byte first.
  case utf32LittleEndian = "utf-32le"
  /// UTF-32 with the high byte first.
  case utf32BigEndian = "utf-32be"

  /// Japanese in seven bits, with escape sequences, as mail uses it.
  case iso2022JP = "iso-2022-jp"
  /// Japanese as old Unix systems wrote it.
  case eucJP = "euc-jp"
  /// Japanese as Windows and old Macs wrote it, with the additions of Windows.
  case shiftJIS = "shift_jis"
  /// Korean, with the additions of Windows.
  case eucKR = "euc-kr"
  /// Simplified Chinese; GBK and GB 2312 are parts of it.
  case gb18030 = "gb18030"
  /// Traditional Chinese, with the additions of Windows and most of those of Hong Kong.
  case big5 = "big5"

  /// Western European; the printable part of ISO 8859-1 is part of it.
  case windows1252 = "windows-1252"
  /// Western European with the euro sign, as Unix systems wrote it.
  case iso8859Part15 = "iso-8859-15"
  /// Central European, as Windows wrote it.
  case windows1250 = "windows-1250"
  /// Central European, as Unix systems wrote it.
  case iso8859Part2 = "iso-8859-2"
  /// Turkish; the printable part of ISO 8859-9 is part of it.
  case windows1254 = "windows-1254"
  /// Cyrillic, as Windows wrote it.
  case windows1251 = "windows-1251"
  /// Russian, as Unix systems wrote it.
  case koi8R = "koi8-r"
  /// Ukrainian, as Unix systems wrote it.
  case koi8U = "koi8-u"
  /// Cyrillic by the international standard.
  case iso8859Part5 = "iso-8859-5"
  /// Russian, as DOS wrote it.
  case ibm866 = "ibm866"
  /// Greek, as Windows wrote it.
  case windows1253 = "windows-1253"
  /// Greek by the international standard.
  case iso8859Part7 = "iso-8859-7"
  /// Hebrew, as Windows wrote it.
  case windows1255 = "windows-1255"
  /// Arabic and Persian, as Windows wrote it.
  case windows1256 = "windows-1256"
  /// Thai, as Windows wrote it; TIS-620 is part of it.
  case windows874 = "windows-874"
  /// Western European, as DOS wrote it.
  case ibm850 = "ibm850"
  /// Turkish, as DOS wrote it.
  case ibm857 = "ibm857"
  /// Hebrew, as DOS wrote it.
  case ibm862 = "ibm862"
  /// Western European, as old Macs wrote it.
  case macintosh = "macintosh"
  /// Cyrillic, as old Macs wrote it.
  case macCyrillic = "x-mac-cyrillic"

  /// The encodings of one byte per character that are told by the letters of a language.
  static let singleByteEncodings: [TextEncoding] = [
    .windows1252, .windows1250, .iso8859Part2, .windows1254, .windows1251, .koi8R, .koi8U,
    .iso8859Part5, .ibm866, .windows1253, .iso8859Part7, .windows1255,
  ]
  /// The encodings of one byte per character that a text is in only if it makes no sense in the
  /// others, or if its bytes speak for an old system.
  static let rareSingleByteEncodings: [TextEncoding] = [.windows1256, .ibm850, .macintosh]

  /// The name in the IANA registry, or else in the Encoding Standard of the web, in lower case, in the
  /// form that a store keeps.
  public var name: String { rawValue }

  /// Returns the encoding with a name.
  ///
  /// - Parameter name: The ``name`` of an encoding, in upper or lower case; anything else gives
  ///   `nil`.
  public init?(name: String) {
    self.init(rawValue: name.lowercased())
  }
}
