/// The beginning of a text, as a row of a list shows it.
package struct TextPreview {
  /// The most characters of a preview.
  package static let maximumLength = 200
  /// The most characters of a title.
  static let maximumTitleLength = 80
  // A text may begin with any number of blanks, and a character may have any number of marks.
  private static let examinedScalarCount = 1 << 14
  // With an ellipsis, below the limit of the schema, which counts code points.
  private static let maximumScalarCount = 998

  private let text: String

  /// Takes a text or its beginning; its first 16,384 code points count.
  package init(of text: String) {
    self.text = text
  }

  /// The beginning on one line, with each run of white space folded to a blank; at most
  /// ``maximumLength`` characters and less than 1,000 code points.
  ///
  /// - Complexity: O(1); it is made anew at each use.
  package var preview: String { Self.fold(text, limit: Self.maximumLength).text }

  /// The first line that is not blank, in the same form.
  ///
  /// A line of more than ``maximumTitleLength`` characters is cut and ends with an ellipsis.
  ///
  /// - Complexity: O(1); it is made anew at each use.
  package var title: String {
    let line = Self.fold(text, limit: Self.maximumTitleLength, isLine: true)
    guard line.isCut else { return line.text }
    return Self.withoutBlank(line.text.prefix(Self.maximumTitleLength - 1)) + "…"
  }

  /// Folds the white space of a text or of its first line that is not blank, up to a number of
  /// characters.
  private static func fold(
    _ text: String,
    limit: Int,
    isLine: Bool = false
  ) -> (text: String, isCut: Bool) {
    var folded: [UInt8] = []
    folded.reserveCapacity(limit * 2)
    var count = 0
    var hasBlank = false
    var isSimple = true
    var isFull = false
    // Work on scalars: the schema compares them, and finding characters takes far longer. Collect
    // bytes: appending scalars to a text takes twice as long.
    for (_, scalar) in zip(0..<examinedScalarCount, text.unicodeScalars) {
      if isLine, count > 0, scalar.isLineEnd { break }
      if scalar.isBlank {
        hasBlank = count > 0
        continue
      }
      let addedCount = hasBlank ? 2 : 1
      isFull = count + addedCount > maximumScalarCount
      if isFull { break }
      if hasBlank { folded.append(0x20) }
      if scalar.isASCII {
        folded.append(UInt8(scalar.value))
      } else {
        folded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
      count += addedCount
      hasBlank = false
      // Below the first combining mark, each code point is a character.
      isSimple = isSimple && scalar.value < 0x300
      if isSimple, count > limit { break }
    }
    return beginning(of: String(decoding: folded, as: UTF8.self), limit: limit, isFull: isFull)
  }

  private static func beginning(
    of folded: String,
    limit: Int,
    isFull: Bool
  ) -> (text: String, isCut: Bool) {
    // No character is shorter than a byte, and finding characters takes long.
    if !isFull, folded.utf8.count <= limit { return (folded, false) }
    var beginning = folded.prefix(limit)
    let isCut = isFull || beginning.endIndex < folded.endIndex
    // The last character may go on; one that is too large by itself is cut.
    if isFull, beginning.endIndex == folded.endIndex, !beginning.dropFirst().isEmpty {
      beginning.removeLast()
    }
    return (withoutBlank(beginning), isCut)
  }

  private static func withoutBlank(_ text: Substring) -> String {
    String(text.unicodeScalars.last == " " ? Substring(text.unicodeScalars.dropLast()) : text)
  }
}

extension Unicode.Scalar {
  /// Whether it is white space, or NUL, at which SQLite's text functions stop.
  fileprivate var isBlank: Bool {
    guard value < 0x80 else { return properties.isWhitespace }
    return value == 0x20 || (0x09...0x0D).contains(value) || value == 0
  }

  fileprivate var isLineEnd: Bool {
    (0x0A...0x0D).contains(value) || value == 0x85 || value == 0x2028 || value == 0x2029
  }
}
