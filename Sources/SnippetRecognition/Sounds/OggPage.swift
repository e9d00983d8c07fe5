/// The head of one Ogg page.
///
/// RFC 3533, section 6.
struct OggPage {
  /// Whether the page is the first of its stream.
  let beginsStream: Bool
  /// Whether the page is the last of its stream.
  let endsStream: Bool
  /// The length of the stream up to here, in samples; −1 if no packet ends on the page.
  let position: Int64
  /// The stream.
  let serialNumber: UInt32
  /// The position of the content.
  let contentOffset: Int64
  /// The position of the next page.
  let endOffset: Int64
  /// The number of bytes that belong to the first packet.
  let packetByteCount: Int
  /// Whether the first packet ends on the page.
  let endsPacket: Bool

  /// Reads the head of a page; `nil` if none begins there.
  init?(at offset: Int64, in reader: inout HeaderReader) throws {
    guard try reader.bytes(at: offset, count: 5) == Array("OggS\0".utf8) else { return nil }
    let flags = try reader.number(UInt8.self, at: offset + 5, .littleEndian)
    (beginsStream, endsStream) = (flags & 2 != 0, flags & 4 != 0)
    position = Int64(bitPattern: try reader.number(UInt64.self, at: offset + 6, .littleEndian))
    serialNumber = try reader.number(UInt32.self, at: offset + 14, .littleEndian)
    let segmentCount = Int(try reader.number(UInt8.self, at: offset + 26, .littleEndian))
    let segments = try reader.bytes(at: offset + 27, count: segmentCount)
    contentOffset = offset + 27 + Int64(segmentCount)
    endOffset = segments.reduce(contentOffset) { $0 + Int64($1) }
    // A packet ends with a segment that is not full.
    let fullCount = segments.prefix { $0 == 255 }.count
    endsPacket = fullCount < segments.count
    packetByteCount = segments.prefix(fullCount + 1).reduce(0) { $0 + Int($1) }
  }
}
