/// The first chunks of a WebP image.
///
/// Container: <https://developers.google.com/speed/webp/docs/riff_container>
struct WebPHeader: MediaHeader {
  let type = ContentType.webP

  init?(in reader: inout HeaderReader) throws {
    guard try reader.spells("RIFF", at: 0), try reader.spells("WEBPVP8", at: 8) else { return nil }
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    switch try reader.bytes(at: 15, count: 1) {
    case [UInt8(ascii: " ")]: try lossyFacts(in: &reader)
    case [UInt8(ascii: "L")]: try losslessFacts(in: &reader)
    case [UInt8(ascii: "X")]: try extendedFacts(in: &reader)
    default: MediaFacts()
    }
  }

  // RFC 6386, section 9.1.
  private func lossyFacts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard try reader.bytes(at: 23, count: 3) == [0x9D, 0x01, 0x2A] else { return MediaFacts() }
    // The two highest bits request scaling, which no decoder does.
    return MediaFacts.image(
      width: try reader.number(UInt16.self, at: 26, .littleEndian) & 0x3FFF,
      height: try reader.number(UInt16.self, at: 28, .littleEndian) & 0x3FFF
    )
  }

  // RFC 9649, section 3.4.
  private func losslessFacts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard try reader.bytes(at: 20, count: 1) == [0x2F] else { return MediaFacts() }
    let bits = try reader.number(UInt32.self, at: 21, .littleEndian)
    return MediaFacts.image(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
  }

  private func extendedFacts(in reader: inout HeaderReader) throws -> MediaFacts {
    // Numbers of three bytes, read as four, with the extra byte on the side where one exists.
    let width = try reader.number(UInt32.self, at: 24, .littleEndian) & 0xFF_FFFF
    let height = try reader.number(UInt32.self, at: 26, .littleEndian) >> 8
    return MediaFacts.image(
      width: width + 1,
      height: height + 1,
      isTurned: try isTurned(in: &reader)
    )
  }

  func exifOffset(in reader: inout HeaderReader) throws -> Int64? {
    try chunk("EXIF", flag: 0x08, in: &reader)?.lowerBound
  }

  func xmpPlace(in reader: inout HeaderReader) throws -> Range<Int64>? {
    try chunk("XMP ", flag: 0x04, in: &reader)?.clamped(to: 0..<reader.byteCount).ofPacket
  }

  /// Finds a chunk that a flag announces; `nil` if there is none.
  private func chunk(
    _ name: String,
    flag: UInt8,
    in reader: inout HeaderReader
  ) throws -> Range<Int64>? {
    let flags = try reader.number(UInt8.self, at: 20, .littleEndian)
    guard try reader.spells("VP8X", at: 12), flags & flag != 0 else { return nil }
    return try Chunks(at: 12, .littleEndian).first(name, in: &reader)
  }
}
