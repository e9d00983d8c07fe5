// Not generic: lists call this for each row, and across modules a generic function is slow.

extension String {
  /// Returns the text without its title, as ``Substring/dropping(title:)`` does.
  package func dropping(title: String) -> Substring { self[...].dropping(title: title) }
}

extension Substring {
  /// Returns the text without its title, if it begins with that, as a heading of Markdown too.
  ///
  /// A word is never cut: `Milkshake` does not begin with the title `Milk`.
  ///
  /// - Parameter title: The title; an empty one is no part of the text.
  /// - Returns: The rest, which may begin with white space; the whole text if it does not begin with
  ///   the title.
  /// - Complexity: O(*m*) for a title of *m* characters.
  package func dropping(title: String) -> Substring {
    guard !title.isEmpty else { return self }
    // A title may itself begin with the marks of a heading.
    return rest(after: title) ?? heading?.rest(after: title) ?? self
  }

  /// The text after the marks of a heading; `nil` without any.
  private var heading: Substring? {
    let end = utf8.prefix { $0 == UInt8(ascii: "#") }.endIndex
    guard (1...6).contains(utf8.distance(from: startIndex, to: end)), end < endIndex,
      utf8[end] == UInt8(ascii: " ")
    else { return nil }
    return self[utf8.index(after: end)...]
  }

  /// The text after a beginning that ends with a word; `nil` if there is none.
  private func rest(after beginning: String) -> Substring? {
    let rest: Substring
    if utf8.starts(with: beginning.utf8) {
      rest = self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...]
    } else if !beginning.utf8.allSatisfy({ $0 < 0x80 }), hasPrefix(beginning) {
      // Equal characters may consist of other bytes, which takes longer to tell.
      rest = dropFirst(beginning.count)
    } else {
      return nil
    }
    guard let next = rest.unicodeScalars.first?.properties else { return rest }
    return next.isAlphabetic || next.numericType != nil || next.isGraphemeExtend ? nil : rest
  }
}
