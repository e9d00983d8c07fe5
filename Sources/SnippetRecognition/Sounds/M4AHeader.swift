import Foundation

/// The movie box of an MPEG-4, QuickTime or 3GP file that holds sound and no video.
///
/// ISO/IEC 14496-12.
enum M4AHeader: MediaHeader {
  // Brands that promise a recording. Pictures of chapters are in a video track.
  private static let soundBrands: Set<String> = ["M4A ", "M4B ", "M4P "]

  // `©nam` and `©day`, whose first character is not UTF-8.
  private static let titleItem = String(decoding: [0xA9, 0x6E, 0x61, 0x6D], as: UTF8.self)
  private static let dateItem = String(decoding: [0xA9, 0x64, 0x61, 0x79], as: UTF8.self)

  static func type(in reader: inout HeaderReader) throws -> ContentType? {
    guard let brands = try ISOBrands(in: &reader) else { return nil }
    let isSound = soundBrands.contains(brands.major)
    guard let movie = try ISOBox.file(of: reader).child("moov", in: &reader) else {
      return isSound ? .m4a : nil
    }
    let handlers = try tracks(of: movie, &reader).map(\.handler)
    guard handlers.contains("soun") else { return nil }
    return isSound || !handlers.contains("vide") ? .m4a : nil
  }

  /// Whether there is a video track.
  static func hasVideo(in reader: inout HeaderReader) throws -> Bool {
    guard let movie = try ISOBox.file(of: reader).child("moov", in: &reader) else { return false }
    return try tracks(of: movie, &reader).contains { $0.handler == "vide" }
  }

  static func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard let movie = try ISOBox.file(of: reader).child("moov", in: &reader) else {
      return MediaFacts()
    }
    let time = try reader.attempt { try playingTime(of: movie, &$0) } ?? MediaFacts()
    let format = try reader.attempt { try soundFormat(of: movie, &$0) } ?? nil
    guard let format else { return time }
    return time.withSound(sampleRate: format.sampleRate, channelCount: format.channelCount)
  }

  static func title(in reader: inout HeaderReader) throws -> String? {
    try text(of: titleItem, in: &reader)
  }

  static func capturedAt(in reader: inout HeaderReader) throws -> Date? {
    guard let movie = try ISOBox.file(of: reader).child("moov", in: &reader) else { return nil }
    if let header = try movie.child("mvhd", in: &reader)?.content.lowerBound {
      let isWide = try reader.number(UInt8.self, at: header, .bigEndian) == 1
      let seconds = try time(at: header + 4, isWide: isWide, in: &reader)
      if let date = seconds.flatMap(RecordingDate.date(secondsSince1904:)) { return date }
    }
    return try text(of: dateItem, in: &reader).flatMap { RecordingDate.date($0) }
  }

  /// Reads a text item of the metadata, on one line.
  private static func text(of item: String, in reader: inout HeaderReader) throws -> String? {
    guard
      let meta = try ISOBox.file(of: reader).child("moov", in: &reader)?
        .child("udta", in: &reader)?.child("meta", in: &reader),
      // QuickTime's has no version.
      let items = try meta.skippingVersion.child("ilst", in: &reader)
        ?? meta.child("ilst", in: &reader),
      let place = try items.child(item, in: &reader)?.child("data", in: &reader)?.content
    else { return nil }
    let encoding = try reader.number(UInt32.self, at: place.lowerBound, .bigEndian)
    let start = place.lowerBound + 8
    let bytes = try reader.titleBytes(from: start, to: place.upperBound)
    switch encoding & 0xFF_FFFF {
    case 1: return EmbeddedTitle.text(bytes, in: .utf8)
    case 2: return EmbeddedTitle.text(bytes, in: .utf16BigEndian)
    default: return nil
    }
  }

  private static func playingTime(
    of movie: ISOBox,
    _ reader: inout HeaderReader
  ) throws -> MediaFacts {
    guard let header = try movie.child("mvhd", in: &reader)?.content.lowerBound else {
      return MediaFacts()
    }
    let isWide = try reader.number(UInt8.self, at: header, .bigEndian) == 1
    let scale = try reader.number(UInt32.self, at: header + (isWide ? 20 : 12), .bigEndian)
    var ticks = try time(at: header + (isWide ? 24 : 16), isWide: isWide, in: &reader)
    // A fragmented movie gives its duration with the list of fragments, if at all.
    if ticks == 0, let extends = try movie.child("mvex", in: &reader),
      let fragments = try extends.child("mehd", in: &reader)?.content.lowerBound
    {
      let isWide = try reader.number(UInt8.self, at: fragments, .bigEndian) == 1
      ticks = try time(at: fragments + 4, isWide: isWide, in: &reader)
    }
    guard let ticks, ticks > 0 else { return MediaFacts() }
    return MediaFacts.recording(units: ticks, rate: scale)
  }

  /// Returns the format of the first sound track that gives it.
  private static func soundFormat(
    of movie: ISOBox,
    _ reader: inout HeaderReader
  ) throws -> M4ASoundFormat? {
    for track in try tracks(of: movie, &reader) where track.handler == "soun" {
      if let format = try M4ASoundFormat(of: track.media, in: &reader) { return format }
    }
    return nil
  }

  /// Lists the tracks of a movie.
  ///
  /// Returns the four characters that identify the content of each track, and its media box.
  private static func tracks(
    of movie: ISOBox,
    _ reader: inout HeaderReader
  ) throws -> [(handler: String, media: ISOBox)] {
    var tracks: [(handler: String, media: ISOBox)] = []
    for track in try movie.children(in: &reader) where track.type == "trak" {
      guard let media = try track.child("mdia", in: &reader),
        let handler = try media.child("hdlr", in: &reader)
      else { continue }
      let name = try reader.bytes(at: handler.content.lowerBound + 8, count: 4)
      tracks.append((String(decoding: name, as: UTF8.self), media))
    }
    return tracks
  }

  /// Reads a playing time; `nil` if all bits are set, which means that it is unknown.
  private static func time(
    at offset: Int64,
    isWide: Bool,
    in reader: inout HeaderReader
  ) throws -> UInt64? {
    let time = try reader.number(ofByteCount: isWide ? 8 : 4, at: offset, .bigEndian)
    return time == (isWide ? .max : UInt64(UInt32.max)) ? nil : time
  }
}
