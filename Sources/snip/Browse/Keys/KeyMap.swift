import SnippetStorage
import TerminalKit

/// What a key does in the list.
enum BrowseAction: Hashable, Sendable {
  case down, up, pageDown, pageUp, first, last
  case filter, clear
  case toggle(SnippetKind)
  case open, retry, tag, pin, trash, undo
  case help, redraw, suspend, quit, interrupt
}

/// The keys of the list and what they do: the one table that keys are looked up in, and that help
/// is drawn from.
enum KeyMap {
  /// Keys that do the same.
  struct Binding: Sendable {
    let action: BrowseAction
    let keys: [Key]
    /// What they do, for help.
    let explanation: String
    /// The same in a word, for the line at the bottom; `nil` where there is no room for it.
    var hint: String?
  }

  static let bindings: [Binding] = [
    Binding(action: .down, keys: [.down, .character("j")], explanation: "one snippet down"),
    Binding(action: .up, keys: [.up, .character("k")], explanation: "one snippet up"),
    Binding(
      action: .pageDown,
      keys: [.pageDown, .character(" "), .control("f")],
      explanation: "one screen down; held, all of these become faster"
    ),
    Binding(
      action: .pageUp,
      keys: [.pageUp, .character("b"), .control("b")],
      explanation: "one screen up"
    ),
    Binding(action: .first, keys: [.home, .character("g")], explanation: "to the first snippet"),
    Binding(action: .last, keys: [.end, .character("G")], explanation: "to the last snippet"),
    Binding(
      action: .open,
      keys: [.enter, .character("o")],
      explanation: "open the snippet on the whole screen",
      hint: "open"
    ),
    Binding(
      action: .retry,
      keys: [.character("R")],
      explanation: "try again what could not be loaded or drawn"
    ),
    Binding(
      action: .filter,
      keys: [.character("/")],
      explanation: "find what holds the words that you type",
      hint: "find"
    ),
    Binding(action: .clear, keys: [.escape], explanation: "end the search"),
    Binding(action: .toggle(.text), keys: [.character("1")], explanation: "texts on and off"),
    Binding(action: .toggle(.image), keys: [.character("2")], explanation: "images on and off"),
    Binding(
      action: .toggle(.voice),
      keys: [.character("3")],
      explanation: "recordings on and off"
    ),
    Binding(
      action: .tag,
      keys: [.character("t")],
      explanation: "put tags on, or take them off with a minus before them",
      hint: "tag"
    ),
    Binding(action: .pin, keys: [.character("p")], explanation: "pin or unpin", hint: "pin"),
    Binding(
      action: .trash,
      keys: [.character("d"), .delete],
      explanation: "move to the trash",
      hint: "trash"
    ),
    Binding(
      action: .undo,
      keys: [.character("u")],
      explanation: "take back the last change; in the trash, bring back",
      hint: "undo"
    ),
    Binding(action: .help, keys: [.character("?")], explanation: "this help", hint: "help"),
    Binding(action: .redraw, keys: [.control("l")], explanation: "draw the screen again"),
    Binding(action: .suspend, keys: [.control("z")], explanation: "back to the shell for a while"),
    Binding(action: .quit, keys: [.character("q")], explanation: "quit", hint: "quit"),
    Binding(action: .interrupt, keys: [.control("c")], explanation: "quit at once"),
  ]

  private static let actions = Dictionary(
    uniqueKeysWithValues: bindings.flatMap { binding in
      binding.keys.map { ($0, binding.action) }
    }
  )

  /// What a key does in the list; `nil` when it does nothing.
  static func action(for key: Key) -> BrowseAction? { actions[key] }

  /// The lines of help, each a key and what it does.
  static var help: [String] {
    let rows = bindings.map { binding in
      (binding.keys.map(\.name).joined(separator: " "), binding.explanation)
    }
    let width = rows.map(\.0.displayWidth).max() ?? 0
    return rows.map { $0.padded(toWidth: width) + "  " + $1 }
  }

  /// The keys that apply in the list, for the line at the bottom: help first, which tells the
  /// others.
  static var hints: String {
    (bindings.filter { $0.action == .help } + bindings.filter { $0.action != .help })
      .compactMap { binding in binding.hint.map { "\(binding.keys.first?.name ?? "") \($0)" } }
      .joined(separator: "  ")
  }
}
