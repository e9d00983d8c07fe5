public import Foundation
import SnippetBase
public import SnippetStorage

extension SnippetStore {
  /// Copies everything readable of a damaged store into a new one, and lists the rest.
  ///
  /// Snippets keep their ids, identities, dates, tags and places in the trash. Unreadable pages are
  /// skipped. If a row is lost, its text, its blob and the title in an index are still found. A
  /// blob with missing parts is copied with zeros in their place. Unfinished captures become
  /// snippets. Derivatives, the record of changes and tables of other programs are left out. So is
  /// the state of a synchronization: the new store joins its repository anew.
  ///
  /// Only the bytes of the damaged store are read: the work is done on a copy of the file beside
  /// the new store. On return the new store is checked, complete and durable.
  ///
  /// - Parameters:
  ///   - damaged: The file of the damaged store. Nothing may be writing to it.
  ///   - url: The file of the new store, which must not exist.
  ///   - onProgress: Called with the number of bytes done, on a thread of the store.
  /// - Returns: The snippets that were copied, and the losses.
  /// - Throws: `SnippetStoreError`: `.noSuchFile`; `.alreadyExists`; `.invalidInput` if the place
  ///   of the new file belongs to a store, or the log of a database is beside it; `.damaged` if not
  ///   even the schema of the damaged one can be read; `.foreignFile`; `.busy` if another program
  ///   reads the unfinished file; `.cancelled` if the task was cancelled. After an error, there is
  ///   no new store.
  /// - Complexity: O(*n*) in the size of the damaged store. It needs disk space for two copies of
  ///   the file, one of them the new store.
  public static func salvage(
    from damaged: URL,
    to url: URL,
    onProgress: @escaping @Sendable (StoreProgress) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> SalvageReport {
    let operation = "salvage \(damaged.path)"
    return try await OwnThreads.run(to: operation) { check in
      try Salvage(
        damaged: damaged,
        destination: url,
        operation: operation,
        check: check,
        report: onProgress
      ).run()
    }
  }
}
