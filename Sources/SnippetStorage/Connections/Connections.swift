import CStorage
import Foundation
import GRDB
import GRDBSQLite
import Migrations
import SnippetBase

/// The connections of one open store, each with one task, so that none waits for another's work.
///
/// SQLite serves one thread per connection at a time. Rows have a connection of their own: a list
/// never queues behind a blob, a search or a check. A store in memory has a single connection,
/// which does everything.
struct Connections: Sendable {
  /// What a connection is for.
  enum Role {
    /// Lists and single rows.
    case rows
    /// Whatever looks at everything: search, check, statistics, SQL from outside.
    case scans
    /// Derivatives, which are small and wanted at once: they wait for no blob and no search.
    case derivatives
  }

  let path: String
  let isReadOnly: Bool
  /// Called in each transaction that writes, before its commit.
  let beforeCommit: @Sendable (Database) throws -> Void
  /// Called after each commit, on the queue of the connection that made it.
  let didCommit: @Sendable (Database) -> Void
  /// Whom to tell of work in the background.
  let events: StoreEvents
  private let writer: DatabaseQueue?
  private let rows: DatabaseQueue
  private let scans: DatabaseQueue
  private let derivatives: DatabaseQueue
  /// `nil` for a store in memory, and for one that is only read.
  let checkpointer: Checkpointer?
  /// `nil` for a store in memory.
  let file: OpenStoreFile?
  /// `nil` for a store in memory, whose schema nobody else can alter.
  let schemaGuard: SchemaGuard?
  /// `nil` for a store in memory, for one that is only read, and for one that is still being made.
  let reserve: DiskReserve?

  /// The connections without which nothing is written to a file.
  struct Writing {
    let writer: DatabaseQueue
    let checkpointer: Checkpointer

    /// Opens them; the schema stays as it is.
    init(path: String, busyTimeout: Duration, _ durability: Durability) throws {
      writer = try Connections.openWriter(path, busyTimeout: busyTimeout, durability)
      checkpointer = try Checkpointer(path: path, busyTimeout: busyTimeout, durability)
    }

    /// Closes both, the writer last.
    func close() throws {
      try checkpointer.close()
      try writer.close()
    }
  }

  /// How a file is opened.
  struct Settings {
    var isReadOnly = false
    /// Whether the steps that the schema lacks are taken.
    var isUpgraded = true
    /// The mark of the schema when it was compared; `nil` if it was not.
    var schemaMark: Int?
    /// Whether a nearly full disk keeps some room for it.
    var keepsReserve = true
    var busyTimeout: Duration
    var durability: Durability
    var events = StoreEvents.none
  }

  /// Opens the file, applies the migrations that it lacks, and opens the readers.
  init(
    file: OpenStoreFile,
    _ settings: Settings,
    operation: String,
    beforeCommit: @escaping @Sendable (Database) throws -> Void,
    didCommit: @escaping @Sendable (Database) -> Void
  ) throws {
    path = file.path
    self.beforeCommit = beforeCommit
    self.didCommit = didCommit
    isReadOnly = settings.isReadOnly
    schemaGuard = SchemaGuard(known: settings.schemaMark)
    events = settings.events
    reserve = isReadOnly || !settings.keepsReserve ? nil : DiskReserve(storePath: path)
    let (timeout, durability) = (settings.busyTimeout, settings.durability)

    let writing = try isReadOnly ? nil : Writing(path: path, busyTimeout: timeout, durability)
    if let writing, settings.isUpgraded {
      try SystemFailure.told(ofWriting: path) {
        try MigrationRunner(operation: operation).run(on: writing.writer)
      }
    }
    writer = writing?.writer
    checkpointer = writing?.checkpointer
    rows = try Self.openReader(path, busyTimeout: timeout)
    scans = try Self.openReader(path, busyTimeout: timeout)
    derivatives = try Self.openReader(path, busyTimeout: timeout)
    file.noteLog()
    self.file = file
  }

  /// Opens the one connection of a store that lives in memory and ends with its last user.
  static func openInMemory(_ settings: Settings, operation: String) throws -> DatabaseQueue {
    let only = try openWriter(":memory:", busyTimeout: settings.busyTimeout, settings.durability)
    try MigrationRunner(operation: operation).run(on: only)
    return only
  }

  /// Does everything on the one connection of a store in memory.
  init(
    inMemory only: DatabaseQueue,
    events: StoreEvents,
    beforeCommit: @escaping @Sendable (Database) throws -> Void,
    didCommit: @escaping @Sendable (Database) -> Void
  ) {
    path = ":memory:"
    self.events = events
    self.beforeCommit = beforeCommit
    self.didCommit = didCommit
    isReadOnly = false
    writer = only
    rows = only
    scans = only
    derivatives = only
    checkpointer = nil
    file = nil
    schemaGuard = nil
    reserve = nil
  }

  /// Opens one more connection to a file that only reads.
  static func openReader(_ path: String, busyTimeout: Duration) throws -> DatabaseQueue {
    try openForReading(path, busyTimeout: busyTimeout, prepare: prepareEvery)
  }

  /// The path that connections which read take: it may be that the file has to be opened in another
  /// way than by its own.
  var readingPath: String { rows.path }

  /// Whether the store lives in memory.
  var isInMemory: Bool { writer === rows }

  /// The connection for a kind of reading.
  func reader(_ role: Role) -> DatabaseQueue {
    switch role {
    case .rows: rows
    case .scans: scans
    case .derivatives: derivatives
    }
  }

  /// A new connection that only reads, for callers that change its settings or keep it busy for
  /// long.
  ///
  /// A store in memory has no other than its only one, so there it is one to a copy.
  func ownReader(busyTimeout: Duration) throws -> DatabaseQueue {
    try scans.unsafeRead { try $0.requireOpen() }
    if isInMemory { return try copyInMemory() }
    return try Self.openReader(path, busyTimeout: busyTimeout)
  }

  /// The connection to back up from.
  ///
  /// Without its log nobody can open the store any more as those see it who have it open; then it is
  /// one that others need.
  func backupSource(busyTimeout: Duration) throws -> DatabaseQueue {
    try file?.displaced() == nil ? ownReader(busyTimeout: busyTimeout) : scans
  }

  private func copyInMemory() throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase { db in
      try Self.prepareEvery(db)
      // In memory, the copy does not take the size of the pages over.
      try db.execute(sql: "PRAGMA page_size = 8192")
    }
    let copy = try DatabaseQueue(configuration: configuration)
    try scans.backup(to: copy)
    return copy
  }

  /// A new connection for a check of everything.
  ///
  /// On a connection that can only read, SQLite forgets the CHECK rules, and `integrity_check`
  /// with it; where it may, this one could write and is told not to.
  func ownChecker(busyTimeout: Duration) throws -> DatabaseQueue {
    if isInMemory { return try ownReader(busyTimeout: busyTimeout) }
    try scans.unsafeRead { try $0.requireOpen() }
    do {
      return try openForChecking(
        path,
        keepingLog: isReadOnly,
        busyTimeout: busyTimeout,
        prepare: Self.prepareEvery
      )
    } catch  where isReadOnly {
      // Where the file or its folder cannot be written.
      return try ownReader(busyTimeout: busyTimeout)
    }
  }

  /// Tells foreign commits from those of this store; `nil` where nobody listens, and in memory.
  func foreignCommits() -> ForeignCommits? {
    guard events.areHeard, !isInMemory else { return nil }
    return ForeignCommits(writer: writer, events: events)
  }

  /// The one connection that writes.
  func writer(for operation: String) throws(SnippetStoreError) -> DatabaseQueue {
    guard let writer else {
      throw SnippetStoreError(
        .readOnly,
        operation,
        because: "the store was opened for reading only",
        do: "Open it for writing."
      )
    }
    return writer
  }

  /// Copies the log into the file once it has grown long.
  ///
  /// A failure is left for the next time: what was committed is safe in the log.
  func checkpointIfDue(at logByteCount: Int64 = Checkpointer.dueByteCount) {
    guard let writer, let checkpointer else { return }
    checkpointer.runIfDue(at: logByteCount, holding: writer, telling: events)
  }

  /// Closes every connection, the writer last, so that SQLite can fold the log into the file.
  func close() throws {
    var firstError: (any Error)?
    var closers = [derivatives.close, scans.close, rows.close]
    if let checkpointer { closers.append(checkpointer.close) }
    if let writer { closers.append(writer.close) }
    for close in closers {
      do { try close() } catch { firstError = firstError ?? error }
    }
    file?.close()
    reserve?.keep(telling: events)
    if let firstError { throw firstError }
  }

  // MARK: - Opening

  /// Opens the connection that writes.
  ///
  /// Two processes that open a new file at the same moment can collide on the switch to WAL, which
  /// does not wait for the busy timeout; the other one is done in no time, so it is tried again.
  private static func openWriter(
    _ path: String,
    busyTimeout: Duration,
    _ durability: Durability
  ) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.busyMode = LockWait(timeout: busyTimeout).mode
    configuration.prepareDatabase { try prepareWriter($0, durability) }
    let clock = ContinuousClock()
    let deadline = clock.now + busyTimeout
    while true {
      do {
        return try SystemFailure.told(ofOpening: path, forWriting: true) {
          try DatabaseQueue(path: path, configuration: configuration)
        }
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && clock.now < deadline
      {
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  private static func prepareWriter(_ db: Database, _ durability: Durability) throws {
    try prepareEvery(db)
    // Only an empty file takes these two. In any other, the second one would still write, and so
    // make opening wait for a writer.
    if try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 {
      try db.execute(sql: "PRAGMA page_size = 8192")
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
    }
    try durability.apply(to: db)
    let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    guard mode == "wal" || mode == "memory" else {
      throw SnippetStoreError(
        .failed,
        "open the store",
        because: "its file system offers no shared memory for WAL",
        do: "Keep the store on a local disk."
      )
    }
    // Shorter than when a checkpoint is due: a log that kept its length would be due after every
    // commit.
    try db.execute(sql: "PRAGMA journal_size_limit = \(logByteLimit)")
    // What is deleted is overwritten in pages that are written anyway. To overwrite pages that
    // become free too would multiply the cost of deleting a blob, and make it impossible on a full
    // disk; that is left to `Purge`.
    try db.execute(sql: "PRAGMA secure_delete = FAST")
  }

  /// How long the log stays once it has been folded into the file.
  static let logByteLimit = 4 << 20

  /// What holds on each connection, whatever it is for.
  static func prepareEvery(_ db: Database) throws {
    let result = snippet_harden(db.sqliteConnection)
    guard result == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
    try db.execute(sql: "PRAGMA cell_size_check = ON")
    // Checkpoints are ours alone, see `Checkpointer`.
    try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
  }
}
