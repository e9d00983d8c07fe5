import Foundation
import SnippetBase

/// The chunks of a PNG image before its pixels, and those at its end.
///
/// PNG specification, third edition: <https://www.w3.org/TR/png-3/#5DataRep>
struct PNGHeader: MediaHeader {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  let type = ContentType.png
  /// The chunks behind the pixels.
  private let lastChunks: [PNGChunk]

  init?(in reader: inout HeaderReader) throws {
    // Apple's own form has another chunk first, and no decoder shows it.
    guard reader.head.starts(with: Self.signature), try !reader.spells("CgBI", at: 12) else {
      return nil
    }
    lastChunks = try reader.attempt { try PNGChunks.last(in: &$0) } ?? []
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard try reader.spells("IHDR", at: 12) else { return MediaFacts() }
    let width = try reader.number(UInt32.self, at: 16, .bigEndian)
    let height = try reader.number(UInt32.self, at: 20, .bigEndian)
    return MediaFacts.image(width: width, height: height, isTurned: try isTurned(in: &reader))
  }

  func title(in reader: inout HeaderReader) throws -> String? {
    try text("Title\0", in: &reader).flatMap { EmbeddedTitle.text($0) }
  }

  func ownNote(in reader: inout HeaderReader) throws -> String? {
    for (key, _) in Self.noteKeys {
      guard let text = try reader.attempt({ try text(key, in: &$0) }) ?? nil else { continue }
      if let note = EmbeddedNote.text(text) { return note }
    }
    return nil
  }

  func namedNotes(in reader: inout HeaderReader) throws -> [NamedNote] {
    try Self.noteKeys.compactMap { key, name -> NamedNote? in
      let found = try reader.attempt { try text(key, in: &$0) } ?? nil
      return NamedNote(name, found.flatMap { EmbeddedNote.text($0) })
    }
  }

  private static let noteKeys: [(key: StaticString, name: String)] = [
    ("Description\0", "Description"), ("Comment\0", "Comment"),
  ]

  /// Finds the first uncompressed text with a key.
  ///
  /// An international one should be in UTF-8, but may be in what the system of its program uses.
  private func text(_ key: StaticString, in reader: inout HeaderReader) throws -> [UInt8]? {
    let keyByteCount = Int64(key.utf8CodeUnitCount)
    let found = try chunk(in: &reader) { chunk, reader in
      let start = chunk.content.lowerBound
      guard try reader.spells(key, at: start) else { return false }
      if try reader.spells("tEXt", at: chunk.nameOffset) { return true }
      return try reader.spells("iTXt", at: chunk.nameOffset)
        && reader.number(UInt8.self, at: start + keyByteCount, .bigEndian) == 0
    }
    guard let place = found else { return nil }
    let start = place.content.lowerBound + keyByteCount
    let bytes = try reader.noteBytes(from: start, to: place.content.upperBound)
    if try reader.spells("tEXt", at: place.nameOffset) { return bytes }
    return Self.internationalText(bytes)
  }

  /// Returns the text after the compression, the language and the translated key.
  private static func internationalText(_ bytes: [UInt8]) -> [UInt8]? {
    let parts = bytes.dropFirst(2).split(
      separator: 0,
      maxSplits: 2,
      omittingEmptySubsequences: false
    )
    return parts.count == 3 ? Array(parts[2]) : nil
  }

  func writtenBlock(_ kind: WrittenBlock, in reader: inout HeaderReader) throws -> [UInt8]? {
    for key in kind.keys {
      let found = try chunk(in: &reader) { chunk, reader in
        try reader.spells("tEXt", at: chunk.nameOffset)
          && reader.spells(key, at: chunk.content.lowerBound)
      }
      guard let place = found?.content else { continue }
      let start = place.lowerBound + Int64(key.utf8CodeUnitCount)
      let count = min(max(0, place.upperBound - start), Int64(HeaderReader.maximumPieceByteCount))
      if let bytes = kind.bytes(in: try reader.bytes(at: start, count: Int(count))) { return bytes }
    }
    return nil
  }

  /// Finds the compressed texts with the keys that are read, and the values that cannot be read.
  func unreadTexts(in reader: inout HeaderReader) throws -> [UnreadText] {
    var keys: [StaticString] = [
      "Title\0", "Description\0", "Comment\0", "Creation Time\0", "XML:com.adobe.xmp\0",
    ]
    keys += WrittenBlock.iptc.keys + ["Raw profile type xmp\0"]
    // Programs write the block in both forms.
    if try exifOffset(in: &reader) == nil { keys += WrittenBlock.exif.keys }
    var unread: [UnreadText] = []
    // None is the one that is looked for, so that all are looked at.
    _ = try chunk(in: &reader) { chunk, reader in
      let start = chunk.content.lowerBound
      let isPacked = try reader.spells("zTXt", at: chunk.nameOffset)
      guard try isPacked || reader.spells("iTXt", at: chunk.nameOffset) else { return false }
      for key in keys where try reader.spells(key, at: start) {
        let flagOffset = start + Int64(key.utf8CodeUnitCount)
        let text = UnreadText.compressed(key: String("\(key)".dropLast()))
        if try isPacked || reader.number(UInt8.self, at: flagOffset, .bigEndian) == 1,
          !unread.contains(text)
        {
          unread.append(text)
        }
      }
      return false
    }
    let texts: [StaticString] = ["Title\0", "Description\0", "Comment\0"]
    for key in texts {
      let bytes = try reader.attempt { try text(key, in: &$0) } ?? nil
      guard let bytes, EmbeddedTitle.isUnreadable(bytes) else { continue }
      unread.append(.unreadable(name: String("\(key)".dropLast())))
    }
    let time = try reader.attempt { try creationTime(in: &$0) } ?? nil
    if let time, RecordingDate.isMeant(time), WrittenDate.date(time) == nil {
      unread.append(.unreadable(name: "Creation Time"))
    }
    let change = try reader.attempt { try changeTime(in: &$0) } ?? nil
    if let change, change.date == nil, change.numbers.contains(where: { $0 > 0 }) {
      unread.append(.unreadable(name: "tIME"))
    }
    return unread
  }

  func exifOffset(in reader: inout HeaderReader) throws -> Int64? {
    try chunk(in: &reader) { try $1.spells("eXIf", at: $0.nameOffset) }?.content.lowerBound
  }

  func xmpPlace(in reader: inout HeaderReader) throws -> Range<Int64>? {
    // After the key: not compressed, no language, no translated key.
    let mark: StaticString = "XML:com.adobe.xmp\0\0\0\0\0"
    let chunk = try chunk(in: &reader) { chunk, reader in
      try reader.spells("iTXt", at: chunk.nameOffset)
        && reader.spells(mark, at: chunk.content.lowerBound)
    }
    guard let content = chunk?.content.clamped(to: 0..<reader.byteCount) else { return nil }
    let start = content.lowerBound + Int64(mark.utf8CodeUnitCount)
    return start < content.upperBound ? (start..<content.upperBound).ofPacket : nil
  }

  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence {
    var dates = DateEvidence()
    let time = try reader.attempt { try creationTime(in: &$0) } ?? nil
    dates.add(.pngText, time.flatMap { WrittenDate.date($0) })
    dates.add(.pngChanged, try changeTime(in: &reader)?.date)
    return dates
  }

  /// Reads the text that tells when the picture was made.
  private func creationTime(in reader: inout HeaderReader) throws -> String? {
    try text("Creation Time\0", in: &reader).map { bytes in
      String(decoding: bytes.prefix(100).prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Reads the numbers of the last change and the date that they make, if they do.
  private func changeTime(
    in reader: inout HeaderReader
  ) throws -> (numbers: [Int], date: Date?)? {
    guard let place = try chunk(in: &reader, where: { try $1.spells("tIME", at: $0.nameOffset) })
    else { return nil }
    let numbers = try reader.bytes(at: place.content.lowerBound, count: 7).map(Int.init)
    var written = WrittenDate(numbers[0] << 8 | numbers[1], numbers[2], numbers[3])
    written?.time = WrittenDate.Time(numbers[4], numbers[5], numbers[6])
    written?.zone = .gmt
    return (numbers, written?.date())
  }

  /// Finds the first chunk before the pixels, or else at the end, that meets a condition.
  private func chunk(
    in reader: inout HeaderReader,
    where isWanted: (PNGChunk, inout HeaderReader) throws -> Bool
  ) throws -> PNGChunk? {
    let early = try reader.attempt { reader -> PNGChunk? in
      var chunks = PNGChunks()
      while let chunk = try chunks.next(in: &reader) {
        if try isWanted(chunk, &reader) { return chunk }
      }
      return nil
    }
    if let found = early ?? nil { return found }
    return try lastChunks.first { try isWanted($0, &reader) }
  }
}

/// A chunk of a PNG image.
private struct PNGChunk {
  /// The position of its name.
  let nameOffset: Int64
  /// The range of its content, as claimed.
  let content: Range<Int64>
}

/// The chunks before the first pixels of a PNG image, one after the other.
private struct PNGChunks {
  private static let tailByteCount: Int64 = 1 << 16
  private static let maximumTailCount = 16

  private var offset: Int64 = 8

  /// Finds the chunks between the pixels and the end, where some programs write what they add.
  ///
  /// Returns those in the last 64 KiB; empty if the image does not end there with the last chunk.
  static func last(in reader: inout HeaderReader) throws -> [PNGChunk] {
    let start = max(8, reader.byteCount - tailByteCount)
    guard try reader.spells("IEND", at: reader.byteCount - 8) else { return [] }
    let tail = try reader.bytes(at: start, count: Int(reader.byteCount - start))
    // Chunks are found from the last one back: one ends where the next begins.
    var chunks: [PNGChunk] = []
    var end = reader.byteCount - 12
    for index in stride(from: tail.count - 24, through: 0, by: -1) {
      guard chunks.count < maximumTailCount,
        tail[index + 4..<index + 8].allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A })
      else { continue }
      let byteCount = tail[index..<index + 4].reduce(0) { $0 << 8 | Int64($1) }
      let offset = start + Int64(index)
      guard offset + 12 + byteCount == end else { continue }
      if tail[index + 4..<index + 8].elementsEqual("IDAT".utf8) { break }
      chunks.append(PNGChunk(nameOffset: offset + 4, content: offset + 8..<end - 4))
      end = offset
    }
    return chunks.reversed()
  }

  /// Reads the head of the next chunk; `nil` if pixels are next.
  mutating func next(in reader: inout HeaderReader) throws -> PNGChunk? {
    guard try !reader.spells("IDAT", at: offset + 4) else { return nil }
    let start = offset + 8
    let end = start + Int64(try reader.number(UInt32.self, at: offset, .bigEndian))
    defer { offset = end + 4 }
    return PNGChunk(nameOffset: offset + 4, content: start..<end)
  }
}
