/// The beginning of a text, as a row of a list shows it.
package struct TextPreview {
  /// The most characters of a preview.
  package static let maximumLength = 200
  /// The most characters of a title.
  static let maximumTitleLength = 80
  // A text may begin with any number of blanks, and a character may have any number of marks.
  private static let examinedScalarCount = 1 << 14
  private static let maximumScalarsPerCharacter = 16
  // The limit of the schema, which counts code points.
  private static let maximumScalarCount = 1000

  /// The beginning on one line, with each run of white space folded to a blank; at most
  /// ``maximumLength`` characters and less than 1,000 code points.
  package let preview: String
  /// The first line that is not blank, in the same form.
  ///
  /// A line of more than ``maximumTitleLength`` characters is cut and ends with an ellipsis.
  package let title: String

  /// Makes the preview of a text or its beginning, from the first 16,384 code points.
  package init(of text: String) {
    let line: (text: String, isCut: Bool)
    if let words = Self.asciiWords(of: text) {
      preview = words.preview
      line = words.line
    } else {
      let beginning = Substring(text.unicodeScalars.prefix(Self.examinedScalarCount))
      preview = Self.fold(beginning, limit: Self.maximumLength).text
      line = Self.fold(
        beginning.drop { $0.isWhitespace }.prefix { !$0.isNewline },
        limit: Self.maximumTitleLength
      )
    }
    let shortened = line.text.prefix(Self.maximumTitleLength - 1)
    title =
      line.isCut ? (shortened.last == " " ? shortened.dropLast() : shortened) + "…" : line.text
  }

  /// Folds white space, up to a number of characters.
  private static func fold(_ text: Substring, limit: Int) -> (text: String, isCut: Bool) {
    var folded = ""
    var length = 0
    var scalarCount = 0
    var hasBlank = false
    for character in text {
      if character.isWhitespace {
        hasBlank = length > 0
        continue
      }
      let scalars = character.unicodeScalars.prefix(maximumScalarsPerCharacter)
      scalarCount += scalars.count + (hasBlank ? 1 : 0)
      guard length + (hasBlank ? 2 : 1) <= limit, scalarCount < maximumScalarCount else {
        return (folded, true)
      }
      if hasBlank { folded.append(" ") }
      folded.unicodeScalars.append(contentsOf: scalars)
      length += hasBlank ? 2 : 1
      hasBlank = false
    }
    return (folded, false)
  }

  /// Returns preview and first line if the beginning is ASCII, where each byte is a character;
  /// otherwise `nil`.
  ///
  /// Finding the characters of an arbitrary text takes some fifty times as long.
  private static func asciiWords(
    of text: String
  ) -> (preview: String, line: (text: String, isCut: Bool))? {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      // The byte after the beginning would reveal a mark on its last character.
      guard bytes.prefix(examinedScalarCount + 1).allSatisfy({ $0 < 0x80 }) else { return nil }
      let beginning = bytes.prefix(examinedScalarCount)
      let line = beginning.drop(while: isBlank).prefix { !(0x0A...0x0D).contains($0) }
      return (
        fold(ascii: beginning, limit: maximumLength).text,
        fold(ascii: line, limit: maximumTitleLength)
      )
    } ?? nil
  }

  /// Folds white space, up to a number of characters.
  private static func fold(
    ascii bytes: Slice<UnsafeBufferPointer<UInt8>>,
    limit: Int
  ) -> (text: String, isCut: Bool) {
    var isCut = false
    let text = String(unsafeUninitializedCapacity: limit) { folded in
      var length = 0
      var hasBlank = false
      for byte in bytes {
        if isBlank(byte) {
          hasBlank = length > 0
          continue
        }
        guard length + (hasBlank ? 2 : 1) <= limit else {
          isCut = true
          break
        }
        if hasBlank {
          folded[length] = 0x20
          length += 1
        }
        folded[length] = byte
        length += 1
        hasBlank = false
      }
      return length
    }
    return (text, isCut)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
