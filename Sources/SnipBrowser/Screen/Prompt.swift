import SnippetStorage
import TerminalKit

/// A line at the bottom of the screen that text is typed into.
struct Prompt: Equatable {
  /// The purpose of the text.
  enum Purpose: Equatable {
    case filter
    case tag
    case export
    case date

    /// The label before the text, and a short one for little room.
    fileprivate var labels: (long: String, short: String) {
      switch self {
      case .filter: ("/", "/")
      case .tag: ("tags, commas between: ", "tags: ")
      case .export: ("export into a new folder: ", "folder: ")
      case .date: ("to the date, such as 2024-03: ", "date: ")
      }
    }
  }

  let purpose: Purpose
  var text = ""
  /// The target snippets, however the list changes; empty if there are none.
  var targets: [SnippetID] = []

  /// The most characters accepted.
  private static let limit = 500

  /// Takes a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether the text has changed.
  mutating func take(_ key: Key) -> Bool {
    let former = text
    switch key {
    case .character(let character): insert(String(character))
    case .backspace: text = String(text.dropLast())
    case .control("u"): text = ""
    case .control("w"):
      text = String(text.reversed().drop { $0 == " " }.drop { $0 != " " }.reversed())
    default: break
    }
    return text != former
  }

  /// Takes pasted text, and joins its lines.
  mutating func insert(_ pasted: String) {
    let line = pasted.split(whereSeparator: \.isNewline).joined(separator: " ")
    text += line.prefix(max(0, Self.limit - text.count))
  }

  /// The line, whose end is always in view.
  func line(columns: Int) -> FrameLine {
    let labels = purpose.labels
    let label = columns >= 80 ? labels.long : labels.short
    var shown = TerminalText(text).description
    let room = max(1, columns - label.count - 1)
    while shown.displayWidth > room { shown.removeFirst() }
    var line = FrameLine(label, .bold)
    line.append(shown)
    line.append("█")
    return line
  }
}

/// The meaning of a line of tags.
struct TagLine: Equatable {
  /// The tags to add.
  var added: [String] = []
  /// The tags to remove.
  var removed: [String] = []

  /// Reads a line: tags separated by commas, which may then contain blanks; without a comma, words.
  ///
  /// A minus before a tag means to remove it, and a `#` before it is dropped.
  init(_ text: String) {
    let parts =
      text.contains(",")
      ? text.split(separator: ",").map {
        $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      : text.split(whereSeparator: \.isWhitespace).map(String.init)
    for part in parts where !part.isEmpty {
      let isRemoved = part.hasPrefix("-")
      var tag = part.dropFirst(isRemoved ? 1 : 0)
      if tag.hasPrefix("#") { tag = tag.dropFirst() }
      if isRemoved { removed.append(String(tag)) } else { added.append(String(tag)) }
    }
  }

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}
