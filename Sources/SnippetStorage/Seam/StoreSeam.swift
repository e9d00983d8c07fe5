package import GRDB

/// The ways into a store for the modules beside the core, besides its public face.
///
/// An import, an export or a repair works in transactions of its own, on tables that it knows. It
/// reads and writes through here, so that its commits are guarded, durable and observed like all
/// others.
///
/// These types stay with the mechanism that they belong to, and these modules may use them too:
/// `StatementRow` and `Database+Values` (reading columns that damage may have changed),
/// `DraftHints`, `PreparedSnippet` and `SnippetWriter` (saving snippets), `ContentCursor` (reading
/// content), `SnippetDigest`, `NumberSpace`, `BlobLayout`, `TextRules`, `StoredValues`, the errors
/// of `StorageErrors`, and of `Database+Transactions` savepoints and writing without triggers.
package struct StoreSeam: Sendable {
  let store: SnippetStore

  var connections: Connections { store.connections }

  /// Refuses a store that was opened for reading only.
  package func requireWritable(for operation: String) throws(SnippetStoreError) {
    _ = try connections.writer(for: operation)
  }

  /// Reads a few rows in one snapshot.
  ///
  /// - Parameters:
  ///   - operation: What an error says could not be done.
  ///   - body: Reads.
  /// - Returns: What `body` returns.
  /// - Throws: ``SnippetStoreError``.
  package func read<Result>(
    to operation: String,
    _ body: (Database) throws -> Result
  ) throws(SnippetStoreError) -> Result {
    try connections.read(.rows, to: operation, body)
  }

  /// Reads a few rows in one snapshot; cancelling the task interrupts it.
  package func read<Result: Sendable>(
    to operation: String,
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(SnippetStoreError) -> Result {
    try await connections.read(.rows, to: operation, body)
  }

  /// Reads in one snapshot as ``read(to:_:)`` does, on the connection for long work.
  package func scan<Result>(
    to operation: String,
    _ body: (Database) throws -> Result
  ) throws(SnippetStoreError) -> Result {
    try connections.read(.scans, to: operation, body)
  }

  /// Writes in one immediate transaction, which is durable on return.
  ///
  /// - Parameters:
  ///   - operation: What an error says could not be done.
  ///   - body: Writes.
  /// - Returns: What `body` returns.
  /// - Throws: ``SnippetStoreError``; nothing is changed then.
  package func write<Result>(
    to operation: String,
    _ body: (Database) throws -> Result
  ) throws(SnippetStoreError) -> Result {
    try connections.write(to: operation, body)
  }

  /// Frees the reserve on a full disk while `body` runs, for work that makes room.
  package func lendingReserve<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try connections.lendingReserve(body)
  }

  /// Writes much in short transactions, with a pause for other writers after each.
  ///
  /// - Parameters:
  ///   - operation: What an error says could not be done.
  ///   - check: Throws once the work is cancelled.
  ///   - step: Does a part of the work, and ends soon after the closure that it is given returns
  ///     `true`. Returns whether all is done.
  /// - Throws: What `check` and `step` throw; the steps before stay done.
  package func writeInSteps(
    to operation: String,
    check: @escaping () throws -> Void,
    _ step: (_ db: Database, _ isOver: () -> Bool) throws -> Bool
  ) throws {
    var steps = WriteSteps(connections: connections, operation: operation, check: check)
    try steps.run(step)
  }
}

extension SnippetStore {
  /// The way in for the modules beside the core.
  package var seam: StoreSeam { StoreSeam(store: self) }
}
