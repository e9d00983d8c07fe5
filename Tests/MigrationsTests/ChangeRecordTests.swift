import SnippetTestSupport
import Testing

/// What the triggers record of edits with the `sqlite3` shell, which knows nothing of a record.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ChangeRecordTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test(arguments: RecordedEdit.all, [false, true])
  fileprivate func `an edit with the shell is recorded with what was before`(
    edit: RecordedEdit,
    enforcesForeignKeys: Bool
  ) async throws {
    try await SampleContent.make(in: file)
    let foreignKeys = enforcesForeignKeys ? "PRAGMA foreign_keys = ON;" : ""

    let edited = try await Shell.sqlite3(file, "\(foreignKeys)\(edit.sql)")

    #expect(edited == Shell.Output(standardOutput: ""))
    // Foreign keys take the tags off before the snippet is deleted, triggers afterwards.
    #expect(try await record().sorted() == edit.record.sorted())
    _ = try TemporaryStore.open()
  }

  // What a snippet was is told by the first of its changes.
  @Test func `recursive triggers only add to what is recorded`() async throws {
    try await SampleContent.make(in: file)

    _ = try await Shell.sqlite3(
      file,
      "PRAGMA recursive_triggers = ON; UPDATE snippet SET title = 'new' WHERE id = 1"
    )

    #expect(try await record() == ["updated|1||a text|no", "updated|1||new|no"])
    let revision = try await Shell.sqlite3(file, "SELECT revision FROM snippet WHERE id = 1")
    #expect(revision.standardOutput == "6\n")
  }

  @Test func `what is undone is not recorded`() async throws {
    try await SampleContent.make(in: file)

    _ = try await Shell.sqlite3(file, "BEGIN; DELETE FROM snippet; ROLLBACK; DELETE FROM tag")

    #expect(try await record().first == "tag taken off|1|home||")
    let first = try await Shell.sqlite3(file, "SELECT min(number) FROM change")
    #expect(first.standardOutput == "1\n")
  }

  @Test func `the record keeps the last 65536 changes and less than 1024 more`() async throws {
    try await MigrationFolder.build(file)
    let insert = """
      WITH RECURSIVE number (value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM number)
      INSERT INTO snippet (kind) SELECT 1 FROM number LIMIT
      """

    let counts = try await Shell.sqlite3(
      file,
      """
      \(insert) 66559; SELECT min(number), max(number) FROM change;
      \(insert) 1; SELECT min(number), max(number) FROM change;
      \(insert) 30000; SELECT min(number), max(number) FROM change
      """
    )

    #expect(counts.standardOutput == "1|66559\n1025|66560\n30721|96560\n")
  }

  /// The record in its order: what happened, to which snippet, with which tag, and what title and
  /// pin it had before.
  private func record() async throws -> [String] {
    let shown = try await Shell.sqlite3(
      file,
      """
      SELECT event, snippet_id, tag, title_before, pinned_before FROM changes ORDER BY number
      """
    )
    return shown.standardOutput.split(separator: "\n").map(String.init)
  }
}

private struct RecordedEdit: CustomTestStringConvertible {
  var rule: String
  var sql: String
  var record: [String]

  var testDescription: String { rule }

  static let all = rows + tags

  private static let rows = [
    RecordedEdit(
      rule: "a new text is one change",
      sql: """
        INSERT INTO snippet (kind, preview, byte_count) VALUES (1, 'four', 4);
        INSERT INTO snippet_text VALUES (5, 'four')
        """,
      record: ["inserted|5|||"]
    ),
    RecordedEdit(
      rule: "an edit is one change, with the title before",
      sql: "UPDATE snippet SET title = 'new', pinned = 1 WHERE id = 1",
      record: ["updated|1||a text|no"]
    ),
    RecordedEdit(
      rule: "an edit that sets the revision is one change too",
      sql: "UPDATE snippet SET title = 'new', revision = revision + 1 WHERE id IN (3, 2)",
      record: ["updated|2||picture|no", "updated|3||recording|yes"]
    ),
    RecordedEdit(
      rule: "UPDATE OR REPLACE is an edit like any other",
      sql: "UPDATE OR REPLACE snippet SET title = 'new' WHERE id = 4",
      record: ["updated|4||long text|no"]
    ),
    RecordedEdit(
      rule: "a new body is one change",
      sql: "UPDATE snippet_text SET body = 'new'",
      record: ["updated|1||a text|no"]
    ),
    RecordedEdit(
      rule: "a deletion is one change, with one for each tag",
      sql: "DELETE FROM snippet WHERE id = 1",
      record: ["deleted|1||a text|no", "tag taken off|1|home||", "tag taken off|1|week 2||"]
    ),
    RecordedEdit(
      rule: "a move to the trash and back is two changes",
      sql: "UPDATE snippet SET deleted_at = 5 WHERE id = 1; UPDATE snippet SET deleted_at = NULL",
      record: [
        "moved to the trash|1||a text|no", "undeleted|1||a text|no", "updated|2||picture|no",
        "updated|3||recording|yes", "updated|4||long text|no",
      ]
    ),
    RecordedEdit(
      rule: "an edit in the trash is an edit",
      sql: "UPDATE snippet SET deleted_at = 5 WHERE id = 2; UPDATE snippet SET deleted_at = 6, "
        + "title = 'x' WHERE id = 2; DELETE FROM snippet WHERE id = 2",
      record: ["moved to the trash|2||picture|no", "updated|2||picture|no", "deleted|2||x|no"]
    ),
    RecordedEdit(
      rule: "what is inserted and deleted is both",
      sql: "INSERT INTO snippet (kind, title) VALUES (1, 'x'); DELETE FROM snippet WHERE id = 5",
      record: ["inserted|5|||", "deleted|5||x|no"]
    ),
  ]

  private static let tags = [
    RecordedEdit(
      rule: "a tag put on is told before the edit that it is",
      sql: "INSERT INTO snippet_tag VALUES (2, 1)",
      record: ["tag put on|2|home||", "updated|2||picture|no"]
    ),
    RecordedEdit(
      rule: "a tag that is put on again is not put on",
      sql:
        "REPLACE INTO snippet_tag VALUES (1, 1); INSERT OR IGNORE INTO snippet_tag VALUES (1, 2)",
      record: ["updated|1||a text|no"]
    ),
    RecordedEdit(
      rule: "a tag taken off",
      sql: "DELETE FROM snippet_tag WHERE tag_id = 1",
      record: ["tag taken off|1|home||", "updated|1||a text|no"]
    ),
    RecordedEdit(
      rule: "a deleted tag is taken off every snippet",
      sql: "DELETE FROM tag WHERE id = 2",
      record: [
        "tag taken off|1|week 2||", "tag taken off|3|week 2||", "updated|1||a text|no",
        "updated|3||recording|yes",
      ]
    ),
    RecordedEdit(
      rule: "a renamed tag is taken off under its old name and put on under its new",
      sql: "UPDATE tag SET name = 'house' WHERE id = 1",
      record: ["tag taken off|1|home||", "tag put on|1|house||", "updated|1||a text|no"]
    ),
    RecordedEdit(
      rule: "a tag in other letters is the same tag",
      sql: "UPDATE tag SET name = 'HOME' WHERE id = 1",
      record: ["updated|1||a text|no"]
    ),
  ]
}
