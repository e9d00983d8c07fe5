import Foundation

/// Folds a text piece by piece to one case, without accents, in one width.
///
/// Marks that are written or left out at will disappear too: the points of Hebrew, the vowel signs
/// and the tatweel of Arabic, and characters without width, as the soft hyphen. Apostrophes and
/// quotes of all forms become the straight ones, the forms of alef its plain one, and letters with
/// a stroke, ligatures and the like what people type for them.
///
/// Foundation takes time quadratic in the length to compose a text, minutes for megabytes. So the
/// text is cut where no characters join across the cut. Artificial texts that offer no such place
/// for long are cut anyway.
struct TextFolding: Sequence, IteratorProtocol {
  /// The length of a piece, in code points, at which to start looking for a place to cut.
  private static let usualLength = 256
  private static let maximumLength = 1024
  /// The most consecutive marks; the Stream-Safe Text Format of Unicode allows 30.
  private static let maximumMarkCount = 32

  private var rest: Substring.UnicodeScalarView

  init(_ text: String) {
    rest = text[...].unicodeScalars
  }

  /// Folds the next piece; append it to the previous ones as it is.
  mutating func next() -> String? {
    guard !rest.isEmpty else { return nil }
    let end = endOfPiece()
    defer { rest = rest[end...] }
    return Self.folded(String(rest[..<end]))
  }

  /// Folds a text in one go.
  static func folded(_ text: String) -> String {
    // Compose first: half-width kana write their marks as separate characters, ｶﾞ for ガ. Compose
    // again afterwards: folding leaves the characters that it keeps decomposed.
    let folded = typed(text.precomposedStringWithCompatibilityMapping).folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
      locale: nil
    )
    return typed(folded).precomposedStringWithCanonicalMapping
  }

  /// Replaces characters by those that people type for them.
  private static func typed(_ text: String) -> String {
    // Plain letters are what people type.
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isLeftOutAtWill { continue }
      if let typed = scalar.typed {
        result.append(contentsOf: typed)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private func endOfPiece() -> String.Index {
    var (index, length, markCount) = (rest.startIndex, 0, 0)
    while index < rest.endIndex {
      let scalar = rest[index]
      if length >= Self.usualLength, length >= Self.maximumLength || scalar.joinsNothingBefore {
        break
      }
      markCount = scalar.isReordered ? markCount + 1 : 0
      if markCount > Self.maximumMarkCount { break }
      index = rest.index(after: index)
      length += 1
    }
    return index
  }
}

extension Unicode.Scalar {
  /// Whether people write or leave out this character at will.
  fileprivate var isLeftOutAtWill: Bool {
    switch value {
    // The soft hyphen; no width; marks of direction; the joiner of words; the mark of byte order.
    case 0xAD, 0x200B, 0x200E, 0x200F, 0x2060...0x2064, 0xFEFF: true
    // Points of Hebrew.
    case 0x591...0x5BD, 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7: true
    // Vowel signs of Arabic, and the tatweel.
    case 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7, 0x6E8,
      0x6EA...0x6ED, 0x8CA...0x8E1, 0x8E3...0x8FF:
      true
    default: false
    }
  }

  /// The characters that people type for this one; `nil` for itself.
  fileprivate var typed: String.UnicodeScalarView? {
    let text: String
    switch value {
    case 0x2018...0x201B, 0x2032, 0x2BB...0x2BD, 0x5F3: text = "'"
    case 0x201C...0x201F, 0x5F4: text = "\""
    case 0x622, 0x623, 0x625, 0x671: text = "\u{627}"
    case 0xD8, 0xF8: text = "o"
    case 0x141, 0x142: text = "l"
    case 0x110, 0x111, 0xD0, 0xF0: text = "d"
    case 0x126, 0x127: text = "h"
    case 0x166, 0x167: text = "t"
    case 0x131: text = "i"
    case 0xC6, 0xE6: text = "ae"
    case 0x152, 0x153: text = "oe"
    case 0xDF, 0x1E9E: text = "ss"
    case 0xDE, 0xFE: text = "th"
    default: return nil
    }
    return text.unicodeScalars
  }

  /// Whether composing may reorder this mark and its neighbours.
  fileprivate var isReordered: Bool {
    value >= 0x300 && properties.canonicalCombiningClass != .notReordered
  }

  /// Whether composing neither joins this to a previous character nor reorders it.
  ///
  /// Besides marks, the joining characters are vowels and final consonants of Hangul, vowels of
  /// Kirat Rai, marks of half-width kana, and vowels of Thai and Lao that begin with a mark.
  /// Joiners that keep letters apart, skin tones and the tags of flags disappear after other
  /// characters when folded.
  var joinsNothingBefore: Bool {
    switch value {
    case 0xAD: return false
    case ..<0x300: return true
    case _ where isLeftOutAtWill: return false
    case 0x0E33, 0x0EB3: return false
    case 0x1160...0x11FF, 0x3131...0x318E, 0xD7B0...0xD7FF, 0xFF9E...0xFFDC, 0x16D40...0x16D7F:
      return false
    case 0x200C, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: return false
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .unassigned: return false
    default: return true
    }
  }
}
