/// The first and the last pages of a recording in an Ogg stream.
///
/// RFC 3533; Opus in Ogg: RFC 7845.
struct OggHeader: VorbisTaggedHeader {
  // Streams that begin together. A recording has one, sometimes with a skeleton beside it.
  private static let maximumStreamCount = 16
  private static let tailByteCount: Int64 = 1 << 16

  let type = ContentType.ogg
  private let stream: OggStream
  /// The position of the first page that does not begin a stream.
  private let endOffset: Int64
  /// The second packet of the stream, which holds the comments.
  private let packet: OggPacket
  private(set) var comments: VorbisComments?

  /// Finds the sound stream among those that begin at the beginning of the file; `nil` if there is
  /// no sound, or also a stream of anything else.
  init?(in reader: inout HeaderReader) throws {
    var found: OggStream?
    var offset: Int64 = 0
    for _ in 0..<Self.maximumStreamCount {
      guard let page = try reader.attempt({ try OggPage(at: offset, in: &$0) }) ?? nil,
        page.beginsStream
      else { break }
      if try !reader.spells("fishead\0", at: page.contentOffset) {
        guard let stream = try OggStream(on: page, in: &reader) else { return nil }
        found = found ?? stream
      }
      offset = page.endOffset
    }
    guard let found else { return nil }
    stream = found
    endOffset = offset
    packet = try OggPacket(of: found.serialNumber, from: offset, in: &reader)
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    let position = try reader.attempt { try lastPosition(in: &$0) } ?? nil
    let sampleCount = position.map { max(0, $0 - Int64(stream.skippedSampleCount)) }
    return MediaFacts.recording(
      sampleCount.flatMap { Duration(units: $0, rate: stream.sampleRate) },
      sampleRate: stream.sampleRate,
      channelCount: stream.channelCount
    )
  }

  /// Whether the file ends within a page, or other bytes stand between pages.
  ///
  /// A last page without the mark of the end is no sign of a cut, because recorders of Android never
  /// set it.
  func isCut(in reader: inout HeaderReader) throws -> Bool {
    if let found = try isCut(from: endOffset, in: &reader) { return found }
    // A long file is looked at in its beginning and its end.
    let start = max(0, reader.byteCount - Self.tailByteCount)
    var tailReader = try reader.reader(of: start..<reader.byteCount)
    let tail = try tailReader.bytes(at: 0, count: Int(tailReader.byteCount))
    let letter = UInt8(ascii: "O")
    let found = tail.indices.first { index in
      tail[index] == letter && tail[index...].starts(with: "OggS\0".utf8)
    }
    guard let place = found else { return false }
    return try isCut(from: Int64(place), in: &tailReader) ?? false
  }

  /// Whether the pages from one on are followed by anything but pages, or the last is not whole; `nil`
  /// if they are too many to look at.
  ///
  /// Behind the page that ends a stream, programs may add tags.
  private func isCut(from offset: Int64, in reader: inout HeaderReader) throws -> Bool? {
    var offset = offset
    var endsStream = false
    while offset < reader.byteCount {
      guard !reader.isNearlySpent else { return nil }
      guard let page = try reader.attempt({ try OggPage(at: offset, in: &$0) }) ?? nil else {
        if !endsStream { return true }
        return try reader.spells("OggS", at: offset)
      }
      (offset, endsStream) = (page.endOffset, page.endsStream)
    }
    return offset > reader.byteCount
  }

  mutating func readTags(in reader: inout HeaderReader) throws {
    guard packet.byteCount > stream.commentsOffset else { return }
    var packetReader = try HeaderReader(packet)
    let place = stream.commentsOffset..<packet.byteCount
    comments = try packetReader.attempt { try VorbisComments(in: place, &$0) }
  }

  /// Finds the position, in samples, at which a stream ends; `nil` if the last pages of the file
  /// belong to another stream, as in files with one recording after another.
  private func lastPosition(in reader: inout HeaderReader) throws -> Int64? {
    let start = max(0, reader.byteCount - Self.tailByteCount)
    let tail = try reader.bytes(at: start, count: Int(reader.byteCount - start))
    let letter = UInt8(ascii: "O")
    for index in tail.indices.reversed() where tail[index] == letter {
      guard tail[index...].starts(with: "OggS".utf8),
        let page = try reader.attempt({ try OggPage(at: start + Int64(index), in: &$0) }) ?? nil
      else { continue }
      guard page.serialNumber == stream.serialNumber else { return nil }
      // A page without the end of a packet has no position.
      if page.position >= 0 { return page.position }
    }
    return nil
  }
}

/// The first packet of a sound stream.
private struct OggStream {
  let serialNumber: UInt32
  let sampleRate: UInt32
  let channelCount: UInt32
  var skippedSampleCount: UInt16 = 0
  /// The position of the comments in their packet.
  let commentsOffset: Int64

  init?(on page: OggPage, in reader: inout HeaderReader) throws {
    serialNumber = page.serialNumber
    let packet = page.contentOffset
    if try reader.spells("\u{1}vorbis", at: packet) {
      commentsOffset = 7
      channelCount = UInt32(try reader.number(UInt8.self, at: packet + 11, .littleEndian))
      sampleRate = try reader.number(UInt32.self, at: packet + 12, .littleEndian)
    } else if try reader.spells("OpusHead", at: packet) {
      commentsOffset = 8
      // Positions use this rate, whatever the rate of the sound was.
      sampleRate = 48_000
      channelCount = UInt32(try reader.number(UInt8.self, at: packet + 9, .littleEndian))
      skippedSampleCount = try reader.number(UInt16.self, at: packet + 10, .littleEndian)
    } else if try reader.spells("\u{7F}FLAC", at: packet),
      try FLACHeader.hasStream(at: packet + 9, in: &reader)
    {
      commentsOffset = 4
      let numbers = try reader.number(UInt32.self, at: packet + 27, .bigEndian)
      sampleRate = numbers >> 12
      channelCount = numbers >> 9 & 7 + 1
    } else if try reader.spells("Speex   ", at: packet) {
      commentsOffset = 0
      sampleRate = try reader.number(UInt32.self, at: packet + 36, .littleEndian)
      channelCount = try reader.number(UInt32.self, at: packet + 48, .littleEndian)
    } else {
      return nil
    }
  }
}
