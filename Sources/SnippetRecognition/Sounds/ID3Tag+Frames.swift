extension ID3Tag {
  // Real tags have about ten frames.
  private static let maximumFrameCount = 1000
  // The encoding of each may have to be guessed. Programs write a few for their own purposes.
  private static let maximumCommentCount = 32

  /// Hands over the bytes of each frame with a text, in their order; `nil` of those that are
  /// compressed or encrypted.
  func forEachText(
    in reader: inout HeaderReader,
    _ take: (ID3Frame, ID3FrameBytes) -> Void
  ) throws {
    if version < 4, flags & ID3Flags.unsynchronized != 0 {
      return try forEachSynchronizedText(in: &reader, take)
    }
    guard var offset = try firstFrameOffset(in: &reader) else { return }
    let headByteCount: Int64 = version == 2 ? 6 : 10
    var counts: [ID3Frame: Int] = [:]
    for _ in 0..<Self.maximumFrameCount {
      guard offset + headByteCount <= content.upperBound else { return }
      let name = try reader.bytes(at: offset, count: version == 2 ? 3 : 4)
      // The last frame is followed by padding of zeros.
      guard name.allSatisfy({ (0x30...0x5A).contains($0) }) else { return }
      let byteCount = try frameByteCount(at: offset, in: &reader)
      let start = offset + headByteCount
      guard byteCount <= content.upperBound - start else { return }
      let word = String(decoding: name, as: UTF8.self)
      if let frame = version == 2 ? ID3Frame(shortName: word) : ID3Frame(rawValue: word) {
        // A tag may have a comment for each language and each purpose.
        counts[frame, default: 0] += 1
        if frame == .named || counts[frame, default: 0] <= Self.maximumCommentCount {
          let bytes = try bytes(in: start..<start + byteCount, &reader)
          take(frame, ID3FrameBytes(bytes: bytes, isEmpty: byteCount <= 1))
        }
      }
      offset = start + byteCount
    }
  }

  /// Hands over the frames of an unsynchronized tag, in which a zero follows every byte that a player
  /// could mistake for the start of sound.
  private func forEachSynchronizedText(
    in reader: inout HeaderReader,
    _ take: (ID3Frame, ID3FrameBytes) -> Void
  ) throws {
    let byteCount = min(content.count, HeaderReader.maximumPieceByteCount)
    let bytes = Self.synchronized(try reader.bytes(at: content.lowerBound, count: byteCount))
    var inner = try HeaderReader(MemoryBytes(bytes))
    let tag = ID3Tag(
      version: version,
      flags: flags & ~ID3Flags.unsynchronized,
      content: 0..<Int64(bytes.count)
    )
    try tag.forEachText(in: &inner, take)
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
enum ID3Frame: String, CaseIterable {
  case title = "TIT2"
  case comment = "COMM"
  case lyrics = "USLT"
  case named = "TXXX"
  case recorded = "TDRC"
  case released = "TDRL"
  case year = "TYER"
  case day = "TDAT"
  case time = "TIME"

  /// Finds a frame by its name before version 2.3.
  init?(shortName: String) {
    guard let frame = Self.allCases.first(where: { $0.shortName == shortName }) else { return nil }
    self = frame
  }

  private var shortName: String {
    switch self {
    case .title: "TT2"
    case .comment: "COM"
    case .lyrics: "ULT"
    case .named: "TXX"
    case .recorded: "TRD"
    case .released: "TDR"
    case .year: "TYE"
    case .day: "TDA"
    case .time: "TIM"
    }
  }
}

/// The bytes of a frame after its flags.
struct ID3FrameBytes {
  /// The bytes; `nil` if they are compressed or encrypted.
  let bytes: [UInt8]?
  /// Whether the frame has no room for a text.
  let isEmpty: Bool

  /// Reads the text as that of a frame; `nil` if it is none, or a comment with a purpose.
  func text(as frame: ID3Frame) -> String? {
    said(as: frame).flatMap { text($0, isNote: frame.isComment) }
  }

  /// Reads what a frame says besides the text that counts: a comment with a purpose that no program
  /// gave it, or a second title; `nil` if it says nothing more.
  func furtherText(as frame: ID3Frame) -> String? {
    switch frame {
    case .comment:
      guard let (purpose, said) = purposeAndText(behind: 4), !purpose.isEmpty,
        !Self.purposesOfPrograms.contains(where: purpose.lowercased().hasPrefix)
      else { return nil }
      return text(said, isNote: true)
    case .title:
      return purposeAndText(behind: 1).flatMap { text($0.text, isNote: false) }
    default: return nil
    }
  }

  /// The beginnings of the purposes for which players keep values of their own.
  private static let purposesOfPrograms = ["itun", "songs-db_", "musicmatch_"]

  private func text(_ said: [UInt8], isNote: Bool) -> String? {
    guard let number = bytes?.first else { return nil }
    if let encoding = Self.encoding(number, of: said) {
      return isNote ? EmbeddedNote.text(said, in: encoding) : EmbeddedTitle.text(said, in: encoding)
    }
    guard number == 0 else { return nil }
    return isNote ? EmbeddedNote.text(said) : EmbeddedTitle.text(said)
  }

  /// Whether a frame that would count is compressed, encrypted or damaged, or is no date.
  func isUnreadable(as frame: ID3Frame) -> Bool {
    guard !isEmpty else { return false }
    // The purpose of a named text is not known then.
    guard let bytes, let number = bytes.first, number <= 3 else { return frame != .named }
    guard let said = said(as: frame), said.contains(where: { $0 > 0x20 }) else { return false }
    if frame == .recorded || frame == .released, let date = text(as: frame) {
      return RecordingDate.isUnreadable(date)
    }
    if number == 0 { return EmbeddedTitle.isUnreadable(said) }
    guard let encoding = Self.encoding(number, of: said) else { return true }
    return EmbeddedTitle.isUnreadable(said, in: encoding)
  }

  /// Returns what stands behind the encoding, and behind the language and the purpose of a comment;
  /// `nil` if that has another purpose than its program gave it, as those of players have.
  private func said(as frame: ID3Frame) -> [UInt8]? {
    guard let bytes else { return nil }
    guard frame.isComment else { return Array(bytes.dropFirst()) }
    guard let (purpose, text) = purposeAndText(behind: frame == .named ? 1 : 4) else { return nil }
    // ffmpeg names a text so.
    let wanted = frame == .named ? "comment" : ""
    return frame == .lyrics || purpose.lowercased() == wanted ? text : nil
  }

  /// Splits what stands behind the encoding, or that and the language, at its first zero; `nil` if
  /// there is none.
  private func purposeAndText(behind byteCount: Int) -> (purpose: String, text: [UInt8])? {
    guard let bytes else { return nil }
    let text = Array(bytes.dropFirst(byteCount))
    let width = bytes.first == 1 || bytes.first == 2 ? 2 : 1
    let places = stride(from: 0, through: text.count - width, by: width)
    guard let end = places.first(where: { text[$0] == 0 && text[$0 + width - 1] == 0 })
    else { return nil }
    let hasMark = text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
    let purpose = text[..<end].dropFirst(width == 2 && hasMark ? 2 : 0).filter { $0 != 0 }
    return (String(decoding: purpose, as: UTF8.self), Array(text[(end + width)...]))
  }

  private static func encoding(_ number: UInt8, of text: [UInt8]) -> TextEncoding? {
    switch number {
    case 1 where text.starts(with: [0xFF, 0xFE]): .utf16LittleEndian
    case 1 where text.starts(with: [0xFE, 0xFF]): .utf16BigEndian
    // Some programs forget the mark, and the zeros of Latin letters tell.
    case 1 where areLatin(text, withZerosAt: 1): .utf16LittleEndian
    case 1 where areLatin(text, withZerosAt: 0): .utf16BigEndian
    case 2: .utf16BigEndian
    case 3: .utf8
    default: nil
    }
  }

  /// Whether most units of UTF-16, and at least two, have a zero at a place where Latin letters do.
  private static func areLatin(_ text: [UInt8], withZerosAt place: Int) -> Bool {
    let units = stride(from: 0, to: text.count - 1, by: 2)
    let count = units.count(where: { text[$0 + place] == 0 && text[$0 + 1 - place] != 0 })
    return count >= 2 && count * 4 >= text.count / 2 * 3
  }
}

extension ID3Frame {
  fileprivate var isComment: Bool { self == .comment || self == .named || self == .lyrics }
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
