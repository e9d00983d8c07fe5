/// Changes to the front matter of a note; fields that are `nil` stay.
///
/// Only changed lines are rewritten, in the style of the former ones: everything else stays byte for
/// byte.
package struct FrontMatterEdit: Equatable, Sendable {
  /// The new title.
  package var title: String?
  /// All tags of the front matter; an empty array removes the line.
  package var tags: [String]?
  /// Whether to set `pinned: true`.
  package var isPinned: Bool?

  /// Makes an edit; omitted fields stay.
  package init(title: String? = nil, tags: [String]? = nil, isPinned: Bool? = nil) {
    self.title = title
    self.tags = tags
    self.isPinned = isPinned
  }

  /// Whether the edit changes nothing.
  package var isEmpty: Bool { self == FrontMatterEdit() }

  /// Applies the edit to a note, with or without front matter.
  ///
  /// The result is `nil` if its front matter cannot be read or cannot be changed line by line, or
  /// if the change would lose a value: one that is not a tag, or one of another field.
  package func applied(to text: String) -> String? {
    if isEmpty { return text }
    return applied(to: text, inStyle: true) ?? applied(to: text, inStyle: false)
  }

  private func applied(to text: String, inStyle keepsStyle: Bool) -> String? {
    var former: FrontMatterValues?
    let edited: String
    if let frontMatter = FrontMatter(of: text) {
      // The note itself reports why it cannot be read.
      guard let values = try? FrontMatterValues(text[frontMatter.range]),
        tags == nil || values.tagsAreWhole
      else { return nil }
      former = values
      var lines = Self.lines(text[frontMatter.range], ends: frontMatter.lineEnd)
      for change in changes {
        let (place, style) = Self.remove(change.keys, from: &lines) ?? (lines.count, nil)
        let new = change.lines(keepsStyle ? style : nil)
        lines.insert(contentsOf: new.map { $0 + frontMatter.lineEnd }, at: place)
      }
      edited =
        text[..<frontMatter.range.lowerBound] + lines.joined()
        + text[frontMatter.range.upperBound...]
    } else {
      let isMarked = text.utf8.starts(with: [0xEF, 0xBB, 0xBF])
      let start = isMarked ? text.utf8.index(text.utf8.startIndex, offsetBy: 3) : text.startIndex
      let lineEnd = Self.lineEnd(of: text)
      let lines = changes.flatMap { $0.lines(nil) }
      if lines.isEmpty { return text }
      edited =
        text[..<start]
        + (["---"] + lines + ["---"]).map { $0 + lineEnd }.joined() + text[start...]
    }
    return isMade(in: edited, of: former) ? edited : nil
  }

  /// The change of a field.
  private struct Change {
    /// The names of the field.
    let keys: [String]
    /// Writes its lines, in the style of the former ones if there were any.
    let lines: (FrontMatterStyle?) -> [String]
  }

  private var changes: [Change] {
    var changes: [Change] = []
    if let title {
      changes.append(
        Change(keys: ["title"]) { ["\($0?.key ?? "title"): \(Self.scalar(title))"] }
      )
    }
    if let tags {
      changes.append(
        Change(keys: FrontMatterValues.tagKeys) { style in
          if tags.isEmpty { return [] }
          return style?.lines(tags, Self.scalar)
            ?? ["tags:"] + tags.map { "  - \(Self.scalar($0))" }
        }
      )
    }
    if let isPinned {
      changes.append(
        Change(keys: ["pinned"]) { isPinned ? ["\($0?.key ?? "pinned"): true"] : [] }
      )
    }
    return changes
  }

  /// Whether a text has the values of the edit, and otherwise those that it had before.
  private func isMade(in text: String, of former: FrontMatterValues?) -> Bool {
    guard let frontMatter = FrontMatter(of: text),
      let values = try? FrontMatterValues(text[frontMatter.range])
    else { return false }
    return values.title == title ?? former?.title
      && values.isPinned == isPinned ?? former?.isPinned ?? false
      && MarkdownNote.unique(values.tags) == tags ?? MarkdownNote.unique(former?.tags ?? [])
      && values.others == former?.others ?? [:]
  }

  /// Returns the lines of a text with their line endings.
  private static func lines(_ text: Substring, ends lineEnd: String) -> [String] {
    var lines: [String] = []
    var rest = text.utf8[...]
    while let feed = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let next = rest.index(after: feed)
      lines.append(String(Substring(rest[..<next])))
      rest = rest[next...]
    }
    if !rest.isEmpty { lines.append(String(Substring(rest)) + lineEnd) }
    return lines
  }

  /// Removes the lines of some keys, and returns the position of the first with its style; `nil` if
  /// there was none.
  private static func remove(
    _ keys: [String],
    from lines: inout [String]
  ) -> (place: Int, style: FrontMatterStyle?)? {
    var first: (place: Int, style: FrontMatterStyle?)?
    var index = 0
    while index < lines.count {
      guard keys.contains(where: { begins(lines[index], with: $0) }) else {
        index += 1
        continue
      }
      var end = index + 1
      while end < lines.count, isPartOfFormer(lines[end]) { end += 1 }
      first = first ?? (index, FrontMatterStyle(lines[index..<end]))
      lines.removeSubrange(index..<end)
    }
    return first
  }

  private static func begins(_ line: String, with key: String) -> Bool {
    let name = line.prefix { $0 != ":" }
    guard name.endIndex < line.endIndex else { return false }
    let bare = name.filter { $0 != "\"" && $0 != "'" }.lowercased()
    return bare.trimmingSuffix(while: \.isWhitespace) == key
  }

  /// Whether a line continues the key above it: it is indented, or an item of a list.
  private static func isPartOfFormer(_ line: String) -> Bool {
    guard let first = line.unicodeScalars.first else { return false }
    return first == " " || first == "\t" || line.hasPrefix("- ") || line.hasPrefix("-\n")
      || line.hasPrefix("-\r\n")
  }

  private static func lineEnd(of text: String) -> String {
    guard let feed = text.utf8.firstIndex(of: UInt8(ascii: "\n")), feed > text.utf8.startIndex,
      text.utf8[text.utf8.index(before: feed)] == UInt8(ascii: "\r")
    else { return "\n" }
    return "\r\n"
  }

  /// Writes a text in YAML, with quotes if it could be taken for anything else.
  private static func scalar(_ text: String) -> String {
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
    let isPlain =
      text.unicodeScalars.first.map(\.properties.isAlphabetic) == true && text.last != " "
      && !words.contains(text.lowercased())
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || "0123456789 _-/.()+".unicodeScalars.contains(scalar)
      }
    if isPlain { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _
      where scalar.properties.generalCategory == .control || scalar.value == 0xFEFF
        || scalar == "\u{2028}" || scalar == "\u{2029}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension String {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, predicate(last) { text.removeLast() }
    return String(text)
  }
}
