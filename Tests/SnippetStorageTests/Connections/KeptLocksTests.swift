#if os(Linux)
import Foundation
import GRDB
import GRDBSQLite
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Code of this process opens and closes the files of a store, as a file chooser does.
///
/// That drops every POSIX lock of the process on them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct KeptLocksTests {
  private let file = TemporaryDirectory.file("store.sqlite")
  private let locked = "Error: stepping, database is locked (5)\n"

  // this process                other code in it          shell
  // holds the write lock
  //                             opens and closes all
  //                                                       must still find the lock held
  @Test func `the write lock stays when other code closes the files`() async throws {
    let store = try TemporaryStore.open()
    let held = await Hold { hold in
      try store.connections.write(to: "hold the lock") { _ in hold() }
    }

    try closeAll()

    let output = try await Shell.sqlite3(file, "BEGIN IMMEDIATE")
    try await held.end()
    #expect(output.standardError == locked)
  }

  // this process                other code in it          shell
  // has the log open
  //                             opens and closes all
  //                                                       ends, and must not take itself for the
  //                                                       last and delete the log
  @Test func `the log stays when other code closes the files and another program ends`()
    async throws
  {
    let store = try TemporaryStore.open()
    let first = try await store.save(SnippetDraft(.text("before")))
    try closeAll()

    let output = try await Shell.sqlite3(file, "SELECT count(*) FROM snippet")

    #expect(output.standardOutput == "1\n")
    #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
    let second = try await store.save(SnippetDraft(.text("after")))
    let ids = try await Shell.sqlite3(file, "SELECT id FROM snippet ORDER BY id")
    #expect(ids.standardOutput == "\(first.id)\n\(second.id)\n")
  }

  @Test func `a store that only reads keeps the log`() async throws {
    try await SnippetStore(at: file).close()
    let reader = try SnippetStore(at: file, configuration: .init(access: .readOnly))
    let output = try await Shell.sqlite3(file, "INSERT INTO snippet (kind) VALUES (1)")
    #expect(output.standardError == "")
    try closeAll()

    _ = try await Shell.sqlite3(file, "SELECT count(*) FROM snippet")

    #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
    #expect(try reader.list().count == 1)
    try await reader.close()
  }

  // reader               writer               other code           shell
  // is open
  //                      is opened: the locks
  //                      move to a descriptor
  //                      that can write
  //                      holds the write lock
  //                                           closes all
  //                                                                finds both locks
  @Test func `a store that writes takes the locks of one that only reads`() async throws {
    try await SnippetStore(at: file).close()
    let reader = try SnippetStore(at: file, configuration: .init(access: .readOnly))
    #expect(try reader.list().count == 0)
    let writer = try TemporaryStore.open()
    let held = await Hold { hold in
      try writer.connections.write(to: "hold the lock") { _ in hold() }
    }
    try closeAll()

    let output = try await Shell.sqlite3(file, "BEGIN IMMEDIATE")
    try await held.end()

    #expect(output.standardError == locked)
    #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
    try await reader.close()
    _ = try await Shell.sqlite3(file, "SELECT count(*) FROM snippet")
    #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
    let row = try await writer.save(SnippetDraft(.text("hello")))
    #expect(try writer.row(row.id) == row)
  }

  @Test func `the locks of a rollback journal stay too`() async throws {
    let connection = try journalled()
    defer { try? connection.close() }
    let held = await Hold.transaction(.exclusive, on: connection, "INSERT INTO t VALUES (2)")

    try closeAll()

    let during = try await Shell.sqlite3(file, "SELECT count(*) FROM t")
    #expect(during.standardError.contains("database is locked"))
    try await held.end()
    let after = try await Shell.sqlite3(file, "SELECT count(*) FROM t")
    #expect(after.standardOutput == "2\n")
  }

  // Both begin with a lock for reading, so neither may wait for the other's in the system.
  @Test func `two connections with a rollback journal read and write by turns`() throws {
    let connections = [try journalled(), try journalled(isNew: false)]
    for number in 10..<30 {
      try connections[number % 2].inDatabase { db in
        try db.execute(sql: "INSERT INTO t VALUES (\(number))")
      }
      for connection in connections {
        let count = try connection.inDatabase { db in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
        }
        #expect(count == number - 8)
      }
    }
    for connection in connections { try connection.close() }
  }

  // app                        store                     other code         shell
  // opens the file beside it
  //                            is closed
  // holds the write lock
  //                                                      closes all
  //                                                                         finds the lock
  @Test func `a connection of the app shares the locks, and keeps them after the store is closed`()
    async throws
  {
    let store = try SnippetStore(at: file)
    let own = try Self.connection(to: file.path)
    for number in 0..<5 {
      try await store.save(SnippetDraft(.text("by the store")))
      let count = try await own.write { db in
        try db.execute(sql: "INSERT INTO snippet (kind) VALUES (1)")
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM snippet")
      }
      #expect(count == 2 * number + 2)
    }
    try await store.close()
    let held = await Hold.transaction(.immediate, on: own, "")

    try closeAll()

    let output = try await Shell.sqlite3(file, "BEGIN IMMEDIATE")
    #expect(output.standardError == locked)
    try await held.end()
    try own.close()
    #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
  }

  // The locks of the app's connection are POSIX locks, and the two must not shut each other out.
  @Test(arguments: [false, true])
  func `a connection that the app has opened before works beside the store`(
    isFirstOfAll: Bool
  ) async throws {
    try await SnippetStore(at: file).close()
    // In a process of its own, no other test has started to keep locks.
    await #expect(processExitsWith: .success) {
      [path = file.path as String, isFirstOfAll = isFirstOfAll as Bool] in
      let file = URL(fileURLWithPath: path)
      if !isFirstOfAll { try await SnippetStore(at: file).close() }
      let own = try Self.connection(to: path)
      _ = try await own.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM snippet") }
      let store = try SnippetStore(at: file)
      for _ in 0..<5 {
        try await store.save(SnippetDraft(.text("by the store")))
        try await own.write { try $0.execute(sql: "INSERT INTO snippet (kind) VALUES (1)") }
      }
      #expect(try store.list().count == 10)
      #expect(LockOwner(of: file) == .process)
      try await store.close()
      try own.close()

      let again = try SnippetStore(at: file)
      #expect(LockOwner(of: file) == .descriptor)
      try await again.close()
    }
  }

  @Test func `other databases keep their POSIX locks`() async throws {
    let store = try TemporaryStore.open()
    let otherFile = TemporaryDirectory.file("other.sqlite")
    let other = try DatabaseQueue(path: otherFile.path)
    try await other.write { try $0.execute(sql: "CREATE TABLE t (x)") }
    let held = await Hold.transaction(.deferred, on: other, "SELECT * FROM t")

    #expect(LockOwner(of: otherFile) == .process)
    #expect(LockOwner(of: file) == .descriptor)
    #expect(try store.list().count == 0)
    try await held.end()
    try other.close()
  }

  @Test func `two stores keep their locks apart, and the last to close deletes the log`()
    async throws
  {
    let other = TemporaryDirectory.file("other.sqlite")
    let stores = try [file, file, other].map { try SnippetStore(at: $0) }
    for store in stores { try await store.save(SnippetDraft(.text("hello"))) }

    try await stores[0].close()
    try closeAll()
    _ = try await Shell.sqlite3(file, "SELECT count(*) FROM snippet")
    #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
    try await stores[1].close()

    #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    #expect(FileManager.default.fileExists(atPath: other.path + "-wal"))
    #expect(descriptors(of: file) == [])
    #expect(LockOwner(of: file) == nil)
    let row = try await stores[2].save(SnippetDraft(.text("hello")))
    #expect(try stores[2].row(row.id) == row)
    try await stores[2].close()
    #expect(descriptors(of: other) == [])
  }

  // MARK: - Other processes

  @Test func `a program that this one starts has no part in the locks`() async throws {
    let store = try SnippetStore(at: file)
    let child = try ShellSession(TemporaryDirectory.file("other.sqlite"))
    _ = try await child.run("SELECT 1;")
    let names = try await Shell.run("sh", ["-c", "ls -l /proc/self/fd"]).standardOutput
    #expect(!names.contains(file.lastPathComponent))

    try await store.close()

    let output = try await Shell.sqlite3(file, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    #expect(output.standardError == "")
    try await child.end()
  }

  @Test func `the locks of a killed process are free at once`() async throws {
    try await SnippetStore(at: file).close()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = file.path as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: path))
      try store.connections.write(to: "die within it") { _ in
        #expect(LockOwner(of: URL(fileURLWithPath: path)) == .descriptor)
        kill(getpid(), SIGKILL)
      }
    }

    let store = try TemporaryStore.open { $0.busyTimeout = .zero }

    await #expect(throws: Never.self) { try await store.save(SnippetDraft(.text("hello"))) }
  }

  // holder                          its child                     this process
  // holds the write lock
  // forks ────────────────────────▶ lives on with no lock
  // is killed
  //                                                               takes the lock at once
  @Test func `a forked process keeps no lock of one that was killed`() async throws {
    try await SnippetStore(at: file).close()
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let (begun, done) = (Bell(), Bell())
      let holder = forkProcess()
      if holder == 0 {
        // Only C functions from here on, as in any forked process.
        var connection: OpaquePointer?
        try SystemFailure.told(ofOpening: path, forWriting: true) {
          _ = sqlite3_open(path, &connection)
        }
        let result = sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil)
        if result == SQLITE_OK, forkProcess() == 0 {
          begun.ring()
          _ = done.hear()
          _exit(0)
        }
        kill(getpid(), SIGKILL)
      }
      var status: Int32 = 0
      waitpid(holder, &status, 0)
      #expect(begun.hear())

      var configuration = SnippetStore.Configuration()
      configuration.busyTimeout = .zero
      let store = try SnippetStore(at: URL(fileURLWithPath: path), configuration: configuration)
      try await store.save(SnippetDraft(.text("hello")))
      try await store.close()
      done.ring()
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }
  }

  // A process that was forked, and has not started its program yet, has such copies.
  @Test func `a copy of a descriptor that another took over keeps no lock`() async throws {
    try await SnippetStore(at: file).close()
    let store = try SnippetStore(at: file)
    let copies = ["", "-shm"].flatMap { suffix in
      numbers(ofDescriptorsOf: file.path + suffix).map { dup($0) }
    }
    #expect(copies.count > 2)

    // One that can write takes over.
    try await store.save(SnippetDraft(.text("hello")))
    try await store.close()

    #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    for copy in copies { close(copy) }
  }

  // MARK: - Helpers

  /// Opens and closes the file and those beside it.
  private func closeAll() throws {
    for suffix in ["", "-wal", "-shm"] {
      try? FileHandle(forReadingFrom: URL(fileURLWithPath: file.path + suffix)).close()
    }
  }

  /// Opens a database with a rollback journal, as the library opens stores.
  private func journalled(isNew: Bool = true) throws -> DatabaseQueue {
    if isNew { try Data().write(to: file) }
    let connection = try openExisting(file.path, busyTimeout: .zero) { _ in }
    if isNew {
      try connection.inDatabase { db in
        try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (1)")
      }
    }
    return connection
  }

  /// Opens a connection as an app does, by means of its own.
  private static func connection(to path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private func descriptors(of file: URL) -> [String] {
    openFiles().map(\.path).filter { $0.hasPrefix(file.path) }
  }

  private func numbers(ofDescriptorsOf path: String) -> [Int32] {
    openFiles().filter { $0.path == path }.map(\.number)
  }

  private func openFiles() -> [(number: Int32, path: String)] {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return Int32(name).flatMap { number in path.map { (number, $0) } }
    }
  }
}

extension Hold {
  /// Holds a transaction.
  fileprivate static func transaction(
    _ kind: Database.TransactionKind,
    on connection: DatabaseQueue,
    _ sql: String
  ) async -> Hold {
    await Hold { hold in
      try connection.inDatabase { db in
        try db.inTransaction(kind) {
          try db.execute(sql: sql)
          hold()
          return .commit
        }
      }
    }
  }
}

/// A pipe with which one process waits for another.
private struct Bell {
  private let ends: [Int32]

  init() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    self.ends = ends
  }

  func ring() {
    var byte: UInt8 = 1
    write(ends[1], &byte, 1)
  }

  /// Waits; returns `false` if all others that could ring it have ended.
  func hear() -> Bool {
    close(ends[1])
    var byte: UInt8 = 0
    return read(ends[0], &byte, 1) == 1
  }
}

/// Calls `fork`, which Swift hides because most code cannot go on in the new process.
private func forkProcess() -> pid_t {
  typealias Fork = @convention(c) () -> pid_t
  return unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
}
#endif
