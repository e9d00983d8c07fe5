import SnippetStorage
import SnippetTestSupport
import Testing

/// What people write to the views with the `sqlite3` shell.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ViewEditTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test(arguments: ViewEdit.all, ["", "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;"])
  fileprivate func `an edit of a view keeps every rule`(
    edit: ViewEdit,
    settings: String
  ) async throws {
    try await SampleContent.make(in: file)

    let output = try await Shell.sqlite3(file, "\(settings)\(edit.sql)", edit.question)

    #expect(output == Shell.Output(standardOutput: edit.answer))
    // A store is checked at its end.
    _ = try TemporaryStore.open()
  }

  @Test func `an edit of a view is in the record`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(
      file,
      """
      INSERT INTO snippets (kind, title, body, tags) VALUES ('text', 'Milk', 'Two bottles', 'shop');
      UPDATE snippets SET title = 'Oat milk' WHERE id = 5;
      DELETE FROM snippets WHERE id = 5;
      SELECT number, event, snippet_id, tag, title_before FROM changes ORDER BY number
      """
    )

    #expect(
      shown.standardOutput == """
        1|inserted|5||
        2|updated|5||Milk
        3|tag put on|5|shop|
        4|updated|5||Milk
        5|updated|5||Milk
        6|moved to the trash|5||Oat milk

        """
    )
  }

  @Test func `what was written to a view is found by search and shown in lists`() async throws {
    let store = try TemporaryStore.open()

    let written = try await Shell.sqlite3(
      file,
      "INSERT INTO snippets (title, body, tags) VALUES ('Milk', 'two bottles', 'Shop, home')"
    )

    #expect(written == Shell.Output(standardOutput: ""))
    let row = try #require(try store.list().rows(in: 0..<9).first)
    #expect(row.title == "Milk" && row.preview == "two bottles" && row.tags == ["home", "Shop"])
    let found = try await store.search("bottles")
    try await found.finish()
    #expect(try found.count == 1)
  }
}

private struct ViewEdit: CustomTestStringConvertible {
  var rule: String
  var sql: String
  var question: String
  var answer: String

  var testDescription: String { rule }

  private static let isFresh = "created_at > 1767225600000"

  static let all = insertions + updates + others

  private static let insertions = [
    ViewEdit(
      rule: "a new text takes its tags separated by commas",
      sql: """
        INSERT INTO snippets (kind, title, body, tags)
        VALUES ('text', 'new', ' Two ' || char(10) || ' lines', 'HOME,, new , New, it''s "that"')
        """,
      question: """
        SELECT id, kind, preview, tags, pinned, bytes, media_type, \(isFresh) FROM snippets
        WHERE title = 'new'; SELECT name FROM tags ORDER BY name
        """,
      answer: """
        5|text|Two lines|home, it's "that", new|0|12|text/plain|1
        home
        it's "that"
        new
        week 2

        """
    ),
    ViewEdit(
      rule: "a new text takes all that it is given",
      sql: """
        INSERT INTO snippets (id, title, body, pinned, media_type, created)
        VALUES (70, 'given', 'text', true, 'text/markdown', '2020-02-29T10:00:00.123Z')
        """,
      question: "SELECT id, pinned, media_type, created, body FROM snippets WHERE title = 'given'",
      answer: "70|1|text/markdown|2020-02-29T10:00:00.123Z|text\n"
    ),
    ViewEdit(
      rule: "a new text without a title takes its first line",
      sql: """
        INSERT INTO snippets (body) VALUES (char(10) || '  First line ' || char(13, 10) || 'second');
        INSERT INTO snippets (body) VALUES (printf('%081d', 1));
        INSERT INTO snippets (title) VALUES ('empty')
        """,
      question: "SELECT title, bytes FROM snippets WHERE id > 4 ORDER BY id",
      answer: "First line|22\n\(String(repeating: "0", count: 79))…|81\nempty|0\n"
    ),
    ViewEdit(
      rule: "many new texts are inserted at once",
      sql: """
        INSERT INTO snippets (title, body, tags)
        SELECT 'copy', body, tags FROM snippets WHERE kind = 'text' ORDER BY id
        """,
      question: "SELECT id, body, tags FROM snippets WHERE title = 'copy' ORDER BY id",
      answer: "5|\(SampleContent.text)|home, week 2\n6||\n"
    ),
  ]

  private static let updates = [
    ViewEdit(
      rule: "title, pin, tags and date are changed in one statement",
      sql: """
        UPDATE snippets SET title = 'A Text', pinned = 1, tags = 'other, Home', created = '2020-02-29'
        WHERE id = 1
        """,
      question: """
        SELECT title, pinned, tags, created FROM snippets WHERE id = 1; SELECT * FROM tags
        """,
      answer: "A Text|1|home, other|2020-02-29T00:00:00.000Z\nhome|1\nweek 2|1\nother|1\n"
    ),
    ViewEdit(
      rule: "a date in milliseconds is changed too",
      sql: "UPDATE snippets SET created_at = created_at + 1000 WHERE id = 1",
      question: "SELECT created FROM snippets WHERE id = 1",
      answer: "1970-01-01T00:00:02.000Z\n"
    ),
    ViewEdit(
      rule: "tags are taken off with NULL or nothing",
      sql:
        "UPDATE snippets SET tags = NULL WHERE id = 1; UPDATE snippets SET tags = '' WHERE id = 3",
      question: "SELECT id, tags FROM snippets ORDER BY id; SELECT count(*) FROM tag",
      answer: "1|\n2|\n3|\n4|\n0\n"
    ),
    ViewEdit(
      rule: "a new body takes size and preview along",
      sql:
        "UPDATE snippets SET body = 'new' WHERE id = 1; UPDATE texts SET body = 'newer' WHERE id = 1",
      question: "SELECT bytes, preview, body, tags FROM snippets WHERE id = 1",
      answer: "5|newer|newer|home, week 2\n"
    ),
    ViewEdit(
      rule: "an image and a recording take a note, and lose it",
      sql: """
        UPDATE snippets SET note = 'The beach' || char(10) || 'at noon' WHERE id = 2;
        UPDATE snippets SET note = 'Two words' WHERE kind = 'voice';
        UPDATE snippets SET note = 'One ' || note WHERE id = 2;
        UPDATE snippets SET note = '' WHERE id = 3
        """,
      question: "SELECT preview, note, body, bytes FROM snippets WHERE id IN (2, 3) ORDER BY id",
      answer: "One The beach at noon|One The beach\nat noon||4\n|||12\n"
    ),
    ViewEdit(
      rule: "a body takes the place of a blob",
      sql: "UPDATE texts SET body = body || '!' WHERE id = 4",
      question: """
        SELECT bytes, preview, body, blob_id FROM snippets WHERE id = 4; SELECT max(id) FROM blob
        """,
      answer: "15|kept as a blob!|kept as a blob!|\n2\n"
    ),
    ViewEdit(
      rule: "a new title leaves a blob alone",
      sql:
        "UPDATE texts SET title = 'other' WHERE id = 4; UPDATE snippets SET pinned = 1 WHERE id = 4",
      question: "SELECT title, pinned, blob_id, revision FROM snippets WHERE id = 4",
      answer: "other|1|3|3\n"
    ),
    ViewEdit(
      rule: "what is changed to what it is stays as it is",
      sql: "UPDATE snippets SET title = title, tags = tags, body = body, pinned = pinned",
      question: "SELECT revision FROM snippets ORDER BY id; SELECT count(*) FROM changes",
      answer: "5\n1\n2\n1\n0\n"
    ),
    ViewEdit(
      rule: "a title in other letters is another title",
      sql: "UPDATE snippets SET title = 'A TEXT' WHERE id = 1",
      question: "SELECT title FROM snippets WHERE id = 1",
      answer: "A TEXT\n"
    ),
  ]

  private static let others = [
    ViewEdit(
      rule: "a deletion moves to the trash, from where there is a way back and one out",
      sql: """
        DELETE FROM snippets WHERE id IN (1, 2, 3); UPDATE trash SET deleted = NULL WHERE id = 1;
        DELETE FROM trash WHERE id = 2
        """,
      question: """
        SELECT id, modified FROM snippets ORDER BY id; SELECT id FROM trash;
        SELECT id FROM blob ORDER BY id
        """,
      answer: "1|1970-01-01T00:00:02.000Z\n4|1970-01-01T00:00:00.006Z\n3\n2\n3\n"
    ),
    ViewEdit(
      rule: "a single tag is put on and taken off",
      sql: """
        INSERT INTO tagged VALUES (2, ' new '), (2, 'HOME'), (1, 'home');
        DELETE FROM tagged WHERE tag = 'week 2'
        """,
      question: "SELECT * FROM tagged ORDER BY 1, 2",
      answer: "1|home\n2|home\n2|new\n"
    ),
    ViewEdit(
      rule: "a tag is renamed and deleted",
      sql:
        "UPDATE tags SET name = 'house' WHERE name = 'home'; DELETE FROM tags WHERE name = 'week 2'",
      question: "SELECT id, tags FROM snippets ORDER BY id",
      answer: "1|house\n2|\n3|\n4|\n"
    ),
  ]
}
