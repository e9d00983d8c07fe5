import Foundation
import GRDB
import Migrations
import SnippetBase
import SystemPackage

/// Copies a database into a new file, which gets its name only once it is complete, checked and on
/// the disk.
///
/// Behind a link, its target is made or replaced.
struct StoreCopy {
  let destination: URL
  let replacesExisting: Bool
  /// Whether to copy tables of other programs.
  var keepsWhatIsBeside = true
  let operation: String
  let check: () throws -> Void
  let report: (StoreProgress) -> Void

  /// The number of pages to copy between two checks for cancellation.
  private static let pagesPerStep: CInt = 1024

  /// The path of the file to be made, behind all links.
  private var place: String { OutputPlace(destination.path).target }

  /// Copies the state that a connection sees, in one snapshot, and gives the copy its name.
  ///
  /// Writers neither have to wait nor disturb the copy.
  func make(from source: DatabaseQueue) throws -> CheckReport {
    try requireUsableDestination()
    return try withCompleteCopy(of: source) { copy, found in
      guard found.isSound else { throw unsound(found) }
      try publish(copy)
      return found
    }
  }

  /// Copies the state that a connection sees, in one snapshot, into an unnamed file.
  func open(from source: DatabaseQueue) throws -> (OpenFile, CheckReport) {
    try withCompleteCopy(of: source) { copy, found in
      guard found.isSound else { throw unsound(found) }
      return (try OpenFile(copy), found)
    }
  }

  /// Refuses a destination that the copy could not have.
  func requireUsableDestination() throws(SnippetStoreError) {
    do throws(FileError) {
      _ = try FileSystem.place(of: destination.path)
    } catch {
      throw .cannotCreate(error, during: operation)
    }
    guard let isRegular = FileStatus.isRegular(place) else { return }
    guard replacesExisting else { throw alreadyExists() }
    guard isRegular else { throw notAFile() }
  }

  /// Makes a copy under a temporary name: complete, upgraded, checked and on the disk.
  ///
  /// `body` receives the path of the copy, which is not open. The copy is removed afterwards unless
  /// it was renamed. It keeps the page size of the source unless another is given.
  func withCompleteCopy<Result>(
    of source: DatabaseQueue,
    pageSize: Int? = nil,
    _ body: (String, CheckReport) throws -> Result
  ) throws -> Result {
    try withPartialFile { partial in
      let found: CheckReport
      do {
        found = try SystemFailure.told(ofWriting: partial) {
          try fill(partial, from: source, pageSize: pageSize)
        }
      } catch let failure as SystemFailure
        where failure.error.extendedResultCode == .SQLITE_IOERR_FSYNC
      {
        // Of a store, such a change may stand in the log. This one goes with the copy.
        throw SystemFailure(
          error: DatabaseError(resultCode: .SQLITE_IOERR_WRITE, message: failure.error.message),
          code: failure.code
        )
      }
      // By now, no connection has it open.
      let file = try OpenFile(partial, options: .noFollow)
      giveToFormerOwner(file)
      try file.synchronize()
      try file.close()
      return try body(partial, found)
    }
  }

  /// Gives a copy the owner and the group of the file in its place: the store of a person that root
  /// restores stays that person's.
  ///
  /// It takes the open file: who can write into the folder could put a link to any file in its
  /// place.
  private func giveToFormerOwner(_ file: OpenFile) {
    guard replacesExisting, let former = try? Stat(place), former.type == .regular,
      (try? file.status())?.linkCount == 1
    else { return }
    // Only root can, and for the others nothing changes.
    _ = fchown(file.descriptor.rawValue, former.userID.rawValue, former.groupID.rawValue)
  }

  /// Makes an empty file beside the destination.
  ///
  /// The file and its logs are removed afterwards, unless it was renamed.
  func withPartialFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    // Failing to list the folder does not prevent a new copy.
    UnfinishedCopy.removeLeftovers(beside: place)
    let partial = try makePartialFile()
    // Whatever happens, leave no unfinished file behind.
    defer { partial.remove() }
    return try body(partial.path)
  }

  private func makePartialFile() throws(SnippetStoreError) -> UnfinishedCopy {
    if let reason = StoreFile.reasonNotToOpen(place + ".partial-XXXXXX") {
      throw SnippetStoreError(
        .cannotCreate,
        operation,
        because: "\(destination.path): while it is not complete, \(reason)",
        do: "Choose a shorter path."
      )
    }
    try OutputPlace(destination.path).requireRemovals(during: operation)
    do throws(FileError) {
      return try UnfinishedCopy(beside: place)
    } catch {
      throw .cannotCreate(FileError(destination.path, error.code), during: operation)
    }
  }

  private func fill(
    _ partial: String,
    from source: DatabaseQueue,
    pageSize: Int?
  ) throws -> CheckReport {
    let copy = try SystemFailure.told(ofOpening: partial, forWriting: true) {
      var configuration = GRDB.Configuration()
      // It arrives as a store with a log, whose index programs share through mapped memory. Not
      // every disk for backups has that, and one that has the file alone needs none.
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      return try DatabaseQueue(path: partial, configuration: configuration)
    }
    try source.snapshot { db in
      // The snapshot starts with the first read. Without it, copying would restart with every
      // commit of another connection.
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
      try copy.writeWithoutTransaction { try transfer(from: db, to: $0) }
    }
    // A single file without a log can be read anywhere.
    try copy.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try db.execute(sql: "PRAGMA locking_mode = NORMAL")
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

  /// Removes derivatives and unfinished saves from the copy, and the room that they take.
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

  /// Drops the tables of other programs, so that they do not overwrite the present ones, and
  /// returns whether there were any.
  private func dropWhatIsBeside(_ db: Database) throws -> Bool {
    let beside = try SchemaComparison(db, version: Migrations.latestVersion).beside
    // Dependent objects go first. A virtual table takes its storage tables with it.
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

  /// Copies all pages in one transaction of `target`.
  ///
  /// `onStep` is called after each step but the last, when others cannot write to `target`. There
  /// is at least one such step.
  func transfer(
    from source: Database,
    to target: Database,
    onStep: () throws -> Void = {}
  ) throws {
    let pageSize = try Int64.fetchOne(source, sql: "PRAGMA page_size") ?? 0
    let pageCount = try CInt.fetchOne(source, sql: "PRAGMA page_count") ?? 0
    // GRDB does not keep the closure beyond the call.
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

  /// Gives a finished copy its name.
  func publish(_ partial: String) throws {
    let place = place
    if replacesExisting {
      do {
        try FileSystem.rename(partial, to: place)
      } catch {
        throw FileError(destination.path, error.code)
      }
    } else {
      // Another program may just have made the file.
      do {
        try FileSystem.rename(partial, toNew: place)
      } catch  where error.code == .fileExists {
        throw alreadyExists()
      }
    }
    try FileSystem.synchronize(folder: place.folderPath)
  }

  private func alreadyExists() -> SnippetStoreError {
    SnippetStoreError(
      .alreadyExists,
      operation,
      because: "\(destination.path) exists",
      do: "Choose another name, or allow it to be replaced."
    )
  }

  /// A file must not replace a pipe or device, and cannot replace a folder.
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
      keeping: "The copy was removed.",
      do: "Check the store it was made from."
    )
  }
}
