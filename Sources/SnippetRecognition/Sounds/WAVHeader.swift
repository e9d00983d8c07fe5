import Foundation

/// The chunks of a WAVE recording, in RIFF or in the 64-bit forms RF64 and BW64.
///
/// RF64 and BW64: <https://www.itu.int/rec/R-REC-BS.2088>
struct WAVHeader: MediaHeader {
  private static let maximumKeywordCount = 1000
  private static let maximumWordsCount = 100

  let type = ContentType.wav
  /// The size of the data, where that in its own chunk does not tell it.
  private let dataByteCount: UInt64?

  init?(in reader: inout HeaderReader) throws {
    guard try reader.spells("WAVE", at: 8),
      try reader.spells("RIFF", at: 0) || reader.spells("RF64", at: 0)
        || reader.spells("BW64", at: 0)
    else { return nil }
    if try reader.spells("ds64", at: 12) {
      dataByteCount = try reader.attempt { try $0.number(UInt64.self, at: 28, .littleEndian) }
    } else {
      dataByteCount = try reader.attempt { try Self.countOfOpenData(in: &$0) } ?? nil
    }
  }

  private static let tailByteCount: Int64 = 1 << 16

  /// Counts the bytes of a sound without a size up to the lists that end the file; `nil` if it has a
  /// size, or no list is there.
  private static func countOfOpenData(in reader: inout HeaderReader) throws -> UInt64? {
    guard let data = try Chunks(at: 12, .littleEndian).first("data", in: &reader),
      data.isEmpty || data.upperBound == reader.byteCount
    else { return nil }
    let claimed = try reader.number(UInt32.self, at: data.lowerBound - 4, .littleEndian)
    guard claimed == 0 || claimed == .max else { return nil }
    let start = max(data.lowerBound, reader.byteCount - tailByteCount)
    let tail = try reader.bytes(at: start, count: Int(max(0, reader.byteCount - start)))
    let names = ["LIST", "id3 ", "ID3 "].map { Array($0.utf8) }
    for index in tail.indices where names.contains(where: { tail[index...].starts(with: $0) }) {
      let place = start + Int64(index)
      var rest = Chunks(at: place, .littleEndian)
      var end = place
      while let chunk = try reader.attempt({ try rest.next(in: &$0) }) ?? nil {
        end = chunk.content.upperBound
      }
      // The last one may lack its byte of padding.
      if (reader.byteCount - 1...reader.byteCount).contains(end) {
        return UInt64(place - data.lowerBound)
      }
    }
    return nil
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    var format: WAVFormat?
    var sampleCount: UInt32?
    var data: Range<Int64>?
    _ = try reader.attempt { reader in
      var chunks = self.chunks
      while data == nil, let chunk = try chunks.next(in: &reader) {
        let start = chunk.content.lowerBound
        switch chunk.name {
        case "fmt ": format = try WAVFormat(at: start, in: &reader)
        case "fact": sampleCount = try reader.number(UInt32.self, at: start, .littleEndian)
        case "data": data = try extent(of: chunk.content, in: &reader)
        default: break
        }
      }
    }
    // A recorder that was stopped, or wrote to a pipe, left a size that is too large.
    let present = data.map { UInt64($0.clamped(to: 0..<reader.byteCount).count) }
    return format?.facts(byteCount: present, sampleCount: sampleCount) ?? MediaFacts()
  }

  /// Returns the range of the sound, which goes on to the end of the file if its size is zero and no
  /// other chunk follows: some recorders write the size last, and this one has died before.
  private func extent(
    of data: Range<Int64>,
    in reader: inout HeaderReader
  ) throws -> Range<Int64> {
    let start = data.lowerBound
    guard data.isEmpty, start < reader.byteCount else { return data }
    var rest = Chunks(at: start, .littleEndian)
    let follower = try reader.attempt { try rest.next(in: &$0) } ?? nil
    if let follower, follower.content.upperBound <= reader.byteCount { return data }
    return start..<reader.byteCount
  }

  /// Whether the sound goes on behind the end of the file, by its own size and by that of the whole.
  func isCut(in reader: inout HeaderReader) throws -> Bool {
    let isWide = try reader.spells("ds64", at: 12)
    let claimed = try reader.number(
      ofByteCount: isWide ? 8 : 4,
      at: isWide ? 20 : 4,
      .littleEndian
    )
    // The chunk of sizes is there to be filled in.
    if try isWide && reader.number(UInt64.self, at: 28, .littleEndian) == 0 { return true }
    // What writes to a pipe claims about the largest size; a byte of padding may be missing.
    guard claimed < (isWide ? 1 << 62 : 0x7FFF_0000) else { return false }
    let end = Int64(claimed) + 8
    guard end > reader.byteCount + 1 else { return false }
    var chunks = self.chunks
    while let chunk = try chunks.next(in: &reader) {
      guard chunk.name == "data" else { continue }
      return (reader.byteCount + 1...end).contains(chunk.content.upperBound)
    }
    return false
  }

  func title(in reader: inout HeaderReader) throws -> String? {
    try first("INAM", in: &reader) { bytes in
      EmbeddedTitle.text(Array(bytes.prefix(EmbeddedTitle.maximumPieceByteCount)))
    }
  }

  func ownNote(in reader: inout HeaderReader) throws -> String? {
    var chunks = textChunks
    while let chunk = try chunks.next(in: &reader) {
      let found = try reader.attempt { try notes(in: chunk, &$0) } ?? []
      if let note = found.first { return note.text }
    }
    return nil
  }

  func namedNotes(in reader: inout HeaderReader) throws -> [NamedNote] {
    var found: [NamedNote] = []
    var wordsCount = 0
    var chunks = textChunks
    while let chunk = try chunks.next(in: &reader) {
      found += try reader.attempt { try notes(in: chunk, &$0) } ?? []
      found += try reader.attempt { try furtherNotes(in: chunk, &wordsCount, &$0) } ?? []
    }
    return found
  }

  /// Reads the texts in a chunk that never become the note: what Windows shows, and the words for
  /// places in the sound.
  private func furtherNotes(
    in chunk: Chunk,
    _ wordsCount: inout Int,
    _ reader: inout HeaderReader
  ) throws -> [NamedNote] {
    let list = chunk.content
    if chunk.name == "DISP" {
      // On a clipboard a text is the first kind of data.
      let kind = try reader.number(UInt32.self, at: list.lowerBound, .littleEndian)
      let note = try kind == 1 ? numberedNote("DISP", in: list, &reader) : nil
      return [note].compactMap(\.self)
    }
    guard chunk.name == "LIST", try reader.spells("adtl", at: list.lowerBound) else { return [] }
    var notes: [NamedNote] = []
    var items = Chunks(at: list.lowerBound + 4, .littleEndian)
    while wordsCount < Self.maximumWordsCount,
      let item = try reader.attempt({ try items.next(in: &$0) }) ?? nil,
      item.content.upperBound <= list.upperBound
    {
      guard ["labl", "note"].contains(item.name) else { continue }
      wordsCount += 1
      let note = try reader.attempt { try numberedNote(item.name, in: item.content, &$0) } ?? nil
      if let note { notes.append(note) }
    }
    return notes
  }

  /// Reads a text behind a number of four bytes.
  private func numberedNote(
    _ name: String,
    in place: Range<Int64>,
    _ reader: inout HeaderReader
  ) throws -> NamedNote? {
    let bytes = try reader.noteBytes(from: place.lowerBound + 4, to: place.upperBound)
    return NamedNote(name, EmbeddedNote.text(bytes))
  }

  /// Reads the descriptions in a chunk; of a list the comment comes first, then the subject.
  private func notes(in chunk: Chunk, _ reader: inout HeaderReader) throws -> [NamedNote] {
    let content = chunk.content
    // EBU Tech 3285, section 2.3: 256 characters of description come first.
    if chunk.name == "bext", content.count >= 256 {
      let bytes = try reader.bytes(at: content.lowerBound, count: 256)
      return [NamedNote("bext", EmbeddedNote.text(bytes))].compactMap(\.self)
    }
    if chunk.name == "iXML" {
      return [NamedNote("iXML", try sceneNote(in: content, &reader))].compactMap(\.self)
    }
    guard try isInfo(chunk, &reader) else { return [] }
    return try ["ICMT", "ISBJ"].compactMap { name -> NamedNote? in
      guard let place = try reader.attempt({ try item(name, of: content, &$0) }) ?? nil else {
        return nil
      }
      let bytes = try reader.noteBytes(from: place.lowerBound, to: place.upperBound)
      return NamedNote(name, EmbeddedNote.text(bytes))
    }
  }

  /// Reads the note that a recorder of films keeps in XML.
  ///
  /// <http://www.gallery.co.uk/ixml/>
  private func sceneNote(in place: Range<Int64>, _ reader: inout HeaderReader) throws -> String? {
    let place = place.clamped(to: 0..<reader.byteCount).ofPacket
    let xml = try reader.bytes(at: place.lowerBound, count: place.count)
    guard let start = xml.firstRange(of: Array("<NOTE>".utf8))?.upperBound else { return nil }
    return EmbeddedNote.text(XMPText.unescaped(xml[start...].prefix { $0 != UInt8(ascii: "<") }))
  }

  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence {
    var dates = DateEvidence()
    var chunks = textChunks
    while let chunk = try chunks.next(in: &reader) {
      let content = chunk.content
      if chunk.name == "bext" {
        dates.add(.recorder, try reader.attempt { try originationDate(in: content, &$0) } ?? nil)
      } else if try isInfo(chunk, &reader) {
        dates.add(.tag, try reader.attempt { try taggedDate(in: content, &$0) } ?? nil)
      }
    }
    return dates
  }

  /// Finds the texts and the date in lists that cannot be read.
  func unreadTexts(in reader: inout HeaderReader) throws -> [UnreadText] {
    var unread: [UnreadText] = []
    var chunks = textChunks
    while let chunk = try chunks.next(in: &reader) {
      guard try isInfo(chunk, &reader) else { continue }
      for name in ["INAM", "ICMT", "ISBJ", "IKEY", "ICRD"] {
        let bytes = try reader.attempt { reader -> [UInt8]? in
          guard let place = try item(name, of: chunk.content, &reader) else { return nil }
          return try reader.titleBytes(from: place.lowerBound, to: place.upperBound)
        }
        guard let bytes = bytes ?? nil else { continue }
        let date = name == "ICRD" ? EmbeddedTitle.text(bytes) : nil
        let isUnreadable =
          date.map(RecordingDate.isUnreadable) ?? EmbeddedTitle.isUnreadable(bytes)
        if isUnreadable { unread.append(.unreadable(name: name)) }
      }
    }
    return unread
  }

  /// Reads the keywords, which have semicolons between them.
  func ownKeywords(in reader: inout HeaderReader) throws -> [String] {
    var restCount = Self.maximumKeywordCount
    let found = try first("IKEY", in: &reader) { bytes -> [String]? in
      let words = bytes.prefix(while: { $0 != 0 }).split(separator: UInt8(ascii: ";"))
      let keywords = words.prefix(restCount).compactMap { EmbeddedTitle.text(Array($0)) }
      restCount = max(0, restCount - words.count)
      return keywords.isEmpty ? nil : keywords
    }
    return found ?? []
  }

  func tagPlace(in reader: inout HeaderReader) throws -> Range<Int64>? {
    try chunks.first("id3 ", "ID3 ", in: &reader)
  }

  private func taggedDate(in list: Range<Int64>, _ reader: inout HeaderReader) throws -> Date? {
    guard let date = try item("ICRD", of: list, &reader) else { return nil }
    let bytes = try reader.titleBytes(from: date.lowerBound, to: date.upperBound)
    return EmbeddedTitle.text(bytes).flatMap { RecordingDate.date($0) }
  }

  /// Reads the date and the time of ten and eight characters in a broadcast extension, with any
  /// signs between the numbers.
  ///
  /// EBU Tech 3285, section 2.3.
  private func originationDate(
    in content: Range<Int64>,
    _ reader: inout HeaderReader
  ) throws -> Date? {
    guard content.count >= 338 else { return nil }
    let bytes = try reader.bytes(at: content.lowerBound + 320, count: 18)
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    let parts = [bytes[..<10], bytes[10...]].flatMap { field in
      field.split { !isDigit($0) }.map { String(decoding: $0, as: UTF8.self) }
    }
    guard parts.count == 3 || parts.count == 6 else { return nil }
    let day = parts[..<3].joined(separator: "-")
    let time = parts.count == 6 ? "T" + parts[3...].joined(separator: ":") : ""
    return RecordingDate.date(day + time)
  }

  /// Makes a value from the first item of a name that gives one, in any list of texts: programs add a
  /// list of their own behind the sound.
  private func first<Value>(
    _ name: String,
    in reader: inout HeaderReader,
    _ make: ([UInt8]) -> Value?
  ) throws -> Value? {
    var chunks = textChunks
    while let chunk = try chunks.next(in: &reader) {
      let bytes = try reader.attempt { reader -> [UInt8]? in
        guard try isInfo(chunk, &reader),
          let place = try item(name, of: chunk.content, &reader)
        else { return nil }
        return try reader.noteBytes(from: place.lowerBound, to: place.upperBound)
      }
      if let bytes = bytes ?? nil, let value = make(bytes) { return value }
    }
    return nil
  }

  /// Whether a chunk is a list of texts.
  private func isInfo(_ chunk: Chunk, _ reader: inout HeaderReader) throws -> Bool {
    guard chunk.name == "LIST" else { return false }
    return try reader.spells("INFO", at: chunk.content.lowerBound)
  }

  private func item(
    _ name: String,
    of list: Range<Int64>,
    _ reader: inout HeaderReader
  ) throws -> Range<Int64>? {
    let items = Chunks(at: list.lowerBound + 4, .littleEndian)
    return try items.first(name, in: &reader)?.clamped(to: list)
  }

  private var chunks: Chunks { Chunks(at: 12, .littleEndian, dataByteCount: dataByteCount) }

  private var textChunks: WAVTextChunks { WAVTextChunks(chunks: chunks) }
}

/// The chunks of a WAVE recording that may have texts, one after the other.
private struct WAVTextChunks {
  // Real files have a few, and the encoding of each text may have to be guessed.
  private static let maximumCount = 64
  private static let names: Set<String> = ["bext", "iXML", "DISP", "LIST"]

  private var chunks: Chunks
  private var count = 0

  init(chunks: Chunks) {
    self.chunks = chunks
  }

  mutating func next(in reader: inout HeaderReader) throws -> Chunk? {
    while count < Self.maximumCount,
      let chunk = try reader.attempt({ try chunks.next(in: &$0) }) ?? nil
    {
      guard Self.names.contains(chunk.name) else { continue }
      count += 1
      return chunk
    }
    return nil
  }
}

/// The format chunk of a WAVE recording.
private struct WAVFormat {
  // Samples of one size, as integers or floating-point numbers, or as the extension says.
  private static let uncompressedTags: Set<UInt16> = [1, 3, 0xFFFE]

  private let tag: UInt16
  private let channelCount: UInt16
  private let sampleRate: UInt32
  private let bytesPerSecond: UInt32
  private let bytesPerFrame: UInt16

  init(at offset: Int64, in reader: inout HeaderReader) throws {
    tag = try reader.number(UInt16.self, at: offset, .littleEndian)
    channelCount = try reader.number(UInt16.self, at: offset + 2, .littleEndian)
    sampleRate = try reader.number(UInt32.self, at: offset + 4, .littleEndian)
    bytesPerSecond = try reader.number(UInt32.self, at: offset + 8, .littleEndian)
    bytesPerFrame = try reader.number(UInt16.self, at: offset + 12, .littleEndian)
  }

  /// Returns the facts of a recording in this format, from the size of its data and the number of
  /// samples per channel, as far as chunks give them.
  func facts(byteCount: UInt64?, sampleCount: UInt32?) -> MediaFacts {
    let duration = byteCount.flatMap { playingTime(byteCount: $0, sampleCount: sampleCount) }
    return MediaFacts.recording(duration, sampleRate: sampleRate, channelCount: channelCount)
  }

  private func playingTime(byteCount: UInt64, sampleCount: UInt32?) -> Duration? {
    if Self.uncompressedTags.contains(tag), bytesPerFrame > 0 {
      return Duration(units: byteCount / UInt64(bytesPerFrame), rate: sampleRate)
    }
    if let sampleCount, (1..<UInt32.max).contains(sampleCount) {
      return Duration(units: sampleCount, rate: sampleRate)
    }
    return Duration(units: byteCount, rate: bytesPerSecond)
  }
}
