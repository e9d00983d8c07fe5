public import Foundation
import SnippetBase

extension SnippetStore {
  /// Replaces the content of a store with that of a backup.
  ///
  /// The backup is checked first, and refused if it is damaged. The store may be open elsewhere: it
  /// is replaced in one transaction, and lists show the new content at their next call. A missing
  /// store is created. A file too damaged to be opened is kept under another name.
  ///
  /// Nothing that is being captured is lost: while a program captures into the store, the restore
  /// is refused. A capture that is left from a crash is taken over into the restored store, under
  /// another number, and replaces an earlier state of it in the backup. ``captures()`` finds it
  /// there.
  ///
  /// Tables of other programs are left out. Those in the backup describe the file that it was made
  /// from: with them, a replication would continue from a state that no longer exists. Those in the
  /// store are removed with its old content, and a program that needs them must be started again.
  ///
  /// - Parameters:
  ///   - backup: A backup, also one of an older version, or any store that is not being written.
  ///   - url: The file of the store.
  ///   - busyTimeout: The longest wait for another process that is writing to the store.
  ///   - onProgress: Receives the number of copied bytes, on a thread of the store.
  /// - Returns: The check report, and the location of a file that was put aside.
  /// - Throws: ``SnippetStoreError``: `.noSuchFile`, `.foreignFile`, `.newerStore` or `.damaged`
  ///   for the backup; `.foreignFile` or `.newerStore` for the store, which is left as it is;
  ///   `.invalidInput` if its place belongs to another store; `.busy`, after which you can try
  ///   again, also while a capture is in progress; `.cancelled` if the task was cancelled.
  /// - Complexity: O(*n*) in the size of the backup and of the captures that are left; memory is
  ///   constant.
  @discardableResult
  public static func restore(
    from backup: URL,
    to url: URL,
    busyTimeout: Duration = .seconds(10),
    onProgress: @escaping @Sendable (StoreProgress) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> RestoreReport {
    let operation = "restore \(url.path) from \(backup.path)"
    return try await OwnThreads.run(to: operation) { check in
      try Restore(
        backup: backup,
        // The log lies beside the target of a link.
        store: URL(fileURLWithPath: FileStatus.target(of: url.path)),
        busyTimeout: busyTimeout,
        operation: operation,
        check: check,
        report: onProgress
      ).run()
    }
  }
}
