/// The bytes of a packet of an Ogg stream, which may go on over many pages.
///
/// Only the heads of the pages are read at once, because a picture of any size may precede the title.
struct OggPacket: ByteSource {
  // Pages have up to 64 KiB, so that a cover of some megabytes fits.
  private static let maximumPageCount = 256

  private(set) var byteCount: Int64 = 0
  private let source: any ByteSource
  /// The places of the bytes, in their order.
  private var parts: [Range<Int64>] = []

  /// Finds the first packet of a stream that begins at or after a position; it is shorter if its end
  /// is missing.
  init(
    of serialNumber: UInt32,
    from offset: Int64,
    in reader: inout HeaderReader
  ) throws {
    source = reader.source
    var offset = offset
    for _ in 0..<Self.maximumPageCount {
      guard let page = try reader.attempt({ try OggPage(at: offset, in: &$0) }) ?? nil else {
        break
      }
      if page.serialNumber == serialNumber {
        let end = min(page.contentOffset + Int64(page.packetByteCount), reader.byteCount)
        if page.contentOffset < end {
          parts.append(page.contentOffset..<end)
          byteCount += end - page.contentOffset
        }
        if page.endsPacket { break }
      }
      offset = page.endOffset
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    var filledCount = 0
    var start: Int64 = 0
    for part in parts where filledCount < buffer.count {
      let place = offset + Int64(filledCount) - start
      start += Int64(part.count)
      guard (0..<Int64(part.count)).contains(place) else { continue }
      let count = min(buffer.count - filledCount, part.count - Int(place))
      let wanted = UnsafeMutableRawBufferPointer(
        rebasing: buffer[filledCount..<filledCount + count]
      )
      let found = try source.read(into: wanted, at: part.lowerBound + place)
      filledCount += found
      guard found == count else { break }
    }
    return filledCount
  }
}
