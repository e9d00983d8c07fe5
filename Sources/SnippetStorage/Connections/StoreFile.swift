import Foundation
import GRDB
import Migrations
import SnippetBase
import SystemPackage

/// The file of a store before it is opened: checks what it is and whether to open it.
///
/// This opens the database file only through SQLite: closing any other descriptor of it would drop
/// the locks of this process (https://www.sqlite.org/howtocorrupt.html, section 2.2).
struct StoreFile {
  /// The thing at the path.
  enum Presence: Equatable {
    case missing
    /// An empty regular file, which SQLite takes for a new database.
    case empty
    case present
  }

  /// A purpose for which the file is opened.
  enum Opening {
    /// Read it; an older schema is read as it is.
    case readingAnyVersion
    /// Read it; an older schema is refused.
    case reading
    /// Write to it as it is; what would have to be altered first is refused.
    case writingUnaltered
    /// Bring it up to date and write to it; a missing file is refused.
    case writing
    /// Bring it up to date and write to it; a missing file is created.
    case creating

    fileprivate var canWrite: Bool {
      switch self {
      case .readingAnyVersion, .reading: false
      case .writingUnaltered, .writing, .creating: true
      }
    }
  }

  let path: String
  let operation: String

  init(_ path: String, operation: String) {
    self.path = path
    self.operation = operation
  }

  /// Whether the operation names the path, as "open the store PATH" does.
  private var isNamed: Bool { operation.hasSuffix(path) }

  /// The file's name in a reason, so that no message says the path twice.
  private var name: String { isNamed ? "it" : path }

  /// A file that can be opened.
  struct Prepared {
    /// The mark of the schema, where that was compared; see ``SchemaGuard``.
    var schemaMark: Int?
    /// The connection that inspected the file, for reading on; `nil` if the file must be altered
    /// first.
    var reader: DatabaseQueue?
    /// Whether this call has made the file.
    var isNew = false
  }

  /// Makes sure that the file can be opened, or refuses it untouched.
  func prepare(
    for opening: Opening,
    busyTimeout: Duration
  ) throws(SnippetStoreError) -> Prepared {
    if let reason = Self.reasonNotToOpen(path) {
      throw SnippetStoreError(
        opening == .creating ? .cannotCreate : .unreadable,
        operation,
        because: reason,
        do: "Move it to a folder with a shorter path."
      )
    }
    let found = try presence()
    var presence = found
    if opening.canWrite { try requireOneName() }
    var prepared = Prepared()
    if presence == .present {
      let (file, reader) = try inspect(comparingSchema: opening.canWrite, busyTimeout)
      if file.version == 0 {
        presence = .empty
      } else {
        try requireUsable(file, for: opening)
        prepared.schemaMark = file.comparison == nil ? nil : file.schemaMark
        if !opening.canWrite || file.isReadyForWriting { prepared.reader = reader }
      }
    }
    if presence != .present, opening == .creating { try requirePlaceForStore(found) }
    switch (presence, opening == .creating) {
    case (.present, _), (.empty, true): break
    case (.missing, true): prepared.isNew = try create()
    case (.missing, _): throw unusable(.noSuchFile, because: "there is no such file")
    case (.empty, _): throw unusable(.foreignFile, because: "the file is empty")
    }
    return prepared
  }

  /// The most bytes of a path to which SQLite can add the name of a journal.
  private static let maximumPathByteCount = 504

  /// The reason why SQLite cannot open any file at a path; `nil` if its length is no reason.
  ///
  /// SQLite itself only says that it could not, and only when the file is there.
  static func reasonNotToOpen(_ path: String) -> String? {
    let count = path.utf8.count
    if count <= maximumPathByteCount { return nil }
    return "its path has \(count) bytes, and SQLite takes \(maximumPathByteCount)"
  }

  /// Refuses a place where a new store would harm another one, or could not be used.
  private func requirePlaceForStore(_ found: Presence) throws(SnippetStoreError) {
    do throws(IrregularCompanion) {
      try IrregularCompanion.requireNone(beside: path)
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
    let place = OutputPlace(path)
    try place.requireNoStore(writing: .sameStore, during: operation)
    try place.requireRemovals(during: operation)
    if found != .present { try requireNoForeignLog(besides: found) }
    // Found out later, an empty store would be left behind.
    guard SharedMemory.isOffered(beside: path) else {
      throw SnippetStoreError(
        .cannotCreate,
        operation,
        because: "its file system has no memory that programs share, which a store needs",
        do: "Keep the store on a local disk; backups can go there."
      )
    }
  }

  /// Refuses a place beside a file that SQLite would delete, as the log of a database that is gone.
  private func requireNoForeignLog(besides found: Presence) throws(SnippetStoreError) {
    guard let log = OutputPlace(path).foreignLog else { return }
    if found == .empty, Self.isJournalOfNewDatabase(log) { return }
    // Another process may be making the store: its log comes after the file.
    guard try presence() == found else { return }
    throw SnippetStoreError(
      .cannotCreate,
      operation,
      because: "\(log) is there, a name for the log of this store, and would be deleted",
      keeping: "Nothing was changed.",
      do: "Move it away; if it is the log of a store that was moved, put that back beside it."
    )
  }

  /// Whether a file is the journal of the transaction that begins a database, or is gone by now.
  ///
  /// There is nothing in it to be brought back.
  private static func isJournalOfNewDatabase(_ path: String) -> Bool {
    guard path.hasSuffix("-journal") else { return false }
    guard let header = try? OpenFile(path, options: .nonBlocking).bytes(at: 0, count: 20) else {
      return !FileStatus.exists(path)
    }
    // It gets its mark with the first sync. The last number is that of the pages that the database
    // had before. After a loss of power any of this may be missing.
    let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    let hasMark = header.starts(with: mark) || header.prefix(8).allSatisfy { $0 == 0 }
    return hasMark && header.dropFirst(16).allSatisfy { $0 == 0 }
  }

  private func requireUsable(
    _ file: Inspection,
    for opening: Opening
  ) throws(SnippetStoreError) {
    switch opening {
    case .readingAnyVersion, .writing, .creating: break
    case .reading, .writingUnaltered:
      guard file.version >= Migrations.latestVersion else { throw older(file.version) }
      guard !opening.canWrite || file.isInWALMode else { throw notInWALMode() }
    }
    try file.comparison?.requireNoProblems(operation)
  }

  private func unusable(
    _ code: SnippetStoreError.Code,
    because reason: String
  ) -> SnippetStoreError {
    SnippetStoreError(
      code,
      operation,
      because: reason,
      do: "Check the path, or let the store be created."
    )
  }

  private func older(_ version: Int) -> SnippetStoreError {
    SnippetStoreError(
      .readOnly,
      operation,
      because: """
        its schema is \(version) and must first become \(Migrations.latestVersion), which needs \
        writing
        """,
      do: "Open it for writing once."
    )
  }

  private func notInWALMode() -> SnippetStoreError {
    SnippetStoreError(
      .readOnly,
      operation,
      because: "writing would switch this file to WAL, and it looks like a backup",
      do: "Open it for reading only."
    )
  }

  /// Returns what is at the path, and refuses a folder, a device or a pipe.
  ///
  /// A pipe would make SQLite wait forever.
  func presence() throws(SnippetStoreError) -> Presence {
    let status: Stat
    do throws(Errno) {
      status = try Stat(path)
    } catch {
      if error == .noSuchFileOrDirectory { return .missing }
      throw SnippetStoreError(
        .unreadable,
        operation,
        because: isNamed ? "\(error)" : "\(path): \(error)",
        do: "Check the path and the permissions of its folders."
      )
    }
    guard status.type == .regular else {
      throw SnippetStoreError(
        .unreadable,
        operation,
        because: "\(name) is not a regular file",
        do: "Give the path of a file."
      )
    }
    // SQLite takes a single byte for an empty file and would overwrite it.
    guard status.size != 1 else {
      throw SnippetStoreError(
        DatabaseError(resultCode: .SQLITE_NOTADB),
        during: operation
      )
    }
    return status.size == 0 ? .empty : .present
  }

  /// Refuses to write to a file that has a second name.
  ///
  /// SQLite names the log after the file. So each name has a log of its own, neither sees what
  /// stands in the other, and each is copied over the other's changes.
  func requireOneName() throws(SnippetStoreError) {
    guard let status = try? Stat(path) else { return }
    let (reason, advice): (String, String)
    if status.linkCount > 1 {
      reason = "has a second name, a hard link, and each name has a log of its own"
      advice = """
        Remove one of the names, which find -samefile lists; keep one that has a -wal file beside \
        it.
        """
    } else if FileStatus.isMountRoot(path) {
      reason = "is mounted without its folder, so its log is not that of its other place"
      advice = "Mount the folder of the store instead of the file."
    } else {
      return
    }
    throw SnippetStoreError(
      .readOnly,
      operation,
      because: "\(name) \(reason)",
      keeping: "Nothing was changed.",
      do: advice
    )
  }

  /// Makes an empty file that only its owner can read or write.
  ///
  /// SQLite gives the same mode to the log files beside it. If another process makes the file at
  /// the same moment, that is fine; returns whether this one did.
  private func create() throws(SnippetStoreError) -> Bool {
    do throws(FileError) {
      let options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate]
      _ = try OpenFile(path, .writeOnly, options: options, permissions: .ownerReadWrite)
      return true
    } catch {
      if error.code == .fileExists {
        guard try presence() == .missing else { return false }
        // SQLite would make the file at the target of the link, readable by everyone.
        throw .cannotCreate(path, because: "it is a link that leads nowhere", during: operation)
      }
      throw .cannotCreate(error, during: operation)
    }
  }

  /// Refuses a file that is not a store or comes from a newer version, without changing it.
  ///
  /// An unfinished transaction of another program is rolled back. Returns the version of the
  /// schema; 0 for a database without tables.
  @discardableResult
  func verifiedVersion() throws(SnippetStoreError) -> Int {
    try inspect(comparingSchema: false, .seconds(10)).file.version
  }

  /// The marks and settings of a database.
  private struct Inspection {
    var application: Int32
    var version: Int
    var tableCount: Int
    var isInWALMode: Bool
    var schemaMark: Int
    /// The version that its schema matches, if its marks do not tell.
    var likelyVersion: Int?
    /// `nil` if it was not requested.
    var comparison: SchemaComparison?

    init(_ db: Database, comparingSchema: Bool) throws {
      application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
      version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
      tableCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
      isInWALMode = try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal"
      schemaMark = try SchemaGuard.mark(of: db)
      let isOurs = application == Migrations.applicationID
      if !isOurs || version < 1, tableCount > 0 {
        likelyVersion = try StoreSchema.version(of: db)
      } else if comparingSchema, isOurs, 1...Migrations.latestVersion ~= version {
        comparison = try SchemaComparison(db, version: version)
      }
    }

    /// Inspects through a connection.
    init(through connection: DatabaseQueue, comparingSchema: Bool) throws {
      self = try connection.snapshot { try Inspection($0, comparingSchema: comparingSchema) }
    }

    /// Whether a store can be written to without altering its schema or its journal first.
    var isReadyForWriting: Bool { version == Migrations.latestVersion && isInWALMode }
  }

  /// Inspects a database, and refuses one that is not a store or comes from a newer version.
  ///
  /// It uses a read-only connection: any other way to read the version either rewrites the file or
  /// misses changes in its log. Like every reader of SQLite, it rolls back what another program has
  /// left unfinished; a read-only connection cannot do that.
  ///
  /// Returns the connection too, which the caller may go on reading with: each parses the schema.
  private func inspect(
    comparingSchema: Bool,
    _ busyTimeout: Duration
  ) throws(SnippetStoreError) -> (file: Inspection, reader: DatabaseQueue) {
    do {
      let reader = try openForReading(
        path,
        busyTimeout: busyTimeout,
        prepare: Connections.prepareEvery
      )
      let found = try Inspection(through: reader, comparingSchema: comparingSchema)
      return (try usable(found), reader)
    } catch is UnfinishedTransaction {
      try undoUnfinished()
      return try inspect(comparingSchema: comparingSchema, busyTimeout)
    } catch let error as DatabaseError where !isNamed {
      throw SnippetStoreError(error, during: operation).naming(path)
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }

  /// Rolls back an unfinished transaction of another program, unless the file is not a store.
  private func undoUnfinished() throws(SnippetStoreError) {
    try requireOneName()
    let found = try? Inspection(through: openAsItIs(path), comparingSchema: false)
    // A file with half of a transaction may be unreadable.
    if let found { _ = try usable(found) }
    do {
      let connection = try openForChecking(path, busyTimeout: .seconds(10)) { _ in }
      defer { try? connection.close() }
      // SQLite rolls back at the first read.
      _ = try connection.snapshot { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    } catch  where isForbidden(error) {
      throw SnippetStoreError(UnfinishedTransaction(), during: operation)
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }

  /// Whether an error means that the file may not be written, or the journal beside it not removed.
  private func isForbidden(_ error: any Error) -> Bool {
    switch error {
    case let error as DatabaseError:
      [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
        || error.extendedResultCode == .SQLITE_IOERR_DELETE
    case let failure as SystemFailure:
      [.notPermitted, .permissionDenied, .readOnlyFileSystem].contains(failure.code)
    default: false
    }
  }

  /// Refuses a database that is not a store or comes from a newer version.
  private func usable(_ found: Inspection) throws(SnippetStoreError) -> Inspection {
    let isOurs = found.application == Migrations.applicationID
    if found.tableCount == 0, found.version == 0, isOurs || found.application == 0 { return found }
    if let version = found.likelyVersion { throw unmarked(found, version) }
    guard isOurs else {
      throw notAStore(because: "\(name) is a database of another program")
    }
    guard found.version > 0 else {
      throw notAStore(because: "\(name) has the user_version \(found.version), which no store has")
    }
    guard found.version <= Migrations.latestVersion else {
      throw SnippetStoreError(
        .newerStore,
        operation,
        because: """
          \(name) was made by a newer version (its schema is \(found.version), \
          this version knows \(Migrations.latestVersion))
          """,
        keeping: "It was left as it is.",
        do: "Update this program."
      )
    }
    return found
  }

  private func notAStore(because reason: String) -> SnippetStoreError {
    SnippetStoreError(
      .foreignFile,
      operation,
      because: reason,
      keeping: "It was left as it is.",
      do: "Give the path of a snippet store."
    )
  }

  /// A database with the tables of a store but without its marks, as made with `.dump` of the
  /// shell, which leaves them out.
  private func unmarked(_ file: Inspection, _ version: Int) -> SnippetStoreError {
    SnippetStoreError(
      .foreignFile,
      operation,
      because: """
        \(name) has the tables of a store, but its application_id is \(file.application) and its \
        user_version \(file.version)
        """,
      keeping: "It was left as it is.",
      do: """
        A dump of the sqlite3 shell leaves both out; set them: \
        PRAGMA application_id = \(Migrations.applicationID); PRAGMA user_version = \(version);
        """
    )
  }
}

extension IrregularCompanion {
  /// Throws if there is one beside a database, or beside the target if the path is a link.
  ///
  /// A link is one too, because SQLite opens the files beside a database without following links.
  /// What cannot be examined is left to SQLite.
  static func requireNone(beside path: String) throws(IrregularCompanion) {
    let database = FileStatus.target(of: path)
    for suffix in OutputPlace.logSuffixes {
      let path = database + suffix
      guard let status = try? Stat(path, followTargetSymlink: false) else { continue }
      guard status.type == .regular else { throw IrregularCompanion(path: path) }
    }
  }
}
