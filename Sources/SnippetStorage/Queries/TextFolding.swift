import Foundation

/// Makes a text alike in case, accents and width, piece by piece.
///
/// Foundation composes a text in a time that grows with the square of its length, so one of
/// megabytes would take minutes. It is cut where nothing is joined across the cut; in a text that
/// nobody writes, which has no such place for long, it is cut all the same.
struct TextFolding: Sequence, IteratorProtocol {
  /// How many code points a piece has before a place to cut is looked for.
  private static let usualLength = 256
  private static let maximumLength = 1024
  /// How many marks may follow each other; the Stream-Safe Text Format of Unicode has 30.
  private static let maximumMarkCount = 32

  private var rest: Substring.UnicodeScalarView

  init(_ text: String) {
    rest = text[...].unicodeScalars
  }

  /// The next piece, folded; each joins the one before as it stands.
  mutating func next() -> String? {
    guard !rest.isEmpty else { return nil }
    let end = endOfPiece()
    defer { rest = rest[end...] }
    return Self.folded(String(rest[..<end]))
  }

  /// Makes a text alike at once.
  static func folded(_ text: String) -> String {
    // Composed first: narrow kana have their marks as characters of their own, ｶﾞ for ガ. And again:
    // folding takes apart what it leaves as it is.
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
  /// Whether the order of this mark and those beside it is changed in composing.
  fileprivate var isReordered: Bool {
    value >= 0x300 && properties.canonicalCombiningClass != .notReordered
  }

  /// Whether composing joins this to no character before it, nor changes its order.
  ///
  /// But for marks, only vowels and last consonants of Hangul and the vowels of Kirat Rai are joined,
  /// the marks of narrow kana, and the vowels of Thai and Lao that begin with a mark. What keeps
  /// letters from being joined, the colours of skin and the tags of flags are folded away behind
  /// others.
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
