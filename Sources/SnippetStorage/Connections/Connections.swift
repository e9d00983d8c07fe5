import CStorage
import Foundation
import GRDB
import GRDBSQLite
import Migrations
import SnippetBase

/// The connections of an open store.
///
/// Each has one task, so that none waits for another's work. Those that not every program needs are
/// opened at their first use.
///
/// SQLite serves one thread per connection at a time. Rows have a connection of their own: a list
/// never queues behind a blob, a search or a check. A store in memory has a single connection for
/// everything.
struct Connections: Sendable {
  /// The purpose of a reading connection.
  enum Role {
    /// Lists and single rows.
    case rows
    /// Work that looks at everything: search, check, statistics, SQL from outside.
    case scans
    /// Derivatives, and looks for changes of other programs.
    ///
    /// They are small and urgent, so they must not wait for blobs or searches.
    case smallReads
  }

  let path: String
  let isReadOnly: Bool
  /// Called before the commit of each transaction that writes.
  let beforeCommit: @Sendable (Database) throws -> Void
  /// Called after each commit, on the queue of the connection that made it.
  let didCommit: @Sendable (Database) -> Void
  /// Receives events of background work.
  let events: StoreEvents
  /// `nil` for a store opened for reading.
  private let writer: LateConnection?
  let durability: WriterDurability
  let rows: DatabaseQueue
  /// Those for reading besides rows; empty for a store in memory.
  private let lateReaders: [Role: LateConnection]
  /// `nil` for a store in memory, and for one opened for reading.
  let checkpointer: Checkpointer?
  /// `nil` for a store in memory.
  let file: OpenStoreFile?
  /// `nil` for a store in memory, whose schema no other program can alter.
  let schemaGuard: SchemaGuard?
  /// `nil` for a store in memory, for one opened for reading, and for one being made.
  let reserve: DiskReserve?

  /// The two connections needed for replacing the content of a file.
  struct Writing {
    let writer: DatabaseQueue
    let checkpointer: Checkpointer

    /// Opens the writer; the schema stays as it is.
    init(path: String, busyTimeout: Duration, _ durability: Durability) throws {
      let file = OpenStoreFile(path: path)
      writer = try Connections.openWriter(path, busyTimeout: busyTimeout, durability)
      file.noteLog()
      checkpointer = Checkpointer(of: file, busyTimeout: busyTimeout, durability)
    }

    /// Closes both, the writer last.
    func close() throws {
      try checkpointer.close()
      try writer.close()
    }
  }

  /// The settings for opening a file.
  struct Settings {
    var isReadOnly = false
    /// Whether to apply missing migrations.
    var isUpgraded = true
    /// The mark of the schema at its comparison; `nil` if it was not compared.
    var schemaMark: Int?
    /// Whether to keep a reserve on a nearly full disk.
    var keepsReserve = true
    var busyTimeout: Duration
    var durability: Durability
    var events = StoreEvents.none
  }

  /// Opens the file: applies missing migrations, and opens the connection for rows.
  ///
  /// A file that needs no migration has a connection already, that which inspected it. Then the
  /// writer is opened at its first use, unless foreign commits must be told from the first on.
  init(
    file: OpenStoreFile,
    _ settings: Settings,
    inspectedBy reader: DatabaseQueue?,
    smallReads: LateConnection,
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
    self.durability = WriterDurability(durability)

    var opened: DatabaseQueue?
    if !isReadOnly, reader == nil || events.areHeard || !Self.isWritable(reader, path) {
      let writer = try Self.openWriter(path, busyTimeout: timeout, durability)
      if settings.isUpgraded {
        try SystemFailure.told(ofWriting: path) {
          try MigrationRunner(operation: operation).run(on: writer)
        }
      }
      opened = writer
    }
    writer =
      isReadOnly
      ? nil
      : LateConnection(opened) {
        try file.connect {
          try Self.openWriter(file.path, mustExist: true, busyTimeout: timeout, durability)
        }
      }
    checkpointer =
      isReadOnly ? nil : Checkpointer(of: file, busyTimeout: timeout, durability)
    rows = try file.connect { try reader ?? Self.openReader(file.path, busyTimeout: timeout) }
    file.noteLog()
    self.file = file
    let readingPath = rows.path
    let scans = LateConnection {
      try Self.openReader(readingPath, of: file, busyTimeout: timeout)
    }
    lateReaders = [.scans: scans, .smallReads: smallReads]
  }

  /// Opens the single connection of a store in memory.
  ///
  /// The store ends with its last user.
  static func openInMemory(_ settings: Settings, operation: String) throws -> DatabaseQueue {
    let only = try openWriter(":memory:", busyTimeout: settings.busyTimeout, settings.durability)
    try MigrationRunner(operation: operation).run(on: only)
    return only
  }

  /// Uses the single connection of a store in memory for everything.
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
    writer = LateConnection(only) { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
    durability = WriterDurability(.none)
    rows = only
    lateReaders = [:]
    checkpointer = nil
    file = nil
    schemaGuard = nil
    reserve = nil
  }

  private static func openReader(_ path: String, busyTimeout: Duration) throws -> DatabaseQueue {
    try openForReading(path, busyTimeout: busyTimeout, prepare: prepareEvery)
  }

  /// Opens another connection that only reads, and throws ``DisplacedFile`` if it would not see the
  /// file that is open.
  static func openReader(
    _ path: String,
    of file: OpenStoreFile,
    busyTimeout: Duration
  ) throws -> DatabaseQueue {
    try file.connect { try openReader(path, busyTimeout: busyTimeout) }
  }

  /// The path for reading connections.
  ///
  /// It differs from the path of the file if the file had to be opened as unchanging.
  var readingPath: String { rows.path }

  /// Whether the store lives in memory.
  var isInMemory: Bool { file == nil }

  /// Returns the connection for a kind of reading, and opens it if necessary.
  ///
  /// If it is not open and the file or its log was moved or deleted, a new connection would not see
  /// the store as the open ones do. Then it is the one for rows.
  func reader(_ role: Role) throws -> DatabaseQueue {
    guard let late = lateReaders[role] else { return rows }
    do {
      return try late.get()
    } catch is DisplacedFile {
      return rows
    }
  }

  /// Returns the connection for a kind of reading if it is open; never waits.
  func openedReader(_ role: Role) -> DatabaseQueue? {
    guard let late = lateReaders[role] else { return rows }
    return late.opened
  }

  /// Opens a separate connection for reading, for callers that change its settings or keep it busy
  /// for long.
  ///
  /// For a store in memory this is a connection to a copy.
  func ownReader(busyTimeout: Duration) throws -> DatabaseQueue {
    try rows.unsafeRead { try $0.requireOpen() }
    guard let file else { return try copyInMemory() }
    return try Self.openReader(path, of: file, busyTimeout: busyTimeout)
  }

  /// Returns the connection to back up from.
  ///
  /// If the log is gone, new connections cannot see the store as the open ones do. Then it is one
  /// of those.
  func backupSource(busyTimeout: Duration) throws -> DatabaseQueue {
    do {
      return try ownReader(busyTimeout: busyTimeout)
    } catch is DisplacedFile {
      return try reader(.scans)
    }
  }

  private func copyInMemory() throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase { db in
      try Self.prepareEvery(db)
      // The copy in memory does not take over the page size.
      try db.execute(sql: "PRAGMA page_size = 8192")
    }
    let copy = try DatabaseQueue(configuration: configuration)
    try rows.backup(to: copy)
    return copy
  }

  /// Opens a separate connection for a full check.
  ///
  /// On a read-only connection SQLite ignores CHECK rules, even in `integrity_check`. So this one
  /// could write, where the file allows it, but never does.
  func ownChecker(busyTimeout: Duration) throws -> DatabaseQueue {
    try rows.unsafeRead { try $0.requireOpen() }
    guard let file else { return try copyInMemory() }
    do {
      return try file.connect {
        try openForChecking(
          path,
          keepingLog: isReadOnly,
          busyTimeout: busyTimeout,
          prepare: Self.prepareEvery
        )
      }
    } catch  where isReadOnly {
      // The file or its folder cannot be written.
      return try ownReader(busyTimeout: busyTimeout)
    }
  }

  /// Starts to distinguish foreign commits from those of this store; `nil` if there is no listener,
  /// and in memory.
  func foreignCommits() -> ForeignCommits? {
    guard events.areHeard, !isInMemory else { return nil }
    return ForeignCommits(writer: writer?.opened, events: events)
  }

  /// Returns the writer, and opens it if necessary; throws if the store is read-only.
  func writer(for operation: String) throws(SnippetStoreError) -> DatabaseQueue {
    let writer = try lateWriter(for: operation)
    do {
      return try writer.get()
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }

  /// Returns the writer; throws if the store is read-only.
  func lateWriter(
    for operation: String
  ) throws(SnippetStoreError) -> LateConnection {
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

  /// Copies the log into the file if it has grown long.
  ///
  /// A failure is left to the next time: committed changes are safe in the log.
  func checkpointIfDue(at logByteCount: Int64 = Checkpointer.dueByteCount) {
    guard let writer = writer?.opened, let checkpointer else { return }
    checkpointer.runIfDue(at: logByteCount, holding: writer, telling: events)
  }

  /// Closes every connection, the writer last, so that SQLite can copy the log into the file.
  ///
  /// A log that was deleted is not copied once others have begun another.
  func close() throws {
    var firstError: (any Error)?
    let writer = writer?.end()
    if file?.hasOtherLog == true {
      writer?.unsafeRead { db in
        // Fails only without a connection, which then copies nothing.
        if let handle = db.sqliteConnection { _ = snippet_keep_log(handle) }
      }
    }
    var closers = lateReaders.values.map { $0.close } + [rows.close]
    if let checkpointer { closers.append(checkpointer.close) }
    if let writer { closers.append(writer.close) }
    for close in closers {
      do { try close() } catch { firstError = firstError ?? error }
    }
    if isReadOnly {
      file?.endEmptyLogOfSecondName()
    } else if writer == nil {
      file?.endLog()
    }
    file?.close()
    reserve?.keep(telling: events)
    if let firstError { throw firstError }
  }

  // MARK: - Opening

  /// Opens the connection that writes; if the file is gone and `mustExist`, SQLite makes no other.
  ///
  /// Two processes that open a new file at the same moment can collide when they switch to WAL,
  /// which does not wait for the busy timeout. The other is done in no time, so it is tried again.
  private static func openWriter(
    _ path: String,
    mustExist: Bool = false,
    busyTimeout: Duration,
    _ durability: Durability
  ) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.busyMode = LockWait(timeout: busyTimeout).mode
    configuration.prepareDatabase { try prepareWriter($0, durability) }
    let clock = WorkClock()
    let deadline = clock.now + busyTimeout
    while true {
      do {
        return try SystemFailure.told(ofOpening: path, forWriting: true) {
          try DatabaseQueue(
            path: mustExist ? uri(of: path, "mode=rw") : path,
            configuration: configuration
          )
        }
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && clock.now < deadline
      {
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  /// Whether a file that was read as it is can be written to, together with the files beside it.
  private static func isWritable(_ reader: DatabaseQueue?, _ path: String) -> Bool {
    reader?.path == path && FileStatus.isWritable(path)
  }

  private static func prepareWriter(_ db: Database, _ durability: Durability) throws {
    try prepareEvery(db)
    // Only an empty file takes these two settings. In any other, the second would still write, and
    // opening would have to wait for a writer.
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
    // Shorter than the length at which a checkpoint is due. Otherwise one would be due after every
    // commit.
    try db.execute(sql: "PRAGMA journal_size_limit = \(logByteLimit)")
    // FAST overwrites deleted content in pages that are written anyway. Overwriting freed pages too
    // would make deleting a blob many times as expensive, and impossible on a full disk; that is
    // left to `Purge`.
    try db.execute(sql: "PRAGMA secure_delete = FAST")
  }

  /// The length that the log keeps after it has been copied into the file.
  ///
  /// Most of it, because giving room back and getting it again takes longer than overwriting it.
  static let logByteLimit = Checkpointer.dueByteCount - (64 << 10)

  /// Sets up any connection.
  static func prepareEvery(_ db: Database) throws {
    let result = snippet_harden(db.sqliteConnection)
    guard result == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
    try db.execute(sql: "PRAGMA cell_size_check = ON")
    // Only `Checkpointer` checkpoints.
    try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
  }
}

/// Waits for the write lock while another process writes.
///
/// After some time, SQLite's own waiting only looks at the lock every 100 milliseconds. A busy
/// writer frees the lock for shorter moments between its transactions, so SQLite could miss it for
/// seconds.
struct LockWait: Sendable {
  /// The longest wait before giving up.
  let timeout: Duration
  var now: @Sendable () -> WorkClock.Instant = { .now }
  var sleep: @Sendable (Duration) -> Void = { Thread.sleep(forTimeInterval: $0.seconds) }

  private static let longestPause = Duration.milliseconds(10)

  /// This way of waiting, for a connection.
  var mode: Database.BusyMode {
    let deadline = Lock(now())
    return .callback { tryCount in
      let now = self.now()
      let end = deadline.withLock { deadline in
        if tryCount == 0 { deadline = now + timeout }
        return deadline
      }
      guard now < end else { return false }
      sleep(min(.milliseconds(tryCount + 1), Self.longestPause, now.duration(to: end)))
      return true
    }
  }
}
