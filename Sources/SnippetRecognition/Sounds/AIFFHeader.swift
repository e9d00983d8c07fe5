/// The common chunk of an AIFF or AIFF-C recording.
struct AIFFHeader: MediaHeader {
  // Apple's IMA 4:1 counts packets; the other compressions count frames.
  private static let framesPerIMAPacket: UInt64 = 64

  let type = ContentType.aiff

  init?(in reader: inout HeaderReader) throws {
    guard try reader.spells("FORM", at: 0),
      try reader.spells("AIFF", at: 8) || reader.spells("AIFC", at: 8)
    else { return nil }
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard let content = try chunk("COMM", in: &reader)?.lowerBound else { return MediaFacts() }
    let channelCount = try reader.number(UInt16.self, at: content, .bigEndian)
    var count = UInt64(try reader.number(UInt32.self, at: content + 2, .bigEndian))
    let sampleRate = try extendedNumber(at: content + 8, in: &reader)
    let isIMA = try reader.spells("AIFC", at: 8) && reader.spells("ima4", at: content + 18)
    if count == 0 {
      let bitCount = try reader.number(UInt16.self, at: content + 6, .bigEndian)
      let byteCount = UInt64(channelCount) * ((UInt64(bitCount) + 7) / 8)
      count = try reader.attempt { try unfinishedCount(byteCount, in: &$0) } ?? 0
    }
    let frameCount = isIMA ? count * Self.framesPerIMAPacket : count
    return MediaFacts.recording(
      Duration(units: frameCount, rate: sampleRate),
      sampleRate: sampleRate,
      channelCount: channelCount
    )
  }

  func title(in reader: inout HeaderReader) throws -> String? {
    guard let name = try chunk("NAME", in: &reader) else { return nil }
    return EmbeddedTitle.text(try reader.titleBytes(from: name.lowerBound, to: name.upperBound))
  }

  func ownNote(in reader: inout HeaderReader) throws -> String? {
    guard let text = try chunk("ANNO", in: &reader) else { return nil }
    return EmbeddedNote.text(try reader.noteBytes(from: text.lowerBound, to: text.upperBound))
  }

  func tagPlace(in reader: inout HeaderReader) throws -> Range<Int64>? {
    try chunks.first("id3 ", "ID3 ", in: &reader)
  }

  /// Counts the frames, of a number of bytes each, that a recorder wrote before it died without
  /// writing their number; zero if their form is unknown.
  private func unfinishedCount(
    _ byteCount: UInt64,
    in reader: inout HeaderReader
  ) throws -> UInt64 {
    guard byteCount > 0, try reader.spells("AIFF", at: 8),
      let sound = try chunk("SSND", in: &reader)
    else { return 0 }
    // An offset and the size of blocks precede the frames.
    let start = sound.lowerBound + 8
    let end = sound.count > 8 ? min(sound.upperBound, reader.byteCount) : reader.byteCount
    return UInt64(max(0, end - start)) / byteCount
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
