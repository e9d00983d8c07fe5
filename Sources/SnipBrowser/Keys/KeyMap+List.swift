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
  case showTrash, bringBack, delete, emptyTrash
  case gallery, counters, help, redraw, suspend, quit, interrupt
}

/// The list that keys act in.
struct ListPlace: Hashable, Sendable {
  /// Whether snippets stand beside each other.
  var isGallery = false
  /// Whether they are in the trash.
  var isTrash = false

  static let all = [false, true].flatMap { isGallery in
    [false, true].map { ListPlace(isGallery: isGallery, isTrash: $0) }
  }
}

extension KeyMap {
  static let bindings: [Binding<BrowseAction, ListPlace>] = [
    Binding(action: .down, keys: [.down, .character("j")], explanation: "one snippet down"),
    Binding(action: .up, keys: [.up, .character("k")], explanation: "one snippet up"),
    Binding(
      action: .left,
      keys: [.left, .character("h")],
      explanation: "one snippet to the left",
      isHere: \.isGallery
    ),
    Binding(
      action: .right,
      keys: [.right, .character("l")],
      explanation: "one snippet to the right",
      isHere: \.isGallery
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
      explanation: "edit the text or note in $VISUAL or $EDITOR",
      hint: "edit",
      isHintedLast: true,
      isHere: { !$0.isTrash }
    ),
    Binding(
      action: .openOutside,
      keys: [.character("o")],
      explanation: "open a copy elsewhere; changes to it are not kept"
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
      explanation: "end the search; without one, take the marks off",
      isHere: { !$0.isTrash }
    ),
    Binding(
      action: .clear,
      keys: [.escape],
      explanation: "end the search; without one, take the marks off; then leave the trash",
      isHere: \.isTrash
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
      explanation: "mark the snippet, or no longer, for t, p, d and x",
      hint: "mark",
      isHintedLast: true,
      isHere: { !$0.isTrash }
    ),
    Binding(
      action: .mark,
      keys: [.character("m")],
      explanation: "mark the snippet, or no longer, for r, d and x",
      hint: "mark",
      isHintedLast: true,
      isHere: \.isTrash
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
      hint: "tag",
      isHere: { !$0.isTrash }
    ),
    Binding(
      action: .pin,
      keys: [.character("p")],
      explanation: "pin or unpin",
      hint: "pin",
      isHere: { !$0.isTrash }
    ),
    Binding(
      action: .trash,
      keys: [.character("d"), .delete],
      explanation: "move to the trash",
      hint: "trash",
      isHere: { !$0.isTrash }
    ),
    Binding(
      action: .bringBack,
      keys: [.character("r")],
      explanation: "bring back from the trash",
      hint: "bring back",
      isHere: \.isTrash
    ),
    Binding(
      action: .delete,
      keys: [.character("d"), .delete],
      explanation: "delete for good, after a question",
      hint: "delete",
      isHere: \.isTrash
    ),
    Binding(
      action: .emptyTrash,
      keys: [.character("E")],
      explanation: "delete everything in the trash for good, after a question",
      hint: "empty",
      isHere: \.isTrash
    ),
    Binding(
      action: .showTrash,
      keys: [.character("T")],
      explanation: "the trash, to bring something back or delete it for good",
      hint: "show trash",
      isHintedLast: true,
      isHere: { !$0.isTrash }
    ),
    Binding(
      action: .showTrash,
      keys: [.character("T")],
      explanation: "back to the snippets outside the trash",
      hint: "leave",
      isHere: \.isTrash
    ),
    Binding(
      action: .undo,
      keys: [.character("u")],
      explanation: "take back the last change",
      hint: "undo",
      isHere: { !$0.isTrash }
    ),
    Binding(
      action: .undo,
      keys: [.character("u")],
      explanation: "take back the last change",
      hint: "undo",
      isHintedLast: true,
      isHere: \.isTrash
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

  private static let actions = Dictionary(
    uniqueKeysWithValues: ListPlace.all.map { ($0, table(bindings, in: $0)) }
  )

  /// The action of a key in a list; `nil` when it has none.
  static func action(for key: Key, in place: ListPlace) -> BrowseAction? { actions[place]?[key] }

  /// The keys in a list, each with its action.
  static func help(in place: ListPlace) -> KeyHelp {
    let name = place.isTrash ? "the trash" : place.isGallery ? "the gallery" : "the list"
    return help("Keys in \(name)", rows(bindings, in: place), below: "\(opened)\n\n\(mouse)")
  }

  private static let opened = "In an opened snippet, ? shows the keys there."
  private static let mouse = """
    The mouse: the wheel scrolls, a click chooses, a double click opens. Hold Shift to select text \
    as elsewhere; --no-mouse leaves all of the mouse to the terminal.
    """

  /// The keys that apply in a list, for the line at the bottom, beginning with the one for help.
  ///
  /// - Parameters:
  ///   - place: The list.
  ///   - columns: The width of the line. All keys that fit are listed, and the most important ones
  ///     even if they do not.
  /// - Returns: The keys, each with its action in a word.
  static func hints(in place: ListPlace, columns: Int) -> String {
    let here = bindings.filter { $0.isHere(place) }
    let (help, rest) = (here.filter { $0.action == .help }, here.filter { $0.action != .help })
    var text = (help + rest.filter { !$0.isHintedLast }).compactMap(\.hintWords)
      .joined(separator: "  ")
    for word in rest.filter(\.isHintedLast).compactMap(\.hintWords)
    where text.count + word.count + 3 <= columns {
      text += "  " + word
    }
    return text
  }
}
