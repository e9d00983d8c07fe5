/// The tags and the first frames of an AAC recording without a container (ADTS).
///
/// ISO/IEC 13818-7, section 6.2.
struct AACHeader: MediaHeader {
  /// The head of a frame.
  private struct Frame {
    static let headByteCount = 7
    // Synchronization, version, layer, protection, profile, sample rate and channels.
    private static let streamMask: UInt32 = 0xFFFF_FDC0

    /// The bits that are equal in all frames of a recording.
    let stream: UInt32
    let sampleRate: Int
    let channelCount: Int
    /// The size of the frame with its head.
    let byteCount: Int64
    let sampleCount: Int64

    /// Parses the head; `nil` if it is invalid or does not give the channels.
    init?(_ head: [UInt8]) {
      let bits = head[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let rateIndex = Int(bits >> 10 & 15)
      let channels = Int(bits >> 6 & 7)
      guard bits >> 20 == 0xFFF, bits >> 17 & 3 == 0,
        AACSettings.sampleRates.indices.contains(rateIndex), channels > 0
      else { return nil }
      let byteCount = (bits & 3) << 11 | UInt32(head[4]) << 3 | UInt32(head[5]) >> 5
      guard byteCount > Self.headByteCount else { return nil }
      stream = bits & Self.streamMask
      sampleRate = Int(AACSettings.sampleRates[rateIndex])
      channelCount = Int(AACSettings.channelCounts[channels])
      self.byteCount = Int64(byteCount)
      sampleCount = 1024 * (Int64(head[6] & 3) + 1)
    }
  }

  /// The bytes and samples counted so far.
  private struct Count {
    var byteCount: Int64 = 0
    var sampleCount: Int64 = 0

    var bytesPerSample: Double { Double(byteCount) / Double(sampleCount) }
  }

  // A sequence of twelve set bits is too common to rely on.
  private static let recognizedFrameCount = 3
  // The frames in a row that no other bytes have by chance, and the most bytes before them: more
  // than the largest frame.
  private static let certainFrameCount = 4
  private static let maximumOtherByteCount: Int64 = 16_384
  /// Enough bytes for several frames of the largest size.
  private static let tailByteCount: Int64 = 1 << 16
  /// The largest relative difference between the bit rates of two parts of a recording whose
  /// duration is estimated from its size.
  private static let steadiness = 0.02

  let type = ContentType.aac
  private let start: Int64
  private let first: Frame
  private var tags: ID3Texts?

  /// Finds the first frame.
  ///
  /// It must be followed by others of its kind, up to the end or at least by some.
  init?(in reader: inout HeaderReader) throws {
    start = try ID3Tag.end(in: &reader)
    guard let first = try Self.frame(at: start, in: &reader) else { return nil }
    self.first = first
    var offset = start + first.byteCount
    for _ in 1..<Self.recognizedFrameCount where offset != reader.byteCount {
      guard let next = try Self.frame(at: offset, in: &reader), next.stream == first.stream else {
        return nil
      }
      offset += next.byteCount
    }
  }

  /// Recognizes a recording behind bytes of another kind, such as the end of a frame whose beginning
  /// is missing.
  ///
  /// Use it only for bytes that are nothing else: a part of a video may look like it.
  init?(behindOtherBytesIn reader: inout HeaderReader) throws {
    let count = min(Self.maximumOtherByteCount, reader.byteCount)
    let window = try reader.bytes(at: 0, count: Int(count))
    for offset in window.indices.dropLast()
    where window[offset] == 0xFF && window[offset + 1] & 0xF6 == 0xF0 {
      guard let frame = try Self.frame(at: Int64(offset), in: &reader),
        try Self.isFollowed(frame, at: Int64(offset), in: &reader)
      else { continue }
      (start, first) = (Int64(offset), frame)
      return
    }
    return nil
  }

  /// Whether enough frames of its stream follow a frame.
  private static func isFollowed(
    _ frame: Frame,
    at offset: Int64,
    in reader: inout HeaderReader
  ) throws -> Bool {
    var end = offset + frame.byteCount
    for _ in 1..<certainFrameCount {
      guard let next = try Self.frame(at: end, in: &reader), next.stream == frame.stream else {
        return false
      }
      end += next.byteCount
    }
    return true
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    MediaFacts.recording(
      try sampleCount(in: &reader).flatMap { Duration(units: $0, rate: first.sampleRate) },
      sampleRate: first.sampleRate,
      channelCount: first.channelCount
    )
  }

  /// Whether a recording ends within a frame.
  static func isCut(in reader: inout HeaderReader) throws -> Bool {
    guard let header = try AACHeader(in: &reader) else { return false }
    let tailStart = max(header.start, reader.byteCount - tailByteCount)
    var offset = header.start
    if tailStart > offset {
      let tail = try reader.bytes(at: tailStart, count: Int(reader.byteCount - tailStart))
      let place = try tail.indices.dropLast().first { index in
        guard tail[index] == 0xFF, tail[index + 1] & 0xF6 == 0xF0,
          let frame = try Self.frame(at: tailStart + Int64(index), in: &reader),
          frame.stream == header.first.stream
        else { return false }
        return try isFollowed(frame, at: tailStart + Int64(index), in: &reader)
      }
      guard let place else { return false }
      offset = tailStart + Int64(place)
    }
    while let frame = try Self.frame(at: offset, in: &reader), frame.stream == header.first.stream {
      offset += frame.byteCount
    }
    // Less than the head of a frame may be left.
    let rest = reader.byteCount - offset
    guard (1..<Int64(Frame.headByteCount)).contains(rest) else { return rest < 0 }
    return try reader.number(UInt8.self, at: offset, .bigEndian) == 0xFF
  }

  mutating func readTags(in reader: inout HeaderReader) throws {
    tags = try ID3Texts(in: &reader)
  }

  func title(in reader: inout HeaderReader) throws -> String? {
    tags?.title
  }

  func ownNote(in reader: inout HeaderReader) throws -> String? {
    tags?.note
  }

  func unreadTexts(in reader: inout HeaderReader) throws -> [UnreadText] {
    tags?.unread ?? []
  }

  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence {
    tags?.dates ?? DateEvidence()
  }

  private static func frame(at offset: Int64, in reader: inout HeaderReader) throws -> Frame? {
    try reader.attempt { try $0.bytes(at: offset, count: Frame.headByteCount) }.flatMap(Frame.init)
  }

  /// Counts the samples of each channel; `nil` if that is not possible.
  ///
  /// Not all frames of a long recording may be read. If its bit rate is steady, the number is
  /// estimated from its size, to about one per cent.
  private func sampleCount(in reader: inout HeaderReader) throws -> Int64? {
    var frames: [Count] = [Count()]
    var offset = start
    while !reader.isNearlySpent, let frame = try Self.frame(at: offset, in: &reader),
      frame.stream == first.stream
    {
      offset += frame.byteCount
      frames.append(
        Count(
          byteCount: offset - start,
          sampleCount: frames[frames.count - 1].sampleCount + frame.sampleCount
        )
      )
    }
    let whole = frames[frames.count - 1]
    // The last frame may be truncated, and a tag of older programs may follow.
    if reader.byteCount - offset < 8192 { return whole.sampleCount }
    let half = frames[frames.count / 2]
    guard half.sampleCount > 0, whole.sampleCount > half.sampleCount else { return nil }
    let rest = Count(
      byteCount: whole.byteCount - half.byteCount,
      sampleCount: whole.sampleCount - half.sampleCount
    )
    let difference = abs(half.bytesPerSample / rest.bytesPerSample - 1)
    guard difference <= Self.steadiness else { return nil }
    return Int64(Double(reader.byteCount - start) / whole.bytesPerSample)
  }
}
