/// The spelling of Thai in windows-874, as far as pairs of bytes show it.
///
/// A vowel or a tone above or below a letter follows a consonant or another such mark, and a vowel
/// that is written first comes before a consonant. In bytes of other texts that is never so for
/// long, while the letters alone are as frequent as those of half a dozen other languages.
struct ThaiSpelling {
  private static let minimumLetterCount = 4
  private static let minimumMarkCount = 2
  private static let wrongShare = 0.02

  /// Whether the text is Thai.
  let isKept: Bool

  /// Reads the pairs of a text's bytes.
  init(_ pairs: [(first: UInt8, second: UInt8, count: Int)]) {
    var (letterCount, joinedCount, markCount, wrongCount) = (0, 0, 0, 0)
    for (first, second, count) in pairs {
      let (left, right) = (Role(first), Role(second))
      if left == .unused || right == .unused {
        isKept = false
        return
      }
      if right == .mark {
        markCount += count
        if left != .consonant, left != .mark { wrongCount += count }
      }
      if left == .leadingVowel {
        markCount += count
        if right != .consonant { wrongCount += count }
      }
      guard left.isLetter else { continue }
      letterCount += count
      if right.isLetter { joinedCount += count }
    }
    isKept =
      letterCount >= Self.minimumLetterCount && markCount >= Self.minimumMarkCount
      && joinedCount * 2 >= letterCount
      && Double(wrongCount) <= Self.wrongShare * Double(letterCount)
  }

  /// The role of a byte in Thai words.
  private enum Role {
    case consonant
    case vowel
    case leadingVowel
    /// Above or below a consonant.
    case mark
    /// A digit or a sign of Thai.
    case sign
    case other
    case unused

    init(_ byte: UInt8) {
      self =
        switch byte {
        case 0xA1...0xCE: .consonant
        case 0xD0, 0xD2, 0xD3, 0xE5: .vowel
        case 0xE0...0xE4: .leadingVowel
        case 0xD1, 0xD4...0xDA, 0xE7...0xEE: .mark
        case 0xCF, 0xDF, 0xE6, 0xEF...0xFB: .sign
        case 0x81...0x84, 0x86...0x90, 0x98...0x9F, 0xDB...0xDE, 0xFC...0xFF: .unused
        default: .other
        }
    }

    var isLetter: Bool { [.consonant, .vowel, .leadingVowel, .mark].contains(self) }
  }
}
