package import Foundation
import GRDB
package import SnippetBase

/// Used by snip: `backup -` writes a copy to standard output.
///
/// The copy must be checked before it is written there, so it needs a file.
extension SnippetStore {
  /// Copies the store like ``backUp(to:replacesExisting:onProgress:)`` into an unnamed file, for a
  /// reader that takes its bytes once.
  ///
  /// If the process is killed while it copies, it leaves an unfinished file, which the next copy
  /// with the same `stem` removes.
  ///
  /// - Parameters:
  ///   - stem: The prefix of the unfinished copy's name.
  ///   - onProgress: Receives the number of copied bytes, on a thread of the store.
  /// - Returns: The copy, which disappears when it is closed, and its check report.
  /// - Throws: ``SnippetStoreError``, as for a backup.
  package func openBackup(
    beside stem: URL,
    onProgress: @escaping @Sendable (StoreProgress) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> (OpenFile, CheckReport) {
    try await withCopy(
      to: stem,
      replacesExisting: true,
      "back up to \(stem.path)",
      onProgress: onProgress
    ) { copy, source in try copy.open(from: source) }
  }
}
