import TerminalKit

/// A line at the bottom of the screen that text is typed into.
struct Prompt: Equatable {
  /// What the text is for.
  enum Purpose: Equatable {
    case filter
    case tag
  }

  let purpose: Purpose
  var text = ""

  /// The most characters that are taken.
  private static let limit = 500

  /// Takes a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether the text is another by it.
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

  /// Takes text that was pasted; its lines become one.
  mutating func insert(_ pasted: String) {
    let line = pasted.split(whereSeparator: \.isNewline).joined(separator: " ")
    text += line.prefix(max(0, Self.limit - text.count))
  }

  /// The line, whose end is always in view.
  func line(columns: Int) -> FrameLine {
    let label = purpose == .filter ? "/" : "tag: "
    var shown = TerminalText(text).description
    let room = max(1, columns - label.count - 1)
    while shown.displayWidth > room { shown.removeFirst() }
    var line = FrameLine(label, .bold)
    line.append(shown)
    line.append("█")
    return line
  }
}
