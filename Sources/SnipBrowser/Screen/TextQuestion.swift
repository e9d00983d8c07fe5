import SnipCore
import SnippetLoading
import TerminalKit

/// A question that only a person can answer: what to do with a text that is not in the store.
///
/// Until it is answered the text is kept.
struct TextQuestion: Equatable {
  /// The reason why it is asked.
  enum Reason: Equatable {
    /// The text was kept by a browser that has ended.
    case isKept
    /// The store has another text by now.
    case conflict(theirs: String)
    case inTrash
    case deleted
    /// The other text was taken, and the person's is shown no more.
    case tookTheirs
  }

  enum Answer {
    case mine, theirs, asNew, drop, undo, later
  }

  /// The most bytes of each text that are shown.
  private static let byteLimit = 32 << 10

  let text: UnsavedText
  let reason: Reason

  /// The answers, each with its key, a word, and what it does.
  private var answers: [(key: Character, answer: Answer, word: String, meaning: String)] {
    let later: (Character, Answer, String, String) =
      ("q", .later, "later", "asks again at the next start, or when you edit the snippet")
    let asNew: (Character, Answer, String, String) =
      ("n", .asNew, "new", "saves yours as a new \(text.isNote ? "text" : "snippet")")
    return switch reason {
    case .isKept:
      [("m", .mine, "save", "saves it"), ("D", .drop, "drop", "drops it for good"), later]
    case .conflict:
      [
        ("m", .mine, "mine", "saves yours in place of theirs"),
        ("t", .theirs, "theirs", "takes theirs"), asNew, later,
      ]
    case .inTrash:
      [
        ("m", .mine, "mine", "brings the snippet back, with yours"),
        ("t", .theirs, "trash", "leaves it in the trash, without yours"), asNew, later,
      ]
    case .deleted:
      [
        ("m", .mine, "new", "saves yours as a new \(text.isNote ? "text" : "snippet")"),
        ("t", .theirs, "drop", "drops yours"), later,
      ]
    case .tookTheirs:
      [("u", .undo, "undo", "brings yours back"), ("q", .later, "go on", "goes on without yours")]
    }
  }

  /// The answer of a key; `nil` for others.
  func answer(for key: Key) -> Answer? {
    switch key {
    case .escape, .enter: .later
    case .character(let character): answers.first { $0.key == character }?.answer
    default: nil
    }
  }

  // MARK: - The page

  /// The text on the screen, with all that is asked.
  var pager: Pager {
    let keys = answers.map { "  \($0.key)  \($0.meaning)" }.joined(separator: "\n")
    return Pager(
      title: title,
      text: "\(sentence)\n\n\(keys)\n\n\(texts)",
      answers: "  " + answers.map { "\($0.key) \($0.word)" }.joined(separator: "  ")
    )
  }

  private var name: String {
    let title = TerminalText(text.title ?? "", lines: .folded).description
    return title.isEmpty ? "snippet \(text.snippet)" : "“\(title)”"
  }

  private var noun: String { text.isNote ? "note" : "text" }

  private var title: String {
    reason == .tookTheirs ? "Took theirs" : "Your \(noun) of \(name)"
  }

  private var sentence: String {
    switch reason {
    case .isKept: "A \(noun) that you edited was not saved, and was kept. It belongs to \(name)."
    case .conflict:
      "\(edited) was changed elsewhere while you edited it. Nothing is overwritten, and your "
        + "\(noun) is kept."
    case .inTrash: "\(name) was moved to the trash while you edited \(it). Your \(noun) is kept."
    case .deleted: "\(name) was deleted while you edited \(it). Your \(noun) is kept."
    case .tookTheirs: "\(edited) is as others have left it."
    }
  }

  private var edited: String { text.isNote ? "The note of \(name)" : name }

  private var it: String { text.isNote ? "its note" : "it" }

  private var texts: String {
    guard case .conflict(let theirs) = reason else {
      return reason == .tookTheirs
        ? "Your \(noun) was:\n\n" + Self.shown(text.text[...])
        : "Your \(noun):\n\n" + Self.shown(text.text[...])
    }
    let difference = TextDifference(text.text, theirs)
    return """
      Yours\(difference.place):

      \(Self.shown(difference.first))

      Theirs\(difference.place):

      \(Self.shown(difference.second))
      """
  }

  private static func shown(_ text: Substring) -> String {
    let beginning = String(decoding: text.utf8.prefix(byteLimit), as: UTF8.self)
    let rest = text.utf8.count > byteLimit ? "\n…" : ""
    return TerminalText(beginning, lines: .kept).description + rest
  }
}
