import Foundation

/// The description in an XMP packet: `dc:description`, as an attribute or as an element with a text
/// for each language.
///
/// No XML is parsed, as for ``XMPDate``.
enum XMPNote {
  private static let name = Array("dc:description".utf8)
  private static let item = Array("<rdf:li".utf8)

  /// Reads the description of a packet, in the first language; `nil` if it says nothing.
  static func text(in packet: [UInt8]) -> String? {
    var start = packet.startIndex
    // Each may be looked at up to the end of the packet.
    for _ in 0..<16 {
      guard let place = packet[start...].firstRange(of: name) else { break }
      start = place.upperBound
      let rest = packet[start...].drop { $0 <= 0x20 }
      let found: ArraySlice<UInt8>?
      switch rest.first {
      case UInt8(ascii: "="): found = attribute(rest.dropFirst())
      case UInt8(ascii: ">"): found = element(rest.dropFirst())
      default: found = nil
      }
      if let found, let note = EmbeddedNote.text(unescaped(found), in: .utf8) { return note }
    }
    return nil
  }

  private static func attribute(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let quoted = rest.drop { $0 <= 0x20 }
    guard let quote = quoted.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    return quoted.dropFirst().prefix { $0 != quote }
  }

  private static func element(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let end = rest.firstRange(of: Array("</dc:description".utf8))?.lowerBound ?? rest.startIndex
    let content = rest[..<end]
    guard let item = content.firstRange(of: item) else {
      return content.prefix { $0 != UInt8(ascii: "<") }
    }
    let text = content[item.upperBound...].drop { $0 != UInt8(ascii: ">") }.dropFirst()
    return text.prefix { $0 != UInt8(ascii: "<") }
  }

  private static let entities: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  /// Replaces the entities of XML by their characters.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let limited = bytes.prefix(EmbeddedNote.maximumByteCount)
    guard limited.contains(UInt8(ascii: "&")) else { return Array(limited) }
    var result: [UInt8] = []
    var rest = limited
    while let sign = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<sign]
      rest = rest[sign...].dropFirst()
      guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let character = character(String(decoding: rest[..<end], as: UTF8.self))
      else {
        result.append(UInt8(ascii: "&"))
        continue
      }
      result += character.utf8
      rest = rest[end...].dropFirst()
    }
    return result + rest
  }

  private static func character(_ entity: String) -> String? {
    if let known = entities[entity] { return known }
    guard entity.hasPrefix("#") else { return nil }
    let digits = entity.dropFirst()
    let number =
      digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }
}
