/// The comments of FLAC files and Ogg streams.
///
/// <https://xiph.org/vorbis/doc/v-comment.html>
enum VorbisComments {
  // Real files have about ten; pictures of any size may be among them.
  private static let maximumCount = 1000

  /// Finds the title; `nil` if there is no valid one.
  static func title(in place: Range<Int64>, _ reader: inout HeaderReader) throws -> String? {
    try text("title", in: place, &reader)
  }

  /// Finds the description, or else the comment; `nil` if neither says anything.
  static func note(in place: Range<Int64>, _ reader: inout HeaderReader) throws -> String? {
    for key in ["description", "comment"] {
      let note: String? =
        try reader.attempt { reader in
          try text(key, in: place, &reader) { place, reader in
            EmbeddedNote.text(
              try reader.noteBytes(from: place.lowerBound, to: place.upperBound),
              in: .utf8
            )
          }
        } ?? nil
      if let note { return note }
    }
    return nil
  }

  /// Finds the day or the moment of the recording.
  static func dates(
    in place: Range<Int64>,
    _ reader: inout HeaderReader
  ) throws -> DateEvidence {
    var dates = DateEvidence()
    for key in ["date", "recordingdate", "creation_time"] {
      let found: String? = try reader.attempt { try text(key, in: place, &$0) } ?? nil
      dates.add(.tag, found.flatMap { RecordingDate.date($0) })
    }
    return dates
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
