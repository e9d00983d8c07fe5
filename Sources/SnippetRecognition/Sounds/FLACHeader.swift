/// The stream information block of a FLAC recording.
///
/// RFC 9639, section 8.2.
struct FLACHeader: VorbisTaggedHeader {
  private static let maximumBlockCount = 128
  private static let commentBlock: UInt32 = 4
  private static let tailByteCount: Int64 = 1 << 16

  let type = ContentType.flac
  private let start: Int64
  private(set) var comments: VorbisComments?

  init?(in reader: inout HeaderReader) throws {
    start = try ID3Tag.end(in: &reader)
    guard try Self.hasStream(at: start, in: &reader) else { return nil }
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    let numbers = try reader.number(UInt64.self, at: start + 18, .bigEndian)
    let sampleCount = numbers & 0xF_FFFF_FFFF
    let sampleRate = numbers >> 44
    // Zero means that the encoder did not know.
    let duration = sampleCount > 0 ? Duration(units: sampleCount, rate: sampleRate) : nil
    return MediaFacts.recording(
      duration,
      sampleRate: sampleRate,
      channelCount: numbers >> 41 & 7 + 1
    )
  }

  /// Whether the last frame ends before the last sample, or is not whole.
  ///
  /// A frame counts only behind its predecessor, because other bytes may look like one.
  func isCut(in reader: inout HeaderReader) throws -> Bool {
    let total = try reader.number(UInt64.self, at: start + 18, .bigEndian) & 0xF_FFFF_FFFF
    let size = UInt64(try reader.number(UInt16.self, at: start + 8, .bigEndian))
    // Zero means that the encoder did not know.
    let smallest = Int(try reader.number(ofByteCount: 3, at: start + 12, .bigEndian))
    let tailStart = max(start, reader.byteCount - Self.tailByteCount)
    let tail = try reader.bytes(at: tailStart, count: Int(reader.byteCount - tailStart))
    var last: (frame: FLACFrame, start: Int)?
    var numbers: Set<UInt64> = []
    for index in tail.indices where tail[index] == 0xFF {
      guard let frame = FLACFrame(tail[index...]) else { continue }
      let isBehind = last.map { frame.number > $0.frame.number } ?? true
      let isNext = frame.number == 0 ? numbers.isEmpty : numbers.contains(frame.number - 1)
      if isBehind, isNext { last = (frame, index) }
      numbers.insert(frame.number)
    }
    guard let (frame, place) = last else { return false }
    let end = frame.number * size + frame.sampleCount
    guard end == total else { return end < total }
    return !FLACFrame.isWhole(tail[place...], smallestByteCount: smallest)
  }

  mutating func readTags(in reader: inout HeaderReader) throws {
    comments = try commentPlace(in: &reader).map { try VorbisComments(in: $0, &reader) }
  }

  private func commentPlace(in reader: inout HeaderReader) throws -> Range<Int64>? {
    var offset = start + 4
    for _ in 0..<Self.maximumBlockCount {
      let head = try reader.number(UInt32.self, at: offset, .bigEndian)
      let content = offset + 4..<offset + 4 + Int64(head & 0xFF_FFFF)
      if head >> 24 & 0x7F == Self.commentBlock {
        return content
      }
      guard head >> 31 == 0 else { break }
      offset = content.upperBound
    }
    return nil
  }

  /// Checks whether a FLAC stream begins at a position.
  static func hasStream(at offset: Int64, in reader: inout HeaderReader) throws -> Bool {
    guard try reader.spells("fLaC", at: offset) else { return false }
    // The first block is the stream information, with 34 bytes, and may be the last.
    let block = try reader.number(UInt32.self, at: offset + 4, .bigEndian)
    return block & 0x7FFF_FFFF == 34
  }
}
