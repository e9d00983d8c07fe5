/// The lines of a field of tags in YAML, which an edit changes in their place: what is not edited
/// stays, with its quotes, blanks and comments.
///
/// An edit may spoil a field that is written in an unusual way, so read the result again.
struct TagField {
  /// The lines with their line ends.
  private(set) var lines: [String]

  /// Takes off tags and puts others behind the last; returns whether it could.
  mutating func edit(removing removed: [String], adding added: [String]) -> Bool {
    guard let first = lines.first, let mark = first.firstIndex(of: ":") else { return false }
    let value = first[first.index(after: mark)...].drop { $0 == " " || $0 == "\t" }
    if value.isBlank { return editItems(removing: removed, adding: added) }
    guard removed.isEmpty else { return false }
    if value.hasPrefix("[") { return addToBrackets(added) }
    return lines.count == 1 && addToWords(value, added)
  }

  // MARK: - A line for each

  private mutating func editItems(removing removed: [String], adding added: [String]) -> Bool {
    var last: (place: Int, before: String, end: String)?
    var kept: [String] = []
    for line in lines {
      let before = line.prefix { $0 == " " || $0 == "\t" }
      let rest = line[before.endIndex...]
      guard rest.hasPrefix("- ") else {
        kept.append(line)
        continue
      }
      let gap = rest.dropFirst().prefix { $0 == " " }
      let raw = rest.dropFirst(1 + gap.count)
      if removed.contains(Self.value(raw)) { continue }
      kept.append(line)
      last = (kept.count, "\(before)-\(gap)", line.last.map(String.init) ?? "\n")
    }
    // The style of the first item is needed for another, and a field without any is none.
    guard let last else { return false }
    let new = added.map { last.before + FrontMatterEdit.scalar($0) + last.end }
    kept.insert(contentsOf: new, at: last.place)
    lines = kept
    return true
  }

  /// Returns an item without quotes, the mark of a tag and a comment.
  private static func value(_ raw: Substring) -> String {
    var value = raw
    if let quote = value.first, quote == "\"" || quote == "'" {
      value = value.dropFirst().prefix { $0 != quote }
    } else {
      if let comment = value.firstRange(of: " #") { value = value[..<comment.lowerBound] }
      value = value.trimmed
    }
    return String(value.hasPrefix("#") ? value.dropFirst() : value)
  }

  // MARK: - Brackets

  private mutating func addToBrackets(_ added: [String]) -> Bool {
    let text = lines.joined()
    // A comment may have brackets and commas.
    guard let start = text.firstIndex(of: "["), let end = text.lastIndex(of: "]"), start < end,
      !text[..<end].contains(" #"), !text[..<end].contains("\n#")
    else { return false }
    let inside = text[text.index(after: start)..<end]
    let items = inside.trimmed
    guard !items.isEmpty, items.last != "," else { return false }
    let blanks = items.lastIndex(of: ",").map { comma in
      items[items.index(after: comma)...].prefix(while: \.isWhitespace)
    }
    let separator = "," + (blanks ?? " ")
    let new = added.map { separator + FrontMatterEdit.scalar($0) }.joined()
    lines = [text[..<items.endIndex] + new + text[items.endIndex...]].map(String.init)
    return true
  }

  // MARK: - Words

  private mutating func addToWords(_ value: Substring, _ added: [String]) -> Bool {
    let words = value.trimmed
    guard !words.contains(where: { "\"'#[]{}&*!|>%@`".contains($0) }),
      added.allSatisfy({ FrontMatterEdit.scalar($0) == $0 && !$0.contains(",") })
    else { return false }
    let separator: String
    if let comma = words.lastIndex(of: ",") {
      separator = "," + words[words.index(after: comma)...].prefix(while: \.isWhitespace)
    } else if words.contains(" "), added.allSatisfy({ !$0.contains(" ") }) {
      separator = " "
    } else {
      return false
    }
    let line = lines[0]
    lines[0] =
      line[..<words.endIndex] + added.map { separator + $0 }.joined() + line[words.endIndex...]
    return true
  }
}

extension Substring {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// The text without white space at both ends, in the same place.
  fileprivate var trimmed: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
