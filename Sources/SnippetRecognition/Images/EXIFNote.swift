/// The description of a picture in its EXIF block.
///
/// Exif 2.32, sections 4.6.4 and 4.6.5.
enum EXIFNote {
  private static let details: UInt16 = 0x8769
  private static let imageDescription: UInt16 = 0x010E
  /// The comment that Windows writes.
  private static let windowsComment: UInt16 = 0x9C9C
  private static let userComment: UInt16 = 0x9286
  private static let codeByteCount = 8

  /// Reads the description, or else the comment of the user; `nil` if neither says anything.
  static func text(exifAt offset: Int64, in reader: inout HeaderReader) throws -> String? {
    let base = try reader.tiffHeaderOffset(inEXIFAt: offset)
    guard let first = try TIFFDirectory(at: base, in: &reader) else { return nil }
    if let bytes = try bytes(imageDescription, in: first, &reader),
      let note = EmbeddedNote.text(bytes)
    {
      return note
    }
    if let bytes = try bytes(windowsComment, in: first, &reader),
      let note = EmbeddedNote.text(bytes, in: .utf16LittleEndian)
    {
      return note
    }
    guard let place = first.values[details],
      let directory = try TIFFDirectory(at: base, directoryAt: place, in: &reader),
      let bytes = try bytes(userComment, in: directory, &reader)
    else { return nil }
    return comment(bytes)
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
    if let note = texts.packet.flatMap(XMPText.description(in:)) { return note }
    let described = try reader.attempt { reader -> String? in
      guard let offset = try exifOffset(in: &reader) else { return nil }
      return try EXIFNote.text(exifAt: offset, in: &reader)
    }
    if let note = described ?? nil { return note }
    if let note = texts.records?.caption { return note }
    return try reader.attempt { try comment(in: &$0) } ?? nil
  }
}
