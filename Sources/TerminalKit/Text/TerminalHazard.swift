/// The effect of a scalar on a terminal, or on its reader, when it is printed.
enum TerminalHazard {
  /// It prints as itself.
  case none

  /// It joins or separates its neighbours: meaningful between emoji and in scripts whose letters
  /// join, invisible elsewhere.
  case joiner

  /// It selects a variant of the preceding scalar, and is invisible without one.
  case variationSelector

  /// It moves, colours, reorders or hides surrounding text, or is invisible.
  case hidden
}

extension Unicode.Scalar {
  /// The effect of this scalar on its own.
  ///
  /// Hidden are all control characters (C0, DEL, C1), format characters (bidirectional overrides,
  /// isolates and marks, byte order mark, tags, soft hyphen), line and paragraph separators,
  /// everything that Unicode calls ignorable, and noncharacters.
  var terminalHazard: TerminalHazard {
    guard value > 0x7E else { return value < 0x20 ? .hidden : .none }
    if isJoiner { return .joiner }
    if isPrependedMark { return .none }
    if properties.isVariationSelector { return .variationSelector }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return .hidden
    default: break
    }
    let isInvisible = properties.isDefaultIgnorableCodePoint
    return isInvisible || properties.isNoncharacterCodePoint ? .hidden : .none
  }

  /// Whether this is the zero-width joiner or the zero-width non-joiner.
  var isJoiner: Bool { value == 0x200D || value == 0x200C }

  /// Whether this is a format character that prints a sign of its own, such as the Arabic number
  /// sign.
  var isPrependedMark: Bool {
    switch value {
    case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// Whether this is an emoji other than the digits, `#` and `*`.
  var isEmojiSymbol: Bool { value > 0x7F && properties.isEmoji }

  /// Whether this is a letter or mark of a script that uses the joiners in ordinary spelling:
  /// Arabic, Syriac, the scripts of India and South-East Asia, Mongolian.
  var usesJoiners: Bool {
    switch value {
    case 0x0600...0x109F, 0x1700...0x1CFF, 0xA800...0xABFF, 0x11000...0x11FFF: break
    default: return false
    }
    switch properties.generalCategory {
    case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: return true
    default: return false
    }
  }
}
