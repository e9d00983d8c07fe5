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
  /// The copy disappears when it is closed. If the process is killed while it copies, it leaves an
  /// unfinished file, whose name begins with `stem` and which the next copy in that folder removes.
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
