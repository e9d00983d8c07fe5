/// The first and the last pages of a recording in an Ogg stream.
///
/// RFC 3533; Opus in Ogg: RFC 7845.
enum OggHeader: MediaHeader {
  // Streams that begin together. A recording has one, sometimes with a skeleton beside it.
  private static let maximumStreamCount = 16
  private static let tailByteCount: Int64 = 1 << 16

  static func type(in reader: inout HeaderReader) throws -> ContentType? {
    try stream(in: &reader) == nil ? nil : .ogg
  }

  static func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard let (stream, _) = try stream(in: &reader) else { return MediaFacts() }
    let position = try reader.attempt { try lastPosition(of: stream.serialNumber, in: &$0) } ?? nil
    let time = position.map { position in
      MediaFacts.recording(
        units: max(0, position - Int64(stream.skippedSampleCount)),
        rate: stream.sampleRate
      )
    }
    return (time ?? MediaFacts())
      .withSound(sampleRate: stream.sampleRate, channelCount: stream.channelCount)
  }

  static func title(in reader: inout HeaderReader) throws -> String? {
    guard let (stream, offset) = try stream(in: &reader) else { return nil }
    // The second packet of every stream that is supported here.
    let packet = try OggPage.packet(of: stream.serialNumber, from: offset, in: &reader)
    guard Int64(packet.count) > stream.commentsOffset else { return nil }
    let comments = stream.commentsOffset..<Int64(packet.count)
    var packetReader = try HeaderReader(MemoryBytes(packet))
    return try packetReader.attempt { try VorbisComments.title(in: comments, &$0) } ?? nil
  }

  /// Finds the sound stream among those that begin at the beginning of the file.
  ///
  /// Returns the stream, and the position of the first page that does not begin a stream; `nil` if
  /// there is no sound, or also a stream of anything else.
  private static func stream(
    in reader: inout HeaderReader
  ) throws -> (stream: OggStream, endOffset: Int64)? {
    var found: OggStream?
    var offset: Int64 = 0
    for _ in 0..<maximumStreamCount {
      guard let page = try reader.attempt({ try OggPage(at: offset, in: &$0) }) ?? nil,
        page.beginsStream
      else { break }
      if try !reader.spells("fishead\0", at: page.contentOffset) {
        guard let stream = try OggStream(on: page, in: &reader) else { return nil }
        found = found ?? stream
      }
      offset = page.endOffset
    }
    return found.map { ($0, offset) }
  }

  /// Finds the position, in samples, at which a stream ends; `nil` if the last pages of the file
  /// belong to another stream, as in files with one recording after another.
  private static func lastPosition(
    of serialNumber: UInt32,
    in reader: inout HeaderReader
  ) throws -> Int64? {
    let start = max(0, reader.byteCount - tailByteCount)
    let tail = try reader.bytes(at: start, count: Int(reader.byteCount - start))
    let letter = UInt8(ascii: "O")
    for index in tail.indices.reversed() where tail[index] == letter {
      guard tail[index...].starts(with: "OggS".utf8),
        let page = try reader.attempt({ try OggPage(at: start + Int64(index), in: &$0) }) ?? nil
      else { continue }
      guard page.serialNumber == serialNumber else { return nil }
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
