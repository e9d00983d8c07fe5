public import Foundation
import SnippetBase

extension SnippetStore {
  /// Empties the trash.
  ///
  /// It works in steps that make other writers wait for at most about 50 milliseconds. A single
  /// blob is one step, of about 65 milliseconds for each gigabyte. The bytes stay in the file until
  /// new content overwrites them; ``purge(before:rewritesFile:)`` leaves no trace.
  ///
  /// - Parameter date: The date before which a snippet must have been moved to the trash; all by
  ///   default. With a date, what was moved there by a clock before 2020 stays.
  /// - Returns: The number of deleted snippets.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the task was cancelled, with some snippets
  ///   deleted; `.busy`, after which you can try again.
  /// - Complexity: O(*m* log *n*) for *m* snippets, plus the size of their blobs.
  @discardableResult
  public func emptyTrash(before date: Date? = nil) async throws(SnippetStoreError) -> Int {
    let (connections, operation) = (connections, "empty the trash")
    let selection = TrashSelection(before: date)
    return try await OwnThreads.run(to: operation) { check in
      try connections.lendingReserve {
        var steps = WriteSteps(connections: connections, operation: operation, check: check)
        var emptying = TrashEmptying(selection)
        try steps.run { db, isOver in try emptying.advance(in: db, until: isOver) }
        return emptying.count
      }
    }
  }
}
