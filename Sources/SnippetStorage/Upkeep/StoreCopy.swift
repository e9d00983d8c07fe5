import Foundation
import GRDB
import SnippetBase
import SystemPackage

/// Copies one database into a new file: complete, checked and on the disk before it gets its name.
struct StoreCopy {
  let destination: URL
  let replacesExisting: Bool
  let operation: String
  let check: () throws -> Void
  let report: (SnippetStore.Progress) -> Void

  /// Pages copied between two looks at whether somebody still waits.
  private static let pagesPerStep: CInt = 1024

  /// Copies what a connection sees in one snapshot, so that writers neither wait nor tear it.
  ///
  /// A copy of an older version is brought up to date.
  ///
  /// - Parameters:
  ///   - source: What to copy.
  ///   - pageSize: The size of the pages of the copy, if it must have a certain one.
  ///   - beforePublishing: Called when the copy is finished and about to get its name.
  /// - Returns: What the check of the finished copy looked at.
  /// - Throws: ``SnippetStoreError``, or what `check` and `beforePublishing` throw.
  func make(
    from source: DatabaseQueue,
    pageSize: Int? = nil,
    beforePublishing: () throws -> Void = {}
  ) throws -> SnippetStore.CheckReport {
    let path = destination.path
    if let isRegular = FileStatus.isRegular(path) {
      guard replacesExisting else { throw alreadyExists() }
      guard isRegular else { throw notAFile() }
    }
    let partial = try makePartialFile()
    // Whatever happens, nothing half-finished stays behind.
    defer {
      for suffix in ["", "-journal", "-wal", "-shm"] { FileSystem.remove(partial + suffix) }
    }

    let copy = try DatabaseQueue(path: partial)
    try source.snapshot { db in
      // The snapshot starts with the first read; without one the copying would start anew with
      // every commit of somebody else.
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
      try copy.writeWithoutTransaction { try transfer(from: db, to: $0) }
    }
    // One file without a log beside it, which can be read anywhere.
    try copy.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      guard let pageSize else { return }
      try db.execute(sql: "PRAGMA page_size = \(pageSize)")
      try db.execute(sql: "VACUUM")
    }
    try MigrationRunner(operation: operation).run(on: copy)
    try copy.writeWithoutTransaction(leaveOutWhatIsNoData)
    var storeCheck = StoreCheck(check: check)
    let found = try storeCheck.run(on: copy)
    try copy.close()
    guard found.isSound else { throw unsound(found) }
    // No connection has it open any more.
    try OpenFile(partial).synchronize()
    try beforePublishing()
    try publish(partial)
    return found
  }

  /// Takes out what can be computed again and what is being saved at this moment, and the room that
  /// they take.
  private func leaveOutWhatIsNoData(_ db: Database) throws {
    let before = db.totalChangesCount
    try db.execute(
      sql: """
        DELETE FROM derivative;
        DELETE FROM staged_blob
        WHERE NOT EXISTS (SELECT 1 FROM capture WHERE capture.id = staged_blob.id)
        """
    )
    if db.totalChangesCount > before { try db.execute(sql: "PRAGMA incremental_vacuum") }
  }

  /// Copies all pages.
  func transfer(from source: Database, to target: Database) throws {
    let pageSize = try Int64.fetchOne(source, sql: "PRAGMA page_size") ?? 0
    try source.backup(to: target, pagesPerStep: Self.pagesPerStep) { progress in
      report(
        SnippetStore.Progress(
          completedByteCount: Int64(progress.completedPageCount) * pageSize,
          totalByteCount: Int64(progress.totalPageCount) * pageSize
        )
      )
      try check()
    }
  }

  // MARK: - Files

  /// Makes an empty file beside the destination that only its owner can read or write.
  private func makePartialFile() throws -> String {
    do {
      return try OpenFile.temporary(destination.path + ".partial").path
    } catch {
      throw cannotCreate(because: error.code.description)
    }
  }

  /// Gives the finished file its name.
  private func publish(_ partial: String) throws {
    if replacesExisting {
      do {
        try FileSystem.rename(partial, to: destination.path)
      } catch {
        throw FileError(destination.path, error.code)
      }
    } else {
      // Unlike renaming, linking fails when somebody has made the file meanwhile.
      do {
        try FileSystem.link(partial, to: destination.path)
      } catch  where error.code == .fileExists {
        throw alreadyExists()
      }
    }
    try OpenFile(destination.deletingLastPathComponent().path).synchronize()
  }

  private func cannotCreate(because reason: String) -> SnippetStoreError {
    SnippetStoreError(
      .cannotCreate,
      operation,
      because: "\(destination.path): \(reason)",
      do: "Check that the folder exists and can be written."
    )
  }

  private func alreadyExists() -> SnippetStoreError {
    SnippetStoreError(
      .alreadyExists,
      operation,
      because: "\(destination.path) exists",
      do: "Choose another name, or allow it to be replaced."
    )
  }

  /// A pipe or a device must not be replaced by a file, and a folder cannot be.
  private func notAFile() -> SnippetStoreError {
    SnippetStoreError(
      .cannotCreate,
      operation,
      because: "\(destination.path) is not a regular file",
      do: "Choose another name."
    )
  }

  private func unsound(_ report: SnippetStore.CheckReport) -> SnippetStoreError {
    SnippetStoreError(
      .damaged,
      operation,
      because: "the copy does not pass the check: \(report.problems[0].description)",
      do: "The copy was removed. Check the store it was made from."
    )
  }
}
