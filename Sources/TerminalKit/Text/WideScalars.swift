/// The scalars that take two columns although they are not emoji.
///
/// Swift knows which scalars are emoji, but not their East Asian width. These are the ranges that
/// Unicode 15.1 calls wide or fullwidth (https://www.unicode.org/reports/tr11/), without the
/// nonspacing marks among them and without those covered by `isEmojiPresentation`.
enum WideScalars {
  /// The ranges, ascending.
  static let ranges: [ClosedRange<UInt32>] = [
    // Hangul leading consonants, angle brackets, radicals, CJK punctuation.
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x2E99, 0x2E9B...0x2EF3, 0x2F00...0x2FD5,
    0x2FF0...0x3029, 0x3030...0x303E,
    // Kana, Bopomofo, compatibility letters, ideographs, Yi.
    0x3041...0x3096, 0x309B...0x30FF, 0x3105...0x312F, 0x3131...0x318E, 0x3190...0x31E3,
    0x31EF...0x321E, 0x3220...0x3247, 0x3250...0x4DBF, 0x4E00...0xA48C, 0xA490...0xA4C6,
    // Hangul syllables, compatibility ideographs, vertical and fullwidth forms.
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE52,
    0xFE54...0xFE66, 0xFE68...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    // Tangut, Khitan, Kana supplements, Nüshu.
    0x16FE0...0x16FE3, 0x17000...0x187F7, 0x18800...0x18CD5, 0x18D00...0x18D08,
    0x1AFF0...0x1AFF3, 0x1AFF5...0x1AFFB, 0x1AFFD...0x1AFFE, 0x1B000...0x1B122,
    0x1B132...0x1B132, 0x1B150...0x1B152, 0x1B155...0x1B155, 0x1B164...0x1B167,
    0x1B170...0x1B2FB,
    // Squared ideographs, and the two planes reserved for ideographs.
    0x1F200...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248, 0x1F260...0x1F265,
    0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]

  /// Checks whether a scalar is in one of the ranges.
  ///
  /// - Complexity: O(log *n*) in the number of ranges.
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    var candidates = ranges[...]
    while let middle = candidates.indices.middle {
      let range = ranges[middle]
      if range.contains(scalar.value) { return true }
      candidates =
        scalar.value < range.lowerBound ? candidates[..<middle] : candidates[(middle + 1)...]
    }
    return false
  }
}

extension Range<Int> {
  fileprivate var middle: Int? { isEmpty ? nil : lowerBound + count / 2 }
}
