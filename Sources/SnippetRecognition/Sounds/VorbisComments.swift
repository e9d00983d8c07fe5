/// The header of a recording whose tags are Vorbis comments.
protocol VorbisTaggedHeader: MediaHeader {
  /// The comments, once ``MediaHeader/readTags(in:)`` has read them; `nil` if there are none.
  var comments: VorbisComments? { get }
}

extension VorbisTaggedHeader {
  func title(in reader: inout HeaderReader) throws -> String? { comments?.title }

  func ownNote(in reader: inout HeaderReader) throws -> String? { comments?.note }

  func namedNotes(in reader: inout HeaderReader) throws -> [NamedNote] { comments?.notes ?? [] }

  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence {
    comments?.dates ?? DateEvidence()
  }

  func unreadTexts(in reader: inout HeaderReader) throws -> [UnreadText] { comments?.unread ?? [] }
}

/// The comments of FLAC files and Ogg streams, found in one walk.
///
/// <https://xiph.org/vorbis/doc/v-comment.html>
struct VorbisComments {
  // Real files have about ten; pictures of any size may be among them.
  private static let maximumCount = 1000
  private static let noteKeys = ["description", "comment"]
  private static let dateKeys = ["date", "recordingdate", "creation_time"]

  /// The beginnings of the texts that are looked at, by their keys in lower case, in their order.
  private var texts: [String: [[UInt8]]] = [:]
  /// Whether there are more than the reader may read.
  private var isCut = false

  /// Reads the comments in a place, the title and the dates before the others.
  init(in place: Range<Int64>, _ reader: inout HeaderReader) throws {
    var places: [String: [Range<Int64>]] = [:]
    let end: Void? = try reader.attempt { reader in
      try Self.forEachText(in: place, &reader) { key, place in
        places[key, default: []].append(place)
      }
    }
    isCut = end == nil && reader.isNearlySpent
    for key in ["title"] + Self.dateKeys + Self.noteKeys {
      let isNote = Self.noteKeys.contains(key)
      for place in places[key] ?? [] {
        let bytes = try reader.attempt { reader in
          try isNote
            ? reader.noteBytes(from: place.lowerBound, to: place.upperBound)
            : reader.titleBytes(from: place.lowerBound, to: place.upperBound)
        }
        guard let bytes else {
          isCut = isCut || reader.isNearlySpent
          break
        }
        texts[key, default: []].append(bytes)
      }
    }
  }

  /// The first valid title; `nil` if there is none.
  var title: String? {
    for bytes in texts["title"] ?? [] {
      if let title = EmbeddedTitle.text(bytes, in: .utf8) { return title }
    }
    return nil
  }

  /// The description, or else the comment; `nil` if neither says anything.
  var note: String? {
    for key in Self.noteKeys {
      for bytes in texts[key] ?? [] {
        if let note = EmbeddedNote.text(bytes, in: .utf8) { return note }
      }
    }
    return nil
  }

  /// All descriptions and comments.
  var notes: [NamedNote] {
    Self.noteKeys.flatMap { key in
      (texts[key] ?? []).compactMap {
        NamedNote(key.uppercased(), EmbeddedNote.text($0, in: .utf8))
      }
    }
  }

  /// The day or the moment of the recording.
  var dates: DateEvidence {
    var dates = DateEvidence()
    for key in Self.dateKeys {
      // Of several the first that is a date counts: a year alone may stand before it.
      for bytes in texts[key] ?? [] {
        let found = EmbeddedTitle.text(bytes, in: .utf8)
        guard let date = found.flatMap({ RecordingDate.date($0) }) else { continue }
        dates.add(.tag, date)
        break
      }
    }
    return dates
  }

  /// The texts and the dates that cannot be read, by their keys, and whether there are too many.
  var unread: [UnreadText] {
    let keys = (["title"] + Self.noteKeys + Self.dateKeys).filter { key in
      (texts[key] ?? []).contains { Self.isUnreadable($0, of: key) }
    }
    let unreadable = keys.map { UnreadText.unreadable(name: $0.uppercased()) }
    return isCut ? unreadable + [.tooMany] : unreadable
  }

  private static func isUnreadable(_ text: [UInt8], of key: String) -> Bool {
    let bytes = Array(text.prefix(EmbeddedTitle.maximumPieceByteCount))
    let date = dateKeys.contains(key) ? EmbeddedTitle.text(bytes, in: .utf8) : nil
    return date.map(RecordingDate.isUnreadable) ?? EmbeddedTitle.isUnreadable(bytes, in: .utf8)
  }

  /// Finds the places of the texts with the keys that are looked at.
  private static func forEachText(
    in place: Range<Int64>,
    _ reader: inout HeaderReader,
    _ take: (String, Range<Int64>) -> Void
  ) throws {
    let keys = ["title"] + noteKeys + dateKeys
    let longest = keys.map(\.utf8.count).max() ?? 0
    let vendorByteCount = try reader.number(UInt32.self, at: place.lowerBound, .littleEndian)
    var offset = place.lowerBound + 4 + Int64(vendorByteCount)
    let count = try reader.number(UInt32.self, at: offset, .littleEndian)
    offset += 4
    for _ in 0..<min(Int(clamping: count), maximumCount) {
      let byteCount = Int64(try reader.number(UInt32.self, at: offset, .littleEndian))
      let start = offset + 4
      guard byteCount <= place.upperBound - start else { return }
      offset = start + byteCount
      let head = try reader.bytes(at: start, count: min(longest + 1, Int(byteCount)))
      guard let sign = head.firstIndex(of: UInt8(ascii: "=")) else { continue }
      // The case of the key is ignored.
      let key = String(decoding: head[..<sign], as: UTF8.self).lowercased()
      if keys.contains(key) { take(key, start + Int64(sign) + 1..<offset) }
    }
  }
}
