import Foundation

/// A description inside a file, made from bytes that may be anything: the note of an image or a
/// recording.
///
/// The result keeps its lines and has no other control characters. A damaged text gives none, nor
/// does what cameras and programs write by themselves.
enum EmbeddedNote {
  /// The most bytes of a note in UTF-8: 16 KiB.
  static let maximumByteCount = 1 << 14
  /// The most bytes of a description to read: 48 KiB.
  ///
  /// In every encoding they are more than a note can have, so that a longer one is known to be.
  static let maximumPieceByteCount = 3 * maximumByteCount

  /// Makes the note from bytes in a known encoding, up to a NUL if there is one.
  ///
  /// It is `nil` if it would say nothing or the bytes are not valid in this encoding.
  static func text(_ bytes: [UInt8], in encoding: TextEncoding) -> String? {
    guard bytes.count >= maximumPieceByteCount else { return note(encoding.decode(bytes)) }
    return note(encoding.decodePrefix(bytes.prefix(maximumPieceByteCount)))
  }

  /// Makes the note from bytes in an unknown encoding; `nil` if it would say nothing, or the
  /// encoding is not certain.
  static func text(_ bytes: [UInt8]) -> String? {
    let bytes = Array(bytes.prefix { $0 != 0 })
    if let note = text(bytes, in: .utf8) { return note }
    // A title of the same bytes needs the same certainty. Bytes in memory can always be read.
    guard EmbeddedTitle.text(bytes) != nil,
      let encoding = try? TextEncodingDetector.encoding(of: MemoryBytes(bytes))
    else { return nil }
    return text(bytes, in: encoding)
  }

  /// Makes the note from a decoded text.
  static func note(_ text: String) -> String? {
    let visible = EmbeddedTitle.visible(text, keeping: ["\n", "\r", "\t"])
    guard let visible else { return nil }
    let note = visible.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return note.contains(where: \.isLetter) && !isByItself(note) ? note : nil
  }

  /// Whether a note is longer than ``maximumByteCount``.
  static func isLong(_ note: String) -> Bool { note.utf8.count > maximumByteCount }

  /// Returns a note, or the beginning of a long one.
  static func beginning(of note: String) -> String {
    guard isLong(note) else { return note }
    return TextEncoding.utf8.decodePrefix(note.utf8.prefix(maximumByteCount))
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Names the places of descriptions that neither the note nor the title has, each text once.
  static func further(_ notes: [NamedNote], besides note: String?, _ title: String?) -> [UnreadText]
  {
    var known = [note, title].compactMap(\.self).map(composed)
    var further: [UnreadText] = []
    for other in notes {
      let text = UnreadText.further(name: other.name)
      let isNamed = further.contains(text)
      let said = composed(other.text)
      // Hundreds of one name are not compared with each other.
      if !isNamed, known.contains(where: { has($0, said) }) { continue }
      known.append(said)
      if !isNamed { further.append(text) }
    }
    return further
  }

  /// Returns the bytes of a text, the same for the same characters.
  private static func composed(_ text: String) -> [UInt8] {
    Array(text.precomposedStringWithCanonicalMapping.utf8)
  }

  /// Whether a text has another one in it, by the search of Knuth, Morris and Pratt.
  ///
  /// `contains` takes minutes for texts that are made for that.
  private static func has(_ text: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard !wanted.isEmpty else { return true }
    // The most bytes at the end of each beginning that begin it too.
    var borders: [Int] = []
    func next(_ byte: UInt8, behind count: Int) -> Int {
      var count = count
      while count > 0, wanted[count] != byte { count = borders[count - 1] }
      return wanted[count] == byte ? count + 1 : 0
    }
    for (place, byte) in wanted.enumerated() {
      borders.append(place == 0 ? 0 : next(byte, behind: borders[place - 1]))
    }
    var count = 0
    for byte in text {
      count = next(byte, behind: count)
      if count == wanted.count { return true }
    }
    return false
  }

  // MARK: - What no person has written

  /// The words of cameras and programs, in lower case.
  private static let words: Set<String> = [
    "sony dsc", "dsc", "dcim", "samsung", "digital still camera", "exif_jpeg_picture",
    "exif-jpeg-picture", "exif_jpeg_t422", "jpeg_exif", "default", "untitled", "screenshot",
    "applemark", "ascii", "binary comment", "no comment", "created with gimp",
    "created with the gimp", "processed with vsco", "cof", "hdr", "hdrpl", "rbt", "edf", "mde",
  ]
  private static let endings = ["digital camera", "digital camera."]
  private static let beginnings = [
    "dcim\\", "dcim/", "lead technologies", "creator: gd-jpeg", "file written by adobe", "exif_",
    "<digimax", "casio computer co", "charset=", "lavc", "compressed by ", "optimized by ",
    "intel(r) jpeg",
  ]

  private static func isByItself(_ note: String) -> Bool {
    let folded = note.lowercased()
    return words.contains(folded) || endings.contains(where: folded.hasSuffix)
      || beginnings.contains(where: folded.hasPrefix)
      || folded.split(whereSeparator: \.isNewline).allSatisfy(isSetting)
  }

  /// Whether a line is a key without blanks and its value, as recorders write `sSPEED=024.000`.
  private static func isSetting(_ line: Substring) -> Bool {
    guard let sign = line.firstIndex(of: "=") else { return false }
    return sign > line.startIndex && !line[..<sign].contains(where: \.isWhitespace)
  }
}

/// A description inside a file, with the name of its place there.
struct NamedNote {
  let name: String
  let text: String

  /// Names a description; `nil` without one.
  init?(_ name: String, _ text: String?) {
    guard let text else { return nil }
    (self.name, self.text) = (name, text)
  }
}

extension HeaderReader {
  /// Reads the bytes of a description, up to the limit; none if it ends before it starts.
  mutating func noteBytes(from start: Int64, to end: Int64) throws -> [UInt8] {
    let limit = Int64(EmbeddedNote.maximumPieceByteCount)
    return try bytes(at: start, count: Int(min(max(0, end - start), limit)))
  }
}
