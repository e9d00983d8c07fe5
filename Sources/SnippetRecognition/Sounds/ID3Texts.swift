/// The texts and the dates of the ID3 tags at the beginning of a recording or of a chunk, read in one
/// walk.
struct ID3Texts {
  /// The title of the first tag that has one.
  let title: String?
  /// The comment of the first tag that has one, or else the text that is named so.
  let note: String?
  /// The day or the moment of the recording or of its release.
  let dates: DateEvidence
  /// The frames that cannot be read, and the further titles, comments and lyrics.
  let unread: [UnreadText]

  /// Reads the tags at the beginning; those behind an unreadable place are missing.
  init(in reader: inout HeaderReader) throws {
    var texts: [ID3Frame: String] = [:]
    var unreadable: Set<ID3Frame> = []
    var further: [NamedNote] = []
    for tag in try ID3Tag.tags(in: &reader) {
      _ = try reader.attempt { reader in
        try tag.forEachText(in: &reader) { frame, bytes in
          if let text = bytes.text(as: frame) {
            let first = texts[frame] ?? text
            texts[frame] = first
            // Programs repeat a comment for another language.
            let isFurther = frame == .lyrics || (frame == .comment && text != first)
            if isFurther, let note = NamedNote(frame.rawValue, text) { further.append(note) }
          }
          // Before version 2.4 what follows a title means nothing.
          if frame == .comment || tag.version == 4,
            let note = NamedNote(frame.rawValue, bytes.furtherText(as: frame))
          {
            further.append(note)
          }
          if bytes.isUnreadable(as: frame) { unreadable.insert(frame) }
        }
      }
    }
    title = texts[.title]
    note = texts[.comment] ?? texts[.named]
    dates = Self.dates(texts)
    let told: [ID3Frame] = [.title, .comment, .named, .recorded, .released]
    let named = told.filter(unreadable.contains).map { UnreadText.unreadable(name: $0.rawValue) }
    unread = named + EmbeddedNote.further(further, besides: note, title)
  }

  private static func dates(_ texts: [ID3Frame: String]) -> DateEvidence {
    var dates = DateEvidence()
    let moments: [ID3Frame] = [.recorded, .released]
    for frame in moments where !dates.has(.tag) {
      dates.add(.tag, texts[frame].flatMap { RecordingDate.date($0) })
    }
    // Before version 2.4 the year, the day as DDMM and the time as HHMM were apart.
    if !dates.has(.tag), let year = texts[.year], let day = texts[.day], day.utf8.count == 4 {
      let time = texts[.time].map { "T\($0)" } ?? ""
      let date = "\(year)-\(day.suffix(2))-\(day.prefix(2))"
      dates.add(.tag, RecordingDate.date(date + time) ?? RecordingDate.date(date))
    }
    return dates
  }
}

extension MediaHeader {
  /// Reads the ID3 tag that some programs put into a chunk; `nil` if there is none.
  func taggedTexts(in reader: inout HeaderReader) throws -> ID3Texts? {
    guard let place = try reader.attempt({ try tagPlace(in: &$0) }) ?? nil else { return nil }
    var chunk = try reader.reader(of: place.clamped(to: 0..<reader.byteCount))
    return try chunk.attempt { try ID3Texts(in: &$0) }
  }
}
