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
    if isCyrillic(pairs) { encodings.append(.macCyrillic) }
    return encodings
  }

  // MARK: - Hebrew of DOS

  private static let hebrew: ClosedRange<UInt8> = 0x80...0x9A
  /// The capitals of Russian in DOS that have no letter of Hebrew in their place.
  private static let russianRest: ClosedRange<UInt8> = 0x9B...0x9F
  private static let finalForms: Set<UInt8> = [0x8A, 0x8D, 0x8F, 0x93, 0x95]
  // A word of Russian may end with the byte of a final form too.
  private static let minimumHebrewCount = 8

  /// Whether the final forms of letters end words, and nothing speaks for capitals of Russian.
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
    return letterCount >= minimumHebrewCount && otherCount * 10 <= letterCount && finalCount > 0
      && misplacedCount * 20 <= finalCount
  }

  /// Whether all letters, too few to tell by their spelling, are capitals of Russian or any letters of
  /// Hebrew.
  static func mayBeHebrew(_ pairs: [(first: UInt8, second: UInt8, count: Int)]) -> Bool {
    let letters = pairs.filter { $0.first >= 0x80 }
    return letters.allSatisfy { hebrew.contains($0.first) }
      && letters.reduce(0) { $0 + $1.count } < minimumHebrewCount
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

  private static func isSmallLetter(_ byte: UInt8) -> Bool {
    byte == ya || smallLetters.contains(byte)
  }
}
