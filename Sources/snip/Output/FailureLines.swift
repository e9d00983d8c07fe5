import SnipCore
import SnippetBase
import SnippetStorage
import TerminalKit

/// Writes the failures among many files, above a progress bar.
final class FailureLines: Sendable {
  private let bar: ProgressBar
  private let hints = Lock<Set<String>>([])

  /// The most hints to give; each file of a folder may bring its own.
  private static let maximumHintCount = 5

  init(above bar: ProgressBar) { self.bar = bar }

  /// Writes an error, with its hint unless that was given before.
  func write(_ error: SnippetStoreError) {
    bar.writeLine("snip: \(TerminalText(error.message))")
    guard let hint = error.recoverySuggestion else { return }
    let isNew = hints.withLock {
      $0.count < Self.maximumHintCount && $0.insert(hint).inserted
    }
    if isNew { bar.writeLine("hint: \(TerminalText(hint))") }
  }
}
