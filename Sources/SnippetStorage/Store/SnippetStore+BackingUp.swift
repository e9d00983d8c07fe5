public import Foundation
import GRDB
import SnippetBase

extension SnippetStore {
  /// Copies the store into a new file while it is in use.
  ///
  /// On return the copy is complete, has passed ``check(onProgress:)`` and is on the disk. It holds
  /// the state of one moment, with the trash and without derivatives. It is a store itself: a
  /// single file that only its owner can read, to be opened, inspected and restored. If the call
  /// throws, it leaves no file. If its process is killed, it leaves an unfinished copy, which the
  /// next backup into that folder removes. The tables of other programs are copied too, since this
  /// may be their only copy; a restore leaves them out.
  ///
  /// - Parameters:
  ///   - url: The file to make. Behind a link, its target is made or replaced.
  ///   - replacesExisting: Whether to replace an existing file; `false` by default.
  ///   - onProgress: Receives the number of copied bytes, on a thread of the store.
  /// - Returns: The check report of the copy.
  /// - Throws: ``SnippetStoreError``: `.alreadyExists`, `.cannotCreate`, `.diskFull`;
  ///   `.invalidInput` if the file belongs to an open store, is named like a part of any store, or
  ///   has a log beside it; `.damaged` if the store itself is damaged; `.cancelled` if the task was
  ///   cancelled.
  /// - Complexity: O(*n*) in the size of the store; memory is constant.
  @discardableResult
  public func backUp(
    to url: URL,
    replacesExisting: Bool = false,
    onProgress: @escaping @Sendable (StoreProgress) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> CheckReport {
    let operation = "back up to \(url.path)"
    try Self.refuseLog(beside: url, operation)
    return try await withCopy(
      to: url,
      replacesExisting: replacesExisting,
      operation,
      onProgress: onProgress
    ) { copy, source in try copy.make(from: source) }
  }

  /// Makes a copy on a thread of the store.
  func withCopy<Result: Sendable>(
    to url: URL,
    replacesExisting: Bool,
    _ operation: String,
    onProgress: @escaping @Sendable (StoreProgress) -> Void,
    _ body: @escaping @Sendable (StoreCopy, DatabaseQueue) throws -> Result
  ) async throws(SnippetStoreError) -> Result {
    let (connections, timeout) = (connections, configuration.busyTimeout)
    return try await OwnThreads.run(to: operation) { check in
      // Failing to list the folder of the store does not prevent a copy of it.
      connections.removeLeftoverCopies()
      let copy = StoreCopy(
        destination: url,
        replacesExisting: replacesExisting,
        operation: operation,
        check: check,
        report: onProgress
      )
      return try body(copy, try connections.backupSource(busyTimeout: timeout))
    }
  }

  /// Refuses to put a backup beside the log of another database, which SQLite would then take for
  /// the log of the backup.
  private static func refuseLog(
    beside url: URL,
    _ operation: String
  ) throws(SnippetStoreError) {
    let place = OutputPlace(url.path)
    try place.requireNoStore(writing: .store, during: operation)
    try place.requireNoLog(during: operation)
  }
}
