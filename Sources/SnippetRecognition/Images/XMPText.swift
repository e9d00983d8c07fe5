import Foundation

/// The texts in an XMP packet that people write, as attributes or as elements with a text for each
/// language or each keyword.
///
/// No XML is parsed, as for ``XMPDate``.
enum XMPText {
  private static let item = Array("<rdf:li".utf8)
  private static let maximumItemCount = 1000

  /// Reads the description of a packet, in the first language; `nil` if it says nothing.
  static func description(in packet: [UInt8]) -> String? {
    first("dc:description", in: packet) { EmbeddedNote.text($0, in: .utf8) }
  }

  /// Reads the title of a packet, in the first language, or else its headline; `nil` if neither says
  /// anything.
  static func title(in packet: [UInt8]) -> String? {
    first("dc:title", in: packet, line) ?? first("photoshop:Headline", in: packet, line)
  }

  /// Reads the keywords of a packet, in their order.
  static func keywords(in packet: [UInt8]) -> [String] {
    texts("dc:subject", in: packet).compactMap { EmbeddedTitle.text($0, in: .utf8) }
  }

  private static func line(_ bytes: [UInt8]) -> String? {
    EmbeddedNote.text(bytes, in: .utf8).flatMap { EmbeddedTitle.text(Array($0.utf8), in: .utf8) }
  }

  private static func first(
    _ name: String,
    in packet: [UInt8],
    _ text: ([UInt8]) -> String?
  ) -> String? {
    for bytes in texts(name, in: packet) {
      if let found = text(bytes) { return found }
    }
    return nil
  }

  /// Finds the texts of a property.
  private static func texts(_ name: String, in packet: [UInt8]) -> [[UInt8]] {
    let name = Array(name.utf8)
    var texts: [[UInt8]] = []
    for rest in rests(behind: name, in: packet) {
      switch rest.first {
      case UInt8(ascii: "="): texts += attribute(rest.dropFirst()).map { [$0] } ?? []
      case UInt8(ascii: ">"): texts += elements(rest.dropFirst(), of: name)
      default: break
      }
    }
    return texts.map { unescaped($0[...]) }
  }

  /// Finds the rests of a packet behind the first places of a name, without leading blanks.
  static func rests(behind name: [UInt8], in packet: [UInt8]) -> [ArraySlice<UInt8>] {
    var rests: [ArraySlice<UInt8>] = []
    var start = packet.startIndex
    // Each may be looked at up to the end of the packet.
    while rests.count < 16, let place = packet[start...].firstRange(of: name) {
      start = place.upperBound
      rests.append(packet[start...].drop { $0 <= 0x20 })
    }
    return rests
  }

  /// Reads the value of an attribute behind its equals sign; `nil` if it has no quotes.
  static func attribute(_ rest: ArraySlice<UInt8>) -> [UInt8]? {
    let quoted = rest.drop { $0 <= 0x20 }
    guard let quote = quoted.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    return Array(quoted.dropFirst().prefix { $0 != quote })
  }

  private static func elements(_ rest: ArraySlice<UInt8>, of name: [UInt8]) -> [[UInt8]] {
    let end = rest.firstRange(of: Array("</".utf8) + name)?.lowerBound ?? rest.startIndex
    var content = rest[..<end]
    guard content.firstRange(of: item) != nil else {
      return [Array(content.prefix { $0 != UInt8(ascii: "<") })]
    }
    var items: [[UInt8]] = []
    while items.count < maximumItemCount, let item = content.firstRange(of: item) {
      content = content[item.upperBound...].drop { $0 != UInt8(ascii: ">") }.dropFirst()
      items.append(Array(content.prefix { $0 != UInt8(ascii: "<") }))
    }
    return items
  }

  private static let entities: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  /// Replaces the entities of XML by their characters.
  static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let limited = bytes.prefix(EmbeddedNote.maximumPieceByteCount)
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
