import Foundation
import Migrations
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct QueryTests {
  @Test(arguments: StorePlace.allCases)
  func `rows come one by one with the names of their columns`(_ place: StorePlace) async throws {
    let store = try place.open()
    for title in ["a", "b", "c"] {
      _ = try await store.save(SnippetDraft(.text("text"), title: title))
    }
    var found: [[SQLValue]] = []

    try store.query("SELECT id, title AS name FROM snippet ORDER BY id") { columns, values in
      #expect(columns == ["id", "name"])
      found.append(values)
    }

    #expect(
      found == [
        [.integer(1), .text("a")], [.integer(2), .text("b")], [.integer(3), .text("c")],
      ]
    )
  }

  @Test func `every type of value is given`() throws {
    let store = try TemporaryStore.inMemory()
    var found: [SQLValue] = []

    try store.query("SELECT NULL, -1, 9223372036854775807, 1.5, '', 'é', x'', x'00FF', 1e999") {
      found = $1
    }

    #expect(
      found == [
        .null, .integer(-1), .integer(.max), .real(1.5), .text(""), .text("é"), .bytes(Data()),
        .bytes(Data([0, 255])), .real(.infinity),
      ]
    )
  }

  @Test(arguments: StorePlace.allCases)
  func `several statements run one after the other`(_ place: StorePlace) throws {
    let store = try place.open()
    var found: [String] = []

    try store.query(" SELECT 1 AS a; -- a remark\n;; SELECT 2 AS b, 3 AS c; ") { columns, values in
      found.append("\(columns) \(values.count)")
    }
    try store.query("") { _, _ in Issue.record("there is no row") }
    try store.query("-- nothing") { _, _ in Issue.record("there is no row") }

    #expect(found == [#"["a"] 1"#, #"["b", "c"] 2"#])
  }

  @Test(arguments: StorePlace.allCases)
  func `the views are there to be read`(_ place: StorePlace) async throws {
    let store = try place.open()
    _ = try await store.save(Samples.image(Samples.bytes(10)))
    _ = try await store.save(SnippetDraft(.text("text"), tags: ["tag"]))

    for (view, count) in [
      ("snippets", 2), ("texts", 1), ("blobs", 1), ("small_blobs", 1), ("tags", 1),
    ] {
      var rows = 0
      try store.query("SELECT * FROM \(view)") { _, _ in rows += 1 }
      #expect(rows == count, "\(view)")
    }
  }

  @Test(arguments: StorePlace.allCases)
  func `what only reads is taken`(_ place: StorePlace) throws {
    let store = try place.open()
    for sql in [
      "EXPLAIN SELECT * FROM snippet", "EXPLAIN QUERY PLAN SELECT * FROM snippet",
      "PRAGMA user_version", "PRAGMA table_info(snippet)", "PRAGMA integrity_check",
      "PRAGMA foreign_key_check", "PRAGMA page_count", "VALUES (1), (2)",
      "SELECT * FROM pragma_table_info('snippet')", "SELECT value FROM json_each('[1, 2]')",
      "SELECT name FROM sqlite_schema",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT * FROM n",
      "SELECT json_extract('{\"a\": 1}', '$.a')", "SELECT count(*) OVER () FROM sqlite_schema",
    ] {
      var rows = 0
      try store.query(sql) { _, _ in rows += 1 }
      #expect(rows > 0 || sql == "PRAGMA foreign_key_check", "\(sql)")
    }
  }

  @Test(arguments: StorePlace.allCases)
  func `what does more than read is refused and changes nothing`(_ place: StorePlace) async throws {
    let store = try place.open()
    let row = try await store.save(SnippetDraft(.text("text")))
    let outside = TemporaryDirectory.file("outside.sqlite").path

    for sql in [
      "DELETE FROM snippet", "UPDATE snippet SET title = 'no'",
      "INSERT INTO tag (name) VALUES ('no')",
      "REPLACE INTO tag (name) VALUES ('no')", "DROP TABLE snippet", "CREATE TABLE no (a)",
      "CREATE TEMP TABLE no (a)",
      "CREATE TEMP TRIGGER no AFTER DELETE ON snippet BEGIN SELECT 1; END",
      "ALTER TABLE snippet ADD COLUMN no", "ATTACH '\(outside)' AS no", "ATTACH ':memory:' AS no",
      "DETACH main", "VACUUM", "VACUUM INTO '\(outside)'", "COMMIT; VACUUM INTO '\(outside)'",
      "REINDEX", "ANALYZE", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "RELEASE a", "END",
      "PRAGMA user_version = 9", "PRAGMA application_id = 9", "PRAGMA journal_mode = DELETE",
      "PRAGMA query_only = OFF", "PRAGMA writable_schema = ON", "PRAGMA foreign_keys = OFF",
      "PRAGMA wal_checkpoint", "PRAGMA incremental_vacuum", "PRAGMA optimize",
      "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA soft_heap_limit = 9000000",
      "PRAGMA hard_heap_limit(90000000)", "PRAGMA temp_store_directory = '/tmp'",
      "EXPLAIN PRAGMA foreign_keys = OFF", "SELECT load_extension('no')",
      "SELECT 1; DELETE FROM snippet",
    ] {
      let code = errorCode(of: { try store.query(sql) { _, _ in } })
      #expect(code == .invalidSQL, "\(sql)")
    }

    #expect(!FileManager.default.fileExists(atPath: outside))
    #expect(try store.list().rows(in: 0..<9) == [row])
    #expect(try await store.information().tagCount == 0)
    #expect(try await store.information().schemaVersion == Migrations.latestVersion)
    for limit in ["soft_heap_limit", "hard_heap_limit"] {
      try store.query("PRAGMA \(limit)") { #expect($1 == [.integer(0)]) }
    }
    _ = try await store.save(SnippetDraft(.text("still written")))
  }

  @Test(arguments: StorePlace.allCases)
  func `SQL that is not valid is refused with its reason`(_ place: StorePlace) throws {
    let store = try place.open()
    for (sql, word) in [
      ("SELEC 1", "SELEC"), ("SELECT 1; SELEC 1", "SELEC"), ("SELECT * FROM nowhere", "nowhere"),
      ("SELECT nothing", "nothing"), ("SELECT ?1", "argument"), ("SELECT :name", "argument"),
      ("SELECT 1 LIMIT 'x'", "mismatch"), ("SELECT abs(-9223372036854775808)", "overflow"),
      ("SELECT zeroblob(3000000000)", "too big"), ("SELECT 'open", "'open"),
      ("SELECT json('{')", "JSON"), ("\"double\"", "double"),
    ] {
      let error = #expect(throws: SnippetStoreError.self) { try store.query(sql) { _, _ in } }
      #expect(error?.code == .invalidSQL, "\(sql)")
      #expect(error?.reason.contains(word) == true, "\(sql): \(error?.reason ?? "")")
    }
    try store.query("SELECT 1") { _, _ in }
  }

  @Test(arguments: StorePlace.allCases)
  func `what the caller throws is thrown on`(_ place: StorePlace) throws {
    let store = try place.open()
    var count = 0

    #expect(throws: Enough()) {
      try store.query("VALUES (1), (2), (3)") { _, _ in
        count += 1
        if count == 2 { throw Enough() }
      }
    }

    #expect(count == 2)
    try store.query("SELECT 1") { _, _ in }
  }

  @Test(arguments: StorePlace.allCases)
  func `the caller may use the store meanwhile, and the query sees one moment`(
    _ place: StorePlace
  ) async throws {
    let store = try place.open()
    for number in 0..<5 { _ = try await store.save(SnippetDraft(.text("text \(number)"))) }

    let ids = try await Threads.run {
      var ids: [SQLValue] = []
      try store.query("SELECT id FROM snippet ORDER BY id") { _, values in
        ids.append(values[0])
        let number = ids.count
        let row = try Threads.wait {
          try await store.save(SnippetDraft(.text("written meanwhile \(number)")))
        }
        #expect(try store.row(row.id) == row)
        try store.query("SELECT count(*) FROM snippet") { _, counts in
          #expect(counts == [.integer(Int64(5 + number))])
        }
        guard number == 1 else { return }
        try Threads.wait {
          try await store.delete([SnippetID(rawValue: 5)])
          try await store.save(SnippetDraft(.text("in place of it")))
        }
      }
      return ids
    }

    #expect(ids == (1...5).map { .integer($0) })
  }

  @Test(arguments: StorePlace.allCases)
  func `a closed store runs nothing`(_ place: StorePlace) async throws {
    let store = try await place == .memory ? SnippetStore.inMemory() : place.open()
    try await store.close()

    #expect(errorCode(of: { try store.query("SELECT 1") { _, _ in } }) == .closed)
  }
}

private struct Enough: Error, Equatable {}
