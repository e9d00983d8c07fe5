import Foundation

/// The movie box of an MPEG-4, QuickTime or 3GP file that holds sound and no video.
///
/// ISO/IEC 14496-12.
struct M4AHeader: MediaHeader {
  // Brands that promise a recording. Pictures of chapters are in a video track.
  private static let soundBrands: Set<String> = ["M4A ", "M4B ", "M4P "]

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
    if let title = try metadata(in: &reader)?.line(.title, in: &reader) { return title }
    return try text("titl", in: &reader) { EmbeddedTitle.text($0, in: $1) }
  }

  func ownNote(in reader: inout HeaderReader) throws -> String? {
    if let note = try metadata(in: &reader)?.note(in: &reader) { return note }
    return try text("dscp", in: &reader, EmbeddedNote.text(_:in:))
  }

  func namedNotes(in reader: inout HeaderReader) throws -> [NamedNote] {
    let notes = try metadata(in: &reader)?.notes(in: &reader) ?? []
    let description = try text("dscp", in: &reader, EmbeddedNote.text(_:in:))
    return notes + [NamedNote("dscp", description)].compactMap(\.self)
  }

  /// Makes a result from a text of 3GP; `nil` if there is none.
  ///
  /// 3GPP TS 26.244, section 8: it stands behind a version, flags and a language, in UTF-8 or after
  /// a mark in UTF-16.
  private func text(
    _ name: String,
    in reader: inout HeaderReader,
    _ make: ([UInt8], TextEncoding) -> String?
  ) throws -> String? {
    guard let movie = movie?.box else { return nil }
    let bytes = try reader.attempt { reader -> [UInt8]? in
      guard let box = try movie.child("udta", in: &reader)?.child(name, in: &reader) else {
        return nil
      }
      let text = box.skipping(6).content
      return try reader.noteBytes(from: text.lowerBound, to: text.upperBound)
    }
    return (bytes ?? nil).flatMap { make($0, XMPText.wideEncoding(of: $0) ?? .utf8) }
  }

  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence {
    var dates = DateEvidence()
    guard let movie = movie?.box else { return dates }
    let metadata = try metadata(in: &reader)
    // An edited copy has a head of its own, and the recorder's moment here. A day is less than that.
    let moment = try metadata?.line(.recorded, in: &reader)
    if let moment, moment.utf8.count > 10 { dates.add(.recorder, RecordingDate.date(moment)) }
    if !dates.has(.recorder),
      let header = try movie.child("mvhd", in: &reader)?.content.lowerBound
    {
      let isWide = try reader.number(UInt8.self, at: header, .bigEndian) == 1
      let seconds = try time(at: header + 4, isWide: isWide, in: &reader)
      dates.add(.recorder, seconds.flatMap(RecordingDate.date(secondsSince1904:)))
    }
    dates.add(.tag, try metadata?.line(.day, in: &reader).flatMap { RecordingDate.date($0) })
    return dates
  }

  private func metadata(in reader: inout HeaderReader) throws -> ISOMetadata? {
    guard let movie = movie?.box else { return nil }
    return try reader.attempt { try ISOMetadata(of: movie, in: &$0) }
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
