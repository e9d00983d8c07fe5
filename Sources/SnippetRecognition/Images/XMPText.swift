import Foundation

/// The texts in an XMP packet that people write, as attributes or as elements with a text for each
/// language or each keyword.
///
/// No XML is parsed, as for ``XMPDate``.
enum XMPText {
  private static let item = Array("<rdf:li".utf8)
  private static let defaultLanguage = Array("x-default".utf8)
  private static let maximumItemCount = 1000

  /// Returns a packet in UTF-8, which may also be in UTF-16.
  static func utf8(_ packet: [UInt8]) -> [UInt8] {
    guard let encoding = wideEncoding(of: packet) else { return packet }
    return Array(encoding.decode(packet).utf8)
  }

  /// Returns the encoding of a packet in UTF-16, by its mark or by the bracket that begins it; `nil`
  /// of another one.
  static func wideEncoding(of packet: [UInt8]) -> TextEncoding? {
    switch packet.prefix(2) {
    case [0xFF, 0xFE], [0x3C, 0]: .utf16LittleEndian
    case [0xFE, 0xFF], [0, 0x3C]: .utf16BigEndian
    default: nil
    }
  }

  /// Reads the description of a packet in all its languages, the default one first, as far as they
  /// say something.
  static func descriptions(in packet: [UInt8]) -> [String] {
    alternatives("dc:description", in: packet) { EmbeddedNote.text($0, in: .utf8) }
  }

  /// Reads the title of a packet in all its languages, the default one first, or else its headline,
  /// as far as they say something.
  static func titles(in packet: [UInt8]) -> [String] {
    let titles = alternatives("dc:title", in: packet, line)
    return titles.isEmpty ? alternatives("photoshop:Headline", in: packet, line) : titles
  }

  /// Reads the keywords of a packet, in their order.
  static func keywords(in packet: [UInt8]) -> [String] {
    lines("dc:subject", in: packet)
  }

  /// Reads the keywords of a packet with those above them, as `Animals/Dogs`.
  static func keywordPaths(in packet: [UInt8]) -> [String] {
    // darktable keeps a record of its own work among them.
    let paths = lines("lr:hierarchicalSubject", in: packet).filter { !$0.hasPrefix("darktable|") }
    return (paths.isEmpty ? lines("digiKam:TagsList", in: packet) : paths)
      .map { $0.replacing("|", with: "/") }
  }

  /// Whether a property says something: neither nothing nor zero.
  static func says(_ name: String, in packet: [UInt8]) -> Bool {
    lines(name, in: packet).contains { Double($0) != 0 }
  }

  private static func lines(_ name: String, in packet: [UInt8]) -> [String] {
    texts(name, in: packet).compactMap { EmbeddedTitle.text($0, in: .utf8) }
  }

  private static func line(_ bytes: [UInt8]) -> String? {
    EmbeddedNote.text(bytes, in: .utf8).flatMap { EmbeddedTitle.text(Array($0.utf8), in: .utf8) }
  }

  /// Reads the texts of the first place of a property that says something.
  private static func alternatives(
    _ name: String,
    in packet: [UInt8],
    _ text: ([UInt8]) -> String?
  ) -> [String] {
    for place in places(of: name, in: packet) {
      let found = place.compactMap { text(unescaped($0[...])) }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Finds the texts of a property.
  private static func texts(_ name: String, in packet: [UInt8]) -> [[UInt8]] {
    places(of: name, in: packet).flatMap { $0 }.map { unescaped($0[...]) }
  }

  /// Finds the texts of each place of a property, with their entities.
  private static func places(of name: String, in packet: [UInt8]) -> [[[UInt8]]] {
    let name = Array(name.utf8)
    return rests(behind: name, in: packet).map { rest -> [[UInt8]] in
      switch rest.first {
      case UInt8(ascii: "="): return attribute(rest.dropFirst()).map { [$0] } ?? []
      case UInt8(ascii: ">"): return elements(of: name, in: packet, from: rest.startIndex + 1)
      default:
        guard let start = endOfTag(name, before: rest, in: packet) else { return [] }
        return elements(of: name, in: packet, from: start)
      }
    }
  }

  /// Returns the place behind a tag with attributes, such as a language, that begins with a name
  /// before the rest of a packet; `nil` if there is no such tag.
  private static func endOfTag(
    _ name: [UInt8],
    before rest: ArraySlice<UInt8>,
    in packet: [UInt8]
  ) -> Int? {
    guard let last = packet[..<rest.startIndex].lastIndex(where: { $0 > 0x20 }),
      last + 1 < rest.startIndex, last >= name.count,
      packet[last - name.count] == UInt8(ascii: "<"),
      let end = rest.firstIndex(of: UInt8(ascii: ">")), packet[end - 1] != UInt8(ascii: "/")
    else { return nil }
    return end + 1
  }

  /// Finds the rests of a packet behind the first places of a name, without leading blanks.
  static func rests(behind name: [UInt8], in packet: [UInt8]) -> [ArraySlice<UInt8>] {
    var rests: [ArraySlice<UInt8>] = []
    var start = packet.startIndex
    // Each may be looked at up to the end of the packet.
    while rests.count < 16, let end = packet.end(of: name, in: start..<packet.count) {
      start = end
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

  private static func elements(
    of name: [UInt8],
    in packet: [UInt8],
    from start: Int
  ) -> [[UInt8]] {
    let closing = Array("</".utf8) + name
    guard let closed = packet.end(of: closing, in: start..<packet.count) else { return [] }
    let end = closed - closing.count
    guard var next = packet.end(of: item, in: start..<end) else {
      return [Array(packet[start..<end].prefix { $0 != UInt8(ascii: "<") })]
    }
    var items: [[UInt8]] = []
    while items.count < maximumItemCount {
      let mark = packet[next..<end].prefix { $0 != UInt8(ascii: ">") }
      let text = packet[mark.endIndex..<end].dropFirst().prefix { $0 != UInt8(ascii: "<") }
      let isDefault = packet.end(of: defaultLanguage, in: mark.startIndex..<mark.endIndex) != nil
      items.insert(Array(text), at: isDefault ? 0 : items.count)
      guard let following = packet.end(of: item, in: text.endIndex..<end) else { break }
      next = following
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

extension [UInt8] {
  /// Finds the end of the first place in a range where some bytes stand.
  ///
  /// `firstRange(of:)` would compare at each byte, and a long packet is searched for many names.
  func end(of wanted: [UInt8], in range: Range<Int>) -> Int? {
    guard let start = wanted.first else { return nil }
    return withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress else { return nil }
      var position = range.lowerBound
      while position + wanted.count <= range.upperBound,
        let place = memchr(
          base + position,
          Int32(start),
          range.upperBound - wanted.count - position + 1
        )
      {
        position = UnsafeRawPointer(place) - base
        if memcmp(place, wanted, wanted.count) == 0 { return position + wanted.count }
        position += 1
      }
      return nil
    }
  }
}
