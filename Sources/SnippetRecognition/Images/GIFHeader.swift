/// The logical screen of a GIF image.
///
/// GIF89a specification: <https://www.w3.org/Graphics/GIF/spec-gif89a.txt>
struct GIFHeader: MediaHeader {
  let type = ContentType.gif

  init?(in reader: inout HeaderReader) throws {
    guard try reader.spells("GIF87a", at: 0) || reader.spells("GIF89a", at: 0) else { return nil }
    let flags = try reader.number(UInt8.self, at: 10, .littleEndian)
    let colorTableByteCount: Int64 = flags & 0x80 == 0 ? 0 : 3 << Int64(flags & 7 + 1)
    // A text may begin with the same six letters, but not continue like this.
    let block = try reader.number(UInt8.self, at: 13 + colorTableByteCount, .littleEndian)
    guard [0x21, 0x2C, 0x3B].contains(block) else { return nil }
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    MediaFacts.image(
      width: try reader.number(UInt16.self, at: 6, .littleEndian),
      height: try reader.number(UInt16.self, at: 8, .littleEndian)
    )
  }
}
