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

  /// The name of the playing time of a track.
  static let duration = "DURATION"

  // Real ones are nested once.
  private static let maximumDepth = 4
  // Real files have about ten.
  private static let maximumCount = 1000

  private struct Value {
    /// In upper case.
    let name: String
    /// The index of the tag that it is in.
    let tag: Int
    /// Whether it says something of another text.
    let isNested: Bool
    /// The beginning.
    let text: [UInt8]
  }

  private var values: [Value] = []
  /// The identifier of the track that each tag is about; `nil` if it is about the file.
  private var targets: [UInt64?] = []
  /// Whether there are more than the reader may read.
  private(set) var isCut = false
  private let names: Set<String>
  /// The identifier of the track whose texts count behind those of the file; `nil` if none do.
  private let track: UInt64?

  /// Reads the texts with some names in the tags of a segment, and of a track in it, in one walk.
  ///
  /// It leaves the reader enough for the title.
  init(
    _ names: [String],
    of segment: EBMLElement?,
    track: UInt64? = nil,
    in reader: inout HeaderReader
  ) throws {
    (self.names, self.track) = (Set(names), track)
    guard let segment else { return }
    let parts = try segment.children(upTo: Self.cluster, in: &reader)
    let end: Void? = try reader.attempt { reader in
      for part in parts where part.id == Self.tags {
        try part.forEachChild(in: &reader) { tag, reader in
          if tag.id == Self.tag { try add(tag, in: &reader) }
        }
      }
    }
    isCut = end == nil && (reader.isNearlySpent || values.count >= Self.maximumCount)
  }

  private mutating func add(_ tag: EBMLElement, in reader: inout HeaderReader) throws {
    targets.append(nil)
    let index = targets.count - 1
    try tag.forEachChild(in: &reader) { element, reader in
      switch element.id {
      case Self.targets where targets[index] == nil:
        targets[index] = try element.child(Self.trackNumber, in: &reader)?.number(in: &reader)
      case Self.value: try add(element, inTag: index, in: &reader)
      default: break
      }
    }
  }

  private mutating func add(
    _ element: EBMLElement,
    inTag tag: Int,
    depth: Int = 0,
    in reader: inout HeaderReader
  ) throws {
    guard values.count < Self.maximumCount, !reader.isNearlySpent else {
      throw HeaderReader.OutOfReach()
    }
    var name: String?
    var text: EBMLElement?
    var inner: [EBMLElement] = []
    try element.forEachChild(in: &reader) { part, reader in
      switch part.id {
      case Self.name where name == nil: name = try part.word(in: &reader).uppercased()
      case Self.text where text == nil: text = part
      case Self.value where depth < Self.maximumDepth: inner.append(part)
      default: break
      }
    }
    if let name, names.contains(name), let place = text?.content {
      let bytes = try reader.noteBytes(from: place.lowerBound, to: place.upperBound)
      values.append(Value(name: name, tag: tag, isNested: depth > 0, text: bytes))
    }
    for part in inner { try add(part, inTag: tag, depth: depth + 1, in: &reader) }
  }

  /// Lists the texts with some names, in the order of the names: those of the file, then those of the
  /// track, and then those that say something of another text.
  func all(_ names: [String]) -> [(name: String, text: [UInt8])] {
    let nested = values.filter { value in
      value.isNested && (targets[value.tag] == nil || targets[value.tag] == track)
    }
    return [texts(ofTrack: nil), track.map { texts(ofTrack: $0) } ?? [], nested].flatMap { list in
      names.flatMap { name in
        list.filter { $0.name == name }.map { (name: name, text: $0.text) }
      }
    }
  }

  private func texts(ofTrack track: UInt64?) -> [Value] {
    values.filter { !$0.isNested && targets[$0.tag] == track }
  }

  /// Finds the first valid text of the file, or else of the track, with one of some names; `nil` if
  /// there is none.
  func first<Result>(_ names: [String], _ read: ([UInt8]) -> Result?) -> Result? {
    for list in [texts(ofTrack: nil), track.map { texts(ofTrack: $0) } ?? []] {
      for name in names {
        for value in list where value.name == name {
          if let found = read(value.text) { return found }
        }
      }
    }
    return nil
  }

  /// Reads the playing time of a track in seconds, as ffmpeg writes it; `nil` if it is not told.
  func seconds(ofTrack track: UInt64) -> Double? {
    let bytes = texts(ofTrack: track).first { $0.name == Self.duration }?.text
    guard let bytes = bytes?.prefix(EmbeddedTitle.maximumPieceByteCount) else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    let parts = text.split(separator: ":").map { Double($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let rest = parts[2] else {
      return nil
    }
    return (hours * 60 + minutes) * 60 + rest
  }
}
