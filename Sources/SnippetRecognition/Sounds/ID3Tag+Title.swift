extension ID3Tag {
  // Real tags have about ten frames.
  private static let maximumFrameCount = 1000
  // The encoding of each may have to be guessed. Programs write a few for their own purposes.
  private static let maximumCommentCount = 32

  /// Finds the title in the tags at the beginning of a file.
  ///
  /// Returns the title of the first tag that has one; `nil` if none does.
  static func title(in reader: inout HeaderReader) throws -> String? {
    try text(.title, in: &reader)
  }

  /// Finds the comment in the tags at the beginning of a file; `nil` if none says anything.
  static func note(in reader: inout HeaderReader) throws -> String? {
    if let comment = try text(.comment, in: &reader) { return comment }
    return try text(.named, in: &reader)
  }

  /// Finds the day or the moment of the recording or of its release in the tags at the beginning of
  /// a file.
  static func dates(in reader: inout HeaderReader) throws -> DateEvidence {
    var dates = DateEvidence()
    let moments: [ID3Frame] = [.recorded, .released]
    for frame in moments where !dates.has(.tag) {
      dates.add(.tag, try text(frame, in: &reader).flatMap { RecordingDate.date($0) })
    }
    // Before version 2.4 the year, the day as DDMM and the time as HHMM were apart.
    if !dates.has(.tag), let year = try text(.year, in: &reader),
      let day = try text(.day, in: &reader), day.utf8.count == 4
    {
      let time = try text(.time, in: &reader).map { "T\($0)" } ?? ""
      let date = "\(year)-\(day.suffix(2))-\(day.prefix(2))"
      dates.add(.tag, RecordingDate.date(date + time) ?? RecordingDate.date(date))
    }
    return dates
  }

  private static func text(_ frame: ID3Frame, in reader: inout HeaderReader) throws -> String? {
    for tag in try tags(in: &reader) {
      if let text = try reader.attempt({ try tag.text(frame, in: &$0) }) ?? nil { return text }
    }
    return nil
  }

  /// Finds the texts and the dates in the tags at the beginning of a file that cannot be read, by
  /// their frames.
  static func unread(in reader: inout HeaderReader) throws -> [UnreadText] {
    let frames: [ID3Frame] = [.title, .comment, .named, .recorded, .released]
    var names: [String] = []
    for tag in try tags(in: &reader) {
      for frame in frames where !names.contains(frame.rawValue) {
        let found = try reader.attempt { reader in
          try tag.first(frame, in: &reader) { tag, place, reader -> Bool? in
            try tag.isUnreadable(frame, in: place, &reader) ? true : nil
          }
        }
        if (found ?? nil) != nil { names.append(frame.rawValue) }
      }
    }
    return names.map { .unreadable(name: $0) }
  }

  /// Finds a text in the tag; `nil` if there is no valid one, or it is compressed or encrypted.
  private func text(_ frame: ID3Frame, in reader: inout HeaderReader) throws -> String? {
    try first(frame, in: &reader) { tag, place, reader in
      try frame == .comment || frame == .named
        ? tag.comment(in: place, of: frame, &reader) : tag.text(in: place, &reader)
    }
  }

  /// Makes a value from the first frame of a name that gives one; `nil` if none does.
  private func first<Value>(
    _ frame: ID3Frame,
    in reader: inout HeaderReader,
    _ read: (ID3Tag, Range<Int64>, inout HeaderReader) throws -> Value?
  ) throws -> Value? {
    if version < 4, flags & ID3Flags.unsynchronized != 0 {
      return try firstSynchronized(frame, in: &reader, read)
    }
    guard var offset = try firstFrameOffset(in: &reader) else { return nil }
    let headByteCount: Int64 = version == 2 ? 6 : 10
    var foundCount = 0
    for _ in 0..<Self.maximumFrameCount {
      guard offset + headByteCount <= content.upperBound else { return nil }
      let name = try reader.bytes(at: offset, count: version == 2 ? 3 : 4)
      // The last frame is followed by padding of zeros.
      guard name.allSatisfy({ (0x30...0x5A).contains($0) }) else { return nil }
      let byteCount = try frameByteCount(at: offset, in: &reader)
      let start = offset + headByteCount
      guard byteCount <= content.upperBound - start else { return nil }
      if name.elementsEqual((version == 2 ? frame.shortName : frame.rawValue).utf8) {
        // A tag may have a comment for each language and each purpose.
        if let value = try read(self, start..<start + byteCount, &reader) { return value }
        foundCount += frame == .named ? 0 : 1
        guard foundCount < Self.maximumCommentCount else { return nil }
      }
      offset = start + byteCount
    }
    return nil
  }

  /// Makes a value from a frame of an unsynchronized tag, in which a zero follows every byte that a
  /// player could mistake for the start of sound.
  private func firstSynchronized<Value>(
    _ frame: ID3Frame,
    in reader: inout HeaderReader,
    _ read: (ID3Tag, Range<Int64>, inout HeaderReader) throws -> Value?
  ) throws -> Value? {
    let byteCount = min(content.count, HeaderReader.maximumPieceByteCount)
    let bytes = Self.synchronized(try reader.bytes(at: content.lowerBound, count: byteCount))
    var inner = try HeaderReader(MemoryBytes(bytes))
    let tag = ID3Tag(
      version: version,
      flags: flags & ~ID3Flags.unsynchronized,
      content: 0..<Int64(bytes.count)
    )
    return try inner.attempt { try tag.first(frame, in: &$0, read) } ?? nil
  }

  /// Returns the position of the frames; `nil` if the tag is in a form that cannot be read.
  private func firstFrameOffset(in reader: inout HeaderReader) throws -> Int64? {
    let start = content.lowerBound
    // In version 2 this bit marks a compressed tag, but no compression was ever defined.
    guard flags & ID3Flags.extended != 0 else { return start }
    switch version {
    case 3: return start + 4 + Int64(try reader.number(UInt32.self, at: start, .bigEndian))
    case 4: return start + Self.number(try reader.bytes(at: start, count: 4))
    default: return nil
    }
  }

  private func frameByteCount(at offset: Int64, in reader: inout HeaderReader) throws -> Int64 {
    switch version {
    case 2: Int64(try reader.number(UInt32.self, at: offset + 2, .bigEndian) & 0xFF_FFFF)
    case 3: Int64(try reader.number(UInt32.self, at: offset + 4, .bigEndian))
    default: Self.number(try reader.bytes(at: offset + 4, count: 4))
    }
  }

  /// Reads a number of four bytes with seven bits each, or with eight bits if the program got that
  /// wrong.
  private static func number(_ bytes: [UInt8]) -> Int64 {
    let isPlain = bytes.contains { $0 >= 0x80 }
    return bytes.reduce(0) { $0 << (isPlain ? 8 : 7) | Int64($1) }
  }

  private func text(in frame: Range<Int64>, _ reader: inout HeaderReader) throws -> String? {
    guard let bytes = try bytes(in: frame, &reader), let encoding = bytes.first else { return nil }
    let text = Array(bytes.dropFirst())
    guard encoding != 0 else { return EmbeddedTitle.text(text) }
    return Self.encoding(encoding, of: text).flatMap { EmbeddedTitle.text(text, in: $0) }
  }

  /// Whether a frame that would count is compressed, encrypted or damaged, or is no date.
  private func isUnreadable(
    _ frame: ID3Frame,
    in place: Range<Int64>,
    _ reader: inout HeaderReader
  ) throws -> Bool {
    guard place.count > 1 else { return false }
    // The purpose of a named text is not known then.
    guard let bytes = try bytes(in: place, &reader), let number = bytes.first, number <= 3 else {
      return frame != .named
    }
    let isComment = frame == .comment || frame == .named
    let said = isComment ? Self.comment(bytes, of: frame) : Array(bytes.dropFirst())
    guard let said, said.contains(where: { $0 > 0x20 }) else { return false }
    if frame == .recorded || frame == .released, let date = try text(in: place, &reader) {
      return RecordingDate.isUnreadable(date)
    }
    if number == 0 { return EmbeddedTitle.isUnreadable(said) }
    guard let encoding = Self.encoding(number, of: said) else { return true }
    return EmbeddedTitle.isUnreadable(said, in: encoding)
  }

  /// Reads a comment after its language, or the text that its program named so, as ffmpeg does; `nil`
  /// if it has another purpose, as those of players have.
  private func comment(
    in place: Range<Int64>,
    of frame: ID3Frame,
    _ reader: inout HeaderReader
  ) throws -> String? {
    guard let bytes = try bytes(in: place, &reader), let number = bytes.first,
      let said = Self.comment(bytes, of: frame)
    else { return nil }
    guard number != 0 else { return EmbeddedNote.text(said) }
    return Self.encoding(number, of: said).flatMap { EmbeddedNote.text(said, in: $0) }
  }

  /// Returns what stands behind the purpose of a comment; `nil` if it has another one.
  private static func comment(_ bytes: [UInt8], of frame: ID3Frame) -> [UInt8]? {
    let text = Array(bytes.dropFirst(frame == .named ? 1 : 4))
    let width = bytes.first == 1 || bytes.first == 2 ? 2 : 1
    let places = stride(from: 0, through: text.count - width, by: width)
    guard let end = places.first(where: { text[$0] == 0 && text[$0 + width - 1] == 0 })
    else { return nil }
    let hasMark = text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
    let purpose = text[..<end].dropFirst(width == 2 && hasMark ? 2 : 0).filter { $0 != 0 }
    let wanted = frame == .named ? "comment" : ""
    guard String(decoding: purpose, as: UTF8.self).lowercased() == wanted else { return nil }
    return Array(text[(end + width)...])
  }

  private static func encoding(_ number: UInt8, of text: [UInt8]) -> TextEncoding? {
    switch number {
    case 1 where text.starts(with: [0xFF, 0xFE]): .utf16LittleEndian
    case 1 where text.starts(with: [0xFE, 0xFF]): .utf16BigEndian
    case 2: .utf16BigEndian
    case 3: .utf8
    default: nil
    }
  }

  /// Reads the bytes of a frame after its flags; `nil` if they are compressed or encrypted.
  private func bytes(in frame: Range<Int64>, _ reader: inout HeaderReader) throws -> [UInt8]? {
    var start = frame.lowerBound
    var isUnsynchronized = false
    if version > 2 {
      let flags = ID3FrameFlags(try reader.bytes(at: start - 1, count: 1)[0], version: version)
      guard flags.areReadable else { return nil }
      start += flags.extraByteCount
      isUnsynchronized =
        flags.areUnsynchronized || (version == 4 && self.flags & ID3Flags.unsynchronized != 0)
    }
    let bytes = try reader.noteBytes(from: start, to: frame.upperBound)
    return isUnsynchronized ? Self.synchronized(bytes) : bytes
  }

  /// Removes the zeros of unsynchronization.
  private static func synchronized(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated()
    where byte != 0 || index == 0 || bytes[index - 1] != 0xFF {
      result.append(byte)
    }
    return result
  }
}

/// A frame with a text, by its name.
private enum ID3Frame: String {
  case title = "TIT2"
  case comment = "COMM"
  case named = "TXXX"
  case recorded = "TDRC"
  case released = "TDRL"
  case year = "TYER"
  case day = "TDAT"
  case time = "TIME"

  /// The name before version 2.3.
  var shortName: String {
    switch self {
    case .title: "TT2"
    case .comment: "COM"
    case .named: "TXX"
    case .recorded: "TRD"
    case .released: "TDR"
    case .year: "TYE"
    case .day: "TDA"
    case .time: "TIM"
    }
  }
}

/// The flags of a whole tag.
private enum ID3Flags {
  static let unsynchronized: UInt8 = 0x80
  static let extended: UInt8 = 0x40
}

/// The second flag byte of a frame.
private struct ID3FrameFlags {
  /// Whether the frame is neither compressed nor encrypted.
  let areReadable: Bool
  /// Whether zeros were inserted.
  let areUnsynchronized: Bool
  /// The number of bytes before the text.
  let extraByteCount: Int64

  init(_ flags: UInt8, version: UInt8) {
    if version == 3 {
      areReadable = flags & 0xC0 == 0
      areUnsynchronized = false
      extraByteCount = flags & 0x20 == 0 ? 0 : 1
    } else {
      areReadable = flags & 0x0C == 0
      areUnsynchronized = flags & 0x02 != 0
      extraByteCount = (flags & 0x40 == 0 ? 0 : 1) + (flags & 0x01 == 0 ? 0 : 4)
    }
  }
}
