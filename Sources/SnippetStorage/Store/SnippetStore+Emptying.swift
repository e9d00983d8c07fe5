public import Foundation
import SnippetBase

extension SnippetStore {
  /// Empties the trash.
  ///
  /// It works in steps that keep other writers waiting for at most about 50 milliseconds; a single
  /// blob is one step, of about 65 milliseconds for each gigabyte. The bytes stay in the file until
  /// new content overwrites them; ``purge(before:rewritesFile:onProgress:)`` leaves no trace.
  ///
  /// - Parameter date: Only what was moved to the trash before; all by default.
  /// - Returns: How many snippets were deleted.
  /// - Throws: ``SnippetStoreError``; `.cancelled` when the task was, with some of them deleted;
  ///   `.busy` can be tried again.
  /// - Complexity: O(*m* log *n*) for *m* snippets, plus the size of their blobs.
  @discardableResult
  public func emptyTrash(before date: Date? = nil) async throws(SnippetStoreError) -> Int {
    let (connections, operation) = (connections, "empty the trash")
    return try await OwnThreads.run(to: operation) { check in
      try connections.lendingReserve {
        var steps = WriteSteps(connections: connections, operation: operation, check: check)
        var emptying = TrashEmptying(before: date)
        try steps.run { db, isOver in try emptying.advance(in: db, until: isOver) }
        return emptying.count
      }
    }
  }
}
