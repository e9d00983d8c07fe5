import Foundation
import Migrations
import SnippetStorage
import SnippetTestSupport
import Testing

/// A schema that somebody has altered, or put something beside.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct AlteredSchemaTests {
  let file = TemporaryDirectory.file("altered.sqlite")

  /// What somebody did with the `sqlite3` shell, and how it is named.
  struct Alteration: Sendable, CustomTestStringConvertible {
    var sql: String
    var named: String
    /// Whether what a list needs is still there.
    var leavesLists = true

    var testDescription: String { named }

    static let all = [
      Alteration(
        sql: "CREATE TRIGGER z AFTER INSERT ON snippet BEGIN DELETE FROM snippet; END",
        named: "trigger z on snippet does not belong here"
      ),
      Alteration(
        sql: "CREATE TRIGGER z INSTEAD OF UPDATE ON Captures BEGIN SELECT 1; END",
        named: "trigger z on Captures does not belong here"
      ),
      Alteration(
        sql: "CREATE TRIGGER z AFTER INSERT ON search_index_data BEGIN SELECT 1; END",
        named: "trigger z on search_index_data does not belong here"
      ),
      Alteration(
        sql: "CREATE UNIQUE INDEX z ON snippet (preview)",
        named: "index z on snippet does not belong here"
      ),
      Alteration(
        sql: "CREATE TABLE z (id INTEGER REFERENCES Snippet (id))",
        named: "table z refers to Snippet and does not belong here"
      ),
      Alteration(
        sql: "DROP TRIGGER snippet_on_delete",
        named: "trigger snippet_on_delete is missing"
      ),
      Alteration(sql: "DROP INDEX snippet_by_title", named: "index snippet_by_title is missing"),
      Alteration(sql: "DROP TABLE derivative_total", named: "table derivative_total is missing"),
      Alteration(
        sql: """
          DROP VIEW small_blobs; CREATE VIEW small_blobs AS SELECT 1;
          """,
        named: "view small_blobs was altered"
      ),
      Alteration(
        sql: """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (pinned IN (0, 1))', '')
          WHERE name = 'snippet'
          """,
        named: "table snippet was altered"
      ),
      Alteration(
        sql:
          "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'sqlite_sequence'",
        named: "table sqlite_sequence is missing",
        leavesLists: false
      ),
    ]
  }

  @Test(arguments: Alteration.all)
  func `what was altered is not written, stays as it is, is named and can be read`(
    _ alteration: Alteration
  ) async throws {
    try await makeStore()
    try await shell(alteration.sql)
    let before = try await FileSystem.hashes()

    for access in [SnippetStore.Configuration.Access.readWrite, .readWriteCreate] {
      let error = #expect(throws: SnippetStoreError.self) {
        try SnippetStore(at: file, configuration: .init(access: access))
      }
      #expect(error?.code == .alteredSchema)
      #expect(error?.reason.contains(alteration.named) == true, "\(error?.reason ?? "")")
      #expect(error?.recoverySuggestion?.hasPrefix("Nothing was changed. ") == true)
    }
    let reader = try SnippetStore(at: file, configuration: .init(access: .readOnly))
    if alteration.leavesLists {
      #expect(try reader.list().rows(in: 0..<9).map(\.title) == ["kept"])
    }
    let report = try await reader.check()
    try await reader.close()

    #expect(
      report.problems.contains { $0.area == .schema && $0.description == alteration.named },
      "\(report.problems)"
    )
    #expect(try await FileSystem.hashes() == before)
  }

  @Test(arguments: Alteration.all)
  func `a restore puts an altered schema right`(_ alteration: Alteration) async throws {
    let backup = TemporaryDirectory.file("backup.sqlite")
    let store = try await openStore()
    try await store.backUp(to: backup)
    try await store.close()
    try await shell(alteration.sql)

    try await SnippetStore.restore(from: backup, to: file)

    let restored = try TemporaryStore.open("altered.sqlite")
    #expect(try restored.list().rows(in: 0..<9).map(\.title) == ["kept"])
    _ = try await restored.save(SnippetDraft(.text("more")))
  }

  @Test func `the advice is what helps`() async throws {
    try await makeStore()
    try await shell("CREATE TRIGGER z AFTER INSERT ON snippet BEGIN SELECT 1; END")
    let foreign = #expect(throws: SnippetStoreError.self) { try SnippetStore(at: file) }
    try await shell("DROP TRIGGER z; DROP TRIGGER snippet_on_delete")
    let missing = #expect(throws: SnippetStoreError.self) { try SnippetStore(at: file) }

    #expect(
      foreign?.description == """
        Could not open the store \(file.path): its schema was altered: trigger z on snippet does \
        not belong here. Nothing was changed. Drop that with the sqlite3 shell; until then the \
        store can be opened for reading.
        """
    )
    #expect(
      missing?.recoverySuggestion == """
        Nothing was changed. Restore a backup; until then the store can be opened for reading.
        """
    )
  }

  @Test(arguments: 1..<Migrations.latestVersion)
  func `an older schema is held to what it was, and not brought up to date when altered`(
    version: Int
  ) async throws {
    let sql = Migrations.all.prefix(version).map(\.sql).joined(separator: "\n")
    try await shell("\n" + sql)
    let table = version == 2 ? "change" : "blob"
    try await shell("CREATE TRIGGER z AFTER INSERT ON \(table) BEGIN SELECT 1; END")
    let before = try await FileSystem.hashes()

    #expect(errorCode { try SnippetStore(at: file) } == .alteredSchema)
    #expect(try await FileSystem.hashes() == before)

    try await shell("DROP TRIGGER z; CREATE TABLE mine (a)")
    let store = try TemporaryStore.open("altered.sqlite")
    #expect(try await store.information().schemaVersion == Migrations.latestVersion)
    #expect(try await store.check().isSound)
  }

  // A later version could not make its own.
  @Test func `a name that a later version takes is a hindrance`() async throws {
    try await shell("\n" + Migrations.all[0].sql)
    try await shell("CREATE TABLE Tags (a)")

    let error = #expect(throws: SnippetStoreError.self) { try SnippetStore(at: file) }

    #expect(error?.reason == "its schema was altered: table Tags has a name of ours")
  }

  // MARK: - While it is open

  // store              shell
  //                    alters the schema
  // writes: refused
  //                    puts it right
  // writes
  @Test(arguments: Alteration.all.prefix(6))
  func `a store that is open notices at its next write`(_ alteration: Alteration) async throws {
    let store = try await openStore()
    try await shell("CREATE TEMP TABLE x AS SELECT 1; \(alteration.sql)")

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.save(SnippetDraft(.text("refused")))
    }

    #expect(error?.code == .alteredSchema)
    #expect(error?.operation == "save a snippet")
    #expect(error?.reason.contains(alteration.named) == true)
    #expect(try store.list().rows(in: 0..<9).map(\.title) == ["kept"])
    try await store.close()
  }

  @Test func `a store that is open goes on when its schema is put right`() async throws {
    let store = try await openStore()
    try await shell("CREATE TRIGGER z AFTER INSERT ON snippet BEGIN SELECT 1; END")
    #expect(
      await errorCode { try await store.save(SnippetDraft(.text("refused"))) } == .alteredSchema
    )
    try await shell("DROP TRIGGER z")

    _ = try await store.save(SnippetDraft(.text("saved")))

    #expect(try store.list().count == 2)
    try await store.close()
  }

  @Test(arguments: ["ANALYZE", "VACUUM", "REINDEX", "CREATE TABLE z (a)", "PRAGMA optimize"])
  func `what touches nothing of ours is no hindrance to a store that is open`(
    sql: String
  ) async throws {
    let store = try await openStore()
    try await shell(sql)

    _ = try await store.save(SnippetDraft(.text("saved")))

    #expect(try await store.check().isSound)
    try await store.close()
  }

  // MARK: - Beside ours

  private static let beside = """
    CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
    CREATE TABLE _litestream_lock (id INTEGER);
    INSERT INTO _litestream_seq VALUES (1, 4);
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    CREATE TABLE "odd ""name" (a UNIQUE, b REFERENCES grdb_migrations);
    CREATE INDEX odd ON "odd ""name" (b);
    CREATE VIEW theirs AS SELECT title FROM snippets;
    CREATE TRIGGER noted AFTER INSERT ON _litestream_seq BEGIN SELECT 1; END;
    CREATE VIRTUAL TABLE words USING fts5(word);
    ANALYZE
    """

  @Test func `what others keep beside ours is noted, and no problem`() async throws {
    try await makeStore()
    try await shell(Self.beside)

    let store = try TemporaryStore.open("altered.sqlite")
    _ = try await store.save(SnippetDraft(.text("more")))
    let report = try await store.check()

    #expect(report.isSound)
    for note in [
      "table _litestream_seq is another program's, and touches nothing of the store",
      "view theirs is another program's, and touches nothing of the store",
      "trigger noted is another program's, and touches nothing of the store",
      "table sqlite_stat1 holds statistics that ANALYZE made",
    ] {
      #expect(report.notes.contains(note), "\(report.notes)")
    }
    #expect(report.notes.allSatisfy { !$0.contains("autoindex") })
  }

  // SQLite refuses to check the references of a file with the second.
  @Test(arguments: ["theirs (id)", "theirs (name)"])
  func `a reference that is broken beside ours is no problem`(parent: String) async throws {
    try await makeStore()
    try await shell(
      """
      CREATE TABLE theirs (id INTEGER PRIMARY KEY, name);
      CREATE TABLE mark (value REFERENCES \(parent));
      INSERT INTO mark VALUES (99)
      """
    )
    let (backup, copy) = (
      TemporaryDirectory.file("backup.sqlite"), TemporaryDirectory.file("copy.sqlite")
    )
    let store = try TemporaryStore.open("altered.sqlite")

    #expect(try await store.check().isSound)
    #expect(try await store.backUp(to: backup).isSound)
    #expect(try await SnippetStore.restore(from: backup, to: copy).check.isSound)
  }

  @Test func `a store with nothing beside has no notes`() async throws {
    #expect(try await openStore().check().notes == [])
  }

  // Theirs is a copy of what may stand nowhere else.
  @Test func `a backup has what others keep beside ours, and a restore leaves it out`() async throws
  {
    let (backup, copy) = (
      TemporaryDirectory.file("backup.sqlite"), TemporaryDirectory.file("copy.sqlite")
    )
    let store = try await openStore()
    try await shell(Self.beside)

    let report = try await store.backUp(to: backup)
    let restored = try await SnippetStore.restore(from: backup, to: copy)

    #expect(report.notes.contains { $0.contains("_litestream_seq") })
    let kept = try await Shell.sqlite3(backup, "SELECT seq FROM _litestream_seq")
    #expect(kept.standardOutput == "4\n")
    #expect(restored.removedTables == [])
    let target = try TemporaryStore.open("copy.sqlite")
    #expect(try await target.check().notes == [])
    #expect(try target.list().rows(in: 0..<9).map(\.title) == ["kept"])
    try await store.close()
  }

  @Test func `a restore removes what others keep in the store, and tells`() async throws {
    let (backup, target) = (
      TemporaryDirectory.file("backup.sqlite"), try TemporaryStore.open("store.sqlite")
    )
    let origin = try await openStore()
    try await origin.backUp(to: backup)
    try await origin.close()
    let url = try #require(target.url)
    let made = try await Shell.sqlite3(url, "CREATE TABLE mine (a); ANALYZE")
    #expect(made.status == 0)

    let report = try await SnippetStore.restore(from: backup, to: url)

    #expect(report.removedTables == ["mine"])
    #expect(try await target.check().notes == [])
    _ = try await target.save(SnippetDraft(.text("more")))
    #expect(try target.list().count == 2)
  }

  // MARK: - Marks

  @Test(arguments: 1...Migrations.latestVersion)
  func `a dump of the shell that lost the marks of a store says which to set`(
    version: Int
  ) async throws {
    let origin = TemporaryDirectory.file("origin.sqlite")
    let sql = Migrations.all.prefix(version).map(\.sql).joined(separator: "\n")
    #expect(try await Shell.sqlite3(origin, "\n" + sql).status == 0)
    let dump = try await Shell.sqlite3(origin, ".dump").standardOutput
    let made = try await Shell.run("sqlite3", ["-bail", file.path], input: Data(dump.utf8))
    #expect(made == Shell.Output(standardOutput: ""))

    let error = #expect(throws: SnippetStoreError.self) { try SnippetStore(at: file) }

    #expect(error?.code == .foreignFile)
    let marks = "PRAGMA application_id = 1399744880; PRAGMA user_version = \(version);"
    #expect(error?.recoverySuggestion?.hasSuffix("set them: \(marks)") == true)
    try await shell(marks)
    #expect(try await TemporaryStore.open("altered.sqlite").check().isSound)
  }

  @Test(arguments: [-1, Int(Int32.min), 0])
  func `a version that no store has is refused with the one to set`(version: Int) async throws {
    try await makeStore()
    try await shell("PRAGMA user_version = \(version)")

    for access in [SnippetStore.Configuration.Access.readWriteCreate, .readOnly] {
      let error = #expect(throws: SnippetStoreError.self) {
        try SnippetStore(at: file, configuration: .init(access: access))
      }
      #expect(error?.code == .foreignFile)
      #expect(
        error?.reason == """
          it has the tables of a store, but its application_id is 1399744880 and its \
          user_version \(version)
          """
      )
    }
    try await shell("CREATE TABLE mine (a)")
    let error = #expect(throws: SnippetStoreError.self) { try SnippetStore(at: file) }
    #expect(error?.reason == "it has the user_version \(version), which no store has")
  }

  // MARK: - Support

  private func makeStore() async throws {
    try await Self.template.copy(toBeDamagedAt: file)
  }

  private func openStore() async throws -> SnippetStore {
    try await makeStore()
    return try SnippetStore(at: file)
  }

  private static let template = StoreTemplate { store in
    _ = try await store.save(SnippetDraft(.text("kept")))
  }

  private func shell(_ sql: String) async throws {
    let output = try await Shell.sqlite3(file, sql)
    guard output.status == 0 else { throw Shell.Failure(output: output) }
  }
}
