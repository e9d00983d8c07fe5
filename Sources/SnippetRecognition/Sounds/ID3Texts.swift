/// The texts and the dates of an ID3 tag in a chunk of a recording, which is looked for once for all
/// of them.
struct ID3Texts {
  let title: String?
  let note: String?
  let dates: DateEvidence
  let unread: [UnreadText]

  /// Reads the tag at the beginning of a chunk.
  fileprivate init(in chunk: inout HeaderReader) throws {
    title = try chunk.attempt { try ID3Tag.title(in: &$0) } ?? nil
    note = try chunk.attempt { try ID3Tag.note(in: &$0) } ?? nil
    dates = try chunk.attempt { try ID3Tag.dates(in: &$0) } ?? DateEvidence()
    unread = try chunk.attempt { try ID3Tag.unread(in: &$0) } ?? []
  }
}

extension MediaHeader {
  /// Reads the ID3 tag that some programs put into a chunk; `nil` if there is none.
  func taggedTexts(in reader: inout HeaderReader) throws -> ID3Texts? {
    guard let place = try reader.attempt({ try tagPlace(in: &$0) }) ?? nil else { return nil }
    var chunk = try reader.reader(of: place.clamped(to: 0..<reader.byteCount))
    return try ID3Texts(in: &chunk)
  }
}
