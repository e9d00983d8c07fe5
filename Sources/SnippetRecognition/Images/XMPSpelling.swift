/// The spelling of an XMP packet in which its texts can be found without parsing XML: without
/// comments and CDATA, and with the usual prefixes of the name spaces.
enum XMPSpelling {
  /// The usual prefixes of the name spaces whose properties are read.
  private static let usualPrefixes = [
    "adobe:ns:meta/": "x",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://ns.adobe.com/xap/1.0/": "xmp",
    "http://ns.adobe.com/exif/1.0/": "exif",
    "http://ns.adobe.com/photoshop/1.0/": "photoshop",
    "http://ns.adobe.com/lightroom/1.0/": "lr",
    "http://www.digikam.org/ns/1.0/": "digiKam",
    "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": "Iptc4xmpCore",
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": "Iptc4xmpExt",
    "http://www.metadataworkinggroup.com/schemas/regions/": "mwg-rs",
  ]
  private static let declaration = Array("xmlns:".utf8)
  private static let mark = Array("<!".utf8)
  private static let comment = Array("<!--".utf8)
  private static let endOfComment = Array("-->".utf8)
  private static let section = Array("<![CDATA[".utf8)
  private static let endOfSection = Array("]]>".utf8)
  // Real packets declare about ten.
  private static let maximumDeclarationCount = 256
  private static let maximumPrefixByteCount = 32

  /// Returns a packet in UTF-8 in this spelling.
  static func usual(_ packet: [UInt8]) -> [UInt8] {
    let plain = plain(packet)
    let prefixes = otherPrefixes(in: plain)
    return prefixes.isEmpty ? plain : renamed(plain, prefixes)
  }

  /// Removes comments, and writes what stands in CDATA as any other text.
  private static func plain(_ packet: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    var next = 0
    while let found = packet.end(of: mark, in: next..<packet.count) {
      next = found
      let place = found - mark.count
      let isComment = packet[place...].starts(with: comment)
      guard isComment || packet[place...].starts(with: section) else { continue }
      let content = place + (isComment ? comment : section).count
      let closing = isComment ? endOfComment : endOfSection
      guard let end = packet.end(of: closing, in: content..<packet.count) else { break }
      result += packet[start..<place]
      if !isComment { result += escaped(packet[content..<end - closing.count]) }
      start = end
      next = end
    }
    return start == 0 ? packet : result + packet[start...]
  }

  private static func escaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      default: result.append(byte)
      }
    }
    return result
  }

  /// Finds the prefixes that a packet declares instead of the usual ones; the first declaration of
  /// each counts.
  private static func otherPrefixes(in packet: [UInt8]) -> [[UInt8]: [UInt8]] {
    var prefixes: [[UInt8]: [UInt8]] = [:]
    var start = 0
    for _ in 0..<maximumDeclarationCount {
      guard let end = packet.end(of: declaration, in: start..<packet.count) else { break }
      start = end
      let name = packet[end...].prefix(maximumPrefixByteCount).prefix {
        $0 > 0x20 && $0 != UInt8(ascii: "=")
      }
      let rest = packet[name.endIndex...].prefix(256).drop { $0 <= 0x20 }
      guard rest.first == UInt8(ascii: "="), let space = XMPText.attribute(rest.dropFirst()),
        let usual = usualPrefixes[String(decoding: space, as: UTF8.self)]
      else { continue }
      let prefix = Array(name)
      if prefixes[prefix] == nil { prefixes[prefix] = Array(usual.utf8) }
    }
    return prefixes.filter { $0.key != $0.value }
  }

  /// Replaces prefixes in the names of elements and attributes.
  private static func renamed(_ packet: [UInt8], _ prefixes: [[UInt8]: [UInt8]]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(packet.count)
    var isInTag = false
    var mayBegin = false
    var quote: UInt8?
    var index = 0
    while index < packet.count {
      let byte = packet[index]
      if mayBegin {
        let name = packet[index...].prefix(maximumPrefixByteCount + 1).prefix {
          $0 > 0x20 && !separators.contains($0)
        }
        if name.endIndex < packet.count, packet[name.endIndex] == UInt8(ascii: ":"),
          let usual = prefixes[Array(name)]
        {
          result += usual
          index = name.endIndex
          mayBegin = false
          continue
        }
      }
      mayBegin = false
      switch byte {
      case _ where quote != nil: if byte == quote { quote = nil }
      case UInt8(ascii: "<"): (isInTag, mayBegin) = (true, true)
      case UInt8(ascii: ">"): isInTag = false
      case UInt8(ascii: "\""), UInt8(ascii: "'"): if isInTag { quote = byte }
      case UInt8(ascii: "/"): mayBegin = isInTag
      default: mayBegin = isInTag && byte <= 0x20
      }
      result.append(byte)
      index += 1
    }
    return result
  }

  private static let separators = Array(":=/<>\"'".utf8)
}
