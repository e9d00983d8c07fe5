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
    // A text of Objective-C would be copied whole at each use.
    self.text =
      text.isContiguousUTF8
      ? text : String(text.unicodeScalars.prefix(Self.examinedScalarCount))
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
    // Work on scalars: the schema compares them, and finding characters takes far longer. Decode and
    // collect bytes: the scalars of a substring and appending to a text take twice as long each.
    var text = text
    let isFull = text.withUTF8 { bytes in
      var (decoder, rest) = (UTF8(), bytes.makeIterator())
      for _ in 0..<examinedScalarCount {
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { break }
        if isLine, count > 0, scalar.isLineEnd { break }
        if scalar.isBlank {
          hasBlank = count > 0
          continue
        }
        count += hasBlank ? 2 : 1
        if count > maximumScalarCount { return true }
        isSimple = isSimple && scalar.standsAlone
        if isSimple, count > limit { break }
        if hasBlank { folded.append(0x20) }
        if scalar.isASCII {
          folded.append(UInt8(scalar.value))
        } else {
          folded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        hasBlank = false
      }
      return false
    }
    let line = String(decoding: folded, as: UTF8.self)
    if isSimple { return (line, count > limit) }
    return beginning(of: line, limit: limit, isFull: isFull)
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
    guard value >= 0x80 else {
      return value == 0x20 || (0x09...0x0D).contains(value) || value == 0
    }
    // Asking takes long, and there is no white space among the letters and signs of most scripts.
    guard (0x80...0xA0).contains(value) || (0x1680...0x3000).contains(value) else { return false }
    return properties.isWhitespace
  }

  /// Whether it is a character by itself beside others like it: neither a mark, a joiner nor a part
  /// of a syllable or an emoji.
  ///
  /// It holds for the common signs of the scripts that most texts are in, and spares finding their
  /// characters (https://www.unicode.org/reports/tr29/).
  var standsAlone: Bool {
    switch value {
    // Latin, Greek, Cyrillic, Hebrew and Arabic.
    case ..<0x300, 0x370..<0x483, 0x48A..<0x530, 0x5D0..<0x5EB, 0x620..<0x64B, 0x1E00..<0x2000:
      true
    // Dashes, quotation marks and dots; marks, kana, Chinese characters and syllables of Korean.
    case 0x2010..<0x2028, 0x3001..<0x302A, 0x3041..<0x3097, 0x30A0..<0x3100, 0x4E00..<0xA000,
      0xAC00..<0xD7A4:
      true
    default: false
    }
  }

  fileprivate var isLineEnd: Bool {
    (0x0A...0x0D).contains(value) || value == 0x85 || value == 0x2028 || value == 0x2029
  }
}
