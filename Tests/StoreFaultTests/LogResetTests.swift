import Foundation
import GRDB
import GRDBSQLite
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// SQLite before 3.51.3 loses commits when somebody writes at one moment of a checkpoint
/// (https://www.sqlite.org/wal.html, the WAL-reset bug).
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LogResetTests {
  // writer        checkpoint
  //               reads how long the log is
  // commits ─────▶
  //               goes on with what it has read
  @Test(arguments: [false, true])
  func `nobody writes within a checkpoint of ours, where a usual one loses commits`(
    isOurs: Bool
  ) async {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    await #expect(processExitsWith: .success) {
      [folder = folder as URL, isOurs = isOurs as Bool] in
      let lost = try Self.commitsLost(in: folder, isOurs: isOurs)
      if isOurs {
        #expect(!lost)
      } else if StoreInformation.hasLogResetBug(String(cString: sqlite3_libversion())) {
        #expect(lost)
      }
    }
  }

  /// Commits within a checkpoint and after it, and says whether that is gone in the end.
  private static func commitsLost(in folder: URL, isOurs: Bool) throws -> Bool {
    let path = folder.appendingPathComponent("store.sqlite").path
    let injector = FaultInjector.install(watching: folder)
    let (writer, other) = (try connection(to: path), try connection(to: path))
    try writer.inDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, x)")
    }
    let checkpointer = Checkpointer(of: OpenStoreFile(path: path), busyTimeout: .zero, .full)
    // Both know the log, and the one that has seen an older state of it looks at it anew.
    for connection in [try checkpointer.connection.get(), other] {
      _ = try connection.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    }
    try insert(40, by: writer)
    try checkpoint(by: other)

    let tries = Lock(0)
    injector.pause { call, path in
      guard call == .unfetch, path.hasSuffix("store.sqlite") else { return }
      let isFirst = tries.withLock { count in
        count += 1
        return count == 1
      }
      // Refused where the writer is held.
      if isFirst { try? insert(1, by: other) }
    }
    if isOurs {
      try checkpointer.run(holding: writer)
    } else {
      try checkpoint(by: checkpointer.connection.get())
    }
    injector.pause(nil)
    #expect(tries.withLock { $0 } > 0, "the moment was hit")

    do {
      try insert(5, by: writer)
      let count = try writer.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
      try checkpointer.close()
      try other.close()
      try writer.close()
      return try connection(to: path).inDatabase { db in
        let isSound = try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok"
        return try !isSound || Int.fetchOne(db, sql: "SELECT count(*) FROM t") != count
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return true
    }
  }

  private static func connection(to path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private static func checkpoint(by connection: DatabaseQueue) throws {
    let result = try connection.inDatabase { db in
      try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)").map {
        ($0[1], $0[2]) as (Int, Int)
      }
    }
    #expect(result.map { $0.0 == $0.1 && $0.0 > 0 } == true, "all of the log is copied")
  }

  private static func insert(_ count: Int, by writer: DatabaseQueue) throws {
    for _ in 0..<count {
      try writer.inDatabase { try $0.execute(sql: "INSERT INTO t (x) VALUES (randomblob(3000))") }
    }
  }
}
