/// The tags and the first frames of an MPEG layer III recording.
struct MP3Header: MediaHeader {
  // The most bytes of padding between the tags and the recording, which some programs add.
  private static let maximumPaddingByteCount: Int64 = 16_384
  // The frames in a row that no other bytes have by chance: eleven bits and more of each are set.
  private static let certainFrameCount = 4
  private static let ratedFrameCount = 32
  private static let trailingTagByteCount: Int64 = 128
  // Room for more than `certainFrameCount` frames of any size.
  private static let tailByteCount: Int64 = 1 << 14

  let type = ContentType.mp3
  private let start: Int64
  private let first: MPEGFrame
  private var tags: ID3Texts?

  init?(in reader: inout HeaderReader) throws {
    guard let (start, first) = try Self.firstFrame(in: &reader) else { return nil }
    (self.start, self.first) = (start, first)
  }

  /// Recognizes a recording behind bytes of another kind, such as the answer of a radio station or
  /// the end of a frame whose beginning is missing.
  ///
  /// Use it only for bytes that are nothing else: a part of an archive or of a video may look like
  /// it.
  init?(behindOtherBytesIn reader: inout HeaderReader) throws {
    let limit = min(Self.maximumPaddingByteCount, reader.byteCount - 4)
    guard limit > 0 else { return nil }
    let window = try reader.bytes(at: 0, count: Int(limit + 4))
    for offset in 0..<Int(limit) where window[offset] == 0xFF && window[offset + 1] >= 0xE0 {
      let bits = window[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
      guard let frame = MPEGFrame(bits),
        try Self.isFollowed(frame, at: Int64(offset), by: Self.certainFrameCount, in: &reader)
      else { continue }
      (start, first) = (Int64(offset), frame)
      return
    }
    return nil
  }

  /// Whether a number of frames of its stream follow a frame, or as many as the file has room for.
  private static func isFollowed(
    _ frame: MPEGFrame,
    at offset: Int64,
    by count: Int,
    in reader: inout HeaderReader
  ) throws -> Bool {
    var (last, end) = (frame, offset + frame.byteCount)
    for number in 0..<count {
      // A file that ends in the middle of a frame has shown enough with two.
      guard let bits = try reader.attempt({ try $0.number(UInt32.self, at: end, .bigEndian) })
      else {
        return number >= 2
      }
      guard let next = MPEGFrame(bits), next.isOfOneStream(with: last) else { return false }
      (last, end) = (next, end + next.byteCount)
    }
    return true
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    MediaFacts.recording(
      try reader.attempt { try playingTime(in: &$0) } ?? nil,
      sampleRate: first.sampleRate,
      channelCount: first.channelCount
    )
  }

  private func playingTime(in reader: inout HeaderReader) throws -> Duration? {
    let counted = try reader.attempt { try frameCount(in: &$0) }
    // An encoder that died has left zero.
    if let frameCount = counted ?? nil, frameCount > 0 {
      return Duration(
        units: Int64(frameCount) * Int64(first.samplesPerFrame),
        rate: first.sampleRate
      )
    }
    guard try hasConstantBitRate(in: &reader) else { return nil }
    let (fixed, items) = try trailingTags(in: &reader)
    let end = (fixed ?? reader.byteCount) - (items?.byteCount ?? 0)
    let byteCount = max(0, end - start)
    return Duration(units: byteCount * 8, rate: first.bitsPerSecond)
  }

  mutating func readTags(in reader: inout HeaderReader) throws {
    tags = try ID3Texts(in: &reader)
  }

  func title(in reader: inout HeaderReader) throws -> String? {
    if let title = tags?.title { return title }
    let (trailer, tag) = try trailingTags(in: &reader)
    let title = try tag?.text("title", in: &reader) { EmbeddedTitle.text($0, in: $1) }
    if let title { return title }
    return try trailer.flatMap { EmbeddedTitle.text(try reader.bytes(at: $0 + 3, count: 30)) }
  }

  func ownNote(in reader: inout HeaderReader) throws -> String? {
    if let note = tags?.note { return note }
    let (trailer, tag) = try trailingTags(in: &reader)
    let note = try tag?.text("comment", in: &reader) { EmbeddedNote.text($0, in: $1) }
    if let note { return note }
    // Behind the title, the artist, the album and the year.
    return try trailer.flatMap { EmbeddedNote.text(try reader.bytes(at: $0 + 97, count: 30)) }
  }

  func unreadTexts(in reader: inout HeaderReader) throws -> [UnreadText] {
    tags?.unread ?? []
  }

  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence {
    var dates = tags?.dates ?? DateEvidence()
    guard !dates.has(.tag), let tag = try trailingTags(in: &reader).items else { return dates }
    for name in ["record date", "year"] where !dates.has(.tag) {
      let text = try tag.text(name, in: &reader) { EmbeddedTitle.text($0, in: $1) }
      dates.add(.tag, text.flatMap { RecordingDate.date($0) })
    }
    return dates
  }

  /// Finds the tag of 128 bytes at the end, and the tag before it or at the end.
  private func trailingTags(
    in reader: inout HeaderReader
  ) throws -> (fixed: Int64?, items: APETag?) {
    let trailer = reader.byteCount - Self.trailingTagByteCount
    let fixed = try reader.spells("TAG", at: trailer) ? trailer : nil
    return (fixed, try APETag(endingAt: fixed ?? reader.byteCount, in: &reader))
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
  private func frameCount(in reader: inout HeaderReader) throws -> UInt32? {
    let tag = start + 4 + first.sideInformationByteCount
    if try reader.spells("Xing", at: tag) || reader.spells("Info", at: tag) {
      let flags = try reader.number(UInt32.self, at: tag + 4, .bigEndian)
      guard flags & 1 != 0 else { return nil }
      return try reader.number(UInt32.self, at: tag + 8, .bigEndian)
    }
    // Fraunhofer's tag is at the same place in every version.
    guard try reader.spells("VBRI", at: start + 36) else { return nil }
    return try reader.number(UInt32.self, at: start + 50, .bigEndian)
  }

  /// Whether fewer bytes are left than the encoder wrote, or, if it does not say how many, the last
  /// frame is not whole.
  func isCut(in reader: inout HeaderReader) throws -> Bool {
    if let byteCount = try byteCount(in: &reader) {
      return reader.byteCount - start < Int64(byteCount)
    }
    return try endsWithinFrame(in: &reader)
  }

  /// Reads the number of bytes, if the encoder wrote it into an empty first frame.
  private func byteCount(in reader: inout HeaderReader) throws -> UInt32? {
    let tag = start + 4 + first.sideInformationByteCount
    guard try reader.spells("Xing", at: tag) || reader.spells("Info", at: tag) else { return nil }
    let flags = try reader.number(UInt32.self, at: tag + 4, .bigEndian)
    guard flags & 2 != 0 else { return nil }
    // The number of frames comes before.
    return try reader.number(UInt32.self, at: tag + 8 + (flags & 1 != 0 ? 4 : 0), .bigEndian)
  }

  /// Whether the last of a row of frames goes on behind the end of the file.
  ///
  /// Behind the row may be tags or anything else. A recording of fewer frames is not found.
  private func endsWithinFrame(in reader: inout HeaderReader) throws -> Bool {
    let tailStart = max(start, reader.byteCount - Self.tailByteCount)
    let tail = try reader.bytes(at: tailStart, count: Int(reader.byteCount - tailStart))
    for offset in tail.indices where tail[offset] == 0xFF {
      var (end, count) = (offset, 0)
      while end + 4 <= tail.count,
        let frame = MPEGFrame(tail[end..<end + 4].reduce(0) { $0 << 8 | UInt32($1) }),
        frame.isOfOneStream(with: first)
      {
        end += Int(frame.byteCount)
        count += 1
      }
      if count > Self.certainFrameCount { return end > tail.count }
    }
    return false
  }

  private func hasConstantBitRate(in reader: inout HeaderReader) throws -> Bool {
    var offset = start + first.byteCount
    for _ in 0..<Self.ratedFrameCount {
      guard let bits = try reader.attempt({ try $0.number(UInt32.self, at: offset, .bigEndian) }),
        let frame = MPEGFrame(bits)
      else { break }
      guard frame.bitsPerSecond == first.bitsPerSecond else { return false }
      offset += frame.byteCount
    }
    return true
  }
}
