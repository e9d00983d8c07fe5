import Foundation
package import SnipCore
import TerminalKit

/// A script for a browser without a terminal, with one key or event on each line.
///
/// A line is the name of a key, optionally with the number of its repeats while it is held (`down
/// 30`), or one of `type TEXT`, `paste TEXT`, `wait`, `resize 80x24` and `dump`. Empty lines and
/// lines that begin with `# ` are skipped.
package struct BrowseScript: Sendable {
  /// The action of one line.
  enum Step: Hashable, Sendable {
    /// A key, held for a number of repeats.
    case key(Key, count: Int)
    case type(String)
    case paste(String)
    /// Wait until no work is running and everything on screen is loaded.
    case wait
    case resize(ScreenSize)
    /// Print the frame.
    case dump
  }

  let steps: [Step]

  /// Reads a script.
  ///
  /// - Parameter text: The lines.
  /// - Throws: ``BrowseScriptError`` for the first invalid line.
  package init(_ text: String) throws(BrowseScriptError) {
    var steps: [Step] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.isEmpty || line.hasPrefix("# ") { continue }
      guard let step = Step(line) else {
        throw BrowseScriptError(lineNumber: number + 1, line: String(line))
      }
      steps.append(step)
    }
    self.steps = steps
  }
}

extension BrowseScript.Step {
  /// The most repeats of a key.
  private static let countLimit = 100_000

  /// Reads a line; `nil` for an invalid one.
  init?(_ line: some StringProtocol) {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let word = parts.first.map { String($0) } ?? ""
    let rest = parts.count > 1 ? String(parts[1]) : nil
    switch (word, rest) {
    case ("wait", nil): self = .wait
    case ("dump", nil): self = .dump
    case ("type", let text?): self = .type(text)
    case ("paste", let text?): self = .paste(text)
    case ("resize", let text?):
      guard let size = ScreenSize(text) else { return nil }
      self = .resize(size)
    default:
      let count = rest.map { Int($0) ?? 0 } ?? 1
      guard let key = Key(name: word), (1...Self.countLimit).contains(count) else { return nil }
      self = .key(key, count: count)
    }
  }
}

/// An invalid line of a script.
package struct BrowseScriptError: StatusError {
  let lineNumber: Int
  let line: String

  package var status: ExitStatus { .badInput }
  package var message: String { "line \(lineNumber) of the script is not a step: \(line)" }
  package var hint: String? {
    "A line is a key such as down, pagedown 30, enter, esc, ctrl-u or q, or one of type TEXT, paste "
      + "TEXT, wait, resize 80x24 and dump."
  }
}
