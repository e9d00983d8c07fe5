/// The chunks of a PNG image before its pixels.
///
/// PNG specification, third edition: <https://www.w3.org/TR/png-3/#5DataRep>
struct PNGHeader: MediaHeader {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  let type = ContentType.png

  init?(in reader: inout HeaderReader) {
    guard reader.head.starts(with: Self.signature) else { return nil }
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard try reader.spells("IHDR", at: 12) else { return MediaFacts() }
    let width = try reader.number(UInt32.self, at: 16, .bigEndian)
    let height = try reader.number(UInt32.self, at: 20, .bigEndian)
    return MediaFacts.image(width: width, height: height, isTurned: try isTurned(in: &reader))
  }

  func title(in reader: inout HeaderReader) throws -> String? {
    var chunks = PNGChunks()
    while let chunk = try chunks.next(in: &reader) {
      guard try reader.spells("Title\0", at: chunk.content.lowerBound) else { continue }
      let text = chunk.content.lowerBound + 6
      let bytes = try reader.titleBytes(from: text, to: chunk.content.upperBound)
      if try reader.spells("tEXt", at: chunk.nameOffset) { return EmbeddedTitle.text(bytes) }
      if try reader.spells("iTXt", at: chunk.nameOffset), bytes.first == 0 {
        return Self.internationalTitle(bytes)
      }
    }
    return nil
  }

  /// Returns the text after the compression, the language and the translated key.
  private static func internationalTitle(_ bytes: [UInt8]) -> String? {
    let parts = bytes.dropFirst(2).split(
      separator: 0,
      maxSplits: 2,
      omittingEmptySubsequences: false
    )
    return parts.count == 3 ? EmbeddedTitle.text(Array(parts[2]), in: .utf8) : nil
  }

  func exifOffset(in reader: inout HeaderReader) throws -> Int64? {
    var chunks = PNGChunks()
    while let chunk = try chunks.next(in: &reader) {
      if try reader.spells("eXIf", at: chunk.nameOffset) { return chunk.content.lowerBound }
    }
    return nil
  }
}

/// A chunk of a PNG image.
private struct PNGChunk {
  /// The position of its name.
  let nameOffset: Int64
  /// The range of its content, as claimed.
  let content: Range<Int64>
}

/// The chunks before the first pixels of a PNG image, one after the other.
///
/// Later ones are ignored: every program writes `eXIf` before the pixels.
private struct PNGChunks {
  private var offset: Int64 = 8

  /// Reads the head of the next chunk; `nil` if pixels are next.
  mutating func next(in reader: inout HeaderReader) throws -> PNGChunk? {
    guard try !reader.spells("IDAT", at: offset + 4) else { return nil }
    let start = offset + 8
    let end = start + Int64(try reader.number(UInt32.self, at: offset, .bigEndian))
    defer { offset = end + 4 }
    return PNGChunk(nameOffset: offset + 4, content: start..<end)
  }
}
