public import Foundation
import SnippetBase

extension SnippetStore {
  /// Deletes what is in the trash for good.
  ///
  /// In steps that keep others who write waiting for some 50 milliseconds at most; but a single blob
  /// goes in one, at some 65 milliseconds for each gigabyte. Their bytes are free for new content,
  /// and stay in the file until they are overwritten; ``purge(before:rewritesFile:onProgress:)``
  /// leaves no trace of them.
  ///
  /// - Parameter date: Only what was moved to the trash before; all by default.
  /// - Returns: How many snippets were deleted.
  /// - Throws: ``SnippetStoreError``; `.cancelled` when the task was, with some of them deleted;
  ///   `.busy` can be tried again.
  /// - Complexity: O(*m* log *n*) for *m* snippets, plus the size of their blobs.
  @discardableResult
  public func emptyTrash(before date: Date? = nil) async throws(SnippetStoreError) -> Int {
    let (connections, operation) = (connections, "empty the trash")
    do {
      return try await OwnThreads.run(cancellable: { flag in
        var steps = WriteSteps(connections: connections, operation: operation, check: flag.check)
        var emptying = TrashEmptying(before: date)
        try steps.run { db, isOver in try emptying.advance(in: db, until: isOver) }
        return emptying.count
      })
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }
}
