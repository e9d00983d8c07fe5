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
