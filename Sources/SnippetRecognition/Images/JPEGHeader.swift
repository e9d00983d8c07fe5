/// The segments of a JPEG image before its first scan.
///
/// ITU-T T.81, annex B: <https://www.w3.org/Graphics/JPEG/itu-t81.pdf>
struct JPEGHeader: MediaHeader {
  let type = ContentType.jpeg

  init?(in reader: inout HeaderReader) throws {
    guard reader.head.starts(with: [0xFF, 0xD8]), reader.head.count > 3 else { return nil }
    // Start of image, then the first byte of a marker that belongs to a header.
    if reader.head[2] == 0xFF, reader.head[3] >= 0xC0 { return }
    // The picture behind stray bytes tells it from others that begin with these two.
    guard try frame(in: &reader) != nil else { return nil }
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard let frame = try frame(in: &reader) else { return MediaFacts() }
    return MediaFacts.image(
      width: try reader.number(UInt16.self, at: frame + 5, .bigEndian),
      height: try reader.number(UInt16.self, at: frame + 3, .bigEndian),
      isTurned: try isTurned(in: &reader)
    )
  }

  /// Whether the picture is coded without loss, as the pixels of raw pictures are; no decoder shows
  /// it.
  func isLossless(in reader: inout HeaderReader) throws -> Bool {
    guard let frame = try frame(in: &reader) else { return false }
    return [0xC3, 0xC7, 0xCB, 0xCF].contains(
      try reader.number(UInt8.self, at: frame - 1, .bigEndian)
    )
  }

  /// Finds the segment that describes the picture.
  private func frame(in reader: inout HeaderReader) throws -> Int64? {
    try segment(in: &reader) { marker, _, _ in
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: true
      default: false
      }
    }
  }

  func exifOffset(in reader: inout HeaderReader) throws -> Int64? {
    let segment = try segment(in: &reader) { marker, offset, reader in
      try marker == 0xE1 && reader.spells("Exif\0\0", at: offset + 2)
    }
    return segment.map { $0 + 2 }
  }

  func xmpPlace(in reader: inout HeaderReader) throws -> Range<Int64>? {
    try place(behind: "http://ns.adobe.com/xap/1.0/\0", in: 0xE1, &reader)
  }

  /// Joins the segments of an extended packet, which are in order, up to 64 KiB.
  ///
  /// XMP specification, part 3, section 1.1.3.1.
  func extendedPacket(of packet: [UInt8], in reader: inout HeaderReader) throws -> [UInt8] {
    let all = 0..<packet.count
    guard packet.end(of: Array("HasExtendedXMP".utf8), in: all) != nil else { return [] }
    let mark: StaticString = "http://ns.adobe.com/xmp/extension/\0"
    let limit = XMPDate.maximumByteCount
    var joined: [UInt8] = []
    var otherCount = 0
    // What was joined counts, also where the picture is cut short behind it.
    _ = try reader.attempt { reader in
      try segment(in: &reader) { marker, offset, reader in
        guard try marker == 0xE1 && reader.spells(mark, at: offset + 2) else { return false }
        // The name of the packet, its size, and the place of this part in it come first.
        let head = offset + 2 + Int64(mark.utf8CodeUnitCount)
        let name = try reader.bytes(at: head, count: 32)
        let place = try reader.number(UInt32.self, at: head + 36, .bigEndian)
        let end = offset + Int64(try reader.number(UInt16.self, at: offset, .bigEndian))
        guard Int64(place) == Int64(joined.count), end > head + 40,
          packet.end(of: name, in: all) != nil
        else {
          otherCount += 1
          return otherCount == Self.maximumOtherCount
        }
        let byteCount = min(Int(end - head - 40), limit - joined.count)
        joined += try reader.bytes(at: head + 40, count: byteCount)
        return joined.count >= limit
      }
    }
    return joined
  }

  // The packet is searched for the name of each segment; one of another packet is rare.
  private static let maximumOtherCount = 64

  func iptcPlace(in reader: inout HeaderReader) throws -> Range<Int64>? {
    try place(behind: "Photoshop 3.0\0", in: 0xED, &reader)
  }

  /// Finds the content of the first segment of a marker that begins with a text.
  private func place(
    behind text: StaticString,
    in wanted: UInt8,
    _ reader: inout HeaderReader
  ) throws -> Range<Int64>? {
    let segment = try segment(in: &reader) { marker, offset, reader in
      try marker == wanted && reader.spells(text, at: offset + 2)
    }
    guard let segment else { return nil }
    let end = segment + Int64(try reader.number(UInt16.self, at: segment, .bigEndian))
    let start = segment + 2 + Int64(text.utf8CodeUnitCount)
    return start < end ? start..<end : nil
  }

  func comment(in reader: inout HeaderReader) throws -> String? {
    guard let segment = try segment(in: &reader, where: { marker, _, _ in marker == 0xFE }) else {
      return nil
    }
    return try comment(at: segment, &reader)
  }

  private func comment(at segment: Int64, _ reader: inout HeaderReader) throws -> String? {
    let end = segment + Int64(try reader.number(UInt16.self, at: segment, .bigEndian))
    return EmbeddedNote.text(try reader.noteBytes(from: segment + 2, to: end))
  }

  func namedNotes(in reader: inout HeaderReader) throws -> [NamedNote] {
    var comments: [Int64] = []
    // What was found counts, also where the picture is cut short behind it.
    _ = try reader.attempt { reader in
      try segment(in: &reader) { marker, offset, _ in
        if marker == 0xFE, comments.count < Self.maximumCommentCount { comments.append(offset) }
        return false
      }
    }
    return try comments.compactMap { place in
      NamedNote("COM", try reader.attempt { try comment(at: place, &$0) } ?? nil)
    }
  }

  // Real files have one or two.
  private static let maximumCommentCount = 16

  /// Finds the first segment that meets a condition on its marker and position.
  ///
  /// Returns the position of its size, after the marker; `nil` if there is none.
  private func segment(
    in reader: inout HeaderReader,
    where isWanted: (UInt8, Int64, inout HeaderReader) throws -> Bool
  ) throws -> Int64? {
    var offset: Int64 = 2
    var looseCount = 0
    while let marker = try marker(at: &offset, &looseCount, in: &reader) {
      let byteCount = try reader.number(UInt16.self, at: offset, .bigEndian)
      guard byteCount >= 2 else { return nil }
      if try isWanted(marker, offset, &reader) { return offset }
      offset += Int64(byteCount)
    }
    return nil
  }

  /// The most bytes outside of segments that one search passes over: markers, fill bytes and stray
  /// ones.
  ///
  /// A raw picture may name many pictures, and each is searched several times.
  private static let maximumLooseCount = 1 << 13

  /// Reads a marker that begins a segment with a size, and moves to that segment.
  ///
  /// It is `nil` at the first scan, at the end of the image, and if there is no marker. Like
  /// decoders, it passes over stray bytes and markers without a segment.
  private func marker(
    at offset: inout Int64,
    _ looseCount: inout Int,
    in reader: inout HeaderReader
  ) throws -> UInt8? {
    // Any number of fill bytes, which are marks too, may precede the marker's own byte.
    var isAfterMark = false
    while looseCount < Self.maximumLooseCount {
      let byte = try reader.number(UInt8.self, at: offset, .bigEndian)
      offset += 1
      looseCount += 1
      switch byte {
      case 0xFF: isAfterMark = true
      case _ where !isAfterMark: continue
      case 0x00...0x01, 0xD0...0xD7: isAfterMark = false
      case 0xD8...0xDA: return nil
      default: return byte
      }
    }
    return nil
  }
}
