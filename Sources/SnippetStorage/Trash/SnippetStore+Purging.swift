public import Foundation
import SnippetBase

extension SnippetStore {
  /// What a purge is at.
  public enum PurgeStage: Sendable, Hashable {
    /// Deleting what is in the trash.
    case deleting
    /// Taking deleted words out of the search index.
    case mergingSearchIndex
    /// Writing the file anew, or giving its free pages back.
    case rewriting
  }

  /// What a purge did.
  public struct PurgeReport: Sendable, Hashable {
    /// How many snippets were deleted from the trash.
    public var deletedCount: Int
    /// Whether the whole file was written anew.
    public var rewroteFile: Bool
    /// How much of the log could not be emptied, in bytes: it may hold what was deleted.
    ///
    /// More than 0 while another program reads or writes; a purge later does the rest.
    public var remainingLogByteCount: Int64

    /// Whether no trace of what was deleted is left in the file and its log.
    public var isComplete: Bool { rewroteFile && remainingLogByteCount == 0 }
  }

  /// Deletes what is in the trash for good, and every trace of all that was ever deleted.
  ///
  /// On return nothing of it is left in the file, in its free pages, in the search index, in the
  /// record of changes or in the log: no title, no text, no tag, no byte of a blob or derivative, also
  /// of what was deleted or changed before. The record of changes is empty, so a program that follows
  /// it reads everything again.
  ///
  /// To leave nothing, the whole file is written anew, which takes as much free room as the file has,
  /// twice, and keeps others from writing meanwhile. Without that, deleted blobs leave the file all the
  /// same, but remains of titles and short texts can stay in pages that are in use.
  ///
  /// Cancelling the task ends it where nothing is lost: what was deleted by then is deleted, all else
  /// is as it was, and a purge later takes away the traces. Once the new content is complete, and only
  /// has to be put in the place of the old one, it goes on to its end.
  ///
  /// Nobody can promise what lies outside of the file: backups and exports; the disk itself, where
  /// the file system and the wear levelling of flash memory keep old blocks until they are used
  /// again; and the log, while another program reads an old state, of which the report tells.
  ///
  /// - Parameters:
  ///   - date: Delete only what was moved to the trash before; all by default.
  ///   - rewritesFile: Whether to write the whole file anew; it is by default.
  ///   - onProgress: Told what is being done, on a thread of the store.
  /// - Returns: What was done, and what is left to do.
  /// - Throws: ``SnippetStoreError``; `.diskFull` when there is no room to write the file anew, with
  ///   everything deleted; `.cancelled` when the task was, with some or all of it deleted; `.busy`, which
  ///   can be tried again.
  /// - Complexity: O(*n*) in the size of the store.
  @discardableResult
  public func purge(
    before date: Date? = nil,
    rewritesFile: Bool = true,
    onProgress: @escaping @Sendable (PurgeStage) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> PurgeReport {
    let (connections, uses, operation) = (connections, derivativeUses, "purge the trash")
    do {
      return try await OwnThreads.run(cancellable: { flag in
        try Purge(
          connections: connections,
          derivativeUses: uses,
          date: date,
          rewritesFile: rewritesFile,
          operation: operation,
          check: flag.check,
          report: onProgress
        ).run()
      })
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }
}
