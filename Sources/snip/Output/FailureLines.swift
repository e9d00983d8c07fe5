import SnipCore
import SnippetBase
import SnippetStorage
import TerminalKit

/// Writes what could not be done with some of many files, above a progress bar.
final class FailureLines: Sendable {
  private let bar: ProgressBar
  private let hints = Lock<Set<String>>([])

  /// So many hints are given, lest a folder of which each file is told by its name gives as many.
  private static let maximumHintCount = 5

  init(above bar: ProgressBar) { self.bar = bar }

  /// Writes an error, and its hint unless that was given.
  func write(_ error: SnippetStoreError) {
    bar.writeLine("snip: \(TerminalText(error.message))")
    guard let hint = error.recoverySuggestion else { return }
    let isNew = hints.withLock {
      $0.count < Self.maximumHintCount && $0.insert(hint).inserted
    }
    if isNew { bar.writeLine("hint: \(TerminalText(hint))") }
  }
}
