/// The chunks of a WAVE recording, in RIFF or in the 64-bit forms RF64 and BW64.
///
/// RF64 and BW64: <https://www.itu.int/rec/R-REC-BS.2088>
enum WAVHeader: MediaHeader {
  static func type(in reader: inout HeaderReader) throws -> ContentType? {
    guard try reader.spells("WAVE", at: 8) else { return nil }
    return try reader.spells("RIFF", at: 0) || reader.spells("RF64", at: 0)
      || reader.spells("BW64", at: 0) ? .wav : nil
  }

  static func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    var format: WAVFormat?
    var sampleCount: UInt32?
    var data: WAVChunk?
    _ = try reader.attempt { reader in
      var chunks = WAVChunks()
      while data == nil, let chunk = try chunks.next(in: &reader) {
        switch chunk.name {
        case "fmt ":
          format = try WAVFormat(at: chunk.offset, in: &reader)
        case "fact":
          sampleCount = try reader.number(UInt32.self, at: chunk.offset, .littleEndian)
        case "data":
          data = chunk
        default: break
        }
      }
    }
    // A recorder that was stopped, or wrote to a pipe, left a wrong size.
    let present = data.map { min($0.byteCount, UInt64(reader.byteCount - $0.offset)) }
    return format?.facts(byteCount: present, sampleCount: sampleCount) ?? MediaFacts()
  }

  static func title(in reader: inout HeaderReader) throws -> String? {
    var chunks = WAVChunks()
    while let chunk = try chunks.next(in: &reader) {
      guard chunk.name == "LIST", try reader.spells("INFO", at: chunk.offset) else { continue }
      let end = chunk.offset + Int64(clamping: chunk.byteCount)
      return try listedTitle(from: chunk.offset + 4, to: end, in: &reader)
    }
    return nil
  }

  private static func listedTitle(
    from start: Int64,
    to end: Int64,
    in reader: inout HeaderReader
  ) throws -> String? {
    var offset = start
    while offset < end {
      let isTitle = try reader.spells("INAM", at: offset)
      let byteCount = Int64(try reader.number(UInt32.self, at: offset + 4, .littleEndian))
      offset += 8
      if isTitle {
        return EmbeddedTitle.text(
          try reader.titleBytes(from: offset, to: min(offset + byteCount, end))
        )
      }
      offset += byteCount + byteCount % 2
    }
    return nil
  }
}

/// A chunk of a WAVE recording.
private struct WAVChunk {
  let name: String
  /// The position of its content.
  let offset: Int64
  /// The claimed size.
  let byteCount: UInt64
}

/// The chunks of a WAVE recording, one after the other.
private struct WAVChunks {
  private var offset: Int64 = 12
  /// The size of data too large for 32 bits, from an earlier chunk.
  private var wideByteCount: UInt64?
  private var count = 0

  /// Reads the head of the next chunk; `nil` if there is none.
  mutating func next(in reader: inout HeaderReader) throws -> WAVChunk? {
    guard count < ChunkName.maximumCount, try ChunkName.isThere(at: offset, in: &reader) else {
      return nil
    }
    count += 1
    let name = String(decoding: try reader.bytes(at: offset, count: 4), as: UTF8.self)
    let stored = try reader.number(UInt32.self, at: offset + 4, .littleEndian)
    let content = offset + 8
    if name == "ds64" {
      wideByteCount = try reader.number(UInt64.self, at: content + 8, .littleEndian)
    }
    let isWide = name == "data" && stored == .max
    let byteCount = isWide ? wideByteCount ?? .max : UInt64(stored)
    // A chunk beyond the largest position is out of reach.
    let skipped = min(Int64(clamping: byteCount), .max - content - 1)
    offset = content + skipped + Int64(byteCount % 2)
    return WAVChunk(name: name, offset: content, byteCount: byteCount)
  }
}

/// The format chunk of a WAVE recording.
private struct WAVFormat {
  // Samples of one size, as integers or floating-point numbers, or as the extension says.
  private static let uncompressedTags: Set<UInt16> = [1, 3, 0xFFFE]

  private let tag: UInt16
  private let channelCount: UInt16
  private let sampleRate: UInt32
  private let bytesPerSecond: UInt32
  private let bytesPerFrame: UInt16

  init(at offset: Int64, in reader: inout HeaderReader) throws {
    tag = try reader.number(UInt16.self, at: offset, .littleEndian)
    channelCount = try reader.number(UInt16.self, at: offset + 2, .littleEndian)
    sampleRate = try reader.number(UInt32.self, at: offset + 4, .littleEndian)
    bytesPerSecond = try reader.number(UInt32.self, at: offset + 8, .littleEndian)
    bytesPerFrame = try reader.number(UInt16.self, at: offset + 12, .littleEndian)
  }

  /// Returns the facts of a recording in this format, from the size of its data and the number of
  /// samples per channel, as far as chunks give them.
  func facts(byteCount: UInt64?, sampleCount: UInt32?) -> MediaFacts {
    let time = byteCount.map { playingTime(byteCount: $0, sampleCount: sampleCount) }
    return (time ?? MediaFacts()).withSound(sampleRate: sampleRate, channelCount: channelCount)
  }

  private func playingTime(byteCount: UInt64, sampleCount: UInt32?) -> MediaFacts {
    if Self.uncompressedTags.contains(tag), bytesPerFrame > 0 {
      return MediaFacts.recording(units: byteCount / UInt64(bytesPerFrame), rate: sampleRate)
    }
    if let sampleCount, (1..<UInt32.max).contains(sampleCount) {
      return MediaFacts.recording(units: sampleCount, rate: sampleRate)
    }
    return MediaFacts.recording(units: byteCount, rate: bytesPerSecond)
  }
}
