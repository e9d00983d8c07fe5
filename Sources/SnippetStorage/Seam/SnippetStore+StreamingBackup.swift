package import Foundation
import GRDB
package import SnippetBase

/// Used by snip, whose `backup -` writes a copy to standard output: what is not a file cannot be
/// checked before it is given away.
extension SnippetStore {
  /// Copies the store like ``backUp(to:replacesExisting:onProgress:)`` into a file that has no name
  /// any more, for a reader that takes its bytes once.
  ///
  /// A process that is killed while it copies leaves an unfinished file, which the next copy beside
  /// the same `stem` removes.
  ///
  /// - Parameters:
  ///   - stem: What the name of the unfinished copy begins with.
  ///   - onProgress: Told how many bytes are copied, on a thread of the store.
  /// - Returns: The copy, gone when it is closed, and what its check looked at.
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
