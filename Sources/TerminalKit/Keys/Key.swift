/// A key that a terminal reports.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// A letter pressed together with the control key, in lower case.
  case control(Character)
  case up, down, left, right
  case pageUp, pageDown, home, end
  case enter, escape, backspace, delete, tab

  private static let names: [(String, Key)] = [
    ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("pageup", .pageUp),
    ("pagedown", .pageDown), ("home", .home), ("end", .end), ("enter", .enter), ("esc", .escape),
    ("backspace", .backspace), ("delete", .delete), ("tab", .tab), ("space", .character(" ")),
    // The first name of a key is the one to show.
    ("escape", .escape), ("return", .enter),
  ]

  /// Finds the key with a name used in scripts: a word such as `pagedown`, `ctrl-c`, or one
  /// character.
  ///
  /// - Parameter name: The name; an unknown one gives `nil`.
  package init?(name: String) {
    if let named = Self.names.first(where: { $0.0 == name }) {
      self = named.1
    } else if let character = name.first, name.count == 1 {
      self = .character(character)
    } else if name.hasPrefix("ctrl-"), let letter = name.last, name.count == 6,
      ("a"..."z").contains(letter)
    {
      self = .control(letter)
    } else {
      return nil
    }
  }

  /// The name of the key in scripts.
  package var name: String {
    switch self {
    case .character(let character):
      Self.names.first { $0.1 == self }?.0 ?? String(character)
    case .control(let letter): "ctrl-\(letter)"
    default: Self.names.first { $0.1 == self }?.0 ?? ""
    }
  }
}
