package import Foundation
import SnippetBase
import SnippetStorage
import Yams

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
  /// The new date of creation, in the field `created`.
  package var createdAt: Date?

  /// Makes an edit; omitted fields stay.
  package init(
    title: String? = nil,
    tags: [String]? = nil,
    isPinned: Bool? = nil,
    createdAt: Date? = nil
  ) {
    self.title = title
    self.tags = tags
    self.isPinned = isPinned
    self.createdAt = createdAt
  }

  /// Whether the edit changes nothing.
  package var isEmpty: Bool { self == FrontMatterEdit() }

  /// Applies the edit to a note, with or without front matter.
  ///
  /// The result is `nil` if its front matter cannot be read or cannot be changed line by line, or
  /// if the change would lose a value: one that is not a tag, or one of another field.
  package func applied(to text: String) -> String? {
    if isEmpty { return text }
    if let modern = text.withLineFeeds { return applied(to: modern)?.replacing("\n", with: "\r") }
    return Care.allCases.lazy.compactMap { applied(to: text, with: $0) }.first
  }

  /// The ways to change lines, the most careful first.
  private enum Care: CaseIterable {
    /// Within the lines of the tags.
    case inPlace
    /// With new lines in the style of the former ones.
    case inStyle
    /// With new lines.
    case plain
  }

  private func applied(to text: String, with care: Care) -> String? {
    var former: FrontMatterValues?
    let edited: String
    if let frontMatter = FrontMatter(of: text) {
      // The note itself reports why it cannot be read.
      // JSON is not changed: its lines say little about its fields.
      guard frontMatter.language != .json,
        let values = try? FrontMatterValues(frontMatter, in: text),
        tags == nil || values.tagsAreWhole
      else { return nil }
      former = values
      let language = frontMatter.language
      var lines = Self.lines(text[frontMatter.range], ends: frontMatter.lineEnd)
      if care == .inPlace {
        guard language == .yaml, let tags,
          Self.edit(tags, insteadOf: NoteMetadata.unique(values.tags), in: &lines)
        else { return nil }
      }
      for change in changes(in: language) where !(care == .inPlace && change.isOfTags) {
        // A new field of TOML comes before the tables.
        let end = language == .yaml ? nil : lines.firstIndex(where: Self.beginsTable)
        let (place, style) =
          Self.remove(change.keys, from: &lines, language) ?? (end ?? lines.count, nil)
        let new = change.lines(care == .plain ? nil : style)
        lines.insert(contentsOf: new.map { $0 + frontMatter.lineEnd }, at: place)
      }
      edited =
        text[..<frontMatter.range.lowerBound] + lines.joined()
        + text[frontMatter.range.upperBound...]
    } else {
      guard care == .plain else { return nil }
      let start = FrontMatter.start(of: text)
      let lineEnd = Self.lineEnd(of: text)
      let lines = changes(in: .yaml).flatMap { $0.lines(nil) }
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
    var isOfTags: Bool { keys == FrontMatterValues.tagKeys }
    /// Writes its lines, in the style of the former ones if there were any.
    let lines: (FrontMatterStyle?) -> [String]
  }

  private func changes(in language: FrontMatterLanguage) -> [Change] {
    let isYAML = language == .yaml
    let mark = isYAML ? ": " : " = "
    let scalar = isYAML ? Self.scalar : Self.quoted
    func key(_ style: FrontMatterStyle?, or name: String) -> String { (style?.key ?? name) + mark }
    func line(_ style: FrontMatterStyle?, _ name: String, _ value: String) -> String {
      key(style, or: name) + value + (style?.comment ?? "")
    }
    var changes: [Change] = []
    if let title {
      changes.append(Change(keys: ["title"]) { [line($0, "title", scalar(title))] })
    }
    if let tags {
      changes.append(
        Change(keys: FrontMatterValues.tagKeys) { style in
          if tags.isEmpty { return [] }
          if let style { return style.lines(tags, scalar) }
          return isYAML
            ? ["tags:"] + tags.map { "  - \(scalar($0))" }
            : ["tags = [\(tags.map(scalar).joined(separator: ", "))]"]
        }
      )
    }
    if let isPinned {
      changes.append(
        Change(keys: ["pinned"]) { isPinned ? [line($0, "pinned", "true")] : [] }
      )
    }
    if let createdAt {
      // In quotes for TOML too, whose dates without them have other forms.
      let date = isYAML ? createdAt.iso8601Milliseconds : Self.quoted(createdAt.iso8601Milliseconds)
      changes.append(
        Change(keys: [Self.creationKey]) { [line($0, Self.creationKey, date)] }
      )
    }
    return changes
  }

  private static let creationKey = "created"

  /// Changes the lines of the only field of tags; returns whether it could.
  private static func edit(
    _ tags: [String],
    insteadOf former: [String],
    in lines: inout [String]
  ) -> Bool {
    let starts = lines.indices.filter { index in
      FrontMatterValues.tagKeys.contains { begins(lines[index], with: $0, .yaml) }
    }
    guard let start = starts.first, starts.count == 1 else { return false }
    var end = start + 1
    while end < lines.count, isPartOfFormer(lines[end]) { end += 1 }
    // The bracket that ends a list need not be indented.
    if lines[start].contains("[") { end = endOfBrackets(from: start, past: end, in: lines) }
    var field = TagField(lines: Array(lines[start..<end]))
    let isEdited = field.edit(
      removing: former.filter { !tags.contains($0) },
      adding: tags.filter { !former.contains($0) }
    )
    if isEdited { lines.replaceSubrange(start..<end, with: field.lines) }
    return isEdited
  }

  /// Whether a text has the values of the edit, and otherwise those that it had before.
  private func isMade(in text: String, of former: FrontMatterValues?) -> Bool {
    guard let frontMatter = FrontMatter(of: text),
      let values = try? FrontMatterValues(frontMatter, in: text)
    else { return false }
    var (others, formerOthers) = (values.others, former?.others ?? [:])
    if let createdAt {
      guard values.createdAt?.milliseconds == createdAt.milliseconds else { return false }
      others = others.filter { !Self.isCreation($0.key) }
      // A value that is no date would be lost.
      formerOthers = formerOthers.filter { field in
        !Self.isCreation(field.key)
          || field.value.scalar.flatMap { WrittenDate.date($0.string) } == nil
      }
    }
    return values.title == title ?? former?.title
      && values.isPinned == isPinned ?? former?.isPinned ?? false
      && NoteMetadata.unique(values.tags) == tags ?? NoteMetadata.unique(former?.tags ?? [])
      && others == formerOthers
  }

  private static func isCreation(_ key: Node) -> Bool {
    key.scalar?.string.lowercased() == creationKey
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
    from lines: inout [String],
    _ language: FrontMatterLanguage
  ) -> (place: Int, style: FrontMatterStyle?)? {
    var first: (place: Int, style: FrontMatterStyle?)?
    var index = 0
    while index < lines.count {
      if language == .toml, beginsTable(lines[index]) { break }
      guard keys.contains(where: { begins(lines[index], with: $0, language) }) else {
        index += 1
        continue
      }
      var end = index + 1
      switch language {
      case .yaml: while end < lines.count, isPartOfFormer(lines[end]) { end += 1 }
      case .toml, .json: end = endOfBrackets(from: index, past: end, in: lines)
      }
      first = first ?? (index, FrontMatterStyle(lines[index..<end], in: language))
      lines.removeSubrange(index..<end)
    }
    return first
  }

  private static func begins(
    _ line: String,
    with key: String,
    _ language: FrontMatterLanguage
  ) -> Bool {
    let name = line.prefix { $0 != language.separator }
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

  /// Whether a line of TOML begins a table, to which all fields after it belong.
  private static func beginsTable(_ line: String) -> Bool {
    line.first { !$0.isWhitespace } == "["
  }

  /// Returns the first line at or after one at which no more brackets are open than closed since a
  /// start; the result is checked by reading it again.
  private static func endOfBrackets(from start: Int, past first: Int, in lines: [String]) -> Int {
    func opened(by line: String) -> Int {
      line.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "[") ? 1 : $1 == UInt8(ascii: "]") ? -1 : 0) }
    }
    var end = first
    var open = lines[start..<first].reduce(0) { $0 + opened(by: $1) }
    while end < lines.count, open > 0 {
      open += opened(by: lines[end])
      end += 1
    }
    return end
  }

  private static func lineEnd(of text: String) -> String {
    guard let feed = text.utf8.firstIndex(of: UInt8(ascii: "\n")), feed > text.utf8.startIndex,
      text.utf8[text.utf8.index(before: feed)] == UInt8(ascii: "\r")
    else { return "\n" }
    return "\r\n"
  }

  /// Writes a text in YAML, with quotes if it could be taken for anything else.
  static func scalar(_ text: String) -> String {
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
    let isPlain =
      text.unicodeScalars.first.map(\.properties.isAlphabetic) == true && text.last != " "
      && !words.contains(text.lowercased())
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || "0123456789 _-/.()+".unicodeScalars.contains(scalar)
      }
    return isPlain ? text : quoted(text)
  }

  /// Writes a text in quotes, as both languages read it.
  private static func quoted(_ text: String) -> String {
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
