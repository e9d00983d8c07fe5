import SnipCore
import SnippetStorage
import TerminalKit

/// A question before snippets in the trash are deleted for good.
enum DeletionQuestion: Equatable {
  /// These snippets in the trash, at least one.
  case rows([SnippetRow])
  /// Everything in the trash.
  case all(count: Int)

  /// Whether a key answers yes; all others answer no.
  static func isYes(_ key: Key) -> Bool { key == .character("y") }

  /// The question and its answers, which are shown even where the question is cut off.
  func line(columns: Int) -> FrameLine {
    let answers = " y yes  n no"
    let room = max(0, columns - answers.displayWidth)
    var line = FrameLine(" \(words)".truncated(toWidth: room), .bold)
    line.append(answers)
    return line
  }

  private var words: String {
    switch self {
    case .rows(let rows) where rows.count == 1: "Delete “\(rows[0].shownTitle)” for good?"
    case .rows(let rows): "Delete \(rows.count.counted("snippet")) for good?"
    case .all(let count): "Empty the trash of \(count.counted("snippet")) for good?"
    }
  }
}
