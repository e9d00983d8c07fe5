/// The comments of FLAC files and Ogg streams.
///
/// <https://xiph.org/vorbis/doc/v-comment.html>
enum VorbisComments {
  // Real files have about ten; pictures of any size may be among them.
  private static let maximumCount = 1000
  private static let noteKeys = ["description", "comment"]
  private static let dateKeys = ["date", "recordingdate", "creation_time"]

  /// Finds the title; `nil` if there is no valid one.
  static func title(in place: Range<Int64>, _ reader: inout HeaderReader) throws -> String? {
    try text("title", in: place, &reader)
  }

  /// Finds the description, or else the comment; `nil` if neither says anything.
  static func note(in place: Range<Int64>, _ reader: inout HeaderReader) throws -> String? {
    for key in noteKeys {
      let note: String? =
        try reader.attempt { try text(key, in: place, &$0, read: noteText) } ?? nil
      if let note { return note }
    }
    return nil
  }

  /// Finds all descriptions and comments.
  static func notes(in place: Range<Int64>, _ reader: inout HeaderReader) throws -> [NamedNote] {
    var notes: [NamedNote] = []
    for key in noteKeys {
      _ = try reader.attempt { reader in
        try text(key, in: place, &reader) { place, reader in
          let note = try noteText(place, &reader)
          if let note = NamedNote(key.uppercased(), note) { notes.append(note) }
          return nil
        }
      }
    }
    return notes
  }

  private static func noteText(
    _ place: Range<Int64>,
    _ reader: inout HeaderReader
  ) throws -> String? {
    let bytes = try reader.noteBytes(from: place.lowerBound, to: place.upperBound)
    return EmbeddedNote.text(bytes, in: .utf8)
  }

  /// Finds the day or the moment of the recording.
  static func dates(
    in place: Range<Int64>,
    _ reader: inout HeaderReader
  ) throws -> DateEvidence {
    var dates = DateEvidence()
    for key in dateKeys {
      // Of several the first that is a date counts: a year alone may stand before it.
      _ = try reader.attempt { reader in
        try text(key, in: place, &reader) { place, reader in
          let bytes = try reader.titleBytes(from: place.lowerBound, to: place.upperBound)
          let found = EmbeddedTitle.text(bytes, in: .utf8)
          dates.add(.tag, found.flatMap { RecordingDate.date($0) })
          return dates.has(.tag) ? found : nil
        }
      }
    }
    return dates
  }

  /// Finds the texts and the dates that cannot be read, by their keys.
  static func unread(
    in place: Range<Int64>,
    _ reader: inout HeaderReader
  ) throws -> [UnreadText] {
    var unread: [UnreadText] = []
    for key in ["title"] + noteKeys + dateKeys {
      let isDate = dateKeys.contains(key)
      let found: String? =
        try reader.attempt { reader in
          try text(key, in: place, &reader) { place, reader in
            let bytes = try reader.titleBytes(from: place.lowerBound, to: place.upperBound)
            let date = isDate ? EmbeddedTitle.text(bytes, in: .utf8) : nil
            let isUnreadable =
              date.map(RecordingDate.isUnreadable) ?? EmbeddedTitle.isUnreadable(bytes, in: .utf8)
            return isUnreadable ? key : nil
          }
        } ?? nil
      if let found { unread.append(.unreadable(name: found.uppercased())) }
    }
    return unread
  }

  /// Finds the first valid text with a key in lower case; `nil` if there is none.
  private static func text(
    _ key: String,
    in place: Range<Int64>,
    _ reader: inout HeaderReader,
    read: (Range<Int64>, inout HeaderReader) throws -> String? = { place, reader in
      EmbeddedTitle.text(
        try reader.titleBytes(from: place.lowerBound, to: place.upperBound),
        in: .utf8
      )
    }
  ) throws -> String? {
    let wanted = Array("\(key)=".utf8)
    let vendorByteCount = try reader.number(UInt32.self, at: place.lowerBound, .littleEndian)
    var offset = place.lowerBound + 4 + Int64(vendorByteCount)
    let count = try reader.number(UInt32.self, at: offset, .littleEndian)
    offset += 4
    for _ in 0..<min(Int(clamping: count), maximumCount) {
      let byteCount = Int64(try reader.number(UInt32.self, at: offset, .littleEndian))
      let start = offset + 4
      guard byteCount <= place.upperBound - start else { return nil }
      offset = start + byteCount
      let key = try reader.bytes(at: start, count: min(wanted.count, Int(byteCount)))
      // The case of the key is ignored.
      guard key.map({ (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }) == wanted else { continue }
      if let text = try read(start + Int64(wanted.count)..<offset, &reader) { return text }
    }
    return nil
  }
}
