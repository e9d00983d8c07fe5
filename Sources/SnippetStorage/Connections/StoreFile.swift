import Foundation
import GRDB
import Migrations
import SnippetBase
import SystemPackage

/// The file of a store before it is opened: what is there, and whether it is ours to open.
///
/// Nothing here ever opens the database file but through SQLite: closing any other descriptor of
/// it would drop the locks that this process holds (https://www.sqlite.org/howtocorrupt.html,
/// section 2.2).
struct StoreFile {
  /// What stands at the path.
  enum Presence: Equatable {
    case missing
    /// A regular file without content, which SQLite takes for a new database.
    case empty
    case present
  }

  let path: String
  let operation: String

  init(_ url: URL, operation: String) {
    path = url.path
    self.operation = operation
  }

  /// Makes sure that the file can be opened, or refuses it untouched.
  ///
  /// - Parameters:
  ///   - isReadOnly: Whether it will only be read.
  ///   - createsMissing: Whether one that is missing is created.
  /// - Throws: ``SnippetStoreError``
  func prepare(isReadOnly: Bool, createsMissing: Bool) throws(SnippetStoreError) {
    var presence = try presence()
    if presence == .present {
      let version = try verifiedVersion(undoingUnfinished: !isReadOnly)
      if version == 0 { presence = .empty }
      guard version == Migrations.latestVersion || !isReadOnly || presence == .empty
      else { throw older(version) }
    }
    switch (presence, createsMissing) {
    case (.present, _), (.empty, true): break
    case (.missing, true): try create()
    case (.missing, _): throw unusable(.noSuchFile, because: "there is no such file")
    case (.empty, _): throw unusable(.foreignFile, because: "the file is empty")
    }
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

  /// Tells what stands at the path, and refuses what can be no store: a folder, a device, a pipe
  /// (which would keep SQLite waiting for ever).
  func presence() throws(SnippetStoreError) -> Presence {
    let status: Stat
    do throws(Errno) {
      status = try Stat(path)
    } catch {
      if error == .noSuchFileOrDirectory { return .missing }
      throw SnippetStoreError(
        .unreadable,
        operation,
        because: "\(path): \(error)",
        do: "Check the path and the permissions of its folders."
      )
    }
    guard status.type == .regular else {
      throw SnippetStoreError(
        .unreadable,
        operation,
        because: "\(path) is not a regular file",
        do: "Give the path of a file."
      )
    }
    // SQLite would take a single byte for an empty file, and write over it.
    guard status.size != 1 else {
      throw SnippetStoreError(
        DatabaseError(resultCode: .SQLITE_NOTADB),
        during: operation
      )
    }
    return status.size == 0 ? .empty : .present
  }

  /// Makes an empty file that only its owner can read or write.
  ///
  /// SQLite gives the same mode to the log files beside it. A file that another process makes at
  /// the same moment is as good.
  func create() throws(SnippetStoreError) {
    do throws(FileError) {
      let options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate]
      _ = try OpenFile(path, .writeOnly, options: options, permissions: .ownerReadWrite)
    } catch {
      if error.code == .fileExists {
        guard try presence() == .missing else { return }
        // SQLite would make the file at its other end, for everybody to read.
        throw .cannotCreate(path, because: "it is a link that leads nowhere", during: operation)
      }
      throw .cannotCreate(error, during: operation)
    }
  }

  /// Refuses a file that is not a store, or that a newer version made, without altering it.
  ///
  /// Read through a read-only connection: asking the version any other way either rewrites the
  /// file or misses what still stands in its log.
  ///
  /// - Parameter undoesUnfinished: Whether a transaction that another program has left unfinished
  ///   is rolled back; by default the file is refused then.
  /// - Returns: The version of the schema; 0 for a database without any table.
  @discardableResult
  func verifiedVersion(
    undoingUnfinished undoesUnfinished: Bool = false
  ) throws(SnippetStoreError) -> Int {
    do {
      do {
        return try version(on: openForReading(path, busyTimeout: .seconds(10)) { _ in })
      } catch is UnfinishedTransaction where undoesUnfinished {
        try undoUnfinished()
        return try version(on: openForReading(path, busyTimeout: .seconds(10)) { _ in })
      }
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }

  /// Rolls a transaction back that another program has left unfinished, unless the file is not a
  /// store's.
  private func undoUnfinished() throws {
    do {
      _ = try version(on: openAsItIs(path))
    } catch let error as SnippetStoreError {
      throw error
    } catch {
      // Half of a transaction need not be readable.
    }
    let connection = try openForChecking(path, busyTimeout: .seconds(10)) { _ in }
    defer { try? connection.close() }
    // SQLite does it at the first read.
    _ = try connection.snapshot { try Int.fetchOne($0, sql: "PRAGMA user_version") }
  }

  /// The version of the schema as a connection sees it, which is closed then; refuses what is no
  /// store or a newer one.
  private func version(on connection: DatabaseQueue) throws -> Int {
    let identity: (application: Int32, version: Int, tableCount: Int)
    do {
      defer {
        // The connection has no statement left, and a failure to close would change no answer.
        try? connection.close()
      }
      identity = try connection.snapshot { db in
        (
          try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
          try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
          try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        )
      }
    }

    if identity.application == 0, identity.version == 0, identity.tableCount == 0 { return 0 }
    guard identity.application == Migrations.applicationID else {
      throw SnippetStoreError(
        .foreignFile,
        operation,
        because: "\(path) is a database of another program",
        do: "It was left as it is. Give the path of a snippet store."
      )
    }
    guard identity.version <= Migrations.latestVersion else {
      throw SnippetStoreError(
        .newerStore,
        operation,
        because: """
          \(path) was made by a newer version (its schema is \(identity.version), \
          this version knows \(Migrations.latestVersion))
          """,
        do: "It was left as it is. Update this program."
      )
    }
    return identity.version
  }
}
