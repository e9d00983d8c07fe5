extension Unicode.Scalar {
  /// The terminal columns of this scalar on its own: 0, 1 or 2.
  ///
  /// Marks that combine with the character before and invisible characters take 0, East Asian wide
  /// and fullwidth characters and emoji take 2. Control characters count 0; make a text visible
  /// with ``TerminalText`` before measuring it. Characters of ambiguous width count 1.
  package var displayWidth: Int {
    if value < 0x300 { return isASCII || value > 0x9F ? latinWidth : 0 }
    if isZeroWidth { return 0 }
    return isWide ? 2 : 1
  }

  private var latinWidth: Int {
    value < 0x20 || value == 0x7F || value == 0xAD ? 0 : 1
  }

  private var isZeroWidth: Bool {
    // Hangul vowels and trailing consonants are drawn into the syllable before them.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return true }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return true
    case .format: return !isPrependedMark
    default: return properties.isVariationSelector
    }
  }

  private var isWide: Bool {
    // A regional indicator alone is a narrow letter; a pair of them is one flag.
    if properties.isEmojiPresentation { return !isRegionalIndicator }
    return WideScalars.contains(self)
  }

  /// Whether this is one of the 26 letters that make flags in pairs.
  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}

extension Character {
  /// The terminal columns of this character: those of its scalars together, 2 for an emoji
  /// sequence.
  ///
  /// Emoji sequences are those with a joiner, a skin tone, a keycap or an emoji variation selector,
  /// and flags. Terminals that do not know a sequence give it other widths.
  package var displayWidth: Int {
    let scalars = unicodeScalars
    guard let first = scalars.first, scalars.dropFirst().first != nil else {
      return unicodeScalars.first?.displayWidth ?? 0
    }
    return first.properties.isEmoji && scalars.dropFirst().contains(where: \.makesEmoji)
      ? 2 : scalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Character {
  /// Whether every terminal gives this character the same columns.
  ///
  /// Emoji came to be wide one after the other, and what the scalars of a sequence make together is
  /// each terminal's own idea.
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

  /// Cuts this text behind each character about whose columns terminals may disagree.
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
  /// Whether this scalar turns the emoji before it into a sequence of two columns.
  fileprivate var makesEmoji: Bool {
    value == 0xFE0F || value == 0x200D || isRegionalIndicator || properties.isEmojiModifier
  }
}

extension StringProtocol {
  /// The terminal columns of this text, which is one line without control characters.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var displayWidth: Int {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return utf8.count }
    // None of these joins another, and to find characters takes longer than to count them.
    if unicodeScalars.allSatisfy({ $0.value < 0x300 }) {
      return unicodeScalars.reduce(0) { $0 + $1.displayWidth }
    }
    return reduce(0) { $0 + $1.displayWidth }
  }
}
