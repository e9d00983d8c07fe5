public import Foundation
import GRDB

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

extension SnippetStore {
  /// What a restore did.
  public struct RestoreReport: Sendable, Hashable {
    /// What the check of the backup looked at.
    public var check: CheckReport
    /// Where the damaged file that stood in the way was put; `nil` when there was none.
    public var damagedFile: URL?
  }

  /// Replaces the content of a store by that of a backup.
  ///
  /// The backup is checked first; one that is damaged replaces nothing. A store that is open
  /// elsewhere may stay open: it is replaced in one transaction, and lists see the new content at
  /// their next call. A store that is missing is made. A file that is too damaged to be opened is
  /// put aside under another name, and nothing of it is deleted.
  ///
  /// - Parameters:
  ///   - backup: A backup, or any store that nobody is writing to.
  ///   - url: The file of the store.
  ///   - busyTimeout: How long to wait for another process that is writing to the store.
  ///   - onProgress: Told how many bytes are copied, on a thread of the store.
  /// - Returns: What was checked and what was put aside.
  /// - Throws: ``SnippetStoreError``: `.noSuchFile`, `.foreignFile`, `.newerStore` or `.damaged`
  ///   for the backup; `.foreignFile` or `.newerStore` for the store, which is left as it is;
  ///   `.busy`, which can be tried again; `.cancelled` when the task was.
  /// - Complexity: O(*n*) in the size of the backup; memory is constant.
  @discardableResult
  public static func restore(
    from backup: URL,
    to url: URL,
    busyTimeout: Duration = .seconds(10),
    onProgress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> RestoreReport {
    let operation = "restore \(url.path) from \(backup.path)"
    do {
      return try await OwnThreads.run(cancellable: { flag in
        try Restore(
          backup: backup,
          store: url,
          busyTimeout: busyTimeout,
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

/// One restore.
private struct Restore {
  let backup: URL
  let store: URL
  let busyTimeout: Duration
  let operation: String
  let check: () throws -> Void
  let report: (SnippetStore.Progress) -> Void

  func run() throws -> SnippetStore.RestoreReport {
    let (source, found) = try openBackup()
    let file = StoreFile(store, operation: operation)
    switch try file.presence() {
    case .missing, .empty:
      _ = try copy.make(from: source)
      return SnippetStore.RestoreReport(check: found, damagedFile: nil)
    case .present:
      do {
        try file.verifiedVersion()
        var configuration = SnippetStore.Configuration()
        configuration.busyTimeout = busyTimeout
        let target = try SnippetStore(at: store, configuration: configuration)
        defer {
          // What was restored is committed; a failure to close would change nothing.
          try? target.close()
        }
        try replaceContent(of: target, by: source)
        return SnippetStore.RestoreReport(check: found, damagedFile: nil)
      } catch let error as SnippetStoreError where error.code == .damaged {
        let aside = try putAside()
        _ = try copy.make(from: source)
        return SnippetStore.RestoreReport(check: found, damagedFile: aside)
      }
    }
  }

  private var copy: StoreCopy {
    StoreCopy(
      destination: store,
      replacesExisting: true,
      operation: operation,
      check: check,
      report: report
    )
  }

  /// Opens the backup and checks it.
  private func openBackup() throws -> (DatabaseQueue, SnippetStore.CheckReport) {
    let file = StoreFile(backup, operation: operation)
    guard try file.presence() == .present else {
      throw SnippetStoreError(
        .noSuchFile,
        operation,
        because: "there is no backup at \(backup.path)",
        do: "Check the path. Nothing was changed."
      )
    }
    guard FileIdentity(path: backup.path) != FileIdentity(path: store.path) else {
      throw SnippetStoreError(
        .invalidInput,
        operation,
        because: "the backup is the store itself",
        do: "Give the path of a backup."
      )
    }
    guard try file.verifiedVersion() > 0 else {
      throw SnippetStoreError(
        .foreignFile,
        operation,
        because: "\(backup.path) is an empty database",
        do: "Give the path of a backup. Nothing was changed."
      )
    }
    let source = try openForReading(backup.path, busyTimeout: .seconds(10)) { _ in }
    var storeCheck = StoreCheck(check: check)
    let found = try storeCheck.run(on: source)
    guard found.isSound else {
      throw SnippetStoreError(
        .damaged,
        operation,
        because: "the backup does not pass the check: \(found.problems[0].description)",
        do: "Nothing was changed. Use another backup."
      )
    }
    return (source, found)
  }

  /// Replaces all pages in one transaction, so that others see the old content or the new one.
  private func replaceContent(of target: SnippetStore, by source: DatabaseQueue) throws {
    let writer = try target.connections.writer(for: operation)
    try source.snapshot { sourceDB in
      _ = try Int.fetchOne(sourceDB, sql: "SELECT count(*) FROM sqlite_schema")
      try writer.writeWithoutTransaction { try copy.transfer(from: sourceDB, to: $0) }
    }
    // A backup of an older version is brought up to date at once.
    try MigrationRunner(operation: operation).run(on: writer)
    target.connections.checkpointIfDue()
  }

  /// Renames a damaged file and the log beside it.
  private func putAside() throws -> URL {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withYear, .withMonth, .withDay, .withTime, .withTimeZone]
    let path = "\(store.path).damaged-\(formatter.string(from: Date()))"
    for suffix in ["-wal", "-shm", ""] where FileStatus.exists(store.path + suffix) {
      guard rename(store.path + suffix, path + suffix) == 0 else {
        throw FileError(store.path + suffix)
      }
    }
    return URL(fileURLWithPath: path)
  }
}
