import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// Every kind of damage is named, with what part of the store and which snippets are concerned.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct DamagedStoreTests {
  let file = TemporaryDirectory.file("damaged.sqlite")

  @Test(arguments: Damage.all)
  func `damage is named`(_ damage: Damage) async throws {
    try await makeStore()
    let output = try await Shell.sqlite3(file, damage.sql)
    #expect(output == Shell.Output(standardOutput: ""))

    let store = try SnippetStore(at: file, configuration: .init(access: .readOnly))
    let report = try await store.check()

    #expect(!report.isSound)
    let named = report.problems.filter { $0.area == damage.area }
    #expect(
      named.contains { problem in
        problem.description.contains(damage.description)
          && problem.snippetIDs.map(\.rawValue) == damage.snippets
      },
      "\(report.problems)"
    )
    try await store.close()
  }

  @Test(arguments: Damage.all)
  func `damage keeps a backup from being made`(_ damage: Damage) async throws {
    try await makeStore()
    _ = try await Shell.sqlite3(file, damage.sql)
    let backup = TemporaryDirectory.file("backup.sqlite")
    let store = try SnippetStore(at: file, configuration: .init(access: .readOnly))

    #expect(await errorCode { try await store.backUp(to: backup) } == .damaged)

    let left = try FileManager.default.contentsOfDirectory(
      atPath: TemporaryDirectory.current.url.path
    )
    #expect(left.filter { $0.hasPrefix("backup") } == [])
    try await store.close()
  }

  @Test func `of one kind no more than a hundred are named`() async throws {
    let store = try SnippetStore(at: file)
    try await store.save(contentsOf: (0..<150).map { SnippetDraft(.text("text \($0)")) })
    try await store.close()
    _ = try await Shell.sqlite3(file, Damage.edit("UPDATE snippet SET byte_count = 99"))

    let damaged = try SnippetStore(at: file)
    let report = try await damaged.check()

    // Neither the sizes nor the rows are what they were.
    for area in [CheckReport.Problem.Area.references, .rows] {
      #expect(report.problems.count { $0.area == area } == 100)
    }
    #expect(report.problems.count == 200)
    try await damaged.close()
  }

  /// A store with a text (snippet 1), a tagged one (2), a small image (3, blob 1), a recording of
  /// three chunks (4, blob 2), and another one with the same bytes (5).
  private func makeStore() async throws {
    try await Self.template.copy(toBeDamagedAt: file)
  }

  private static let template = StoreTemplate { store in
    _ = try await store.save(SnippetDraft(.text("text")))
    _ = try await store.save(SnippetDraft(.text("tagged"), tags: ["tag"]))
    _ = try await store.save(Samples.image(Samples.bytes(1000)))
    _ = try await store.save(Samples.voice(Samples.bytes(600_000)))
    _ = try await store.save(Samples.voice(Samples.bytes(600_000)))
  }
}

/// What somebody did with the `sqlite3` shell, and how a check must name it.
struct Damage: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var sql: String
  var area: CheckReport.Problem.Area
  var description: String
  var snippets: [Int64] = []

  static let all = [
    Damage(
      "a byte of a blob",
      edit(
        "UPDATE blob_chunk SET data = CAST(x'FF' || substr(data, 2) AS BLOB)"
      ),
      .blobs,
      "the bytes of blob 2 do not match its hash",
      [4, 5]
    ),
    Damage(
      "a missing chunk",
      edit("DELETE FROM blob_chunk WHERE id = (2 << 20) + 1"),
      .blobs,
      "chunk 1 of blob 2 is missing",
      [4, 5]
    ),
    Damage(
      "a missing blob without chunks",
      edit("DELETE FROM blob_chunk WHERE id = 1 << 20"),
      .blobs,
      "blob 1",
      [3]
    ),
    Damage(
      "a chunk cut short",
      edit("UPDATE blob_chunk SET data = x'00' WHERE id = 1 << 20"),
      .blobs,
      "blob 1",
      [3]
    ),
    Damage(
      "a chunk that is too long",
      edit(
        "UPDATE blob_chunk SET data = CAST(data || x'00' AS BLOB) WHERE id = 1 << 20"
      ),
      .blobs,
      "chunk 0 of blob 1 has another size than the blob gives it",
      [3]
    ),
    Damage(
      "a chunk too many",
      edit("INSERT INTO blob_chunk VALUES ((2 << 20) + 3, x'00')"),
      .blobs,
      "chunk 3 of blob 2 has another size than the blob gives it",
      [4, 5]
    ),
    Damage(
      "another hash",
      edit("UPDATE blob SET sha256 = zeroblob(32) WHERE id = 1"),
      .blobs,
      "the bytes of blob 1 do not match its hash",
      [3]
    ),
    Damage(
      "another size",
      edit("UPDATE blob SET byte_count = 999 WHERE id = 1"),
      .references,
      "snippet 3 has another size than its blob",
      [3]
    ),
    Damage(
      "an orphaned blob",
      edit("INSERT INTO blob VALUES (9, zeroblob(32), 1, 262144)"),
      .references,
      "blob 9 belongs to no snippet"
    ),
    Damage(
      "an orphaned chunk",
      edit("INSERT INTO blob_chunk VALUES (9 << 20, x'00')"),
      .references,
      "chunk 0 of blob 9 belongs to no blob"
    ),
    Damage(
      "a blob that is gone",
      edit("DELETE FROM blob WHERE id = 1"),
      .references,
      "snippet 3 refers to a row of blob that is not there"
    ),
    Damage(
      "a size that is not that of the text",
      edit("UPDATE snippet SET byte_count = 99 WHERE id = 1"),
      .references,
      "snippet 1 has another size than its text",
      [1]
    ),
    Damage(
      "a text that is gone",
      edit("DELETE FROM snippet_text WHERE snippet_id = 2"),
      .references,
      "snippet 2 has another size than its text",
      [2]
    ),
    Damage(
      "a note without its preview",
      edit("INSERT INTO snippet_text VALUES (3, 'a note')"),
      .references,
      "snippet 3 has a preview that its text does not begin with",
      [3]
    ),
    Damage(
      "the preview of a note that is gone",
      edit("UPDATE snippet SET preview = 'a note' WHERE id = 3"),
      .references,
      "snippet 3 has the preview of a note, and no note",
      [3]
    ),
    Damage(
      "a text of no snippet",
      edit("INSERT INTO snippet_text VALUES (9, '')"),
      .references,
      "snippet_text 9 refers to a row of snippet that is not there"
    ),
    Damage(
      "a tag that nothing carries",
      edit("INSERT INTO tag (name) VALUES ('unused')"),
      .references,
      "tag 2 is carried by no snippet"
    ),
    Damage(
      "a foreign trigger",
      "CREATE TRIGGER foreign_trigger AFTER DELETE ON snippet BEGIN SELECT 1; END",
      .schema,
      "trigger foreign_trigger on snippet does not belong here"
    ),
    Damage(
      "an altered view",
      "DROP VIEW texts; CREATE VIEW texts AS SELECT 1",
      .schema,
      "view texts was altered"
    ),
    Damage(
      "a trigger that is gone",
      "DROP TRIGGER snippet_on_delete",
      .schema,
      "trigger snippet_on_delete is missing"
    ),
    Damage(
      "a table that is gone",
      "DROP TABLE snippet_tag",
      .schema,
      "table snippet_tag is missing"
    ),
    Damage(
      "the table of snippets that is gone",
      "DROP TABLE snippet",
      .schema,
      "table snippet is missing"
    ),
    Damage(
      "an altered table",
      schema("replace(sql, 'CHECK (pinned IN (0, 1))', '')", of: "snippet"),
      .schema,
      "table snippet was altered"
    ),
    Damage(
      "an index that was not kept",
      """
      \(schema("replace(sql, 'snippet (title,', 'snippet (media_type,')", of: "snippet_by_title"))
      """,
      .structure,
      "snippet_by_title"
    ),
    Damage(
      "a value against a rule",
      edit("UPDATE snippet SET pinned = 7 WHERE id = 1"),
      .structure,
      "CHECK constraint failed in snippet"
    ),
  ]

  private init(
    _ name: String,
    _ sql: String,
    _ area: CheckReport.Problem.Area,
    _ description: String,
    _ snippets: [Int64] = []
  ) {
    testDescription = name
    (self.sql, self.area, self.description, self.snippets) = (sql, area, description, snippets)
  }

  /// Makes an edit that a rule forbids or a trigger completes.
  static func edit(_ sql: String) -> String {
    """
    PRAGMA ignore_check_constraints = ON;
    CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE type = 'trigger';
    PRAGMA writable_schema = ON;
    DELETE FROM sqlite_schema WHERE type = 'trigger';
    PRAGMA writable_schema = RESET;
    \(sql);
    PRAGMA writable_schema = ON;
    INSERT INTO sqlite_schema SELECT * FROM kept;
    """
  }

  /// Alters the text of the schema, and nothing that it describes.
  private static func schema(_ expression: String, of name: String) -> String {
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = \(expression) WHERE name = '\(name)';
    """
  }
}
