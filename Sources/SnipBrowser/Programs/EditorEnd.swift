import Foundation
import TerminalKit

/// The end of an editor, in words.
struct EditorEnd {
  /// The time in which no person has edited a text.
  static let momentOfStart = Duration.seconds(1)
  /// The advice where an editor may have ended before its window.
  static let waitAdvice = "An editor with a window must wait: `code --wait`."

  let status: Int32
  let editor: String?
  /// Whether it ended before a person could have edited anything.
  let isEarly: Bool

  /// Whether the shell could not run it.
  var isOfShell: Bool { status == 126 || status == 127 }

  /// The reason why its text is not wanted, safe to print; `nil` if it ended well.
  var failure: String? {
    let name = TerminalText(editor ?? "", lines: .folded).description.truncated(toWidth: 30)
    return switch status {
    case 0: nil
    case 126: "“\(name)” cannot be run. Set VISUAL or EDITOR"
    case 127: "“\(name)” was not found. Set VISUAL or EDITOR"
    case 129...(128 + 64):
      "a signal ended the editor (\(String(cString: strsignal(status - 128))))"
    default: "the editor ended with status \(status)"
    }
  }
}
