/// The chunks of a Core Audio file.
///
/// Apple Core Audio Format Specification 1.0.
struct CAFHeader: MediaHeader {
  private static let maximumInformationByteCount = 1 << 14

  /// The name that the format gives the date, and those of ffmpeg.
  private static let dateKeys = ["recorded date", "creation_time", "date"]

  let type = ContentType.caf

  init?(in reader: inout HeaderReader) throws {
    guard try reader.bytes(at: 0, count: 8) == Array("caff".utf8) + [0, 1, 0, 0] else { return nil }
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard try reader.spells("desc", at: 8) else { return MediaFacts() }
    let sampleRate = Double(bitPattern: try reader.number(UInt64.self, at: 20, .bigEndian))
    let channelCount = try reader.number(UInt32.self, at: 44, .bigEndian)
    let frames = try reader.attempt { try frameCount(in: &$0) } ?? nil
    return MediaFacts.recording(
      frames.flatMap { Duration(units: $0, rate: sampleRate) },
      sampleRate: sampleRate,
      channelCount: channelCount
    )
  }

  /// Whether the sound goes on behind the end of the file.
  func isCut(in reader: inout HeaderReader) throws -> Bool {
    let data = try chunks.first("data", in: &reader)
    return data.map { $0.upperBound > reader.byteCount } ?? false
  }

  private func frameCount(in reader: inout HeaderReader) throws -> UInt64? {
    let bytesPerPacket = try reader.number(UInt32.self, at: 36, .bigEndian)
    let framesPerPacket = try reader.number(UInt32.self, at: 40, .bigEndian)
    if bytesPerPacket > 0, framesPerPacket > 0 {
      guard let data = try chunk("data", in: &reader) else { return nil }
      // The number of edits precedes the packets, so an empty chunk was never finished.
      let present = data.isEmpty ? Int(clamping: reader.byteCount - data.lowerBound) : data.count
      let packetCount = UInt64(max(0, present - 4)) / UInt64(bytesPerPacket)
      let (frames, isTooMany) = packetCount.multipliedReportingOverflow(by: UInt64(framesPerPacket))
      return isTooMany ? nil : frames
    }
    guard let table = try chunk("pakt", in: &reader) else { return nil }
    return try reader.number(UInt64.self, at: table.lowerBound + 8, .bigEndian)
  }

  func title(in reader: inout HeaderReader) throws -> String? {
    try text("title", in: &reader).flatMap { EmbeddedTitle.text($0, in: .utf8) }
  }

  func ownNote(in reader: inout HeaderReader) throws -> String? {
    // The name that the format gives it, and the one of ffmpeg.
    for key in ["comments", "comment"] {
      let note = try text(key, in: &reader).flatMap { EmbeddedNote.text($0, in: .utf8) }
      if let note { return note }
    }
    return nil
  }

  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence {
    var dates = DateEvidence()
    for key in Self.dateKeys where !dates.has(.tag) {
      let text = try text(key, in: &reader).flatMap { EmbeddedTitle.text($0, in: .utf8) }
      dates.add(.tag, text.flatMap { RecordingDate.date($0) })
    }
    return dates
  }

  func unreadTexts(in reader: inout HeaderReader) throws -> [UnreadText] {
    try (["title", "comments", "comment"] + Self.dateKeys).filter { key in
      guard let bytes = try text(key, in: &reader) else { return false }
      let date = Self.dateKeys.contains(key) ? EmbeddedTitle.text(bytes, in: .utf8) : nil
      return date.map(RecordingDate.isUnreadable)
        ?? EmbeddedTitle.isUnreadable(bytes, in: .utf8)
    }
    .map { .unreadable(name: $0) }
  }

  /// Reads the information with a key; `nil` if there is none.
  private func text(_ key: String, in reader: inout HeaderReader) throws -> [UInt8]? {
    guard let place = try chunk("info", in: &reader) else { return nil }
    let byteCount = min(place.count, Self.maximumInformationByteCount)
    // Keys and values alternate, after their number.
    let strings = try reader.bytes(at: place.lowerBound, count: byteCount).dropFirst(4)
      .split(separator: 0, omittingEmptySubsequences: false)
    for index in stride(from: 0, to: strings.count - 1, by: 2)
    where strings[index].elementsEqual(key.utf8) {
      return Array(strings[index + 1])
    }
    return nil
  }

  private func chunk(
    _ name: String,
    in reader: inout HeaderReader
  ) throws -> Range<Int64>? {
    try chunks.first(name, in: &reader)?.clamped(to: 0..<reader.byteCount)
  }

  private var chunks: Chunks { Chunks(at: 8, .bigEndian, sizeByteCount: 8) }
}
