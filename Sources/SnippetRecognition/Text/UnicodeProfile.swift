/// Statistics of the characters in a text, to tell text from numbers that resemble it.
struct UnicodeProfile {
  /// The number of characters.
  private(set) var characterCount = 0
  private var asciiCount = 0
  private var alphabeticCount = 0
  private var commonEastAsianCount = 0
  private var isPlausible = true

  /// Counts a character.
  mutating func count(_ scalar: Unicode.Scalar) {
    characterCount += 1
    switch scalar.value {
    case ..<0x80:
      asciiCount += 1
    case ..<0xA0:
      isPlausible = false
    case ..<0x0800, 0x1E00...0x206F:
      alphabeticCount += 1
      isPlausible = isPlausible && Self.isCharacter(scalar)
    default:
      if CommonCharacters.eastAsian.contains(scalar) { commonEastAsianCount += 1 }
      isPlausible = isPlausible && Self.isCharacter(scalar)
    }
  }

  /// Whether this can be the profile of a text without a mark of Unicode.
  ///
  /// Pairs of bytes of other data hit the common characters of a language only by chance, and
  /// include no line ends.
  var isThatOfText: Bool {
    guard isPlausible, characterCount >= 4 else { return false }
    let otherCount = characterCount - asciiCount - alphabeticCount
    if otherCount * 10 <= characterCount { return asciiCount * 16 >= characterCount }
    return asciiCount > 0 && commonEastAsianCount >= 2 && commonEastAsianCount * 4 >= otherCount
  }

  private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .unassigned, .privateUse, .surrogate: false
    default: true
    }
  }
}
