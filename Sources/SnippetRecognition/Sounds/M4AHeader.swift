import Foundation

/// The movie box of an MPEG-4, QuickTime or 3GP file that holds sound and no video.
///
/// ISO/IEC 14496-12.
struct M4AHeader: MediaHeader {
  // Brands that promise a recording. Pictures of chapters are in a video track.
  private static let soundBrands: Set<String> = ["M4A ", "M4B ", "M4P "]

  // `©nam`, `©des`, `©cmt` and `©day`, whose first character is not UTF-8.
  private static let titleItem = String(decoding: [0xA9, 0x6E, 0x61, 0x6D], as: UTF8.self)
  private static let descriptionItem = String(decoding: [0xA9, 0x64, 0x65, 0x73], as: UTF8.self)
  private static let commentItem = String(decoding: [0xA9, 0x63, 0x6D, 0x74], as: UTF8.self)
  private static let dateItem = String(decoding: [0xA9, 0x64, 0x61, 0x79], as: UTF8.self)

  let type = ContentType.m4a
  private let movie: ISOMovie?

  init?(in reader: inout HeaderReader) throws {
    guard let brands = try ISOBrands(in: &reader) else { return nil }
    let isSound = Self.soundBrands.contains(brands.major)
    movie = try ISOMovie(in: &reader)
    let isRecording = movie.map { $0.has(ISOMovie.sound) && (isSound || !$0.has(ISOMovie.video)) }
    guard isRecording ?? isSound else { return nil }
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard let movie else { return MediaFacts() }
    let duration = try reader.attempt { try playingTime(of: movie.box, &$0) } ?? nil
    let format = try reader.attempt { try soundFormat(of: movie, &$0) } ?? nil
    return MediaFacts.recording(
      duration,
      sampleRate: format?.sampleRate ?? 0,
      channelCount: format?.channelCount ?? 0
    )
  }

  func title(in reader: inout HeaderReader) throws -> String? {
    try text(of: Self.titleItem, in: &reader)
  }

  func ownNote(in reader: inout HeaderReader) throws -> String? {
    for item in ["ldes", "desc", Self.descriptionItem, Self.commentItem] {
      let found = try reader.attempt { try bytes(of: item, in: &$0) } ?? nil
      if let found, let note = EmbeddedNote.text(found.bytes, in: found.encoding) { return note }
    }
    return nil
  }

  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence {
    var dates = DateEvidence()
    guard let movie = movie?.box else { return dates }
    if let header = try movie.child("mvhd", in: &reader)?.content.lowerBound {
      let isWide = try reader.number(UInt8.self, at: header, .bigEndian) == 1
      let seconds = try time(at: header + 4, isWide: isWide, in: &reader)
      dates.add(.recorder, seconds.flatMap(RecordingDate.date(secondsSince1904:)))
    }
    dates.add(.tag, try text(of: Self.dateItem, in: &reader).flatMap { RecordingDate.date($0) })
    return dates
  }

  /// Reads a text item of the metadata, on one line.
  private func text(of item: String, in reader: inout HeaderReader) throws -> String? {
    try bytes(of: item, in: &reader).flatMap { EmbeddedTitle.text($0.bytes, in: $0.encoding) }
  }

  /// Reads the bytes of a text item of the metadata.
  private func bytes(
    of item: String,
    in reader: inout HeaderReader
  ) throws -> (bytes: [UInt8], encoding: TextEncoding)? {
    guard
      let meta = try movie?.box.child("udta", in: &reader)?.child("meta", in: &reader),
      // QuickTime's has no version.
      let items = try meta.skippingVersion.child("ilst", in: &reader)
        ?? meta.child("ilst", in: &reader),
      let place = try items.child(item, in: &reader)?.child("data", in: &reader)?.content
    else { return nil }
    let encoding = try reader.number(UInt32.self, at: place.lowerBound, .bigEndian)
    let start = place.lowerBound + 8
    let bytes = try reader.noteBytes(from: start, to: place.upperBound)
    switch encoding & 0xFF_FFFF {
    case 1: return (bytes, .utf8)
    case 2: return (bytes, .utf16BigEndian)
    default: return nil
    }
  }

  private func playingTime(
    of movie: ISOBox,
    _ reader: inout HeaderReader
  ) throws -> Duration? {
    guard let header = try movie.child("mvhd", in: &reader)?.content.lowerBound else { return nil }
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
    guard let ticks, ticks > 0 else { return nil }
    return Duration(units: ticks, rate: scale)
  }

  /// Returns the format of the first sound track that gives it.
  private func soundFormat(
    of movie: ISOMovie,
    _ reader: inout HeaderReader
  ) throws -> M4ASoundFormat? {
    for track in movie.tracks where track.handler == ISOMovie.sound {
      if let format = try M4ASoundFormat(of: track.media, in: &reader) { return format }
    }
    return nil
  }

  /// Reads a playing time; `nil` if all bits are set, which means that it is unknown.
  private func time(
    at offset: Int64,
    isWide: Bool,
    in reader: inout HeaderReader
  ) throws -> UInt64? {
    let time = try reader.number(ofByteCount: isWide ? 8 : 4, at: offset, .bigEndian)
    return time == (isWide ? .max : UInt64(UInt32.max)) ? nil : time
  }
}

/// The movie of an ISO base media file.
struct ISOMovie {
  static let sound = "soun"
  static let video = "vide"

  /// The box that describes the movie.
  let box: ISOBox
  /// The four characters that identify the content of each track, and its media box.
  let tracks: [(handler: String, media: ISOBox)]

  /// Finds the movie; `nil` if the file has none.
  init?(in reader: inout HeaderReader) throws {
    guard let box = try ISOBox.file(of: reader).child("moov", in: &reader) else { return nil }
    var tracks: [(handler: String, media: ISOBox)] = []
    for track in try box.children(in: &reader) where track.type == "trak" {
      guard let media = try track.child("mdia", in: &reader),
        let handler = try media.child("hdlr", in: &reader)
      else { continue }
      let name = try reader.bytes(at: handler.content.lowerBound + 8, count: 4)
      tracks.append((String(decoding: name, as: UTF8.self), media))
    }
    self.box = box
    self.tracks = tracks
  }

  /// Checks whether there is a track with this content.
  func has(_ handler: String) -> Bool { tracks.contains { $0.handler == handler } }
}
