import CStorage
import GRDB
import GRDBSQLite
import Migrations
import SnippetBase
import SystemPackage

/// A store file that this process has open.
///
/// SQLite keeps using an open file after its file or log was moved or deleted, and reports success
/// for writes that are lost. So this compares the open file with the one at the path.
///
/// All open files are registered, so that no code opens one except through SQLite: closing it again
/// would drop the locks of this process where they are those of POSIX
/// (https://www.sqlite.org/howtocorrupt.html, section 2.2).
final class OpenStoreFile: Sendable {
  private static let entries = Lock<[ObjectIdentifier: Entry]>([:])

  /// A file in the register, with those beside it.
  private final class Entry: Sendable {
    let path: String
    /// The files that the connections have open, by suffix.
    private let identities: Lock<[String: FileIdentity]>

    init(path: String) {
      self.path = path
      identities = Lock(FileIdentity(path: path).map { ["": $0] } ?? [:])
    }

    subscript(suffix: String) -> FileIdentity? { identities.withLock { $0[suffix] } }

    /// Remembers the present file as the one that the connections have open.
    func note(_ suffix: String) {
      let present = FileIdentity(path: path + suffix)
      identities.withLock { $0[suffix] = present }
    }

    /// Whether a file is the database or stands beside it.
    ///
    /// It looks at no path whose file it knows to be another: an import asks this of each file.
    func holds(_ identity: FileIdentity) -> Bool {
      let known = identities.withLock(\.self)
      return ([""] + OutputPlace.suffixes).contains { suffix in
        if let known = known[suffix], known != identity { return false }
        // The connections may be closed by now, and another file may have the number of a deleted one.
        return FileIdentity(path: path + suffix) == identity
      }
    }
  }

  private let entry: Entry

  var path: String { entry.path }

  /// Registers the file until ``close()`` or its release.
  init(path: String) {
    let entry = Entry(path: path)
    self.entry = entry
    Self.entries.withLock { $0[ObjectIdentifier(self)] = entry }
  }

  deinit {
    close()
  }

  /// Remembers the present log as the one that the connections have open.
  ///
  /// It stays as long as any program has the file open.
  func noteLog() {
    entry.note("-wal")
    entry.note("-shm")
  }

  /// Returns the part that is no longer in its place, the file or the log; `nil` if both are.
  ///
  /// Throws the error of the system if this cannot be found out.
  func displaced() throws -> String? {
    if let file = entry[""], try Self.identity(at: path) != file { return "file" }
    if let log = entry["-wal"], try Self.identity(at: path + "-wal") != log { return "log" }
    return nil
  }

  /// Whether there is another log in the place of the one that the connections have open.
  ///
  /// Programs that use it may have changed the file, so the former log must not be copied into it.
  /// `true` if this cannot be found out.
  var hasOtherLog: Bool {
    guard let log = entry["-wal"] else { return false }
    do {
      let found = try Self.identity(at: path + "-wal")
      return found != nil && found != log
    } catch {
      return true
    }
  }

  /// Throws ``DisplacedFile`` if the file or its log is no longer in its place.
  func requireInPlace() throws {
    if let part = try displaced() { throw DisplacedFile(part: part) }
  }

  /// Opens another connection, which sees the same content as the open ones.
  ///
  /// Throws ``DisplacedFile`` if the file or its log is no longer in its place: the connection
  /// could read another file, or would miss the commits in the log. SQLite opens the log at the
  /// first read, so `handle` must have read before it is compared.
  func connect<Connection>(
    _ open: () throws -> Connection,
    handle: (Connection) throws -> OpaquePointer?
  ) throws -> Connection {
    try requireInPlace()
    let connection: Connection
    do {
      connection = try open()
    } catch {
      // The more telling error if the file was taken away while it was opened.
      try requireInPlace()
      throw error
    }
    // Even if the file has come back since, the connection may have opened another in its place.
    try requireNotMoved(handle(connection))
    try requireInPlace()
    return connection
  }

  /// Opens another connection of GRDB in this way.
  func connect(_ open: () throws -> DatabaseQueue) throws -> DatabaseQueue {
    try connect(open) { $0.unsafeRead(\.sqliteConnection) }
  }

  /// Copies the log into the file and removes it, unless another program uses the file.
  ///
  /// SQLite does so when it closes the last connection, if that can write. This one does nothing
  /// else, so it need not parse the schema. A file or a log that took the place of the open one is
  /// left alone: the log of one file would destroy another. If ending the log fails, the next
  /// program that opens the store ends it.
  func endLog() {
    guard FileStatus.exists(path + "-wal") else { return }
    try? SystemFailure.told(ofOpening: path, forWriting: true) {
      var connection: OpaquePointer?
      defer { sqlite3_close(connection) }
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
      guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK else { return }
      try requireNotMoved(connection)
      try requireInPlace()
      // The first read opens the log.
      let sql = "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA user_version"
      let result = sqlite3_exec(connection, sql, nil, nil, nil)
      // SQLite would take a log whose index it could not read for an empty one, and delete it.
      if result != SQLITE_OK, let connection { _ = snippet_keep_log(connection) }
    }
  }

  /// Removes the empty log that reading leaves beside one of several names of the file, unless
  /// another program uses the file.
  ///
  /// A log with content is left alone: it may not belong to the present state of the file.
  func endEmptyLogOfSecondName() {
    guard let status = try? Stat(path), status.linkCount > 1,
      FileStatus.byteCount(of: path + "-wal") == 0
    else { return }
    endLog()
  }

  /// Removes a file that could not be made a store, with its logs, unless another connection has it
  /// open or has completed it.
  func removeUnfinished() {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    // The beginning gives an empty file its first page: on a disk that is full to the last byte, no
    // journal can be written for that.
    let isEmpty = FileStatus.byteCount(of: path) == 0
    let journal = isEmpty ? "PRAGMA journal_mode = MEMORY; " : ""
    // Set before the first read, the mode locks out all others even with a log.
    let beginning = "PRAGMA locking_mode = EXCLUSIVE; \(journal)BEGIN EXCLUSIVE"
    guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK,
      let handle = connection,
      (try? requireNotMoved(handle)) != nil, (try? requireInPlace()) != nil,
      sqlite3_exec(handle, beginning, nil, nil, nil) == SQLITE_OK,
      let version = Self.version(through: handle), version < Migrations.latestVersion
    else { return }
    // The file last: a log alone would not be known for what it is.
    for suffix in OutputPlace.logSuffixes + [""] { FileSystem.remove(path + suffix) }
  }

  private static func version(through connection: OpaquePointer) -> Int? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let result = sqlite3_prepare_v2(connection, "PRAGMA user_version", -1, &statement, nil)
    guard result == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW else { return nil }
    return Int(sqlite3_column_int(statement, 0))
  }

  private func requireNotMoved(_ connection: OpaquePointer?) throws {
    var hasMoved: Int32 = 0
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else { throw DisplacedFile(part: "file") }
  }

  private static func identity(at path: String) throws -> FileIdentity? {
    do throws(Errno) {
      return FileIdentity(try Stat(path))
    } catch .noSuchFileOrDirectory {
      return nil
    } catch {
      throw FileError(path, error)
    }
  }

  /// Removes the file from the register.
  func close() {
    Self.entries.withLock { $0[ObjectIdentifier(self)] = nil }
  }

  /// The paths of the open files.
  static var openPaths: [String] { entries.withLock { $0.values.map(\.path) } }

  /// Whether a file belongs to an open store: the database or a file beside it.
  static func contains(_ identity: FileIdentity) -> Bool {
    entries.withLock { Array($0.values) }.contains { $0.holds(identity) }
  }
}
