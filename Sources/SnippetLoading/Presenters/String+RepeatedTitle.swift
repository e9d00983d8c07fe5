// Not generic: lists call this for each row, and across modules a generic function is slow.

/// The way in which a text tells where a line ends.
package enum LineEnds {
  /// By its own line ends.
  case kept
  /// By two blanks, as an excerpt.
  case twoBlanks
  /// By a blank like any other, as a preview.
  case blanks
}

extension String {
  /// Returns the text without its title, as ``Substring/dropping(title:lineEnds:)`` does.
  package func dropping(title: String, lineEnds: LineEnds = .blanks) -> Substring {
    self[...].dropping(title: title, lineEnds: lineEnds)
  }
}

extension Substring {
  /// Returns the text without its title, if that is its first line, as a heading of Markdown too.
  ///
  /// A sentence is never cut: `Plan for the boat` does not begin with the title `Plan`. Of a preview
  /// it is not known where its lines end, so a title before a blank counts as one.
  ///
  /// - Parameters:
  ///   - title: The title; an empty one is no part of the text.
  ///   - lineEnds: The way in which the text tells where a line ends. The default is that of a
  ///     preview.
  /// - Returns: The rest, which may begin with white space; the whole text if its first line is not
  ///   the title.
  /// - Complexity: O(*m*) for a title of *m* characters.
  package func dropping(title: String, lineEnds: LineEnds = .blanks) -> Substring {
    guard !title.isEmpty else { return self }
    // A title may itself begin with the marks of a heading.
    let rest = rest(after: title) ?? heading?.rest(after: title)
    guard let rest, rest.isEmpty || rest.isAtLineEnd(lineEnds) else { return self }
    return rest
  }

  private func isAtLineEnd(_ lineEnds: LineEnds) -> Bool {
    switch lineEnds {
    case .kept: first { $0.isNewline || !$0.isWhitespace }?.isNewline ?? true
    case .twoBlanks: hasPrefix("  ")
    case .blanks: hasPrefix(" ")
    }
  }

  /// The text after the marks of a heading; `nil` without any.
  private var heading: Substring? {
    let end = utf8.prefix { $0 == UInt8(ascii: "#") }.endIndex
    guard (1...6).contains(utf8.distance(from: startIndex, to: end)), end < endIndex,
      utf8[end] == UInt8(ascii: " ")
    else { return nil }
    return self[utf8.index(after: end)...]
  }

  /// The text after a beginning; `nil` if it begins with something else.
  private func rest(after beginning: String) -> Substring? {
    if utf8.starts(with: beginning.utf8) {
      return self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...]
    }
    // Equal characters may consist of other bytes, which takes longer to tell.
    guard !beginning.utf8.allSatisfy({ $0 < 0x80 }), hasPrefix(beginning) else { return nil }
    return dropFirst(beginning.count)
  }
}
