/// The logical screen of a GIF image.
///
/// GIF89a specification: <https://www.w3.org/Graphics/GIF/spec-gif89a.txt>
struct GIFHeader: MediaHeader {
  // The most blocks and pieces of text to look at; a picture has few before its pixels.
  private static let maximumPartCount = 64

  let type = ContentType.gif
  /// The position of the first block.
  private let start: Int64

  init?(in reader: inout HeaderReader) throws {
    guard try reader.spells("GIF87a", at: 0) || reader.spells("GIF89a", at: 0) else { return nil }
    let flags = try reader.number(UInt8.self, at: 10, .littleEndian)
    let colorTableByteCount: Int64 = flags & 0x80 == 0 ? 0 : 3 << Int64(flags & 7 + 1)
    // A text may begin with the same six letters, but not continue like this.
    start = 13 + colorTableByteCount
    let block = try reader.number(UInt8.self, at: start, .littleEndian)
    guard [0x21, 0x2C, 0x3B].contains(block) else { return nil }
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    let screen = MediaFacts.image(
      width: try reader.number(UInt16.self, at: 6, .littleEndian),
      height: try reader.number(UInt16.self, at: 8, .littleEndian)
    )
    // Some programs write zeros there, and decoders take the first frame instead.
    guard screen.pixelWidth == nil, let frame = try firstFrame(in: &reader) else { return screen }
    return MediaFacts.image(
      width: try reader.number(UInt16.self, at: frame + 5, .littleEndian),
      height: try reader.number(UInt16.self, at: frame + 7, .littleEndian)
    )
  }

  /// Returns the position of the first frame; `nil` if too many blocks precede it, or none follows.
  private func firstFrame(in reader: inout HeaderReader) throws -> Int64? {
    try block(in: &reader) { mark, _, _ in mark == 0x2C }
  }

  func comment(in reader: inout HeaderReader) throws -> String? {
    let comment = try block(in: &reader) { mark, offset, reader in
      try mark == 0x21 && reader.number(UInt8.self, at: offset + 1, .littleEndian) == 0xFE
    }
    guard let comment else { return nil }
    var offset = comment + 2
    return EmbeddedNote.text(try parts(at: &offset, in: &reader))
  }

  /// Reads all comments, also those behind pixels, as far as the reader reaches.
  func namedNotes(in reader: inout HeaderReader) throws -> [NamedNote] {
    var notes: [NamedNote] = []
    // The encoding of each may have to be guessed, also of one that says nothing.
    var commentCount = 0
    var offset = start
    _ = try reader.attempt { reader -> Void in
      while commentCount < Self.maximumPartCount {
        switch try reader.number(UInt8.self, at: offset, .littleEndian) {
        case 0x21:
          if try reader.number(UInt8.self, at: offset + 1, .littleEndian) == 0xFE {
            commentCount += 1
            var place = offset + 2
            let text = EmbeddedNote.text(try parts(at: &place, in: &reader))
            if let note = NamedNote("Comment", text) { notes.append(note) }
          }
          offset += 2
        case 0x2C:
          let flags = try reader.number(UInt8.self, at: offset + 9, .littleEndian)
          let colorByteCount: Int64 = flags & 0x80 == 0 ? 0 : 3 << Int64(flags & 7 + 1)
          // The colors of the frame and the size of its codes come before its pixels.
          offset += 11 + colorByteCount
        default: return
        }
        try skipParts(at: &offset, in: &reader)
      }
    }
    return notes
  }

  private func skipParts(at offset: inout Int64, in reader: inout HeaderReader) throws {
    var count: UInt8
    repeat {
      count = try reader.number(UInt8.self, at: offset, .littleEndian)
      offset += 1 + Int64(count)
    } while count > 0
  }

  /// Finds the packet in its block, in which it has no sizes between its parts.
  ///
  /// XMP specification, part 3, section 1.1.2.
  func xmpPlace(in reader: inout HeaderReader) throws -> Range<Int64>? {
    let block = try block(in: &reader) { mark, offset, reader in
      guard mark == 0x21, try reader.number(UInt8.self, at: offset + 1, .littleEndian) == 0xFF
      else { return false }
      return try reader.spells("\u{B}XMP DataXMP", at: offset + 2)
    }
    guard let block else { return nil }
    let place = (block + 14..<reader.byteCount).ofPacket
    let bytes = try reader.bytes(at: place.lowerBound, count: place.count)
    // It begins the bytes that lead others to the end of the block, and XML has none like it.
    let count = bytes.firstIndex(of: 1) ?? bytes.count
    return place.lowerBound..<place.lowerBound + Int64(count)
  }

  /// Finds the first block that meets a condition on its mark and position, up to the first frame.
  private func block(
    in reader: inout HeaderReader,
    where isWanted: (UInt8, Int64, inout HeaderReader) throws -> Bool
  ) throws -> Int64? {
    var offset = start
    for _ in 0..<Self.maximumPartCount {
      let mark = try reader.number(UInt8.self, at: offset, .littleEndian)
      if try isWanted(mark, offset, &reader) { return offset }
      guard mark == 0x21 else { return nil }
      offset += 2
      _ = try parts(at: &offset, in: &reader)
    }
    return nil
  }

  /// Joins the parts of a block, each after its size, and moves behind the empty one that ends it.
  private func parts(at offset: inout Int64, in reader: inout HeaderReader) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Self.maximumPartCount {
      let count = try reader.number(UInt8.self, at: offset, .littleEndian)
      bytes += try reader.bytes(at: offset + 1, count: Int(count))
      offset += 1 + Int64(count)
      if count == 0 { break }
    }
    return bytes
  }
}
