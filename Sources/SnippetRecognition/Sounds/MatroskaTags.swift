import Foundation

/// The tags of a Matroska or WebM file that stand before the sound, where ffmpeg writes them.
///
/// RFC 9559, section 5.1.8.
struct MatroskaTags {
  private static let cluster: UInt32 = 0x1F43_B675
  private static let tags: UInt32 = 0x1254_C367
  private static let tag: UInt32 = 0x7373
  private static let targets: UInt32 = 0x63C0
  private static let trackNumber: UInt32 = 0x63C5
  private static let value: UInt32 = 0x67C8
  private static let name: UInt32 = 0x45A3
  private static let text: UInt32 = 0x4487

  // Real ones are nested once.
  private static let maximumDepth = 4

  /// Each text with its name in upper case, and the identifier of its track; `nil` if it is that of
  /// the file.
  private var values: [(name: String, track: UInt64?, text: Range<Int64>)] = []
  /// The texts of the file or the track that say something of another text, with their names.
  private var nested: [(name: String, text: Range<Int64>)] = []
  /// The identifier of the track whose texts count behind those of the file; `nil` if none do.
  private let track: UInt64?

  /// Reads the tags of a segment, and of a track in it.
  init(
    of segment: EBMLElement?,
    track: UInt64? = nil,
    in reader: inout HeaderReader
  ) throws {
    self.track = track
    guard let segment else { return }
    for part in try segment.children(upTo: Self.cluster, in: &reader) where part.id == Self.tags {
      for tag in try part.children(in: &reader) where tag.id == Self.tag {
        let elements = try tag.children(in: &reader)
        let target = try elements.first { $0.id == Self.targets }?
          .child(Self.trackNumber, in: &reader)?.number(in: &reader)
        for element in elements where element.id == Self.value {
          try add(element, ofTrack: target, in: &reader)
        }
      }
    }
  }

  private mutating func add(
    _ element: EBMLElement,
    ofTrack track: UInt64?,
    depth: Int = 0,
    in reader: inout HeaderReader
  ) throws {
    let parts = try element.children(in: &reader)
    if let name = try parts.first(where: { $0.id == Self.name })?.word(in: &reader),
      let text = parts.first(where: { $0.id == Self.text })
    {
      if depth == 0 {
        values.append((name.uppercased(), track, text.content))
      } else if track == nil || track == self.track {
        nested.append((name.uppercased(), text.content))
      }
    }
    guard depth < Self.maximumDepth else { return }
    for part in parts where part.id == Self.value {
      try add(part, ofTrack: track, depth: depth + 1, in: &reader)
    }
  }

  /// Lists the texts with some names, in the order of the names: those of the file, then those of the
  /// track, and then those that say something of another text.
  func all(_ names: [String]) -> [(name: String, text: Range<Int64>)] {
    [texts(ofTrack: nil), track.map { texts(ofTrack: $0) } ?? [], nested].flatMap { list in
      names.flatMap { name in list.filter { $0.name == name } }
    }
  }

  private func texts(ofTrack track: UInt64?) -> [(name: String, text: Range<Int64>)] {
    values.filter { $0.track == track }.map { (name: $0.name, text: $0.text) }
  }

  /// Finds the first valid text of the file, or else of the track, with one of some names; `nil` if
  /// there is none.
  func first<Value>(
    _ names: [String],
    _ read: (Range<Int64>) throws -> Value?
  ) rethrows -> Value? {
    for list in [texts(ofTrack: nil), track.map { texts(ofTrack: $0) } ?? []] {
      for name in names {
        for value in list where value.name == name {
          if let found = try read(value.text) { return found }
        }
      }
    }
    return nil
  }

  /// Reads the playing time of a track in seconds, as ffmpeg writes it; `nil` if it is not told.
  func seconds(ofTrack track: UInt64, in reader: inout HeaderReader) throws -> Double? {
    guard let place = values.first(where: { $0.name == "DURATION" && $0.track == track })?.text
    else { return nil }
    let bytes = try reader.titleBytes(from: place.lowerBound, to: place.upperBound)
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    let parts = text.split(separator: ":").map { Double($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let rest = parts[2] else {
      return nil
    }
    return (hours * 60 + minutes) * 60 + rest
  }
}
