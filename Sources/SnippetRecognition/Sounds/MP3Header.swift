/// The tags and the first frames of an MPEG layer III recording.
enum MP3Header: MediaHeader {
  // The most bytes of padding between the tags and the recording, which some programs add.
  private static let maximumPaddingByteCount: Int64 = 16_384
  private static let ratedFrameCount = 32
  private static let trailingTagByteCount: Int64 = 128

  static func type(in reader: inout HeaderReader) throws -> ContentType? {
    try firstFrame(in: &reader) == nil ? nil : .mp3
  }

  static func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard let (offset, frame) = try firstFrame(in: &reader) else { return MediaFacts() }
    let time = try reader.attempt { try playingTime(from: offset, frame, in: &$0) } ?? MediaFacts()
    return time.withSound(sampleRate: frame.sampleRate, channelCount: frame.channelCount)
  }

  private static func playingTime(
    from offset: Int64,
    _ frame: MPEGFrame,
    in reader: inout HeaderReader
  ) throws -> MediaFacts {
    let counted = try reader.attempt { try frameCount(at: offset, frame, in: &$0) }
    if let frameCount = counted ?? nil {
      return MediaFacts.recording(
        units: Int64(frameCount) * Int64(frame.samplesPerFrame),
        rate: frame.sampleRate
      )
    }
    guard try hasConstantBitRate(from: offset, frame, in: &reader) else { return MediaFacts() }
    var byteCount = reader.byteCount - offset
    if try reader.spells("TAG", at: reader.byteCount - trailingTagByteCount) {
      byteCount -= trailingTagByteCount
    }
    return MediaFacts.recording(units: byteCount * 8, rate: frame.bitsPerSecond)
  }

  static func title(in reader: inout HeaderReader) throws -> String? {
    if let title = try ID3Tag.title(in: &reader) { return title }
    let trailer = reader.byteCount - trailingTagByteCount
    guard try reader.spells("TAG", at: trailer) else { return nil }
    return EmbeddedTitle.text(try reader.bytes(at: trailer + 3, count: 30))
  }

  /// Finds the first frame, after tags or at the very beginning.
  ///
  /// A sequence of eleven set bits is too common to rely on. A frame counts only if another of its
  /// kind follows it, or if the file ends with it.
  private static func firstFrame(
    in reader: inout HeaderReader
  ) throws -> (offset: Int64, frame: MPEGFrame)? {
    let start = try ID3Tag.end(in: &reader)
    let last = start == 0 ? 0 : start + maximumPaddingByteCount
    var offset = start
    while offset <= last {
      guard let bits = try reader.attempt({ try $0.number(UInt32.self, at: offset, .bigEndian) })
      else { return nil }
      if let frame = MPEGFrame(bits),
        try isFollowed(frame, endingAt: offset + frame.byteCount, in: &reader)
      {
        return (offset, frame)
      }
      offset += 1
    }
    return nil
  }

  private static func isFollowed(
    _ frame: MPEGFrame,
    endingAt offset: Int64,
    in reader: inout HeaderReader
  ) throws -> Bool {
    if offset == reader.byteCount { return true }
    guard let next = try reader.attempt({ try $0.number(UInt32.self, at: offset, .bigEndian) })
    else { return false }
    if let next = MPEGFrame(next) { return next.isOfOneStream(with: frame) }
    return try reader.spells("TAG", at: offset)
  }

  /// Reads the number of frames, if the encoder wrote it into an empty first frame.
  private static func frameCount(
    at offset: Int64,
    _ frame: MPEGFrame,
    in reader: inout HeaderReader
  ) throws -> UInt32? {
    let tag = offset + 4 + frame.sideInformationByteCount
    if try reader.spells("Xing", at: tag) || reader.spells("Info", at: tag) {
      let flags = try reader.number(UInt32.self, at: tag + 4, .bigEndian)
      guard flags & 1 != 0 else { return nil }
      return try reader.number(UInt32.self, at: tag + 8, .bigEndian)
    }
    // Fraunhofer's tag is at the same place in every version.
    guard try reader.spells("VBRI", at: offset + 36) else { return nil }
    return try reader.number(UInt32.self, at: offset + 50, .bigEndian)
  }

  private static func hasConstantBitRate(
    from start: Int64,
    _ first: MPEGFrame,
    in reader: inout HeaderReader
  ) throws -> Bool {
    var offset = start + first.byteCount
    for _ in 0..<ratedFrameCount {
      guard let bits = try reader.attempt({ try $0.number(UInt32.self, at: offset, .bigEndian) }),
        let frame = MPEGFrame(bits)
      else { break }
      guard frame.bitsPerSecond == first.bitsPerSecond else { return false }
      offset += frame.byteCount
    }
    return true
  }
}
