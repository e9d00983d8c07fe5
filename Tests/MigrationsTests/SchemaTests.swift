import Foundation
import Migrations
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SchemaTests {
  private let built = TemporaryDirectory.file("built.sqlite")
  private let opened = TemporaryDirectory.file("opened.sqlite")

  @Test func `the shell makes the same schema from the files as the library`() async throws {
    try await MigrationFolder.build(built)
    try await SnippetStore(at: opened).close()

    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    let fromShell = try await answer(sql, from: built)
    let fromLibrary = try await answer(sql, from: opened)

    #expect(fromShell == fromLibrary)
    #expect(fromShell.contains("CREATE TABLE blob_chunk"))
  }

  @Test(arguments: [
    ("page_size", "8192"), ("auto_vacuum", "2"), ("application_id", "1399744880"),
    ("user_version", "\(Migrations.latestVersion)"), ("encoding", "UTF-8"),
  ])
  func `both make a file with the same marks`(pragma: String, value: String) async throws {
    try await MigrationFolder.build(built)
    try await SnippetStore(at: opened).close()

    let fromShell = try await answer("PRAGMA \(pragma)", from: built)
    let fromLibrary = try await answer("PRAGMA \(pragma)", from: opened)

    #expect(fromShell == "\(value)\n")
    #expect(fromLibrary == "\(value)\n")
  }

  @Test func `the application id spells the package's name`() {
    let bytes = withUnsafeBytes(of: Migrations.applicationID.bigEndian) { Array($0) }

    #expect(String(decoding: bytes, as: UTF8.self) == "Snip")
  }

  @Test func `a file that the shell made is a store`() async throws {
    try await MigrationFolder.build(built)

    let store = try TemporaryStore.open("built.sqlite")
    _ = try await store.save(SnippetDraft(.text("hello")))

    #expect(try store.list().count == 1)
  }

  @Test func `the files run into a store refuse to, and change nothing`() async throws {
    try await MigrationFolder.build(built)
    let before = try await answer(".dump", from: built)

    await #expect(throws: Shell.Failure.self) { try await MigrationFolder.build(built) }

    let after = try await answer(".dump", from: built)
    #expect(before == after)
  }

  @Test func `every table is strict`() async throws {
    try await MigrationFolder.build(built)

    let tables = try await answer(
      "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND schema = 'main'",
      from: built
    )

    let found = tables.split(separator: "\n").filter { !$0.hasPrefix("sqlite_") }.sorted()
    #expect(
      found == [
        "blob_chunk|1", "blob|1", "capture|1", "change|1", "deleted_file|1", "derivative_total|1",
        "derivative|1",
        "origin_folder|1", "origin|1", "search_state|1", "snippet_tag|1", "snippet_text|1",
        "snippet|1", "staged_blob|1", "sync_absent|1", "sync_blob|1", "sync_device|1",
        "sync_outbox|1", "sync_row|1", "sync_state|1", "sync_unread|1", "tag|1",
      ]
    )
  }

  // So a save costs as much as it did without these tables.
  @Test func `no trigger and no view touches a synchronization`() async throws {
    try await MigrationFolder.build(built)

    let found = try await answer(
      "SELECT type, name FROM sqlite_schema WHERE sql LIKE '%sync\\_%' ESCAPE '\\' ORDER BY name",
      from: built
    )

    #expect(
      found == """
        table|sync_absent
        index|sync_absent_pending
        table|sync_blob
        table|sync_device
        table|sync_outbox
        table|sync_row
        index|sync_row_pending
        table|sync_state
        table|sync_unread

        """
    )
  }

  @Test func `every check has a name of its own`() async throws {
    try await MigrationFolder.build(built)

    let sql = try await answer("SELECT sql FROM sqlite_schema WHERE type = 'table'", from: built)

    let bare = sql.replacing(/--[^\n]*/, with: "")
    let checks = bare.matches(of: /\bCHECK\s*\(/)
    let names = bare.matches(of: /\bCONSTRAINT\s+(\w+)\s+CHECK\s*\(/).map(\.1)
    #expect(checks.count == names.count)
    #expect(Set(names).count == names.count)
    #expect(names.count > 20)
  }

  private func answer(_ sql: String, from file: URL) async throws -> String {
    let output = try await Shell.sqlite3(file, sql)
    guard output.status == 0 else { throw Shell.Failure(output: output) }
    return output.standardOutput
  }
}
