public import Foundation
import SnippetBase
public import SnippetStorage

extension SnippetStore {
  /// Copies what can be read of a damaged store into a new one, and names the rest.
  ///
  /// Snippets keep their ids, identities, dates, tags and places in the trash. Pages that cannot be
  /// read are gone around. Of a row that is gone, a text, a blob and the title that an index holds are
  /// still found. A blob with missing parts is copied with zeros in their place. Unfinished captures
  /// become snippets. Derivatives, the record of changes and tables of other programs are left out.
  ///
  /// The damaged store is never opened for more than reading its bytes: the work is done on a copy
  /// of the file beside the new store. On return the new store is checked, complete and durable.
  ///
  /// - Parameters:
  ///   - damaged: The file of the damaged store. Nobody may be writing to it.
  ///   - url: The file of the new store, which must not exist.
  ///   - onProgress: Told how many bytes of the file are done, on a thread of the store.
  /// - Returns: What was copied, and what could not be.
  /// - Throws: `SnippetStoreError`: `.noSuchFile`; `.alreadyExists`; `.damaged` when not even its
  ///   schema can be read; `.foreignFile`; `.cancelled` when the task was. No new store is there then.
  /// - Complexity: O(*n*) in the size of the damaged store. It takes the room of the file twice, the
  ///   new store included.
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
