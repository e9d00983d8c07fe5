/// The chunks of a PNG image that come before its pixels.
///
/// PNG specification, third edition: <https://www.w3.org/TR/png-3/#5DataRep>
enum PNGHeader: MediaHeader {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func type(in reader: inout HeaderReader) -> ContentType? {
    reader.head.starts(with: signature) ? .png : nil
  }

  static func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard try reader.spells("IHDR", at: 12) else { return MediaFacts() }
    let width = try reader.number(UInt32.self, at: 16, .bigEndian)
    let height = try reader.number(UInt32.self, at: 20, .bigEndian)
    let isTurned = try reader.attempt { try orientation(in: &$0).isTurned }
    return MediaFacts.image(width: width, height: height, isTurned: isTurned ?? false)
  }

  private static func orientation(in reader: inout HeaderReader) throws -> ImageOrientation {
    try exifOffset(in: &reader).map { try ImageOrientation(exifAt: $0, in: &reader) } ?? .upright
  }

  static func title(in reader: inout HeaderReader) throws -> String? {
    var offset: Int64 = 8
    while try !reader.spells("IDAT", at: offset + 4) {
      let byteCount = Int64(try reader.number(UInt32.self, at: offset, .bigEndian))
      let content = offset + 8
      if try reader.spells("Title\0", at: content) {
        let text = content + 6
        let bytes = try reader.titleBytes(at: text, byteCount: content + byteCount - text)
        if try reader.spells("tEXt", at: offset + 4) { return EmbeddedTitle.text(bytes) }
        if try reader.spells("iTXt", at: offset + 4), bytes.first == 0 {
          return internationalTitle(bytes)
        }
      }
      offset = content + byteCount + 4
    }
    return nil
  }

  /// The text behind the marks of its compression, of its language and of the key in that.
  private static func internationalTitle(_ bytes: [UInt8]) -> String? {
    let parts = bytes.dropFirst(2).split(
      separator: 0,
      maxSplits: 2,
      omittingEmptySubsequences: false
    )
    return parts.count == 3 ? EmbeddedTitle.text(Array(parts[2]), in: .utf8) : nil
  }

  static func exifOffset(in reader: inout HeaderReader) throws -> Int64? {
    var offset: Int64 = 8
    // What comes after the first pixels is not looked at: every writer puts `eXIf` before them.
    while try !reader.spells("IDAT", at: offset + 4) {
      if try reader.spells("eXIf", at: offset + 4) {
        return offset + 8
      }
      offset += 12 + Int64(try reader.number(UInt32.self, at: offset, .bigEndian))
    }
    return nil
  }
}
