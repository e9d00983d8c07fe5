import SnippetStorage
import TerminalKit

/// The action of a key in the list.
enum BrowseAction: Hashable, Sendable {
  case down, up, left, right, pageDown, pageUp, first, last
  case filter, clear
  case toggle(SnippetKind)
  case order, reverseOrder, jump
  case open, edit, openOutside, play, copy, retry
  case mark, unmark, tag, pin, trash, undo, export
  case gallery, counters, help, redraw, suspend, quit, interrupt
}

/// The action of a key in an opened snippet.
enum OpenedAction: Hashable, Sendable {
  case next, previous, nextMatch, previousMatch
  case edit, openOutside, play, copy, facts, retry, close
}

/// The keys and their actions, in one table for looking keys up and for drawing help.
enum KeyMap {
  /// Keys with the same action.
  struct Binding<Action: Hashable & Sendable>: Sendable {
    let action: Action
    let keys: [Key]
    /// Their action, for help.
    let explanation: String
    /// The same in a word, for the line at the bottom; `nil` if it need not be there.
    var hint: String?
    /// Whether the word comes after the others, where there is room for more.
    var isHintedLast = false
  }

  static let bindings: [Binding<BrowseAction>] = [
    Binding(action: .down, keys: [.down, .character("j")], explanation: "one snippet down"),
    Binding(action: .up, keys: [.up, .character("k")], explanation: "one snippet up"),
    Binding(
      action: .left,
      keys: [.left, .character("h")],
      explanation: "one snippet to the left, in the gallery"
    ),
    Binding(
      action: .right,
      keys: [.right, .character("l")],
      explanation: "one snippet to the right, in the gallery"
    ),
    Binding(
      action: .pageDown,
      keys: [.pageDown, .control("f")],
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
      keys: [.enter],
      explanation: "open the snippet on the whole screen",
      hint: "open"
    ),
    Binding(
      action: .edit,
      keys: [.character("e")],
      explanation: "edit the text in $VISUAL or $EDITOR",
      hint: "edit",
      isHintedLast: true
    ),
    Binding(
      action: .openOutside,
      keys: [.character("o")],
      explanation: "open a copy in another program; changes to it are not kept"
    ),
    Binding(action: .play, keys: [.character(" ")], explanation: "play the recording, or stop it"),
    Binding(
      action: .copy,
      keys: [.character("y")],
      explanation: "copy the text; of anything else the title",
      hint: "copy",
      isHintedLast: true
    ),
    Binding(
      action: .retry,
      keys: [.character("R")],
      explanation: "retry failed loads and drawings"
    ),
    Binding(
      action: .filter,
      keys: [.character("/")],
      explanation: "find snippets with the words that you type",
      hint: "find"
    ),
    Binding(
      action: .clear,
      keys: [.escape],
      explanation: "end the search; without one, take the marks off"
    ),
    Binding(action: .toggle(.text), keys: [.character("1")], explanation: "texts on and off"),
    Binding(action: .toggle(.image), keys: [.character("2")], explanation: "images on and off"),
    Binding(
      action: .toggle(.voice),
      keys: [.character("3")],
      explanation: "recordings on and off"
    ),
    Binding(
      action: .order,
      keys: [.character("s")],
      explanation: "order by the next of the dates, the title and so on",
      hint: "sort",
      isHintedLast: true
    ),
    Binding(
      action: .reverseOrder,
      keys: [.character("S")],
      explanation: "turn the order around"
    ),
    Binding(
      action: .jump,
      keys: [.character("J")],
      explanation: "to a date, such as 2024, 2024-03 or 2024-03-05"
    ),
    Binding(
      action: .mark,
      keys: [.character("m")],
      explanation: "mark the snippet, or no longer, for t, p, d, u and x",
      hint: "mark",
      isHintedLast: true
    ),
    Binding(
      action: .unmark,
      keys: [.character("M")],
      explanation: "take all marks off"
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
    Binding(
      action: .export,
      keys: [.character("x")],
      explanation: "write to files in a new folder"
    ),
    Binding(
      action: .gallery,
      keys: [.character("v")],
      explanation: "pictures beside each other, and the list again",
      hint: "gallery",
      isHintedLast: true
    ),
    Binding(
      action: .counters,
      keys: [.character("#")],
      explanation: "counts of loads, and times of frames"
    ),
    Binding(action: .help, keys: [.character("?")], explanation: "this help", hint: "help"),
    Binding(action: .redraw, keys: [.control("l")], explanation: "draw the screen again"),
    Binding(action: .suspend, keys: [.control("z")], explanation: "back to the shell for a while"),
    Binding(action: .quit, keys: [.character("q")], explanation: "quit", hint: "quit"),
    Binding(action: .interrupt, keys: [.control("c")], explanation: "quit at once"),
  ]

  static let openedBindings: [Binding<OpenedAction>] = [
    Binding(
      action: .next,
      keys: [.right, .character("l")],
      explanation: "the next snippet of the list"
    ),
    Binding(action: .previous, keys: [.left, .character("h")], explanation: "the one before"),
    Binding(
      action: .nextMatch,
      keys: [.character("n")],
      explanation: "to the next match of the search"
    ),
    Binding(action: .previousMatch, keys: [.character("N")], explanation: "to the one before"),
    Binding(action: .edit, keys: [.character("e")], explanation: "edit the text"),
    Binding(
      action: .openOutside,
      keys: [.character("o")],
      explanation: "open a copy in another program"
    ),
    Binding(
      action: .play,
      keys: [.character(" ")],
      explanation: "play the recording, or stop it; in a text, one screen down"
    ),
    Binding(action: .copy, keys: [.character("y")], explanation: "copy the text or the title"),
    Binding(action: .facts, keys: [.character("i")], explanation: "the facts of the snippet"),
    Binding(action: .retry, keys: [.character("R")], explanation: "try again to draw it"),
    Binding(
      action: .close,
      keys: [.escape, .enter, .character("q")],
      explanation: "back to the list"
    ),
  ]

  private static let actions = table(bindings)
  private static let openedActions = table(openedBindings)

  private static func table<Action>(_ bindings: [Binding<Action>]) -> [Key: Action] {
    Dictionary(
      uniqueKeysWithValues: bindings.flatMap { binding in
        binding.keys.map { ($0, binding.action) }
      }
    )
  }

  /// The action of a key in the list; `nil` when it has none.
  static func action(for key: Key) -> BrowseAction? { actions[key] }

  /// The action of a key in an opened snippet, besides paging; `nil` when it has none.
  static func openedAction(for key: Key) -> OpenedAction? { openedActions[key] }

  /// The lines of help, each with a key and its action.
  static var help: [String] {
    let (list, opened) = (rows(bindings), rows(openedBindings))
    let width = (list + opened).map(\.0.displayWidth).max() ?? 0
    func lines(_ rows: [(String, String)]) -> [String] {
      rows.map { $0.padded(toWidth: width) + "  " + $1 }
    }
    return lines(list) + ["", "In an opened snippet, beside the keys that move:", ""]
      + lines(opened) + ["", mouse]
  }

  private static let mouse = """
    The mouse: the wheel scrolls, a click chooses, a double click opens. Hold Shift to select text \
    as elsewhere; --no-mouse leaves all of the mouse to the terminal.
    """

  private static func rows<Action>(_ bindings: [Binding<Action>]) -> [(String, String)] {
    bindings.map { ($0.keys.map(\.name).joined(separator: " "), $0.explanation) }
  }

  /// The keys that apply in the list, for the line at the bottom, beginning with the one for help.
  ///
  /// - Parameter columns: The width of the line. All keys that fit are listed, and the most
  ///   important ones even if they do not.
  /// - Returns: The keys, each with its action in a word.
  static func hints(columns: Int) -> String {
    let help = bindings.filter { $0.action == .help }
    let rest = bindings.filter { $0.action != .help && !$0.isHintedLast }
    var text = words(help + rest).joined(separator: "  ")
    for word in words(bindings.filter(\.isHintedLast)) where text.count + word.count + 3 <= columns
    {
      text += "  " + word
    }
    return text
  }

  private static func words(_ bindings: [Binding<BrowseAction>]) -> [String] {
    bindings.compactMap { binding in binding.hint.map { "\(binding.keys.first?.name ?? "") \($0)" }
    }
  }
}
