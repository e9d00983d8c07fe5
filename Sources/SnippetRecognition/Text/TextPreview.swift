/// The beginning of a text, as a row of a list shows it.
package struct TextPreview {
  /// The most characters of a preview.
  package static let maximumLength = 200
  /// The most characters of a title.
  static let maximumTitleLength = 80
  // A text may begin with any number of blanks, and a character may have any number of marks.
  private static let examinedScalarCount = 1 << 14
  /// The most bytes in UTF-8 among which the line of a title is looked for: those that are read of a
  /// long text.
  private static let examinedByteCount = 1 << 14
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
  package var preview: String { Self.fold(text[...], limit: Self.maximumLength).text }

  /// The title made of the text, in the same form: its first line that says something, behind front
  /// matter in YAML or TOML.
  ///
  /// A line says something if it has a letter, a number or a symbol that is no mark of ASCII, so
  /// rules, fences and the borders of tables are passed over. Where no line does, the first one that
  /// is not blank counts. A line of more than ``maximumTitleLength`` characters is cut and ends with
  /// an ellipsis.
  ///
  /// - Complexity: O(1); it is made anew at each use.
  package var title: String { Self.title(of: text[titleStart...]) }

  /// Whether a title is one that is made of the text, and so follows it.
  ///
  /// The views of the schema take the first line that is not blank, whatever it says; so did earlier
  /// versions, whose rows stay as they are, and that behind front matter for notes.
  package func makes(_ title: String) -> Bool {
    title == self.title || title == Self.title(of: text[...])
      || endOfFrontMatter.map { title == Self.title(of: text[$0...]) } ?? false
  }

  private static func title(of text: Substring) -> String {
    let line = fold(text, limit: maximumTitleLength, isLine: true)
    guard line.isCut else { return line.text }
    return withoutBlank(line.text.prefix(maximumTitleLength - 1)) + "…"
  }

  /// The start of the line that gives the title.
  private var titleStart: String.Index {
    // Most texts begin with a letter.
    guard let first = text.unicodeScalars.first, !first.saysSomething else {
      return text.startIndex
    }
    if let front = endOfFrontMatter, let start = sayingLine(from: front) { return start }
    return sayingLine(from: text.startIndex) ?? text.startIndex
  }

  private var endOfFrontMatter: String.Index? { FrontMatterLines.end(in: text, before: limit) }

  /// The end of what is looked at for a title.
  private var limit: String.Index {
    let end = text.utf8.endIndex
    return text.utf8.index(text.startIndex, offsetBy: Self.examinedByteCount, limitedBy: end) ?? end
  }

  /// Finds the start of the first line that says something.
  private func sayingLine(from start: String.Index) -> String.Index? {
    let limit = limit
    var (line, place) = (start, start)
    while place < limit {
      let scalar = text.unicodeScalars[place]
      if scalar.saysSomething { return line }
      place = text.unicodeScalars.index(after: place)
      if scalar.isLineEnd { line = place }
    }
    return nil
  }

  /// Folds the white space of a text or of its first line that is not blank, up to a number of
  /// characters.
  private static func fold(
    _ text: Substring,
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
  /// Whether it is a letter or a digit of ASCII.
  var isWordOfASCII: Bool {
    (0x30...0x39).contains(value) || (0x41...0x5A).contains(value) || (0x61...0x7A).contains(value)
  }

  /// Whether it is a letter, a number or a symbol, but neither a mark of ASCII nor a part of a frame.
  fileprivate var saysSomething: Bool {
    if isASCII { return isWordOfASCII }
    // Box drawing.
    if (0x2500...0x257F).contains(value) { return false }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .mathSymbol, .currencySymbol, .modifierSymbol,
      .otherSymbol, .privateUse, .unassigned:
      return true
    default:
      return false
    }
  }

  /// Whether it is white space, or NUL, at which SQLite's text functions stop.
  fileprivate var isBlank: Bool {
    guard value < 0x80 else { return properties.isWhitespace }
    return value == 0x20 || (0x09...0x0D).contains(value) || value == 0
  }

  fileprivate var isLineEnd: Bool {
    (0x0A...0x0D).contains(value) || value == 0x85 || value == 0x2028 || value == 0x2029
  }
}
