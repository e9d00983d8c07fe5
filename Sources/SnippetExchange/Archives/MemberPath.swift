import SnippetBase
import SnippetRecognition

/// The path of a member of an archive, below the folder that it is unpacked in.
struct MemberPath {
  /// The names from the outermost folder to the member itself; empty for the folder itself.
  let names: [String]

  /// The most folders around a member.
  static let maximumDepth = 64

  /// Reads the name of a member; `nil` if it leads out of the folder.
  init?(_ name: [UInt8], in format: ArchiveFormat, _ encoding: TextEncoding?) {
    guard name.first != UInt8(ascii: "/") else { return nil }
    let text = Self.text(name, in: format, encoding)
    // By bytes, as in a file system: to Swift a slash with a combining mark is not a slash.
    var parts: [String] = []
    for bytes in text.utf8.split(separator: UInt8(ascii: "/")) {
      let part = String(decoding: bytes, as: UTF8.self)
      switch part {
      case ".": continue
      case "..": guard parts.popLast() != nil else { return nil }
      default: parts.append(part)
      }
    }
    guard parts.count <= Self.maximumDepth else { return nil }
    // The drive of a path of Windows.
    if parts.count > 1, parts[0].utf8.count == 2, parts[0].hasSuffix(":") { return nil }
    names = parts
  }

  /// Decodes a name: in UTF-8, in the encoding of the system, or in what programs of the format wrote
  /// before.
  static func text(
    _ name: [UInt8],
    in format: ArchiveFormat,
    _ encoding: TextEncoding?
  ) -> String {
    if let text = String(validating: name, as: UTF8.self) { return text }
    if let encoding { return encoding.decode(name) }
    switch format {
    case .zip: return String(String.UnicodeScalarView(name.map(ofDOS)))
    case .tar, .compressed:
      return String(String.UnicodeScalarView(name.map { Unicode.Scalar($0) }))
    }
  }

  // As many bytes of names tell the encoding of all.
  private static let maximumByteCount = 16 << 10

  /// Finds the encoding of the names in an archive that are not in UTF-8, by all of them; `nil` if
  /// there are none, or the specification of ZIP may be right.
  ///
  /// It moves the place in the file.
  static func encoding(
    ofNamesIn file: OpenFile,
    _ format: ArchiveFormat,
    byteLimit: Int64,
    check: () throws -> Void
  ) throws -> TextEncoding? {
    // Without the list at its end, all of an archive would be read for them.
    if format == .zip, (try? ArchiveEnd.isMissingInZIP(file)) != false { return nil }
    guard let reader = try? ArchiveReader(file, byteLimit: byteLimit) else { return nil }
    let names = try otherNames(in: reader, check: check)
    return TextEncoding.recognized(inNames: names, ofUnix: format != .zip)
  }

  /// Reads names that are not in UTF-8, each on a line.
  private static func otherNames(
    in reader: ArchiveReader,
    check: () throws -> Void
  ) throws -> [UInt8] {
    var names: [UInt8] = []
    while names.count < maximumByteCount, case .member(let member)? = try? reader.next() {
      try check()
      let name = member.name.prefix(1024)
      if String(validating: name, as: UTF8.self) == nil { names += name + [UInt8(ascii: "\n")] }
    }
    return names
  }

  /// The upper half of code page 437, which the specification of ZIP names.
  private static let upperHalf = Array(
    ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
      + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars
  )

  private static func ofDOS(_ byte: UInt8) -> Unicode.Scalar {
    byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80]
  }
}
