import SnippetBase

/// Recognizes content by its bytes.
///
/// From an image or a recording, at most ``HeaderReader/maximumByteCount`` bytes are read for its
/// facts, whatever its size. It is recognized if its header gives the size in pixels of an image, or the sample
/// rate and the number of channels of a recording. A text is judged by all its bytes, piece by
/// piece, so that a text followed by something else does not count as text, unless that is short.
package enum ContentRecognizer {
  private static let mediaHeaders: [any MediaHeader.Type] = [
    PNGHeader.self, JPEGHeader.self, GIFHeader.self, WebPHeader.self, TIFFHeader.self,
    BMPHeader.self, HEIFHeader.self, RawHeader.self,
    WAVHeader.self, AIFFHeader.self, CAFHeader.self, FLACHeader.self, OggHeader.self,
    MP3Header.self, M4AHeader.self, AACHeader.self, AMRHeader.self, MatroskaHeader.self,
  ]

  /// Those whose mark tells them even behind other bytes.
  private static let markedHeaders: [any MediaHeader.Type] = [
    PNGHeader.self, JPEGHeader.self, GIFHeader.self, WebPHeader.self, HEIFHeader.self,
    WAVHeader.self, AIFFHeader.self, CAFHeader.self, FLACHeader.self, OggHeader.self,
    M4AHeader.self, AMRHeader.self, MatroskaHeader.self,
  ]

  /// Recognizes the content of one file or snippet; `nil` if a store does not take it, or it is
  /// empty.
  ///
  /// It takes constant memory, and constant time for an image or a recording, except for a JPEG whose
  /// end is not near that of the file.
  package static func recognize(_ source: any ByteSource) throws -> RecognizedContent? {
    guard source.byteCount > 0 else { return nil }
    var reader = try HeaderReader(source)
    switch try media(in: &reader) {
    case .known(let content):
      return try isCut(content.type, source) ? content.irregular : content
    case .incomplete: return nil
    case nil: break
    }
    guard !isDocument(reader.head) else { return nil }
    if let encoding = try TextEncodingDetector.encoding(of: source) {
      let content = RecognizedContent(type: .plainText, encoding: encoding)
      let isRegular =
        try encoding == .utf8
        ? !endsWithinCharacter(source) : TextEncodingDetector.isCertain(encoding, of: source)
      return isRegular ? content : content.irregular
    }
    guard try !isOther(in: &reader) else { return nil }
    if let content = try lateMedia(in: &reader) { return content.irregular }
    return try TextEncodingDetector.irregularEncoding(of: source).map {
      RecognizedContent(type: .plainText, encoding: $0).irregular
    }
  }

  /// Whether the end of an image or a recording is missing, or the head of a PNG is damaged.
  package static func isCut(_ type: ContentType, _ source: any ByteSource) throws -> Bool {
    try PictureEnd.isMissing(of: type, in: source) || RecordingEnd.isMissing(of: type, in: source)
  }

  /// Whether a text in UTF-8 ends before its last character does.
  private static func endsWithinCharacter(_ source: any ByteSource) throws -> Bool {
    try source.bytes(at: max(0, source.byteCount - 3), count: 3).cutUTF8ByteCount > 0
  }

  /// Returns the encoding of a text without characters: of no bytes at all or of a byte order mark
  /// alone; `nil` of anything else.
  ///
  /// ``recognize(_:)`` takes neither for a text, because only the name of a file tells that they are.
  package static func emptyEncoding(of source: any ByteSource) throws -> TextEncoding? {
    guard source.byteCount <= 3 else { return nil }
    switch try source.bytes(at: 0, count: 3) {
    case [], ByteOrderMark.utf8: return .utf8
    case [0xFF, 0xFE]: return .utf16LittleEndian
    case [0xFE, 0xFF]: return .utf16BigEndian
    default: return nil
    }
  }

  /// Whether the bytes are in a format of another kind, which may contain sound or texts.
  private static func isOther(in reader: inout HeaderReader) throws -> Bool {
    if try OtherFormat.name(in: &reader) != nil { return true }
    return try reader.attempt { try VideoHeader.isContainer(in: &$0) } ?? false
  }

  /// Recognizes an image or sound that does not begin the file.
  private static func lateMedia(in reader: inout HeaderReader) throws -> RecognizedContent? {
    for start in try lateStarts(in: &reader) {
      var rest = try reader.reader(of: start..<reader.byteCount)
      if case .known(let content) = try media(in: &rest, among: markedHeaders) { return content }
    }
    if let header = try reader.attempt({ try MP3Header(behindOtherBytesIn: &$0) }) ?? nil,
      case .known(let content) = try media(header, in: &reader)
    {
      return content
    }
    guard let header = try reader.attempt({ try AACHeader(behindOtherBytesIn: &$0) }) ?? nil,
      case .known(let content) = try media(header, in: &reader)
    else { return nil }
    return content
  }

  /// Finds where an image or a recording begins behind bytes that its format does not have; 0 if it
  /// begins the source, or if decoders look for its frames.
  package static func mediaStart(in source: any ByteSource) throws -> Int64 {
    guard source.byteCount > 0 else { return 0 }
    var reader = try HeaderReader(source)
    let starts = try lateStarts(in: &reader)
    guard !starts.isEmpty, try media(in: &reader) == nil else { return 0 }
    for start in starts {
      var rest = try reader.reader(of: start..<reader.byteCount)
      if case .known = try media(in: &rest, among: markedHeaders) { return start }
    }
    return 0
  }

  // More than the heads that servers send.
  private static let maximumAnswerByteCount = 1 << 12

  /// Finds where a file may begin behind a tag that its format does not have, behind zeros, white
  /// space and the byte order mark of a text, behind bytes of ones, or behind the head of an answer
  /// of HTTP.
  private static func lateStarts(in reader: inout HeaderReader) throws -> [Int64] {
    let tagEnd = try reader.attempt { try ID3Tag.end(in: &$0) } ?? 0
    let markCount = reader.head.starts(with: ByteOrderMark.utf8) ? 3 : 0
    let blanks = reader.head.dropFirst(markCount).prefix { [0, 9, 0x0A, 0x0D, 0x20].contains($0) }
    let blankCount = Int64(markCount + blanks.count)
    // A JPEG begins with such a byte of its own, and frames of sound begin with one.
    let onesCount = Int64(reader.head.prefix { $0 == 0xFF }.count)
    let ones: [Int64] = onesCount > 1 ? [onesCount, onesCount - 1] : []
    let answerCount = try reader.attempt { try answerEnd(in: &$0) } ?? 0
    // The size of a box begins with zeros of its own, and may end like white space.
    let starts = [tagEnd, blankCount, blankCount - 3, blankCount - 4, answerCount] + ones
    return starts.filter { (1..<reader.byteCount).contains($0) }
  }

  /// Finds the end of the head of an answer of HTTP, which some programs save with its content; zero
  /// if there is none.
  private static func answerEnd(in reader: inout HeaderReader) throws -> Int64 {
    guard reader.head.starts(with: "HTTP/".utf8) else { return 0 }
    let count = Int(min(Int64(maximumAnswerByteCount), reader.byteCount))
    let bytes = try reader.bytes(at: 0, count: count)
    let blankLine: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    return bytes.firstRange(of: blankLine).map { Int64($0.upperBound) } ?? 0
  }

  /// Finds out why a source was not recognized; `nil` if all that can be said is that its format is
  /// unknown.
  package static func refusal(of source: any ByteSource) throws -> ContentRefusal? {
    guard source.byteCount > 0 else { return nil }
    var reader = try HeaderReader(source)
    if case .incomplete(let type) = try media(in: &reader) { return .incomplete(type) }
    let format = try reader.attempt { try VideoHeader.format(in: &$0) } ?? nil
    if let format { return .video(format: format) }
    if let name = try OtherFormat.name(in: &reader) { return .other(name: name) }
    return TIFFHeader.hasMark(reader.head) ? .incomplete(.tiff) : nil
  }

  /// Recognizes an image or a recording by its header.
  ///
  /// Returns the type and the facts; `nil` if it is neither.
  package static func recognizeMedia(_ source: any ByteSource) throws -> RecognizedContent? {
    guard source.byteCount > 0 else { return nil }
    var reader = try HeaderReader(source)
    switch try media(in: &reader) {
    case .known(let content): return content
    case .incomplete: return nil
    case nil: return try isOther(in: &reader) ? nil : lateMedia(in: &reader)
    }
  }

  private enum Media {
    case known(RecognizedContent)
    /// The header lacks facts that a list needs.
    case incomplete(ContentType)
  }

  private static func media(
    in reader: inout HeaderReader,
    among headerTypes: [any MediaHeader.Type] = ContentRecognizer.mediaHeaders
  ) throws -> Media? {
    for headerType in headerTypes {
      guard let header = try reader.attempt({ try headerType.init(in: &$0) }) ?? nil else {
        continue
      }
      return try media(header, in: &reader)
    }
    return nil
  }

  private static func media(
    _ header: any MediaHeader,
    in reader: inout HeaderReader
  ) throws -> Media {
    let type = header.type
    let facts = try reader.attempt { try header.facts(in: &$0) }
    guard let facts, facts.areComplete(for: type.kind) else { return .incomplete(type) }
    var header = header
    _ = try reader.attempt { try header.readTags(in: &$0) }
    let texts = try header.texts(in: &reader)
    let tag = try header.taggedTexts(in: &reader)
    var dates = try header.dates(texts, in: &reader)
    if let tag { dates.add(tag.dates) }
    let ownTitle = try reader.attempt { try header.title(in: &$0) } ?? nil
    let title = ownTitle ?? texts.title ?? tag?.title
    let note = try header.note(texts, in: &reader) ?? tag?.note
    let own = try reader.attempt { try header.ownKeywords(in: &$0) } ?? []
    var unreadTexts = try reader.attempt { try header.unreadTexts(in: &$0) } ?? []
    unreadTexts += try header.unreadDates(texts, in: &reader) + (tag?.unread ?? [])
    var notes = try reader.attempt { try header.namedNotes(in: &$0) } ?? []
    notes += texts.notes + texts.furtherTitles
    notes += [NamedNote("COMM", tag?.note)].compactMap(\.self)
    unreadTexts += EmbeddedNote.further(notes, besides: note, title)
    if let note, EmbeddedNote.isLong(note) { unreadTexts.append(.longNote) }
    if let title, EmbeddedTitle.isCut(title) { unreadTexts.append(.longTitle) }
    return .known(
      RecognizedContent(
        type: type,
        facts: facts,
        title: title,
        note: note.map(EmbeddedNote.beginning(of:)),
        keywords: texts.keywords + own,
        dates: dates,
        unreadTexts: unreadTexts
      )
    )
  }

  /// Whether these are the first bytes of a document that may consist of characters only but is not
  /// a text.
  private static func isDocument(_ head: [UInt8]) -> Bool {
    head.starts(with: "%PDF-".utf8)
  }
}

/// A specific reason why a store does not take some bytes.
package enum ContentRefusal: Sendable, Hashable {
  /// A video, in a format of this name.
  case video(format: String)
  /// Another format, by its name with an article.
  case other(name: String)
  /// The beginning of an image or a recording whose header lacks facts that a list needs: the size
  /// in pixels of an image, the sample rate and channels of a recording.
  case incomplete(ContentType)

  /// The reason in words that complete “Could not save it: …”.
  package var reason: String {
    switch self {
    case .video(let format):
      "it is a video (\(format)); a store keeps texts, images and recordings"
    case .other(let name):
      "it is \(name); a store keeps texts, images and recordings"
    case .incomplete(let type) where type.kind == .image:
      "it begins as \(type.name) and is cut short or damaged: its header gives no size in pixels"
    case .incomplete(let type):
      "it begins as \(type.name) and is cut short or damaged: its header gives no sample rate and "
        + "channels"
    }
  }
}

/// Video formats.
enum VideoHeader {
  /// Whether the bytes begin as a container of streams does.
  static func isContainer(in reader: inout HeaderReader) throws -> Bool {
    for mark: StaticString in ["RIFF", "FORM", "OggS", "caff"] where try reader.spells(mark, at: 0)
    {
      return true
    }
    return try reader.spells("ftyp", at: 4) || reader.spells("moov", at: 4)
      || reader.head.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
  }

  /// Returns the name of the format of bytes that no ``MediaHeader`` has recognized; `nil` if there
  /// is no video.
  static func format(in reader: inout HeaderReader) throws -> String? {
    if try reader.spells("RIFF", at: 0), try reader.spells("AVI ", at: 8) { return "AVI" }
    if try reader.spells("OggS", at: 0), try reader.spells("theora", at: 29) { return "Ogg" }
    if let document = try MatroskaDocument(in: &reader) {
      return document.hasVideo ? document.type.name : nil
    }
    guard let brands = try ISOBrands(in: &reader),
      try ISOMovie(in: &reader)?.has(ISOMovie.video) ?? false
    else { return nil }
    switch brands.major {
    // Raw pictures of cameras have the structure of a video.
    case "crx ": return nil
    case "qt  ": return "QuickTime"
    case let brand where brand.hasPrefix("3g"): return "3GP"
    default: return "MP4"
    }
  }
}
