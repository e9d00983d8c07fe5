import Foundation

/// The header of a Matroska or WebM file without video.
///
/// RFC 9559.
struct MatroskaHeader: MediaHeader {
  private let document: MatroskaDocument
  /// Those of the file and of its sound, once they are read; `nil` if they cannot be.
  private var tags: MatroskaTags?

  init?(in reader: inout HeaderReader) throws {
    guard let document = try MatroskaDocument(in: &reader), document.sound != nil,
      !document.hasVideo
    else { return nil }
    self.document = document
  }

  var type: ContentType { document.type }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    var (codec, sampleRate, channelCount) = ("", 8000.0, UInt64(1))
    for element in document.sound ?? [] {
      switch element.id {
      case ID.codec: codec = try element.word(in: &reader)
      case ID.sound:
        let parts = try element.children(in: &reader)
        let rate =
          parts.first { $0.id == ID.heardSampleRate } ?? parts.first { $0.id == ID.sampleRate }
        if let rate { sampleRate = try rate.float(in: &reader) }
        if let count = parts.first(where: { $0.id == ID.channelCount }) {
          channelCount = try count.number(in: &reader)
        }
      default: break
      }
    }
    // Searching a long recording for information that it lacks uses up the limit of the reader.
    let duration = try reader.attempt { try playingTime(in: &$0) } ?? nil
    return MediaFacts.recording(
      duration,
      // Opus always plays at this rate.
      sampleRate: codec == "A_OPUS" ? 48_000 : sampleRate,
      channelCount: channelCount
    )
  }

  func title(in reader: inout HeaderReader) throws -> String? {
    let information = try document.information(in: &reader)
    if let title = information.first(where: { $0.id == ID.title }) {
      return try text(of: title, in: &reader)
    }
    // Where a program has copied a stream that has a title, its track has that for a name.
    guard let name = document.sound?.first(where: { $0.id == ID.name }),
      let title = try text(of: name, in: &reader)
    else { return nil }
    // “Stereo” and “Track 1” say nothing.
    let words = title.lowercased().split(separator: " ")
    guard let first = words.first, words.count > 2 || !Self.formats.contains(String(first)) else {
      return nil
    }
    return title
  }

  private static let formats: Set<String> = [
    "audio", "mono", "soundhandler", "stereo", "surround", "track",
  ]

  private func text(
    of element: EBMLElement,
    in reader: inout HeaderReader
  ) throws -> String? {
    let (start, end) = (element.content.lowerBound, element.content.upperBound)
    return EmbeddedTitle.text(try reader.titleBytes(from: start, to: end), in: .utf8)
  }

  mutating func readTags(in reader: inout HeaderReader) throws {
    let track = try document.sound?.first { $0.id == ID.trackNumber }?.number(in: &reader)
    let names = Self.noteNames + Self.dateNames
    tags = try MatroskaTags(names, of: document.segment, track: track, in: &reader)
  }

  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence {
    var dates = DateEvidence()
    let tagged = tags?.first(Self.dateNames) { bytes in
      EmbeddedTitle.text(bytes, in: .utf8).flatMap { RecordingDate.date($0) }
    }
    dates.add(.tag, tagged)
    let information = try document.information(in: &reader)
    guard let date = information.first(where: { $0.id == ID.date }) else { return dates }
    dates.add(.recorder, RecordingDate.believed(try moment(of: date, in: &reader)))
    return dates
  }

  private static let dateNames = ["DATE_RECORDED", "DATE", "DATE_DIGITIZED"]

  /// Reads nanoseconds since the beginning of 2001, which is also Foundation's reference date.
  private func moment(of element: EBMLElement, in reader: inout HeaderReader) throws -> Date {
    let nanoseconds = Int64(bitPattern: try element.number(in: &reader))
    return Date(timeIntervalSinceReferenceDate: Double(nanoseconds) / 1_000_000_000)
  }

  /// Finds the texts and the dates among the tags, and the clock of the recorder, that cannot be
  /// read, and whether there are too many.
  func unreadTexts(in reader: inout HeaderReader) throws -> [UnreadText] {
    var names = (Self.noteNames + Self.dateNames).filter { name in
      tags?.first([name]) { text -> Bool? in Self.isUnreadable(text, name) ? true : nil } != nil
    }
    let information = try document.information(in: &reader)
    if let date = information.first(where: { $0.id == ID.date }),
      try RecordingDate.believed(moment(of: date, in: &reader)) == nil,
      try date.number(in: &reader) != 0
    {
      names.append("DateUTC")
    }
    let unreadable = names.map { UnreadText.unreadable(name: $0) }
    return tags?.isCut == true ? unreadable + [.tooMany] : unreadable
  }

  private static func isUnreadable(_ text: [UInt8], _ name: String) -> Bool {
    let bytes = Array(text.prefix(EmbeddedTitle.maximumPieceByteCount))
    let date = dateNames.contains(name) ? EmbeddedTitle.text(bytes, in: .utf8) : nil
    return date.map(RecordingDate.isUnreadable) ?? EmbeddedTitle.isUnreadable(bytes, in: .utf8)
  }

  private static let noteNames = ["DESCRIPTION", "COMMENT"]

  func ownNote(in reader: inout HeaderReader) throws -> String? {
    tags?.first(Self.noteNames) { EmbeddedNote.text($0, in: .utf8) }
  }

  func namedNotes(in reader: inout HeaderReader) throws -> [NamedNote] {
    (tags?.all(Self.noteNames) ?? []).compactMap { value in
      NamedNote(value.name, EmbeddedNote.text(value.text, in: .utf8))
    }
  }

  /// Whether the file ends before what it holds, if that was not written live.
  var isCut: Bool { document.segment?.isCut ?? false }

  private func playingTime(in reader: inout HeaderReader) throws -> Duration? {
    guard let seconds = try document.seconds(in: &reader) else { return nil }
    let microseconds = (seconds * 1_000_000).rounded()
    guard microseconds > 0, let units = Int64(exactly: microseconds) else { return nil }
    return Duration(units: units, rate: 1_000_000)
  }
}

/// The parts of a Matroska or WebM file that describe it.
struct MatroskaDocument {
  private static let video: UInt64 = 1
  private static let audio: UInt64 = 2
  private static let types: [String: ContentType] = ["webm": .webM, "matroska": .matroska]
  /// The least playing time of the sound for that of a cover, which ffmpeg keeps as video.
  private static let soundsPerCover = 10.0

  /// The type that the file has if it holds only sound.
  let type: ContentType
  /// The elements of the first sound track; `nil` if there is none.
  private(set) var sound: [EBMLElement]?
  /// Whether there is a video track.
  private(set) var hasVideo = false
  let segment: EBMLElement?

  /// Reads the type and the tracks; `nil` if the file is something else.
  init?(in reader: inout HeaderReader) throws {
    guard let file = EBMLElement.file(of: reader),
      let name = try file.child(EBMLElement.head, in: &reader)?.child(ID.documentType, in: &reader),
      let type = Self.types[try name.word(in: &reader)]
    else { return nil }
    self.type = type
    segment = try file.child(ID.segment, in: &reader)
    let tracks = try segment?.child(ID.tracks, in: &reader)?.children(in: &reader) ?? []
    for track in tracks where track.id == ID.track {
      let elements = try track.children(in: &reader)
      let kind = try elements.first { $0.id == ID.trackType }?.number(in: &reader)
      if kind == Self.audio { sound = sound ?? elements }
      if kind == Self.video, try !isCover(elements, in: &reader) { hasVideo = true }
    }
  }

  /// Whether a track of video is the picture of an album: a JPEG that is shown for a moment only.
  private func isCover(_ track: [EBMLElement], in reader: inout HeaderReader) throws -> Bool {
    let codec = try track.first { $0.id == ID.codec }?.word(in: &reader)
    guard codec == "V_MJPEG",
      let number = try track.first(where: { $0.id == ID.trackNumber })?.number(in: &reader),
      let shown = try MatroskaTags([MatroskaTags.duration], of: segment, in: &reader)
        .seconds(ofTrack: number),
      let whole = try seconds(in: &reader)
    else { return false }
    return shown * Self.soundsPerCover <= whole
  }

  /// Lists the elements with the title, the date and the playing time; none if they are not given.
  func information(in reader: inout HeaderReader) throws -> [EBMLElement] {
    try segment?.child(ID.information, in: &reader)?.children(in: &reader) ?? []
  }

  /// Reads the playing time in seconds; `nil` if it is not told.
  func seconds(in reader: inout HeaderReader) throws -> Double? {
    let information = try information(in: &reader)
    guard let duration = try information.first(where: { $0.id == ID.duration })?.float(in: &reader)
    else { return nil }
    let scale = try information.first { $0.id == ID.timestampScale }?.number(in: &reader)
    // In nanoseconds; a million by default.
    return duration * Double(scale ?? 1_000_000) / 1_000_000_000
  }
}

private enum ID {
  static let documentType: UInt32 = 0x4282
  static let segment: UInt32 = 0x1853_8067
  static let information: UInt32 = 0x1549_A966
  static let timestampScale: UInt32 = 0x2A_D7B1
  static let duration: UInt32 = 0x4489
  static let date: UInt32 = 0x4461
  static let title: UInt32 = 0x7BA9
  static let tracks: UInt32 = 0x1654_AE6B
  static let track: UInt32 = 0xAE
  static let trackNumber: UInt32 = 0x73C5
  static let name: UInt32 = 0x536E
  static let trackType: UInt32 = 0x83
  static let codec: UInt32 = 0x86
  static let sound: UInt32 = 0xE1
  static let sampleRate: UInt32 = 0xB5
  static let heardSampleRate: UInt32 = 0x78B5
  static let channelCount: UInt32 = 0x9F
}
