import Foundation
import GRDB
import SnippetTestSupport
import Testing

@testable import Migrations
@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct MigrationRunnerTests {
  private let path = TemporaryDirectory.file("store.sqlite").path

  @Test func `a step that fails is undone whole, and a rerun applies it once`() throws {
    let writer = try DatabaseQueue(path: path)
    try MigrationRunner(operation: "test", migrations: Migrations.all).run(on: writer)
    let before = try dump(writer)
    let failing = step(
      "CREATE TABLE extra (x INTEGER) STRICT; INSERT INTO extra VALUES (1); SELECT * FROM nothing;"
    )

    #expect(throws: DatabaseError.self) {
      try MigrationRunner(operation: "test", migrations: Migrations.all + [failing]).run(on: writer)
    }
    #expect(try dump(writer) == before)

    let mended = step("CREATE TABLE extra (x INTEGER) STRICT; INSERT INTO extra VALUES (1);")
    let runner = MigrationRunner(operation: "test", migrations: Migrations.all + [mended])
    try runner.run(on: writer)
    try runner.run(on: writer)
    #expect(try writer.read { try Int.fetchAll($0, sql: "SELECT x FROM extra") } == [1])
  }

  @Test func `the steps before a failing one stay`() throws {
    let writer = try DatabaseQueue(path: path)
    let failing = Migration(2, "0002_failing.sql", Array("CREATE TABLE blob (x);".utf8))

    #expect(throws: DatabaseError.self) {
      try MigrationRunner(operation: "test", migrations: [Migrations.all[0], failing])
        .run(on: writer)
    }

    #expect(try writer.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 1)
    try MigrationRunner(operation: "test").run(on: writer)
    let version = try writer.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    #expect(version == Migrations.latestVersion)
  }

  @Test func `a step that would break a reference is undone`() throws {
    let writer = try DatabaseQueue(path: path)
    try MigrationRunner(operation: "test").run(on: writer)
    let before = try dump(writer)
    let breaking = step(
      """
      PRAGMA defer_foreign_keys = ON;
      DROP TRIGGER snippet_tag_before_insert;
      INSERT INTO snippet_tag VALUES (99, 99);
      """
    )

    let error = #expect(throws: SnippetStoreError.self) {
      try MigrationRunner(operation: "open it", migrations: Migrations.all + [breaking])
        .run(on: writer)
    }

    #expect(
      error?.description == """
        Could not open it: a reference would break in the step 9999_test.sql. Nothing was \
        changed. Run a check, and restore a backup if it finds damage.
        """
    )
    #expect(try dump(writer) == before)
  }

  @Test(arguments: [
    "CREATE TABLE theirs (id INTEGER PRIMARY KEY); CREATE TABLE mark (id REFERENCES theirs)",
    "CREATE TABLE theirs (name); CREATE TABLE mark (name REFERENCES theirs (name))",
  ])
  func `a reference that is broken beside the store is no hindrance`(sql: String) throws {
    var configuration = GRDB.Configuration()
    configuration.foreignKeysEnabled = false
    let writer = try DatabaseQueue(path: path, configuration: configuration)
    try MigrationRunner(operation: "test", migrations: Array(Migrations.all.dropLast()))
      .run(on: writer)
    try writer.write { try $0.execute(sql: "\(sql); INSERT INTO mark VALUES (99)") }

    try MigrationRunner(operation: "test").run(on: writer)

    let version = try writer.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    #expect(version == Migrations.latestVersion)
  }

  // first connection       second connection
  // sees version 0
  //                        applies every step
  // applies what is left: nothing
  @Test func `a step that another connection took meanwhile is not taken again`() throws {
    let first = try DatabaseQueue(path: path)
    let second = try DatabaseQueue(path: path)
    var steps = Migrations.all
    steps.append(step("CREATE TABLE extra (x INTEGER) STRICT; INSERT INTO extra VALUES (1);"))
    let runner = MigrationRunner(operation: "test", migrations: steps)
    #expect(try first.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 0)

    try runner.run(on: second)
    try runner.run(on: first)

    #expect(try first.read { try Int.fetchAll($0, sql: "SELECT x FROM extra") } == [1])
  }

  private func step(_ sql: String) -> Migration {
    let version = Migrations.latestVersion + 1
    return Migration(
      version,
      "9999_test.sql",
      Array("\(sql)PRAGMA user_version = \(version);".utf8)
    )
  }

  private func dump(_ writer: DatabaseQueue) throws -> [String] {
    try writer.read { db in
      try String.fetchAll(db, sql: "SELECT name || coalesce(sql, '') FROM sqlite_schema")
        + String.fetchAll(db, sql: "PRAGMA user_version")
    }
  }
}
