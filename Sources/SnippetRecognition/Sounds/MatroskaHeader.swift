import Foundation

/// The header of a Matroska or WebM file without video.
///
/// RFC 9559.
enum MatroskaHeader: MediaHeader {
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
    static let trackType: UInt32 = 0x83
    static let codec: UInt32 = 0x86
    static let sound: UInt32 = 0xE1
    static let sampleRate: UInt32 = 0xB5
    static let heardSampleRate: UInt32 = 0x78B5
    static let channelCount: UInt32 = 0x9F
  }

  private static let video: UInt64 = 1
  private static let audio: UInt64 = 2
  private static let types: [String: ContentType] = ["webm": .webM, "matroska": .matroska]

  static func type(in reader: inout HeaderReader) throws -> ContentType? {
    guard let type = try documentType(in: &reader) else { return nil }
    let kinds = try tracks(in: &reader).map(\.kind)
    return kinds.contains(audio) && !kinds.contains(video) ? type : nil
  }

  /// Returns the type that the file would have if it held only sound; `nil` if it has no video.
  static func typeBesideVideo(in reader: inout HeaderReader) throws -> ContentType? {
    guard let type = try documentType(in: &reader),
      try tracks(in: &reader).contains(where: { $0.kind == video })
    else { return nil }
    return type
  }

  static func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard let track = try tracks(in: &reader).first(where: { $0.kind == audio }) else {
      return MediaFacts()
    }
    var (codec, sampleRate, channelCount) = ("", 8000.0, UInt64(1))
    for element in track.elements {
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
    let time = try reader.attempt { try playingTime(in: &$0) } ?? MediaFacts()
    // Opus always plays at this rate.
    return time.withSound(
      sampleRate: codec == "A_OPUS" ? 48_000 : sampleRate,
      channelCount: channelCount
    )
  }

  static func title(in reader: inout HeaderReader) throws -> String? {
    let information = try part(ID.information, in: &reader)
    guard let title = information.first(where: { $0.id == ID.title }) else { return nil }
    let (start, end) = (title.content.lowerBound, title.content.upperBound)
    let bytes = try reader.titleBytes(from: start, to: end)
    return EmbeddedTitle.text(bytes, in: .utf8)
  }

  static func capturedAt(in reader: inout HeaderReader) throws -> Date? {
    let information = try part(ID.information, in: &reader)
    guard let date = information.first(where: { $0.id == ID.date }) else { return nil }
    // Nanoseconds since the beginning of 2001, which is also Foundation's reference date.
    let nanoseconds = Int64(bitPattern: try date.number(in: &reader))
    return RecordingDate.believed(
      Date(timeIntervalSinceReferenceDate: Double(nanoseconds) / 1_000_000_000)
    )
  }

  private static func documentType(in reader: inout HeaderReader) throws -> ContentType? {
    guard let file = EBMLElement.file(of: reader),
      let type = try file.child(EBMLElement.head, in: &reader)?.child(ID.documentType, in: &reader)
    else { return nil }
    return types[try type.word(in: &reader)]
  }

  /// Returns the elements of a part of the first segment; none if it has no such part.
  private static func part(
    _ id: UInt32,
    in reader: inout HeaderReader
  ) throws -> [EBMLElement] {
    let segment = try EBMLElement.file(of: reader)?.child(ID.segment, in: &reader)
    return try segment?.child(id, in: &reader)?.children(in: &reader) ?? []
  }

  private static func tracks(
    in reader: inout HeaderReader
  ) throws -> [(kind: UInt64, elements: [EBMLElement])] {
    var found: [(kind: UInt64, elements: [EBMLElement])] = []
    for track in try part(ID.tracks, in: &reader) where track.id == ID.track {
      let elements = try track.children(in: &reader)
      guard let kind = elements.first(where: { $0.id == ID.trackType }) else { continue }
      found.append((try kind.number(in: &reader), elements))
    }
    return found
  }

  private static func playingTime(in reader: inout HeaderReader) throws -> MediaFacts {
    let information = try part(ID.information, in: &reader)
    guard let duration = try information.first(where: { $0.id == ID.duration })?.float(in: &reader)
    else { return MediaFacts() }
    let scale = try information.first { $0.id == ID.timestampScale }?.number(in: &reader)
    // In nanoseconds; a million by default.
    let microseconds = (duration * Double(scale ?? 1_000_000) / 1000).rounded()
    guard microseconds > 0, let units = Int64(exactly: microseconds) else { return MediaFacts() }
    return MediaFacts.recording(units: units, rate: 1_000_000)
  }
}
