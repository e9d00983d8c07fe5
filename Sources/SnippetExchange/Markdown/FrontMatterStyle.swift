/// The way in which a field of front matter is written, so that an edit changes no more than it
/// must.
struct FrontMatterStyle {
  /// The field with its spelling and quotes: `Tags`.
  let key: String
  /// The comment behind a value on one line, with the blanks before it; empty if there is none, and
  /// behind brackets.
  private(set) var comment = ""
  /// The form of a list of tags.
  private enum Form {
    /// `[a, b]`, with the blanks inside the brackets, between the items, and what follows.
    case flow(padding: String, separator: String, rest: String)
    /// An array of TOML with a line for each item, with what stands before it.
    case array(indent: String)
    /// Lines of items, with what stands before each dash.
    case block(indent: String)
    /// Words with commas or blanks between them.
    case words(separator: String)
  }

  private var form = Form.block(indent: "  ")
  /// The items as they were written, by their values.
  private var items: [String: String] = [:]

  private let language: FrontMatterLanguage

  /// Reads the lines of a field, with their line ends.
  init?(_ lines: ArraySlice<String>, in language: FrontMatterLanguage) {
    guard let first = lines.first, let mark = first.firstIndex(of: language.separator) else {
      return nil
    }
    self.language = language
    let name = first[..<mark]
    key = language == .yaml ? String(name) : Self.trimmed(name)
    let value = Self.trimmed(first[first.index(after: mark)...])
    if lines.count == 1 { comment = Self.comment(behind: value, in: language) }
    if language == .toml {
      readArray(value, lines.dropFirst())
    } else if value.isEmpty || value == "~" || value == "null" {
      readBlock(lines.dropFirst())
    } else if lines.count == 1 {
      if value.hasPrefix("[") { readFlow(value) } else { readWords(value.dropLast(comment.count)) }
    }
  }

  private static func comment(
    behind value: String,
    in language: FrontMatterLanguage
  ) -> String {
    guard let first = value.first, !"[{|>&*!".contains(first), !value.hasPrefix("\"\"\""),
      !value.hasPrefix("'''")
    else { return "" }
    if first == "#" { return " " + value }
    let isQuoted = first == "\"" || first == "'"
    guard let end = isQuoted ? endOfQuotes(around: value, in: language) : value.startIndex,
      let mark = value[end...].indices.first(where: { index in
        guard value[index] == "#", index > value.startIndex else { return false }
        return language != .yaml || value[value.index(before: index)].isWhitespace
      })
    else { return "" }
    var start = mark
    while value[value.index(before: start)].isWhitespace { start = value.index(before: start) }
    return String(value[start...])
  }

  /// Returns the index behind the quote that ends a value; `nil` if none does.
  private static func endOfQuotes(
    around value: String,
    in language: FrontMatterLanguage
  ) -> String.Index? {
    guard let quote = value.first else { return nil }
    var index = value.index(after: value.startIndex)
    while index < value.endIndex {
      let character = value[index]
      index = value.index(after: index)
      if character == quote {
        // YAML doubles a single quote within.
        let isDoubled = index < value.endIndex && value[index] == quote
        guard language == .yaml, quote == "'", isDoubled else { return index }
        index = value.index(after: index)
      } else if character == "\\", quote == "\"", index < value.endIndex {
        index = value.index(after: index)
      }
    }
    return nil
  }

  private mutating func readBlock(_ lines: ArraySlice<String>) {
    var indent: String?
    for line in lines {
      let before = line.prefix { $0 == " " || $0 == "\t" }
      let item = line[before.endIndex...]
      guard item.hasPrefix("- ") else { continue }
      indent = indent ?? String(before)
      let raw = Self.trimmed(item.dropFirst(2))
      items[Self.value(raw)] = raw
    }
    if let indent { form = .block(indent: indent) }
  }

  private mutating func readArray(_ value: String, _ lines: ArraySlice<String>) {
    form = .flow(padding: "", separator: ", ", rest: comment)
    guard let second = lines.first else { return readFlow(value) }
    let items = lines.filter { !Self.trimmed($0[...]).hasPrefix("]") }
    // Comments between the items would be lost.
    guard value == "[", !items.contains(where: { $0.contains("#") }) else { return }
    for item in Self.items(of: items.joined()[...]) { self.items[Self.value(item)] = item }
    form = .array(indent: String(second.prefix { $0 == " " || $0 == "\t" }))
  }

  private mutating func readFlow(_ value: String) {
    guard let end = value.lastIndex(of: "]"),
      !value[..<end].dropFirst().contains(where: { "[]{}&*".contains($0) })
    else { return }
    let inside = value[..<end].dropFirst()
    let padding = String(inside.prefix { $0 == " " })
    let raw = Self.items(of: inside)
    for item in raw { items[Self.value(item)] = item }
    let isTight = raw.count > 1 && !inside.contains(", ")
    form = .flow(
      padding: padding.count < inside.count ? padding : "",
      separator: isTight ? "," : ", ",
      rest: String(value[value.index(after: end)...])
    )
  }

  /// Splits the inside of brackets at the commas outside quotes.
  private static func items(of text: Substring) -> [String] {
    var (items, item, quote) = ([String](), "", Character?.none)
    var isBlank = true
    for character in text {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'", isBlank {
        quote = character
      } else if quote == nil, character == "," {
        items.append(trimmed(item[...]))
        item = ""
        isBlank = true
        continue
      }
      isBlank = isBlank && character.isWhitespace
      item.append(character)
    }
    items.append(trimmed(item[...]))
    return items.filter { !$0.isEmpty }
  }

  private mutating func readWords(_ value: Substring) {
    guard !value.contains(where: { "\"'#[]{}&*!|>%@`".contains($0) }) else {
      form = .flow(padding: "", separator: ", ", rest: comment)
      return
    }
    if value.contains(",") {
      form = .words(separator: value.contains(", ") ? ", " : ",")
    } else if value.contains(where: \.isWhitespace) {
      form = .words(separator: " ")
    } else {
      form = .flow(padding: "", separator: ", ", rest: comment)
    }
  }

  /// Writes a list of tags; `scalar` writes one that was not there.
  func lines(_ tags: [String], _ scalar: (String) -> String) -> [String] {
    let written = tags.map { items[$0] ?? scalar($0) }
    let mark = language == .yaml ? ":" : " ="
    switch form {
    case .array(let indent):
      return ["\(key)\(mark) ["] + written.map { "\(indent)\($0)," } + ["]"]
    case .flow(let padding, let separator, let rest):
      return ["\(key)\(mark) [\(padding)\(written.joined(separator: separator))\(padding)]\(rest)"]
    case .block(let indent):
      return ["\(key):"] + written.map { "\(indent)- \($0)" }
    case .words(let separator):
      let plain = tags.allSatisfy { tag in
        scalar(tag) == tag && !tag.contains(",")
          && (separator != " " || !tag.contains(where: \.isWhitespace))
      }
      guard plain else {
        return ["\(key): [\(written.joined(separator: ", "))]\(comment)"]
      }
      return ["\(key): \(tags.joined(separator: separator))\(comment)"]
    }
  }

  /// Returns the value of an item: without quotes and the mark of a tag.
  private static func value(_ raw: String) -> String {
    var value = raw[...]
    if value.count > 1, let quote = value.first, quote == "\"" || quote == "'", value.last == quote
    {
      value = value.dropFirst().dropLast()
    }
    return String(value.hasPrefix("#") ? value.dropFirst() : value)
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
