/// The spelling of Hebrew as DOS wrote it, and of Cyrillic as old Macs wrote it.
///
/// Their bytes are letters of Russian in the encodings of DOS and of Windows, so a text is read in
/// them only if its words are spelled as they are there.
enum OldSpelling {
  /// The encodings in which words are spelled so.
  static func encodings(
    of pairs: [(first: UInt8, second: UInt8, count: Int)]
  ) -> [TextEncoding] {
    var encodings: [TextEncoding] = []
    if isHebrew(pairs) { encodings.append(.ibm862) }
    if isCyrillic(pairs) || isCyrillicOfCapitals(pairs) { encodings.append(.macCyrillic) }
    return encodings
  }

  // MARK: - Hebrew of DOS

  private static let hebrew: ClosedRange<UInt8> = 0x80...0x9A
  /// The capitals of Russian in DOS that have no letter of Hebrew in their place.
  private static let russianRest: ClosedRange<UInt8> = 0x9B...0x9F
  private static let finalForms: Set<UInt8> = [0x8A, 0x8D, 0x8F, 0x93, 0x95]
  // A word of Russian may end with the byte of a final form too.
  private static let minimumHebrewCount = 8
  // More words of Russian begin with such a byte.
  private static let minimumVisualCount = 24

  /// Whether the final forms of letters end words, or begin them in visual order, and nothing speaks
  /// for capitals of Russian.
  private static func isHebrew(_ pairs: [(first: UInt8, second: UInt8, count: Int)]) -> Bool {
    var (letterCount, otherCount, finalCount, misplacedCount) = (0, 0, 0, 0)
    for (first, second, count) in pairs {
      let isLetter = hebrew.contains(first)
      let isNextLetter = hebrew.contains(second)
      if russianRest.contains(first), isNextLetter || russianRest.contains(second) { return false }
      if isLetter, russianRest.contains(second) { return false }
      // Each character is the first of exactly one pair.
      if isLetter { letterCount += count } else if first >= 0x80 { otherCount += count }
      guard finalForms.contains(first) else { continue }
      if isNextLetter { misplacedCount += count } else { finalCount += count }
    }
    guard letterCount >= minimumHebrewCount, otherCount * 10 <= letterCount else { return false }
    if finalCount > 0, misplacedCount * 20 <= finalCount { return true }
    return letterCount >= minimumVisualCount && isVisual(pairs, in: .ibm862)
  }

  /// Whether an encoding has Hebrew, which may be in visual order.
  static func mayBeVisual(_ encoding: TextEncoding) -> Bool {
    encoding == .ibm862 || encoding == .windows1255
  }

  /// Whether Hebrew is written from left to right, as for old programs that drew it so: the final
  /// forms of letters begin words, and hardly any stands elsewhere.
  static func isVisual(
    _ pairs: [(first: UInt8, second: UInt8, count: Int)],
    in encoding: TextEncoding
  ) -> Bool {
    guard mayBeVisual(encoding) else { return false }
    // The letters of Windows and of ISO 8859-8 are in the same order.
    let shift: UInt8 = encoding == .ibm862 ? 0 : 0x60
    var (beginningCount, otherCount) = (0, 0)
    for (first, second, count) in pairs where finalForms.contains(second &- shift) {
      // The points of Windows belong to the letter before them.
      let isPoint = shift > 0 && (0xC0...0xD8).contains(first)
      if isPoint || hebrew.contains(first &- shift) {
        otherCount += count
      } else {
        beginningCount += count
      }
    }
    return beginningCount > 1 && otherCount * 20 <= beginningCount
  }

  /// Whether all letters, too few to tell by their spelling, are capitals of Russian or any letters of
  /// Hebrew.
  static func mayBeHebrew(_ pairs: [(first: UInt8, second: UInt8, count: Int)]) -> Bool {
    let letters = pairs.filter { $0.first >= 0x80 }
    let count = letters.reduce(0) { $0 + $1.count }
    return letters.allSatisfy { hebrew.contains($0.first) }
      && (count < minimumHebrewCount
        || count < minimumVisualCount && isVisual(pairs, in: .ibm862))
  }

  // More letters are hardly ever all those of Hebrew.
  private static let maximumOpenCount = 9

  /// Whether all letters of a word or two are those of Hebrew in Windows too, with no final form
  /// within a word.
  static func mayBeHebrewOfWindows(_ pairs: [(first: UInt8, second: UInt8, count: Int)]) -> Bool {
    let letters: ClosedRange<UInt8> = 0xE0...0xFA
    var count = 0
    for pair in pairs where pair.first >= 0x80 {
      guard letters.contains(pair.first) else { return false }
      count += pair.count
      let isFinalForm = finalForms.contains(pair.first &- 0x60)
      if isFinalForm, letters.contains(pair.second) { return false }
    }
    return count <= maximumOpenCount
  }

  // MARK: - Cyrillic of old Macs

  private static let capitals: ClosedRange<UInt8> = 0x80...0x9F
  /// The capitals in whose places Windows has dots, dashes and quotes, which stand before words too.
  private static let signsOfWindows = Set<UInt8>(0x91...0x97).union([0x82, 0x84, 0x85, 0x8B, 0x9B])
  /// The letters а to ю, which Windows has in the same places.
  private static let smallLetters: ClosedRange<UInt8> = 0xE0...0xFE
  /// The byte of я; in Windows that of its capital.
  private static let ya: UInt8 = 0xDF
  /// The byte of я in Windows; on old Macs that of the euro sign, which ends no word.
  private static let yaOfWindows: UInt8 = 0xFF

  /// Whether words begin with capitals of old Macs or have their я, and none has that of Windows, a
  /// capital behind a small letter or a letter of ASCII, as halves of East Asian characters have.
  ///
  /// Capitals that are signs before words in Windows are not enough.
  private static func isCyrillic(_ pairs: [(first: UInt8, second: UInt8, count: Int)]) -> Bool {
    var (spelledCount, capitalPairCount, smallCount, wrongCount) = (0, 0, 0, 0)
    var isEvident = false
    for (first, second, count) in pairs {
      let (isCapital, isSmall) = (capitals.contains(first), isSmallLetter(first))
      if isSmall { smallCount += count }
      guard isCapital || isSmall else { continue }
      let isShared = smallLetters.contains(first)
      if isShared, second == yaOfWindows { return false }
      let isNextLatin = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(second | 0x20)
      if isNextLatin || isSmall && capitals.contains(second) { wrongCount += count }
      if isCapital && isSmallLetter(second) || isShared && second == ya {
        spelledCount += count
        if !signsOfWindows.contains(first) { isEvident = true }
      }
      if isCapital, capitals.contains(second) { capitalPairCount += count }
    }
    return isEvident && wrongCount * 50 <= smallCount
      && capitalPairCount <= spelledCount + smallCount / 4
  }

  /// The byte of Ё, and those of the quotes around a word; in DOS they draw boxes.
  private static let yo: UInt8 = 0xDD
  private static let openingQuote: UInt8 = 0xC7
  private static let closingQuote: UInt8 = 0xC8
  /// The bytes of Ё, of №, and of other signs that stand among capitals.
  private static let besideCapitals = Set<UInt8>(0xC7...0xCA).union(0xD0...0xD5)
    .union([0xD7, 0xDC, yo])
  private static let minimumCapitalCount = 8

  /// Whether all letters are capitals, which DOS has in the same places, and Ё or quotes stand beside
  /// them where an old Mac has those.
  private static func isCyrillicOfCapitals(
    _ pairs: [(first: UInt8, second: UInt8, count: Int)]
  ) -> Bool {
    var capitalCount = 0
    var isEvident = false
    for (first, second, count) in pairs {
      if capitals.contains(first) {
        capitalCount += count
        if second == yo || second == closingQuote { isEvident = true }
      } else if first >= 0x80 {
        guard besideCapitals.contains(first) else { return false }
        if first == yo || first == openingQuote, capitals.contains(second) { isEvident = true }
      }
    }
    return isEvident && capitalCount >= minimumCapitalCount
  }

  private static func isSmallLetter(_ byte: UInt8) -> Bool {
    byte == ya || smallLetters.contains(byte)
  }
}
