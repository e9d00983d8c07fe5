/// The lines in which two texts differ, with a few before and after them.
package struct TextDifference: Equatable {
  /// The equal lines that are left on each side.
  private static let context = 3

  /// The lines of the first text.
  package let first: Substring
  /// The lines of the second text.
  package let second: Substring
  /// The lines that are left out, in words; empty if there are none.
  package let place: String

  /// Compares two texts.
  package init(_ first: String, _ second: String) {
    // Byte by byte: to Swift, a line feed after a carriage return is another character.
    let lines = [first, second].map { text in
      text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map(Substring.init)
    }
    let least = lines.map(\.count).min() ?? 0
    func equalCount(_ isEqual: (Int) -> Bool, upTo limit: Int) -> Int {
      var count = 0
      while count < limit, isEqual(count) { count += 1 }
      return count
    }
    func areEqual(_ one: Substring, _ other: Substring) -> Bool {
      one.utf8.elementsEqual(other.utf8)
    }
    let before = equalCount({ areEqual(lines[0][$0], lines[1][$0]) }, upTo: least)
    let after = equalCount(
      { areEqual(lines[0][lines[0].count - 1 - $0], lines[1][lines[1].count - 1 - $0]) },
      upTo: least - before
    )
    let (above, below) = (max(0, before - Self.context), max(0, after - Self.context))
    func middle(_ text: String, _ lines: [Substring]) -> Substring {
      let range = above..<max(above, lines.count - below)
      guard let start = lines[range].first?.startIndex, let end = lines[range].last?.endIndex else {
        return ""
      }
      return text[start..<end]
    }
    self.first = middle(first, lines[0])
    self.second = middle(second, lines[1])
    let words = [
      above > 0 ? "\(above.counted("equal line")) above" : nil,
      below > 0 ? "\(below.counted("equal line")) below" : nil,
    ].compactMap(\.self)
    place = words.isEmpty ? "" : " (\(words.joined(separator: ", ")) left out)"
  }
}
