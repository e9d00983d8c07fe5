import SnippetStorage
import TerminalKit

/// The action of a key in an opened snippet.
enum OpenedAction: Hashable, Sendable {
  /// Paging, which the text does by itself.
  case page
  case next, previous, nextMatch, previousMatch
  case edit, openOutside, play, copy, facts, retry, help, close
}

/// A snippet or a text that is opened over the list, as far as it decides on the keys.
struct OpenedPlace: Hashable, Sendable {
  /// The kind of the snippet; `nil` for help and other texts of the browser.
  var kind: SnippetKind?
  /// Whether it is a text to page through.
  var isPage = false
  /// Whether it is the facts of the snippet.
  var showsFacts = false
  /// Whether a search has matches to go to.
  var hasMatches = false
  /// Whether the snippet could not be drawn.
  var hasFailed = false
  var isInTrash = false
  /// Whether the snippet is the recording that is playing.
  var isPlaying = false
}

extension KeyMap {
  typealias OpenedBinding = Binding<OpenedAction, OpenedPlace>

  static let openedBindings: [OpenedBinding] = [
    OpenedBinding(
      action: .page,
      keys: [.down, .character("j")],
      explanation: "one line down",
      isHere: \.isPage
    ),
    OpenedBinding(
      action: .page,
      keys: [.up, .character("k")],
      explanation: "one line up",
      isHere: \.isPage
    ),
    OpenedBinding(
      action: .page,
      keys: [.pageDown, .control("f")],
      explanation: "one screen down",
      isHere: { $0.isPage && $0.kind == .voice }
    ),
    OpenedBinding(
      action: .page,
      keys: [.pageDown, .character(" "), .control("f")],
      explanation: "one screen down",
      isHere: { $0.isPage && $0.kind != .voice }
    ),
    OpenedBinding(
      action: .page,
      keys: [.pageUp, .character("b"), .control("b")],
      explanation: "one screen up",
      isHere: \.isPage
    ),
    OpenedBinding(
      action: .page,
      keys: [.home, .character("g")],
      explanation: "to the beginning",
      isHere: \.isPage
    ),
    OpenedBinding(
      action: .page,
      keys: [.end, .character("G")],
      explanation: "to the end",
      isHere: \.isPage
    ),
    OpenedBinding(
      action: .play,
      keys: [.character(" ")],
      explanation: "play the recording",
      hint: "play",
      isHere: { $0.kind == .voice && !$0.isPlaying }
    ),
    OpenedBinding(
      action: .play,
      keys: [.character(" ")],
      explanation: "stop the recording",
      hint: "stop",
      isHere: { $0.kind == .voice && $0.isPlaying }
    ),
    OpenedBinding(
      action: .next,
      keys: [.right, .character("l")],
      explanation: "the next snippet of the list",
      hint: "next",
      hintKeys: "←/→",
      isHintedLast: true,
      isHere: { $0.kind != nil }
    ),
    OpenedBinding(
      action: .previous,
      keys: [.left, .character("h")],
      explanation: "the one before",
      isHere: { $0.kind != nil }
    ),
    OpenedBinding(
      action: .nextMatch,
      keys: [.character("n")],
      explanation: "to the next match of the search",
      hint: "match",
      hintKeys: "n/N",
      isHintedLast: true,
      isHere: \.hasMatches
    ),
    OpenedBinding(
      action: .previousMatch,
      keys: [.character("N")],
      explanation: "to the match before",
      isHere: \.hasMatches
    ),
    OpenedBinding(
      action: .facts,
      keys: [.character("i")],
      explanation: "the facts of the snippet",
      hint: "facts",
      isHintedLast: true,
      isHere: { $0.kind != nil && !$0.showsFacts }
    ),
    OpenedBinding(
      action: .facts,
      keys: [.character("i")],
      explanation: "the snippet again, in place of its facts",
      isHere: { $0.kind != nil && $0.showsFacts }
    ),
    OpenedBinding(
      action: .openOutside,
      keys: [.character("o")],
      explanation: "open a copy elsewhere; changes to it are not kept",
      hint: "open",
      isHintedLast: true,
      isHere: { $0.kind != nil }
    ),
    OpenedBinding(
      action: .edit,
      keys: [.character("e")],
      explanation: "edit the text in $VISUAL or $EDITOR",
      hint: "edit",
      isHintedLast: true,
      isHere: { $0.kind == .text && !$0.isInTrash }
    ),
    OpenedBinding(
      action: .edit,
      keys: [.character("e")],
      explanation: "edit the note in $VISUAL or $EDITOR; an empty file removes it",
      hint: "edit note",
      isHintedLast: true,
      isHere: { $0.kind != nil && $0.kind != .text && !$0.isInTrash }
    ),
    OpenedBinding(
      action: .copy,
      keys: [.character("y")],
      explanation: "copy the text; of anything else the title",
      hint: "copy",
      isHintedLast: true,
      isHere: { $0.kind != nil }
    ),
    OpenedBinding(
      action: .retry,
      keys: [.character("R")],
      explanation: "try again to draw it",
      hint: "try again",
      isHere: \.hasFailed
    ),
    OpenedBinding(
      action: .help,
      keys: [.character("?")],
      explanation: "this help",
      hint: "help",
      isHintedLast: true,
      isHere: { $0.kind != nil }
    ),
    OpenedBinding(
      action: .close,
      keys: [.escape, .enter, .character("q")],
      explanation: "back to the list",
      hint: "back",
      hintKeys: "q"
    ),
  ]

  // Keys that are not listed in a place still say why they do nothing there.
  private static let openedActions = Dictionary(
    openedBindings.filter { $0.action != .page }
      .flatMap { binding in binding.keys.map { ($0, binding.action) } },
    uniquingKeysWith: { first, _ in first }
  )

  /// The action of a key in an opened snippet, besides paging; `nil` when it has none.
  static func openedAction(for key: Key) -> OpenedAction? { openedActions[key] }

  /// The keys in an opened snippet, each with its action.
  static func help(in place: OpenedPlace) -> KeyHelp {
    let name =
      switch place.kind {
      case _ where place.showsFacts: "the facts of a snippet"
      case .text: "an opened text"
      case .image: "an opened picture"
      case .voice: "an opened recording"
      case nil: "a text of the browser"
      }
    return help(
      "Keys in \(name)",
      rows(openedBindings, in: place),
      below: "ctrl-c quits at once, ctrl-z goes back to the shell for a while."
    )
  }

  /// The keys that apply in what is opened, for the line at the bottom.
  ///
  /// - Parameters:
  ///   - place: What is opened.
  ///   - columns: The room for them. All keys that fit are listed, and the most important ones even
  ///     if they do not.
  /// - Returns: The keys, each with its action in a word, in the order of help.
  static func hints(in place: OpenedPlace, columns: Int) -> String {
    let here = openedBindings.filter { $0.hint != nil && $0.isHere(place) }
    var shown = here.map { !$0.isHintedLast }
    func text() -> String {
      zip(here, shown).filter(\.1).compactMap(\.0.hintWords).joined(separator: "  ")
    }
    for number in here.indices where here[number].isHintedLast {
      shown[number] = true
      if text().count > columns { shown[number] = false }
    }
    return text()
  }
}
