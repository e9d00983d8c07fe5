import Foundation
import GRDB
import GRDBSQLite
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SteppedStatementTests {
  @Test func `arguments and columns keep what they are given`() throws {
    let texts = ["", "a", "a\u{0}b", "🇩🇪é", String(repeating: "long ", count: 1_000)]
    let uuid = UUID()
    try inDatabase { db in
      for text in texts {
        var statement = try SteppedStatement("SELECT ?, ?, ?, ?, ?", in: db)
        try statement.bind(text)
        try statement.bind(nil as String?)
        try statement.bind(Int64.min)
        try statement.bind(nil as Int64?)
        try statement.bind(uuid)

        let row = try statement.next()
        #expect(try row?.text(0) == text)
        #expect(row?.isNull(1) == true)
        #expect(try row?.number(2) == .min)
        #expect(try row?.optionalNumber(3) == nil)
        #expect(try row?.withBytes(4, UUID.init(bytes:)) == uuid)
        let next = try statement.next()
        #expect(next == nil)
      }
    }
  }

  @Test func `a statement begins again with other arguments`() throws {
    try inDatabase { db in
      var statement = try SteppedStatement("SELECT ?", in: db)
      for number in [7, 8, 9] as [Int64] {
        statement.reset()
        try statement.bind(number)
        #expect(try statement.next()?.number(0) == number)
      }
    }
  }

  @Test func `a column that holds something else is damage`() throws {
    try inDatabase { db in
      var statement = try SteppedStatement("SELECT 'text', 1, NULL, x'00', 1.5", in: db)
      let found = try statement.next()
      let row = try #require(found)

      for column in [0, 2, 3, 4] as [Int32] { expectDamage { try row.number(column) } }
      for column in 1...4 as ClosedRange<Int32> { expectDamage { try row.text(column) } }
      for column in [0, 1, 2, 4] as [Int32] {
        expectDamage { try row.withBytes(column) { $0.count } }
      }
      expectDamage { try row.optionalNumber(0) }
    }
  }

  @Test func `a statement that is abandoned releases its snapshot`() throws {
    let store = try TemporaryStore.open()
    for _ in 0..<3 {
      try store.connections.write(to: "add") { try $0.execute(sql: Self.insertion) }
    }

    try store.connections.rows.unsafeRead { db in
      do {
        var statement = try SteppedStatement("SELECT id FROM snippet ORDER BY id", in: db)
        #expect(try statement.next()?.number(0) == 1)
        #expect(sqlite3_txn_state(db.sqliteConnection, nil) == SQLITE_TXN_READ)
      }
      #expect(sqlite3_txn_state(db.sqliteConnection, nil) == SQLITE_TXN_NONE)
    }
  }

  @Test func `what SQLite says is thrown`() throws {
    try inDatabase { db in
      var statement = try SteppedStatement("SELECT abs(?)", in: db)
      try statement.bind(Int64.min)
      do {
        _ = try statement.next()
        Issue.record("it must throw")
      } catch let error as DatabaseError {
        #expect(error.message == "integer overflow")
      }
      #expect(throws: DatabaseError.self) { _ = try SteppedStatement("SELECT nothing", in: db) }
    }
  }

  private static let insertion = "INSERT INTO snippet (kind) VALUES (1)"

  private func expectDamage(_ body: () throws -> Any?) {
    let error = #expect(throws: DatabaseError.self) { _ = try body() }
    #expect(error?.resultCode == .SQLITE_CORRUPT)
  }

  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().unsafeRead(body)
  }
}
