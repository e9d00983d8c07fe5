extension Unicode.Scalar {
  /// The columns of this scalar alone on a terminal: 0, 1 or 2.
  ///
  /// Combining marks and invisible characters take 0; East Asian wide and fullwidth characters and
  /// emoji take 2. Control characters count as 0, so make a text visible with ``TerminalText``
  /// before measuring it. Characters of ambiguous width count as 1.
  package var displayWidth: Int {
    if value < 0x300 { return isASCII || value > 0x9F ? latinWidth : 0 }
    if isZeroWidth { return 0 }
    return isWide ? 2 : 1
  }

  private var latinWidth: Int {
    value < 0x20 || value == 0x7F || value == 0xAD ? 0 : 1
  }

  private var isZeroWidth: Bool {
    // Hangul vowels and trailing consonants are drawn into the previous syllable.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return true }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return true
    case .format: return !isPrependedMark
    default: return properties.isVariationSelector
    }
  }

  private var isWide: Bool {
    // A single regional indicator is a narrow letter; a pair of them is a flag.
    if properties.isEmojiPresentation { return !isRegionalIndicator }
    return WideScalars.contains(self)
  }

  /// Whether this is one of the 26 letters that form flags in pairs.
  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}

extension Character {
  /// The columns of this character on a terminal: the sum of its scalars, or 2 for an emoji
  /// sequence.
  ///
  /// Emoji sequences are those with a joiner, a skin tone, a keycap or an emoji variation selector,
  /// and flags. Terminals that do not know a sequence give it other widths.
  package var displayWidth: Int {
    let scalars = unicodeScalars
    guard let first = scalars.first, scalars.dropFirst().first != nil else {
      return unicodeScalars.first?.displayWidth ?? 0
    }
    // A skin tone behind a space or a control character is drawn by itself, and so is the next one.
    let isEmoji = first.properties.isEmoji && !first.properties.isEmojiModifier
    return isEmoji && scalars.dropFirst().contains(where: \.makesEmoji)
      ? 2 : scalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Character {
  /// Whether every terminal gives this character the same columns.
  ///
  /// Emoji became wide one by one over the years, and each terminal has its own idea of the width
  /// of a sequence.
  fileprivate var hasCertainWidth: Bool {
    let scalars = unicodeScalars
    guard let first = scalars.first else { return true }
    guard scalars.dropFirst().first == nil else { return false }
    return first.value < 0x80
      || !first.properties.isEmoji && !(0x1F000..<0x20000).contains(first.value)
  }
}

extension StringProtocol {
  /// Whether terminals may disagree about the columns of this text.
  var hasUncertainWidth: Bool {
    !utf8.allSatisfy { $0 < 0x80 } && !allSatisfy(\.hasCertainWidth)
  }

  /// Splits the text after each character whose width is uncertain.
  var certainPieces: [SubSequence] {
    var pieces: [SubSequence] = []
    var start = startIndex
    for (index, character) in zip(indices, self) where !character.hasCertainWidth {
      let end = self.index(after: index)
      pieces.append(self[start..<end])
      start = end
    }
    return start < endIndex ? pieces + [self[start...]] : pieces
  }
}

extension Unicode.Scalar {
  /// Whether this scalar turns the preceding emoji into a sequence of two columns.
  fileprivate var makesEmoji: Bool {
    value == 0xFE0F || value == 0x200D || isRegionalIndicator || properties.isEmojiModifier
  }
}

extension StringProtocol {
  /// The columns of this text, a single line without control characters, on a terminal.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var displayWidth: Int { latinWidth ?? reduce(0) { $0 + $1.displayWidth } }

  /// The columns of a text of printable Latin letters and signs; `nil` for any other text.
  ///
  /// None of these joins another, and each has one column. Finding characters takes longer than
  /// counting these by their bytes.
  var latinWidth: Int? {
    utf8.withContiguousStorageIfAvailable { $0.latinWidth } ?? utf8.latinWidth
  }
}

extension Sequence<UInt8> {
  /// The columns of UTF-8 that is printable up to U+02FF; `nil` for other UTF-8.
  fileprivate var latinWidth: Int? {
    var width = 0
    var previous: UInt8 = 0
    for byte in self {
      switch byte {
      case 0x20...0x7E, 0xC2...0xCB: width += 1
      // Behind C2 stand control characters, the no-break space and the soft hyphen, too.
      case 0x80...0xBF where previous != 0xC2 || byte > 0xA0 && byte != 0xAD: break
      default: return nil
      }
      previous = byte
    }
    return width
  }
}
