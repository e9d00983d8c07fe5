/// The frames of an AMR recording, narrow-band or wide-band, of one channel.
///
/// RFC 4867, section 5.
enum AMRHeader: MediaHeader {
  /// One of the two codecs.
  private struct Codec {
    let mark: StaticString
    let sampleRate: Int
    /// The size of a frame of each type, with its head; zero for a type that does not exist.
    let byteCounts: [Int64]
  }

  private static let codecs = [
    Codec(
      mark: "#!AMR\n",
      sampleRate: 8000,
      byteCounts: [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1]
    ),
    Codec(
      mark: "#!AMR-WB\n",
      sampleRate: 16_000,
      byteCounts: [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1]
    ),
  ]
  private static let framesPerSecond = 50

  static func type(in reader: inout HeaderReader) throws -> ContentType? {
    try codec(in: &reader) == nil ? nil : .amr
  }

  static func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard let codec = try codec(in: &reader) else { return MediaFacts() }
    let start = Int64(codec.mark.utf8CodeUnitCount)
    // Require a whole frame: a mark alone is not a recording.
    guard let first = try frameByteCount(at: start, codec, in: &reader) else { return MediaFacts() }
    let time = try playingTime(from: start, first, codec, in: &reader)
    return time.withSound(sampleRate: codec.sampleRate, channelCount: 1)
  }

  private static func codec(in reader: inout HeaderReader) throws -> Codec? {
    for codec in codecs where try reader.spells(codec.mark, at: 0) { return codec }
    return nil
  }

  /// Counts the frames, as many as may be read.
  private static func playingTime(
    from start: Int64,
    _ firstByteCount: Int64,
    _ codec: Codec,
    in reader: inout HeaderReader
  ) throws -> MediaFacts {
    var (offset, count, isEven) = (start, Int64(0), true)
    while offset < reader.byteCount,
      let byteCount = try frameByteCount(at: offset, codec, in: &reader)
    {
      isEven = isEven && byteCount == firstByteCount
      offset += byteCount
      count += 1
    }
    // Estimate a long recording from its size, if all frames have the same one.
    if offset < reader.byteCount, reader.byteCount - offset > firstByteCount {
      guard isEven, (reader.byteCount - start) % firstByteCount == 0 else { return MediaFacts() }
      count = (reader.byteCount - start) / firstByteCount
    }
    return MediaFacts.recording(units: count, rate: framesPerSecond)
  }

  /// Reads the size of a frame; `nil` if there is none or it is incomplete.
  private static func frameByteCount(
    at offset: Int64,
    _ codec: Codec,
    in reader: inout HeaderReader
  ) throws -> Int64? {
    guard let head = try reader.attempt({ try $0.number(UInt8.self, at: offset, .bigEndian) }),
      head & 0x83 == 0
    else { return nil }
    let byteCount = codec.byteCounts[Int(head >> 3)]
    return byteCount > 0 && offset + byteCount <= reader.byteCount ? byteCount : nil
  }
}
