/// Handmade pictures with the date at which they were taken.
package enum DatedPicture {
  /// An EXIF block with the moment at which a picture was taken.
  package static func exif(
    _ moment: String,
    zone: String? = nil,
    directoryAt place: UInt32 = 26
  ) -> [UInt8] {
    let entryCount: UInt32 = zone == nil ? 1 : 2
    let textAt = 26 + 2 + 12 * entryCount + 4
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: UInt32) -> [UInt8] {
      little(tag) + little(type) + little(count) + little(value)
    }
    var bytes = ascii("II") + little(UInt16(42)) + little(UInt32(8)) + little(UInt16(1))
    bytes += entry(0x8769, 4, 1, place) + zeros(4) + little(UInt16(entryCount))
    bytes += entry(0x9003, 2, UInt32(moment.utf8.count + 1), textAt)
    if let zone {
      bytes += entry(0x9011, 2, UInt32(zone.utf8.count + 1), textAt + UInt32(moment.utf8.count + 1))
    }
    return bytes + zeros(4) + ascii(moment) + [0] + ascii(zone ?? "") + [0]
  }

  /// An EXIF block with texts in its first directory and in that of details.
  package static func exif(
    _ first: [(tag: UInt16, text: String)],
    _ details: [(tag: UInt16, text: String)]
  ) -> [UInt8] {
    func directory(_ texts: [(tag: UInt16, text: String)], link: UInt32?, at start: Int) -> [UInt8]
    {
      let count = texts.count + (link == nil ? 0 : 1)
      var place = start + 2 + 12 * count + 4
      var (entries, values): ([UInt8], [UInt8]) = ([], [])
      for (tag, text) in texts {
        let bytes = ascii(text) + [0]
        entries += little(tag) + little(UInt16(2)) + little(UInt32(bytes.count))
        if bytes.count <= 4 {
          entries += bytes + zeros(4 - bytes.count)
        } else {
          entries += little(UInt32(place))
          values += bytes
          place += bytes.count
        }
      }
      if let link {
        entries += little(UInt16(0x8769)) + little(UInt16(4)) + little(UInt32(1)) + little(link)
      }
      return little(UInt16(count)) + entries + zeros(4) + values
    }
    let head = ascii("II") + little(UInt16(42)) + little(UInt32(8))
    let length = directory(first, link: 0, at: 8).count
    return head + directory(first, link: UInt32(8 + length), at: 8)
      + directory(details, link: nil, at: 8 + length)
  }

  /// Pictures of 4 × 3 pixels of several formats with an XMP packet.
  package static func withXMP(_ packet: String) -> [[UInt8]] {
    let mark = ascii("http://ns.adobe.com/xap/1.0/\0") + ascii(packet)
    let picture = jpeg([])
    let segment = [0xFF, 0xE1] + big(UInt16(mark.count + 2)) + mark
    let text = TitledFile.pngChunk(
      "iTXt",
      ascii("XML:com.adobe.xmp\0\0\0\0\0") + ascii(packet)
    )
    let png = TitledFile.png([])
    let end = TitledFile.pngChunk("IEND", [])
    let size: [UInt8] = [3, 0, 0, 2, 0, 0]
    let webP = ascii("RIFF") + zeros(4) + ascii("WEBP") + riffChunk("VP8X", [4] + zeros(3) + size)
    return [
      Array(picture[..<2]) + segment + Array(picture[2...]), TitledFile.png(text),
      Array(png.dropLast(end.count)) + text + end, webP + riffChunk("XMP ", ascii(packet)),
    ]
  }

  /// A JPEG of 4 × 3 pixels with an EXIF block.
  package static func jpeg(_ exif: [UInt8]) -> [UInt8] {
    let block = ascii("Exif\0\0") + exif
    return [0xFF, 0xD8, 0xFF, 0xE1] + big(UInt16(block.count + 2)) + block
      + [0xFF, 0xC0] + big(UInt16(11)) + [8] + big(UInt16(3)) + big(UInt16(4)) + zeros(4)
  }

  /// A PNG of 4 × 3 pixels with an EXIF block.
  package static func png(_ exif: [UInt8]) -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      big(UInt32(content.count)) + ascii(name) + content + zeros(4)
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", big(UInt32(4)) + big(UInt32(3)) + [8, 6, 0, 0, 0])
      + chunk("eXIf", exif) + chunk("IDAT", [])
  }

  /// The head of a WebP with an EXIF block.
  package static func webP(_ exif: [UInt8]) -> [UInt8] {
    ascii("RIFF") + zeros(4) + ascii("WEBP") + riffChunk("VP8X", [8] + zeros(9))
      + riffChunk("EXIF", exif)
  }
}
