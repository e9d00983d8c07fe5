/// The texts of a picture in its EXIF block.
///
/// Exif 2.32, sections 4.6.4 and 4.6.5.
struct EXIFTexts {
  private static let details: UInt16 = 0x8769
  private static let imageDescription: UInt16 = 0x010E
  private static let userComment: UInt16 = 0x9286
  private static let codeByteCount = 8
  // What Windows writes, in UTF-16.
  private static let windowsTitle: UInt16 = 0x9C9B
  private static let windowsComment: UInt16 = 0x9C9C
  private static let windowsKeywords: UInt16 = 0x9C9E
  private static let windowsSubject: UInt16 = 0x9C9F

  /// The title; `nil` if it says nothing.
  let title: String?
  /// The description and the comments by the names of their fields; the first one counts.
  let notes: [NamedNote]
  /// The keywords in their order.
  let keywords: [String]

  /// Reads the texts of a block; `nil` if there is none.
  init?(exifAt offset: Int64, in reader: inout HeaderReader) throws {
    let base = try reader.tiffHeaderOffset(inEXIFAt: offset)
    guard let first = try TIFFDirectory(at: base, in: &reader) else { return nil }
    title = try Self.wideBytes(Self.windowsTitle, in: first, &reader).flatMap {
      EmbeddedTitle.text($0, in: .utf16LittleEndian)
    }
    var notes = try Self.notes(in: first, base, &reader)
    // Windows writes the title into both, which would hide its comment.
    if let description = notes.first, description.text == title {
      notes.removeFirst()
      notes.append(description)
    }
    self.notes = notes
    let listed = try Self.wideBytes(Self.windowsKeywords, in: first, &reader) ?? []
    let words = TextEncoding.utf16LittleEndian.decode(listed).prefix { $0 != "\0" }
    keywords = words.split(separator: ";").compactMap { word in
      EmbeddedTitle.text(Array(word.utf8), in: .utf8)
    }
  }

  private static func notes(
    in first: TIFFDirectory,
    _ base: Int64,
    _ reader: inout HeaderReader
  ) throws -> [NamedNote] {
    let description = try bytes(imageDescription, in: first, &reader)
    let comment = try wideBytes(windowsComment, in: first, &reader)
    let subject = try wideBytes(windowsSubject, in: first, &reader)
    let ofUser = try reader.attempt { reader -> [UInt8]? in
      guard let place = first.values[details],
        let directory = try TIFFDirectory(at: base, directoryAt: place, in: &reader)
      else { return nil }
      return try bytes(userComment, in: directory, &reader)
    }
    let notes = [
      NamedNote("ImageDescription", description.flatMap { EmbeddedNote.text($0) }),
      NamedNote("XPComment", comment.flatMap { EmbeddedNote.text($0, in: .utf16LittleEndian) }),
      NamedNote("XPSubject", subject.flatMap { EmbeddedNote.text($0, in: .utf16LittleEndian) }),
      NamedNote("UserComment", (ofUser ?? nil).flatMap { Self.comment($0) }),
    ]
    return notes.compactMap(\.self)
  }

  private static func wideBytes(
    _ tag: UInt16,
    in directory: TIFFDirectory,
    _ reader: inout HeaderReader
  ) throws -> [UInt8]? {
    // Some end a text with a single zero.
    try bytes(tag, in: directory, &reader).map { Array($0.prefix($0.count & ~1)) }
  }

  private static func bytes(
    _ tag: UInt16,
    in directory: TIFFDirectory,
    _ reader: inout HeaderReader
  ) throws -> [UInt8]? {
    guard let place = directory.places[tag], !place.isEmpty else { return nil }
    return try reader.attempt { try $0.noteBytes(from: place.lowerBound, to: place.upperBound) }
  }

  /// Decodes a comment after the eight characters that name its code.
  private static func comment(_ bytes: [UInt8]) -> String? {
    guard bytes.count > codeByteCount else { return nil }
    let text = Array(bytes[codeByteCount...])
    switch bytes.prefix(codeByteCount) {
    case let code where code.starts(with: "UNICODE".utf8):
      // Some end it with a single zero.
      let whole = Array(text.prefix(text.count & ~1))
      return EmbeddedNote.text(whole, in: wideEncoding(of: whole))
    case let code where code.starts(with: "ASCII".utf8) || code.allSatisfy { $0 == 0 }:
      return EmbeddedNote.text(text)
    default: return nil
    }
  }

  /// Returns the order of bytes, which depends on the program.
  ///
  /// Most letters have a zero in their upper byte.
  private static func wideEncoding(of text: [UInt8]) -> TextEncoding {
    if text.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
    if text.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
    let zeros = text.indices.filter { text[$0] == 0 }
    return zeros.count { $0.isMultiple(of: 2) } > zeros.count / 2
      ? .utf16BigEndian : .utf16LittleEndian
  }
}

extension MediaHeader {
  func ownNote(in reader: inout HeaderReader) throws -> String? { nil }

  /// Reads the description from every place that may have one: that of the format, then XMP, then
  /// EXIF, then IPTC, then a comment.
  func note(_ texts: PictureTexts, in reader: inout HeaderReader) throws -> String? {
    if let note = try reader.attempt({ try ownNote(in: &$0) }) ?? nil { return note }
    if let note = texts.notes.first { return note.text }
    return try reader.attempt { try comment(in: &$0) } ?? nil
  }
}
