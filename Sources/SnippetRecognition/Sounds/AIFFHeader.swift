/// The common chunk of an AIFF or AIFF-C recording.
struct AIFFHeader: MediaHeader {
  // Apple's IMA 4:1 counts packets; the other compressions count frames.
  private static let framesPerIMAPacket: UInt64 = 64
  // What writes to a pipe claims about the largest size.
  private static let largestKnownByteCount = 0x7F00_0000

  private static let maximumCommentCount = 64

  let type = ContentType.aiff

  init?(in reader: inout HeaderReader) throws {
    guard try reader.spells("FORM", at: 0),
      try reader.spells("AIFF", at: 8) || reader.spells("AIFC", at: 8)
    else { return nil }
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard let content = try chunk("COMM", in: &reader)?.lowerBound else { return MediaFacts() }
    let channelCount = try reader.number(UInt16.self, at: content, .bigEndian)
    let claimed = UInt64(try reader.number(UInt32.self, at: content + 2, .bigEndian))
    let sampleRate = try extendedNumber(at: content + 8, in: &reader)
    let isIMA = try reader.spells("AIFC", at: 8) && reader.spells("ima4", at: content + 18)
    let bitCount = try reader.number(UInt16.self, at: content + 6, .bigEndian)
    let byteCount = UInt64(channelCount) * ((UInt64(bitCount) + 7) / 8)
    let present = try reader.attempt { try presentCount(of: claimed, byteCount, in: &$0) }
    let count = present ?? claimed
    let frameCount = isIMA ? count * Self.framesPerIMAPacket : count
    return MediaFacts.recording(
      Duration(units: frameCount, rate: sampleRate),
      sampleRate: sampleRate,
      channelCount: channelCount
    )
  }

  /// Whether the sound goes on behind the end of the file, or its recorder died before it wrote the
  /// sizes.
  func isCut(in reader: inout HeaderReader) throws -> Bool {
    guard let sound = try chunk("SSND", in: &reader) else { return false }
    let whole = try reader.number(UInt32.self, at: 4, .bigEndian)
    if whole == 0 || sound.isEmpty { return true }
    return sound.count < Self.largestKnownByteCount && sound.upperBound > reader.byteCount
  }

  func title(in reader: inout HeaderReader) throws -> String? {
    guard let name = try chunk("NAME", in: &reader) else { return nil }
    return EmbeddedTitle.text(try reader.titleBytes(from: name.lowerBound, to: name.upperBound))
  }

  func ownNote(in reader: inout HeaderReader) throws -> String? {
    if let text = try reader.attempt({ try chunk("ANNO", in: &$0) }) ?? nil {
      let bytes = try reader.noteBytes(from: text.lowerBound, to: text.upperBound)
      if let note = EmbeddedNote.text(bytes) { return note }
    }
    return try comments(in: &reader).lazy.compactMap { EmbeddedNote.text($0.text) }.first
  }

  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence {
    var dates = DateEvidence()
    let moments = try comments(in: &reader).compactMap { comment in
      RecordingDate.date(secondsSince1904: UInt64(comment.seconds))
    }
    // The first was written when the sound was, or soon after.
    dates.add(.tag, moments.min())
    return dates
  }

  /// Reads the comments on the whole sound, each with the moment at which it was written, in seconds
  /// since 1904.
  private func comments(
    in reader: inout HeaderReader
  ) throws -> [(seconds: UInt32, text: [UInt8])] {
    guard let place = try chunk("COMT", in: &reader) else { return [] }
    let count = try reader.number(UInt16.self, at: place.lowerBound, .bigEndian)
    var comments: [(seconds: UInt32, text: [UInt8])] = []
    var offset = place.lowerBound + 2
    for _ in 0..<min(Int(count), Self.maximumCommentCount) where offset + 8 <= place.upperBound {
      let seconds = try reader.number(UInt32.self, at: offset, .bigEndian)
      let marker = try reader.number(UInt16.self, at: offset + 4, .bigEndian)
      let byteCount = Int64(try reader.number(UInt16.self, at: offset + 6, .bigEndian))
      let end = offset + 8 + byteCount
      guard end <= place.upperBound else { break }
      // One with a marker is on a place in the sound.
      if marker == 0 {
        comments.append((seconds, try reader.noteBytes(from: offset + 8, to: end)))
      }
      offset = end + byteCount % 2
    }
    return comments
  }

  func unreadTexts(in reader: inout HeaderReader) throws -> [UnreadText] {
    let unreadable = try ["NAME", "ANNO"].filter { name in
      let isUnreadable = try reader.attempt { reader in
        guard let text = try chunk(name, in: &reader) else { return false }
        let bytes = try reader.titleBytes(from: text.lowerBound, to: text.upperBound)
        return EmbeddedTitle.isUnreadable(bytes)
      }
      return isUnreadable ?? false
    }
    .map { UnreadText.unreadable(name: $0) }
    let hasOther = try reader.attempt { try hasOtherAnnotation(in: &$0) } ?? false
    return unreadable + (hasOther ? [.further(name: "ANNO")] : [])
  }

  /// Whether there is another annotation than the first one.
  private func hasOtherAnnotation(in reader: inout HeaderReader) throws -> Bool {
    var chunks = self.chunks
    var first: String?
    while let chunk = try chunks.next(in: &reader) {
      guard chunk.name == "ANNO" else { continue }
      let place = chunk.content
      let bytes = try reader.noteBytes(from: place.lowerBound, to: place.upperBound)
      guard let note = EmbeddedNote.text(bytes) else { continue }
      if let first, note != first { return true }
      first = note
    }
    return false
  }

  func tagPlace(in reader: inout HeaderReader) throws -> Range<Int64>? {
    try chunks.first("id3 ", "ID3 ", in: &reader)
  }

  /// Returns as much of a number of frames or packets as is there of the sound.
  ///
  /// Zero frames, of a number of bytes each, are as many as there are: the recorder died before it
  /// wrote their number.
  private func presentCount(
    of count: UInt64,
    _ byteCount: UInt64,
    in reader: inout HeaderReader
  ) throws -> UInt64 {
    guard let sound = try chunk("SSND", in: &reader) else { return count }
    // An offset and the size of blocks precede the frames.
    let start = sound.lowerBound + 8
    let end = sound.count > 8 ? min(sound.upperBound, reader.byteCount) : reader.byteCount
    let present = UInt64(max(0, end - start))
    let isPlain = try byteCount > 0 && reader.spells("AIFF", at: 8)
    if count == 0 { return isPlain ? present / byteCount : 0 }
    guard sound.upperBound > reader.byteCount else { return count }
    if isPlain { return min(count, present / byteCount) }
    guard (9..<Self.largestKnownByteCount).contains(sound.count) else { return count }
    return count * present / UInt64(sound.count - 8)
  }

  private var chunks: Chunks { Chunks(at: 12, .bigEndian) }

  private func chunk(
    _ name: String,
    in reader: inout HeaderReader
  ) throws -> Range<Int64>? {
    try chunks.first(name, in: &reader)
  }

  /// Reads a number in the 80-bit extended format of IEEE 754.
  private func extendedNumber(
    at offset: Int64,
    in reader: inout HeaderReader
  ) throws -> Double {
    let exponent = try reader.number(UInt16.self, at: offset, .bigEndian)
    let significand = try reader.number(UInt64.self, at: offset + 2, .bigEndian)
    // The binary point follows the first bit of the significand. A sign bit would make it absurd.
    guard exponent < 0x7FFF else { return .nan }
    return Double(
      sign: .plus,
      exponent: Int(exponent) - 16_383 - 63,
      significand: Double(significand)
    )
  }
}
