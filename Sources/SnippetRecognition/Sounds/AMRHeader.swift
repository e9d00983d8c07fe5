/// The frames of an AMR recording, narrow-band or wide-band, of one channel.
///
/// RFC 4867, section 5.
struct AMRHeader: MediaHeader {
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

  let type = ContentType.amr
  private let codec: Codec

  init?(in reader: inout HeaderReader) throws {
    for codec in Self.codecs where try reader.spells(codec.mark, at: 0) {
      self.codec = codec
      return
    }
    return nil
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    let start = Int64(codec.mark.utf8CodeUnitCount)
    // Require a whole frame: a mark alone is not a recording.
    guard let first = try frameByteCount(at: start, in: &reader) else { return MediaFacts() }
    return MediaFacts.recording(
      try playingTime(from: start, first, in: &reader),
      sampleRate: codec.sampleRate,
      channelCount: 1
    )
  }

  /// Counts the frames, as many as may be read.
  private func playingTime(
    from start: Int64,
    _ firstByteCount: Int64,
    in reader: inout HeaderReader
  ) throws -> Duration? {
    var (offset, count, isEven) = (start, Int64(0), true)
    while offset < reader.byteCount,
      let byteCount = try frameByteCount(at: offset, in: &reader)
    {
      isEven = isEven && byteCount == firstByteCount
      offset += byteCount
      count += 1
    }
    // Estimate a long recording from its size, if all frames have the same one.
    if offset < reader.byteCount, reader.byteCount - offset > firstByteCount {
      guard isEven, (reader.byteCount - start) % firstByteCount == 0 else { return nil }
      count = (reader.byteCount - start) / firstByteCount
    }
    return Duration(units: count, rate: Self.framesPerSecond)
  }

  /// Whether the recording ends within a frame.
  ///
  /// Of a long one only that is known, if its frames have one size.
  func isCut(in reader: inout HeaderReader) throws -> Bool {
    let start = Int64(codec.mark.utf8CodeUnitCount)
    guard let first = try frameByteCount(at: start, in: &reader) else { return false }
    var (offset, isEven) = (start, true)
    while !reader.isNearlySpent, let byteCount = try frameByteCount(at: offset, in: &reader) {
      isEven = isEven && byteCount == first
      offset += byteCount
    }
    if reader.isNearlySpent {
      guard isEven else { return false }
      offset = reader.byteCount - (reader.byteCount - start) % first
    }
    guard offset < reader.byteCount else { return false }
    let head = try reader.number(UInt8.self, at: offset, .bigEndian)
    guard head & 0x83 == 0 else { return false }
    let byteCount = codec.byteCounts[Int(head >> 3)]
    guard !reader.isNearlySpent || byteCount == first else { return false }
    return offset + byteCount > reader.byteCount
  }

  /// Reads the size of a frame; `nil` if there is none or it is incomplete.
  private func frameByteCount(
    at offset: Int64,
    in reader: inout HeaderReader
  ) throws -> Int64? {
    guard let head = try reader.attempt({ try $0.number(UInt8.self, at: offset, .bigEndian) }),
      head & 0x83 == 0
    else { return nil }
    let byteCount = codec.byteCounts[Int(head >> 3)]
    return byteCount > 0 && offset + byteCount <= reader.byteCount ? byteCount : nil
  }
}
