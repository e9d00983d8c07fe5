public import Foundation
import SnippetBase

extension SnippetStore {
  /// Empties the trash, and erases every trace of deleted content.
  ///
  /// On return nothing is left of it in the file, in its free pages, in the search index, in the
  /// record of changes or in the log: no title, no text, no tag, no byte of a blob or derivative.
  /// That includes content deleted or changed earlier. To delete what has been in the trash for a
  /// while, with no such need, use ``emptyTrash(before:)``.
  ///
  /// For that it rewrites the whole file, which takes free room of twice its size and keeps others
  /// from writing until it is done. Without the rewriting, deleted blobs are erased all the same,
  /// but parts of titles and short texts may stay in pages that are in use.
  ///
  /// In a store that synchronizes, the entries of deleted and changed snippets keep former texts
  /// until they are captured: empty the trash and call `StoreSync.forgetDeleted(in:)` of SnippetSync
  /// before. The repository keeps what was sent.
  ///
  /// In both cases the record of changes is empty, even if there was nothing in the trash. A
  /// program that has not read it to its end has fallen behind, and reads everything again.
  ///
  /// Cancelling the task loses nothing: deleted snippets stay deleted, everything else is
  /// unchanged, and a later purge erases the traces. Once the new content is complete, the purge
  /// can no longer be cancelled.
  ///
  /// It removes the unfinished copies in the folder of the store that killed backups, restores and
  /// salvages have left. It cannot reach backups, exports and damaged files that a restore put
  /// aside, unfinished copies elsewhere, nor old blocks that the file system or a flash disk keeps.
  /// While another program reads an old state, the log cannot be emptied, and while one makes a
  /// copy beside the store, that stays; a folder that cannot be listed is not searched for copies.
  /// The report says so.
  ///
  /// - Parameters:
  ///   - date: The date before which a snippet must have been moved to the trash, as
  ///     ``emptyTrash(before:)`` counts; all by default.
  ///   - rewritesFile: Whether to rewrite the whole file; `true` by default.
  /// - Returns: The result, and what is left to do.
  /// - Throws: ``SnippetStoreError``; `.diskFull` if there is no room to rewrite the file, with
  ///   everything deleted; `.cancelled` if the task was cancelled, with some or all of it deleted;
  ///   `.busy`, after which you can try again.
  /// - Complexity: O(*n*) in the size of the store.
  @discardableResult
  public func purge(
    before date: Date? = nil,
    rewritesFile: Bool = true
  ) async throws(SnippetStoreError) -> PurgeReport {
    let (connections, uses, operation) = (connections, derivativeUses, "purge the trash")
    let selection = TrashSelection(before: date)
    return try await OwnThreads.run(to: operation) { check in
      try connections.lendingReserve {
        try Purge(
          connections: connections,
          derivativeUses: uses,
          selection: selection,
          rewritesFile: rewritesFile,
          operation: operation,
          check: check
        ).run()
      }
    }
  }
}
