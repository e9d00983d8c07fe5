import Foundation

/// Folds a text piece by piece to one case, without accents, in one width.
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
    text.precomposedStringWithCompatibilityMapping.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
      locale: nil
    )
    .precomposedStringWithCanonicalMapping
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
    case ..<0x300: return true
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
