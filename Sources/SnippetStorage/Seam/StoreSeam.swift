package import GRDB

/// The access to a store for the modules beside the core, besides its public interface.
///
/// An import, an export or a repair works in transactions of its own, on tables that it knows. It
/// reads and writes through this type, so that its commits are guarded, durable and observed like
/// all others.
///
/// The following types stay with their mechanisms, and those modules may use them too:
/// `StatementRow` and `Database+Values` (reading columns that may be damaged), `DraftHints`,
/// `PreparedSnippet`, `SpooledBytes` and `SnippetWriter` (saving snippets), `ContentCursor` and the
/// beginning of a blob (reading content), `SnippetDigest`, `NumberSpace`, `BlobLayout`,
/// `TextRules`, `TrashSelection`, `StoredValues`, the errors of `StorageErrors`, and from
/// `Database+Transactions` savepoints and writing without triggers.
package struct StoreSeam: Sendable {
  let store: SnippetStore

  var connections: Connections { store.connections }

  /// Refuses a store that was opened for reading only.
  package func requireWritable(for operation: String) throws(SnippetStoreError) {
    _ = try connections.writer(for: operation)
  }

  /// Reads a few rows in one snapshot.
  package func read<Result>(
    to operation: String,
    _ body: (Database) throws -> Result
  ) throws(SnippetStoreError) -> Result {
    try connections.read(.rows, to: operation, body)
  }

  /// Reads a few rows in one snapshot; cancelling the task interrupts the read.
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

  /// Writes in one immediate transaction, which is durable on return, or with the next one that is;
  /// after an error nothing is changed.
  package func write<Result>(
    to operation: String,
    keeping copies: PageCopies = .inFile,
    waitingForDisk isWaiting: Bool = true,
    _ body: (Database) throws -> Result
  ) throws(SnippetStoreError) -> Result {
    try connections.write(to: operation, keeping: copies, waitingForDisk: isWaiting, body)
  }

  /// Frees the reserve on a full disk while `body` runs, for work that makes room.
  package func lendingReserve<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try connections.lendingReserve(body)
  }

  /// Writes much in short transactions, with a pause for other writers after each.
  ///
  /// `step` does a part of the work, ends soon after its closure returns `true`, and returns
  /// whether all is done. If it or `check` throws, the previous steps stay done.
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
  /// The access for the modules beside the core.
  package var seam: StoreSeam { StoreSeam(store: self) }
}
