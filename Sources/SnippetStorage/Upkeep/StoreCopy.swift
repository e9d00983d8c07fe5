import Foundation
import GRDB
import Migrations
import SnippetBase
import SystemPackage

/// Copies one database into a new file: complete, checked and on the disk before it gets its name.
struct StoreCopy {
  let destination: URL
  let replacesExisting: Bool
  /// Whether the copy has what other programs keep beside the snippets.
  var keepsWhatIsBeside = true
  let operation: String
  let check: () throws -> Void
  let report: (StoreProgress) -> Void

  /// Pages copied between two looks at whether somebody still waits.
  private static let pagesPerStep: CInt = 1024

  /// Copies what a connection sees in one snapshot, so that writers neither wait nor tear it, and
  /// gives the copy its name.
  ///
  /// - Parameter source: What to copy.
  /// - Returns: What the check of the finished copy looked at.
  /// - Throws: ``SnippetStoreError``, or what `check` throws.
  func make(from source: DatabaseQueue) throws -> CheckReport {
    try requireUsableDestination()
    return try withCompleteCopy(of: source) { copy, found in
      guard found.isSound else { throw unsound(found) }
      try publish(copy)
      return found
    }
  }

  /// Copies what a connection sees in one snapshot into a file without a name.
  ///
  /// - Parameter source: What to copy.
  /// - Returns: The copy, gone when it is closed, and what its check looked at.
  /// - Throws: ``SnippetStoreError``, or what `check` throws.
  func open(from source: DatabaseQueue) throws -> (OpenFile, CheckReport) {
    try withCompleteCopy(of: source) { copy, found in
      guard found.isSound else { throw unsound(found) }
      return (try OpenFile(copy), found)
    }
  }

  /// Refuses a destination that the copy could not get.
  func requireUsableDestination() throws(SnippetStoreError) {
    guard let isRegular = FileStatus.isRegular(destination.path) else { return }
    guard replacesExisting else { throw alreadyExists() }
    guard isRegular else { throw notAFile() }
  }

  /// Makes a copy without a name yet: complete, brought up to date, checked and on the disk.
  ///
  /// - Parameters:
  ///   - source: What to copy.
  ///   - pageSize: The size of the pages of the copy, if it must have a certain one.
  ///   - body: Given the path of the copy, which nobody has open, and what the check found. The copy
  ///     is removed afterwards, unless it has got another name.
  /// - Returns: What `body` returns.
  /// - Throws: ``SnippetStoreError``, or what `check` and `body` throw.
  func withCompleteCopy<Result>(
    of source: DatabaseQueue,
    pageSize: Int? = nil,
    _ body: (String, CheckReport) throws -> Result
  ) throws -> Result {
    try withPartialFile { partial in
      let found = try SystemFailure.told(ofWriting: partial) {
        try fill(partial, from: source, pageSize: pageSize)
      }
      // No connection has it open any more.
      try OpenFile(partial).synchronize()
      return try body(partial, found)
    }
  }

  /// Makes an empty file beside the destination, and removes it afterwards with its logs, unless it
  /// has got another name.
  func withPartialFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    removeLeftovers()
    let partial = try makePartialFile()
    // Whatever happens, nothing half-finished stays behind.
    defer { Self.remove(partial) }
    return try body(partial)
  }

  private func fill(
    _ partial: String,
    from source: DatabaseQueue,
    pageSize: Int?
  ) throws -> CheckReport {
    let copy = try SystemFailure.told(ofOpening: partial, forWriting: true) {
      try DatabaseQueue(path: partial)
    }
    try source.snapshot { db in
      // The snapshot starts with the first read; without one the copying would start anew with
      // every commit of somebody else.
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
      try copy.writeWithoutTransaction { try transfer(from: db, to: $0) }
    }
    // One file without a log beside it, which can be read anywhere.
    try copy.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      guard let pageSize, try Int.fetchOne(db, sql: "PRAGMA page_size") != pageSize else { return }
      try db.execute(sql: "PRAGMA page_size = \(pageSize)")
      try db.execute(sql: "VACUUM")
    }
    try MigrationRunner(operation: operation).run(on: copy)
    try copy.writeWithoutTransaction(leaveOutWhatIsNoData)
    var storeCheck = StoreCheck(check: check)
    let found = try storeCheck.run(on: copy)
    try copy.close()
    return found
  }

  /// Takes out what can be computed again and what is being saved at this moment, and the room that
  /// they take.
  private func leaveOutWhatIsNoData(_ db: Database) throws {
    let before = db.totalChangesCount
    var isShorter = false
    if !keepsWhatIsBeside { isShorter = try dropWhatIsBeside(db) }
    try db.execute(
      sql: """
        DELETE FROM derivative;
        DELETE FROM staged_blob
        WHERE NOT EXISTS (SELECT 1 FROM capture WHERE capture.id = staged_blob.id)
        """
    )
    if isShorter || db.totalChangesCount > before {
      try db.execute(sql: "PRAGMA incremental_vacuum")
    }
  }

  /// Drops what other programs kept beside the snippets, so that it does not come to where they keep
  /// theirs by now.
  ///
  /// - Returns: Whether there was anything.
  private func dropWhatIsBeside(_ db: Database) throws -> Bool {
    let beside = try SchemaComparison(db, version: Migrations.latestVersion).beside
    // What is made of others goes first; a virtual table takes the tables that it is kept in along.
    let order = ["trigger": 0, "view": 1, "index": 2, "table": 3]
    func rank(_ entry: StoreSchema.Entry) -> Int {
      entry.sql.hasPrefix("CREATE VIRTUAL") ? 2 : order[entry.type, default: 3]
    }
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    for entry in beside.sorted(by: { rank($0) < rank($1) }) {
      let name = entry.name.replacingOccurrences(of: "\"", with: "\"\"")
      try db.execute(sql: "DROP \(entry.type) IF EXISTS \"\(name)\"")
    }
    try db.execute(sql: "PRAGMA foreign_keys = ON")
    return !beside.isEmpty
  }

  /// Copies all pages.
  ///
  /// - Parameters:
  ///   - source: The database to copy.
  ///   - target: The one that gets its content, in one transaction.
  ///   - onStep: Called after each step but the last, when nobody else can write to `target`; there
  ///     is one.
  /// - Throws: ``SystemFailure``, what SQLite says, or what `check` and `onStep` throw.
  func transfer(
    from source: Database,
    to target: Database,
    onStep: () throws -> Void = {}
  ) throws {
    let pageSize = try Int64.fetchOne(source, sql: "PRAGMA page_size") ?? 0
    let pageCount = try CInt.fetchOne(source, sql: "PRAGMA page_count") ?? 0
    // GRDB keeps the closure no longer than the call lasts.
    try withoutActuallyEscaping(onStep) { onStep in
      try SystemFailure.told {
        try source.backup(
          to: target,
          pagesPerStep: max(1, min(Self.pagesPerStep, pageCount / 2))
        ) { progress in
          report(
            StoreProgress(
              completedByteCount: Int64(progress.completedPageCount) * pageSize,
              totalByteCount: Int64(progress.totalPageCount) * pageSize
            )
          )
          try check()
          if !progress.isCompleted { try onStep() }
        }
      }
    }
  }

  // MARK: - Files

  /// What the name of an unfinished copy begins with; the process that makes it follows.
  private var partialPrefix: String { destination.path + ".partial-" }

  /// Makes an empty file beside the destination that only its owner can read or write.
  private func makePartialFile() throws -> String {
    let process = ProcessMark.own.replacingOccurrences(of: " ", with: ".")
    do {
      return try OpenFile.temporary(partialPrefix + process).path
    } catch {
      throw SnippetStoreError.cannotCreate(
        FileError(destination.path, error.code),
        during: operation
      )
    }
  }

  /// Removes the unfinished copies of processes that were killed: each is a whole store, readable
  /// to its owner, that nobody asked for.
  private func removeLeftovers() {
    let folder = destination.deletingLastPathComponent()
    // What cannot be listed is left: it keeps nobody from a new copy.
    guard let names = try? OpenFolder(folder.path).names() else { return }
    let prefix = URL(fileURLWithPath: partialPrefix).lastPathComponent
    for name in names.map(\.name) where name.hasPrefix(prefix) {
      let parts = name.dropFirst(prefix.count).split(separator: "-")
      guard parts.count == 2, parts[1].count == 6 else { continue }
      let process = parts[0].replacingOccurrences(of: ".", with: " ")
      if !ProcessMark.isRunning(process) { Self.remove(folder.path + "/" + name) }
    }
  }

  private static func remove(_ partial: String) {
    for suffix in ["", "-journal", "-wal", "-shm"] { FileSystem.remove(partial + suffix) }
  }

  /// Gives a finished copy its name.
  func publish(_ partial: String) throws {
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

  private func unsound(_ report: CheckReport) -> SnippetStoreError {
    SnippetStoreError(
      .damaged,
      operation,
      because: "the copy does not pass the check: \(report.problems[0].description)",
      do: "The copy was removed. Check the store it was made from."
    )
  }
}
