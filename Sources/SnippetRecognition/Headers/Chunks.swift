/// A chunk of a WAVE, AIFF, Core Audio or WebP file.
struct Chunk {
  /// Its name, of four printable ASCII characters.
  let name: String
  /// The range of its content, as claimed.
  let content: Range<Int64>
}

/// The chunks of a file or of another chunk, one after the other.
struct Chunks {
  // Sounds have about ten; a picture may have some hundreds of frames before its EXIF block.
  private static let maximumCount = 1024

  private let order: HeaderReader.ByteOrder
  /// The number of bytes of a size: eight in Core Audio; else four, and then chunks begin at even
  /// positions.
  private let sizeByteCount: Int
  private let dataByteCount: UInt64?
  private var offset: Int64
  private var count = 0
  /// Whether the chunk before has an odd size, so that a byte of padding should follow.
  private var mayBePadded = false

  /// Starts at the head of the first chunk.
  ///
  /// The size of a chunk `data` that is too large for its head, or was not known yet when that was
  /// written, may come from elsewhere.
  init(
    at offset: Int64,
    _ order: HeaderReader.ByteOrder,
    sizeByteCount: Int = 4,
    dataByteCount: UInt64? = nil
  ) {
    self.offset = offset
    self.order = order
    self.sizeByteCount = sizeByteCount
    self.dataByteCount = dataByteCount
  }

  /// Reads the head of the next chunk; `nil` if none begins there.
  ///
  /// Names are printable, so zeros and noise at the end of a file are not taken for thousands of
  /// chunks. A size whose bits are all set means the rest of the file.
  mutating func next(in reader: inout HeaderReader) throws -> Chunk? {
    guard count < Self.maximumCount else { return nil }
    count += 1
    if mayBePadded { try skipPadding(in: &reader) }
    let letters = try reader.bytes(at: offset, count: 4)
    guard letters.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    let name = String(decoding: letters, as: UTF8.self)
    let stored = try reader.number(ofByteCount: sizeByteCount, at: offset + 4, order)
    let start = offset + 4 + Int64(sizeByteCount)
    let isKnown = stored != UInt64.max >> UInt64(64 - sizeByteCount * 8)
    let rest = UInt64(max(0, reader.byteCount - start))
    let told = name == "data" && (stored == 0 || !isKnown) ? dataByteCount : nil
    let claimed = told ?? (isKnown ? stored : rest)
    // A chunk beyond the largest position is out of reach.
    let byteCount = min(Int64(clamping: claimed), .max - start - 1)
    let end = start + byteCount
    offset = end
    mayBePadded = sizeByteCount == 4 && byteCount % 2 == 1
    return Chunk(name: name, content: start..<end)
  }

  /// Moves past a byte of padding, unless the program that wrote the chunk before has left it out:
  /// then the next chunk begins at once.
  private mutating func skipPadding(in reader: inout HeaderReader) throws {
    mayBePadded = false
    let head = try reader.attempt { try $0.bytes(at: offset, count: 8) }
    guard let head, head[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else {
      offset += 1
      return
    }
    let size = try reader.number(ofByteCount: 4, at: offset + 4, order)
    let isData = head[..<4].elementsEqual("data".utf8)
    if !isData, Int64(size) > reader.byteCount - offset - 8 { offset += 1 }
  }

  /// Finds the first chunk of one of some names; `nil` if there is none.
  func first(_ names: String..., in reader: inout HeaderReader) throws -> Range<Int64>? {
    var chunks = self
    while let chunk = try chunks.next(in: &reader) {
      if names.contains(chunk.name) { return chunk.content }
    }
    return nil
  }
}
