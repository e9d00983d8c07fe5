extension StringProtocol where SubSequence == Substring {
  /// Returns the text without its title, if it begins with that, as a heading of Markdown too.
  ///
  /// A word is never cut: `Milkshake` does not begin with the title `Milk`.
  ///
  /// - Parameter title: The title; an empty one is no part of the text.
  /// - Returns: The rest, which may begin with white space; the whole text if it does not begin with
  ///   the title.
  /// - Complexity: O(*m*) for a title of *m* characters.
  package func dropping(title: String) -> Substring {
    let whole = self[...]
    guard !title.isEmpty else { return whole }
    let (bytes, mark) = (utf8, UInt8(ascii: "#"))
    var start = startIndex
    let marks = bytes.prefix { $0 == mark }
    if (1...6).contains(marks.count), marks.endIndex < bytes.endIndex,
      bytes[marks.endIndex] == UInt8(ascii: " ")
    {
      start = bytes.index(after: marks.endIndex)
    }
    // A title may itself begin with such signs.
    for start in start == startIndex ? [start] : [start, startIndex] {
      let rest = whole[start...]
      guard rest.hasPrefix(title) else { continue }
      // Equal characters may consist of other bytes, which takes longer to tell.
      let after =
        rest.utf8.starts(with: title.utf8)
        ? rest[rest.utf8.index(rest.startIndex, offsetBy: title.utf8.count)...]
        : rest.dropFirst(title.count)
      let isInWord = after.first.map { $0.isLetter || $0.isNumber } ?? false
      return isInWord ? whole : after
    }
    return whole
  }
}
