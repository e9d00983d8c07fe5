public import Foundation
import SnippetBase

extension SnippetStore {
  /// Empties the trash, and erases every trace of whatever was deleted.
  ///
  /// On return nothing of it is left in the file, in its free pages, in the search index, in the
  /// record of changes or in the log: no title, no text, no tag, no byte of a blob or derivative,
  /// also of what was deleted or changed before. The record of changes is empty, so a program that
  /// follows it reads everything again.
  ///
  /// For that the whole file is written anew, which takes free room of twice its size and keeps
  /// others from writing until it is done. Without it deleted blobs are erased all the same, but
  /// parts of titles and short texts may stay in pages that are in use.
  ///
  /// Cancelling the task loses nothing: what was deleted by then is deleted, everything else is as
  /// it was, and a later purge erases the traces. Once the new content is complete, the purge goes
  /// on to its end.
  ///
  /// It cannot reach backups and exports, nor old blocks that the file system or a flash disk
  /// keeps. While another program reads an old state it cannot empty the log; the report says so.
  ///
  /// - Parameters:
  ///   - date: Delete only what was moved to the trash before; all by default.
  ///   - rewritesFile: Whether to write the whole file anew; it is by default.
  ///   - onProgress: Told what is being done, on a thread of the store.
  /// - Returns: What was done, and what is left to do.
  /// - Throws: ``SnippetStoreError``; `.diskFull` when there is no room to write the file anew,
  ///   with everything deleted; `.cancelled` when the task was, with some or all of it deleted;
  ///   `.busy`, which can be tried again.
  /// - Complexity: O(*n*) in the size of the store.
  @discardableResult
  public func purge(
    before date: Date? = nil,
    rewritesFile: Bool = true,
    onProgress: @escaping @Sendable (PurgeStage) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> PurgeReport {
    let (connections, uses, operation) = (connections, derivativeUses, "purge the trash")
    return try await OwnThreads.run(to: operation) { check in
      try connections.lendingReserve {
        try Purge(
          connections: connections,
          derivativeUses: uses,
          date: date,
          rewritesFile: rewritesFile,
          operation: operation,
          check: check,
          report: onProgress
        ).run()
      }
    }
  }
}
