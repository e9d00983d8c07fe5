import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// What a user may do with the `sqlite3` shell, whose foreign keys are off by default.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LegalEditTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test(arguments: LegalEdit.all, [false, true])
  func `an edit with the shell keeps every rule`(
    edit: LegalEdit,
    enforcesForeignKeys: Bool
  ) async throws {
    try await SampleContent.make(in: file)
    let foreignKeys = enforcesForeignKeys ? "PRAGMA foreign_keys = ON;" : ""

    let output = try await Shell.sqlite3(
      file,
      "\(foreignKeys)\(edit.sql)",
      edit.question,
      "PRAGMA integrity_check; PRAGMA foreign_key_check"
    )

    #expect(output == Shell.Output(standardOutput: edit.answer + "ok\n"))
    _ = try TemporaryStore.open()
  }
}

struct LegalEdit: CustomTestStringConvertible {
  var rule: String
  var sql: String
  var question: String
  var answer: String

  var testDescription: String { rule }

  /// Whether snippet 1 counts as changed just now.
  private static let isFresh =
    "modified_at > 1767225600000 AND modified_at % 1000 BETWEEN 0 AND 999"

  static let all = texts + rows + deletions + tags + captures + origins + synchronization

  private static let origins = [
    LegalEdit(
      rule: "a file goes with its snippet, and a folder with its last file",
      sql: "DELETE FROM snippet WHERE id = 2",
      question: "SELECT path FROM origin; SELECT count(*) FROM origin_folder",
      answer: "a text.md\n1\n"
    ),
    LegalEdit(
      rule: "a folder without files is forgotten",
      sql: "DELETE FROM snippet",
      question: "SELECT count(*) FROM origin; SELECT count(*) FROM origin_folder",
      answer: "0\n0\n"
    ),
    LegalEdit(
      rule: "a folder takes its files with it",
      sql: "DELETE FROM origin_folder",
      question: "SELECT count(*) FROM origin; SELECT count(*) FROM snippet",
      answer: "0\n4\n"
    ),
    LegalEdit(
      rule: "a file is forgotten by way of the view",
      sql: "DELETE FROM origins WHERE file = '/home/me/Notes/a text.md'",
      question: "SELECT snippet_id, title, file FROM origins",
      answer: """
        2|picture|/home/me/Notes/pictures/picture.png
        2|picture|/home/me/Notes/pictures/the same.png

        """
    ),
    LegalEdit(
      rule: "a folder that was moved keeps its files",
      sql: "UPDATE origin_folder SET path = '/home/me/Vault'",
      question: "SELECT file, modified, bytes FROM origins WHERE snippet_id = 1",
      answer: "/home/me/Vault/a text.md|2026-01-01T00:00:00.123Z|21\n"
    ),
    LegalEdit(
      rule: "origins are in no change",
      sql: "UPDATE origin SET path = 'b.md' WHERE snippet_id = 1; DELETE FROM origin",
      question: "SELECT count(*) FROM change; SELECT count(*) FROM origin_folder",
      answer: "0\n0\n"
    ),
  ]

  private static let texts = [
    LegalEdit(
      rule: "size, preview, revision and date follow a new body",
      sql: """
        UPDATE snippet_text SET body = '  ' || char(10) || 'ein' || char(9) || 'süßer' || char(13, 10)
          || 'Text' || char(10) WHERE snippet_id = 1
        """,
      question: "SELECT byte_count, preview, revision, \(isFresh) FROM snippet WHERE id = 1",
      answer: "21|ein süßer Text|6|1\n"
    ),
    LegalEdit(
      rule: "a long body has a short preview",
      sql: "UPDATE snippet_text SET body = printf('%0300d', 1)",
      question: "SELECT byte_count, length(preview) FROM snippet WHERE id = 1",
      answer: "300|200\n"
    ),
    LegalEdit(
      rule: "a new text takes its defaults",
      sql: """
        INSERT INTO snippet (kind, title) VALUES (1, 'new');
        INSERT INTO snippet_text VALUES (last_insert_rowid(), 'four')
        """,
      question: """
        SELECT id, length(uuid), preview, byte_count, media_type, pinned, \(isFresh)
        FROM snippet WHERE title = 'new'
        """,
      answer: "5|16|four|4|text/plain|0|1\n"
    ),
    LegalEdit(
      rule: "a text without a body is an empty one",
      sql: "DELETE FROM snippet_text WHERE snippet_id = 1",
      question: "SELECT byte_count, preview, revision, \(isFresh) FROM snippet WHERE id = 1",
      answer: "0||6|1\n"
    ),
    LegalEdit(
      rule: "a body can give way to a blob",
      sql: """
        DELETE FROM snippet_text WHERE snippet_id = 1;
        UPDATE snippet SET blob_id = 3, byte_count = 14 WHERE id = 1
        """,
      question: "SELECT snippet_ids FROM blobs WHERE id = 3",
      answer: "1, 4\n"
    ),
    LegalEdit(
      rule: "a blob can give way to a body",
      sql: """
        UPDATE snippet SET blob_id = NULL, text_encoding = NULL, byte_count = 0 WHERE id = 4;
        INSERT INTO snippet_text VALUES (4, 'short')
        """,
      question: """
        SELECT byte_count, preview FROM snippet WHERE id = 4; SELECT id FROM blob ORDER BY id;
        SELECT count(*) FROM blob_chunk WHERE id >> 20 = 3
        """,
      answer: "5|short\n1\n2\n0\n"
    ),
    LegalEdit(
      rule: "preview, revision and date follow a note, and the size stays that of the bytes",
      sql: "INSERT INTO snippet_text VALUES (2, 'The' || char(10) || 'beach'), (3, ' ')",
      question: """
        SELECT byte_count, preview, revision, digest IS NULL, \(isFresh) FROM snippet
        WHERE id IN (2, 3); SELECT snippet_id, event FROM change
        """,
      answer: "4|The beach|2|1|1\n12||3|1|1\n2|2\n3|2\n"
    ),
    LegalEdit(
      rule: "a note is replaced, and goes with its preview",
      sql: """
        INSERT INTO snippet_text VALUES (2, 'one'), (3, 'two');
        UPDATE snippet_text SET body = 'three' WHERE snippet_id = 2;
        DELETE FROM snippet_text WHERE snippet_id = 3
        """,
      question: "SELECT byte_count, preview FROM snippet WHERE id IN (2, 3)",
      answer: "4|three\n12|\n"
    ),
    LegalEdit(
      rule: "a note goes with its snippet",
      sql: "INSERT INTO snippet_text VALUES (2, 'one'); DELETE FROM snippet WHERE id = 2",
      question: "SELECT count(*) FROM snippet_text",
      answer: "1\n"
    ),
    LegalEdit(
      rule: "a preview that its text begins with is kept",
      sql: """
        INSERT INTO snippet (kind, title, preview, byte_count) VALUES (1, 'new', 'a b', 7);
        INSERT INTO snippet_text VALUES (last_insert_rowid(), ' a' || char(8195) || ' b');
        INSERT INTO snippet (kind, title, byte_count) VALUES (1, 'new', 1);
        INSERT INTO snippet_text VALUES (last_insert_rowid(), ' ');
        """,
      question: "SELECT preview, revision FROM snippet WHERE title = 'new'",
      answer: "a b|1\n|1\n"
    ),
    LegalEdit(
      rule: "a preview that its text does not begin with gives way to one that it does",
      sql: """
        INSERT INTO snippet (kind, title, preview, byte_count) VALUES (1, 'new', 'mine', 4);
        INSERT INTO snippet_text VALUES (last_insert_rowid(), 'body');
        INSERT INTO snippet (kind, title, byte_count) VALUES (1, 'new', 4);
        INSERT INTO snippet_text VALUES (last_insert_rowid(), 'text')
        """,
      question: "SELECT preview, revision FROM snippet WHERE title = 'new'",
      answer: "body|2\ntext|2\n"
    ),
    LegalEdit(
      rule: "a preview may be shorter than the schema makes it",
      sql: "UPDATE snippet SET preview = 'Grüße an' WHERE id = 1",
      question: "SELECT preview, revision FROM snippet WHERE id = 1",
      answer: "Grüße an|6\n"
    ),
  ]

  private static let rows = [
    LegalEdit(
      rule: "revision and date follow a new title",
      sql: "UPDATE snippet SET title = 'other' WHERE id = 1",
      question: "SELECT revision, \(isFresh) FROM snippet WHERE id = 1",
      answer: "6|1\n"
    ),
    LegalEdit(
      rule: "a date that is given stays",
      sql: "UPDATE snippet SET title = 'other', modified_at = 7 WHERE id = 1",
      question: "SELECT revision, modified_at FROM snippet WHERE id = 1",
      answer: "6|7\n"
    ),
    LegalEdit(
      rule: "a revision that is given stays",
      sql: "UPDATE snippet SET title = 'other', revision = 10 WHERE id = 1",
      question: "SELECT revision, modified_at FROM snippet WHERE id = 1",
      answer: "10|2000\n"
    ),
    LegalEdit(
      rule: "a move to the trash and back changes nothing but the revision",
      sql: """
        UPDATE snippet SET deleted_at = 5 WHERE id = 1;
        UPDATE snippet SET deleted_at = NULL WHERE id = 1
        """,
      question: "SELECT revision, modified_at, deleted_at FROM snippet WHERE id = 1",
      answer: "7|2000|\n"
    ),
    LegalEdit(
      rule: "every snippet of one statement is changed",
      sql: "UPDATE snippet SET pinned = 1",
      question: "SELECT id, revision FROM snippet ORDER BY id",
      answer: "1|6\n2|2\n3|3\n4|2\n"
    ),
    LegalEdit(
      rule: "a blob goes when its last snippet takes another one",
      sql: "UPDATE snippet SET blob_id = 2, byte_count = 12 WHERE id = 2",
      question: "SELECT id FROM blob ORDER BY id; SELECT id >> 20, id & 1048575 FROM blob_chunk",
      answer: "2\n3\n2|0\n2|1\n2|2\n3|0\n3|1\n"
    ),
  ]

  private static let deletions = [
    LegalEdit(
      rule: "a text takes its body and tags with it",
      sql: "DELETE FROM snippet WHERE id = 1",
      question: """
        SELECT count(*) FROM snippet_text; SELECT * FROM snippet_tag; SELECT * FROM tag;
        SELECT count(*) FROM blob
        """,
      answer: "0\n3|2\n2|week 2\n3\n"
    ),
    LegalEdit(
      rule: "an image takes its blob and chunks with it",
      sql: "DELETE FROM snippet WHERE id = 2",
      question: "SELECT id FROM blob ORDER BY id; SELECT count(*) FROM blob_chunk",
      answer: "2\n3\n5\n"
    ),
    LegalEdit(
      rule: "a shared blob stays with the other snippet",
      sql: """
        INSERT INTO snippet (kind, blob_id, byte_count, media_type) VALUES (2, 1, 4, 'image/png');
        DELETE FROM snippet WHERE id = 2
        """,
      question: "SELECT id FROM blob ORDER BY id; SELECT blob_id FROM snippet WHERE id = 5",
      answer: "1\n2\n3\n1\n"
    ),
    LegalEdit(
      rule: "a blob stays with a snippet in the trash",
      sql: "UPDATE snippet SET deleted_at = 5 WHERE id = 2",
      question: "SELECT snippet_ids FROM blobs WHERE id = 1",
      answer: "2\n"
    ),
    LegalEdit(
      rule: "a blob takes its derivatives with it",
      sql: """
        INSERT INTO derivative (blob_id, recipe, version, byte_count, data)
          VALUES (1, 'small', 1, 3, X'010203'), (1, 'large', 2, 2, X'0102'), (2, 'small', 1, 1, X'00');
        DELETE FROM snippet WHERE id = 2
        """,
      question: "SELECT blob_id, recipe FROM derivative; SELECT byte_count FROM derivative_total",
      answer: "2|small\n1\n"
    ),
    LegalEdit(
      rule: "derivatives may be deleted at any time",
      sql: """
        INSERT INTO derivative (blob_id, recipe, version, byte_count, data)
          VALUES (1, 'small', 1, 3, X'010203'), (2, 'small', 1, 1, X'00');
        UPDATE derivative SET used_at = 7;
        DELETE FROM derivative
        """,
      question: "SELECT count(*) FROM derivative; SELECT byte_count FROM derivative_total",
      answer: "0\n0\n"
    ),
    LegalEdit(
      rule: "deleting everything leaves nothing",
      sql: "DELETE FROM snippet",
      question: """
        SELECT count(*) FROM snippet UNION ALL SELECT count(*) FROM snippet_text
        UNION ALL SELECT count(*) FROM snippet_tag UNION ALL SELECT count(*) FROM tag
        UNION ALL SELECT count(*) FROM blob UNION ALL SELECT count(*) FROM blob_chunk
        """,
      answer: "0\n0\n0\n0\n0\n0\n"
    ),
    LegalEdit(
      rule: "no identity is given twice",
      sql: """
        DELETE FROM snippet WHERE id = 4;
        INSERT INTO snippet (kind, title) VALUES (1, 'new');
        INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (zeroblob(32), 1, 1);
        DELETE FROM blob WHERE id = 4
        """,
      question:
        "SELECT id FROM snippet WHERE title = 'new'; SELECT * FROM sqlite_sequence ORDER BY 1",
      answer: "5\nblob|4\nchange|2\nsnippet|5\n"
    ),
  ]

  private static let captures = [
    LegalEdit(
      rule: "a staged blob that is deleted takes its capture and its chunks with it",
      sql: "\(SampleContent.captureInProgress) DELETE FROM staged_blob",
      question: """
        SELECT count(*) FROM capture; SELECT count(*) FROM blob_chunk WHERE id >> 20 = 4;
        SELECT max(id) FROM blob
        """,
      answer: "0\n0\n3\n"
    ),
    LegalEdit(
      rule: "a capture that is discarded loses its chunks one by one",
      sql: """
        \(SampleContent.captureInProgress)
        UPDATE staged_blob SET discarded = 1; DELETE FROM blob_chunk WHERE id = (4 << 20) + 1
        """,
      question: "SELECT id & 1048575 FROM blob_chunk WHERE id >> 20 = 4; SELECT * FROM captures",
      answer: "0\n"
    ),
    LegalEdit(
      rule: "a capture that is deleted leaves a staged blob that is discarded",
      sql: "\(SampleContent.captureInProgress) DELETE FROM capture",
      question: "SELECT id, discarded FROM staged_blob; SELECT * FROM captures",
      answer: "4|1\n"
    ),
  ]

  private static let tags = [
    LegalEdit(
      rule: "a renamed tag changes the snippets that carry it",
      sql: "UPDATE tag SET name = 'week 3' WHERE name = 'WEEK 2'",
      question: "SELECT id, revision, tags FROM snippets ORDER BY id",
      answer: "1|6|home, week 3\n2|1|\n3|3|week 3\n4|1|\n"
    ),
    LegalEdit(
      rule: "a tag put on changes the snippet",
      sql: "INSERT INTO snippet_tag VALUES (2, 1)",
      question: "SELECT revision FROM snippet WHERE id = 2",
      answer: "2\n"
    ),
    LegalEdit(
      rule: "a tag taken off changes the snippet, and goes when it was the last",
      sql: "DELETE FROM snippet_tag WHERE snippet_id = 1",
      question: "SELECT revision FROM snippet WHERE id = 1; SELECT name FROM tag",
      answer: "7\nweek 2\n"
    ),
    LegalEdit(
      rule: "a deleted tag is off every snippet",
      sql: "DELETE FROM tag WHERE name = 'week 2'",
      question: "SELECT * FROM snippet_tag; SELECT id, revision FROM snippet WHERE id IN (1, 3)",
      answer: "1|1\n1|6\n3|3\n"
    ),
  ]
}
