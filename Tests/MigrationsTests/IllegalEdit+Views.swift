extension IllegalEdit {
  /// What the views for people refuse, each with a text that says what to do.
  static let views = [
    IllegalEdit(
      sql: "INSERT INTO snippets (kind, title) VALUES ('image', 'x')",
      message: "only a text can be inserted here: add images and voice with snip add"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippets (title, bytes) VALUES ('x', 5)",
      message:
        "give kind, title, body, tags, pinned, media_type and created; the rest follows from them"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippets (title, created, created_at) VALUES ('x', '2026-01-01', 5)",
      message:
        "give kind, title, body, tags, pinned, media_type and created; the rest follows from them"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippets (body) VALUES (printf('%65537d', 1))",
      message: "a text of more than 65536 bytes, or with NUL in it, is a blob: add it with snip add"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippets (body) VALUES ('a' || char(0) || 'b')",
      message: "a text of more than 65536 bytes, or with NUL in it, is a blob: add it with snip add"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippets (title) VALUES ('two' || char(10) || 'lines')",
      message: title
    ),
    IllegalEdit(sql: "INSERT INTO snippets (created) VALUES ('yesterday')", message: date),
    IllegalEdit(sql: "INSERT INTO snippets (created) VALUES (2460000)", message: date),
    IllegalEdit(
      sql: "INSERT INTO snippets (tags) VALUES ('home, ' || printf('%0101d', 1))",
      message: tag
    ),
    IllegalEdit(
      sql: "INSERT INTO snippets (id, body) VALUES (1, 'x')",
      message: "there is such a snippet already: change it by UPDATE"
    ),
    IllegalEdit(
      sql: "REPLACE INTO snippets (id, body) VALUES (1, 'x')",
      message: "there is such a snippet already: change it by UPDATE"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippets (pinned) VALUES (2)",
      message: "CHECK constraint failed: pinned_is_0_or_1"
    ),
    IllegalEdit(sql: "UPDATE snippets SET kind = 'voice' WHERE id = 1", message: change),
    IllegalEdit(sql: "UPDATE snippets SET bytes = 5 WHERE id = 1", message: change),
    IllegalEdit(sql: "UPDATE snippets SET id = 9 WHERE id = 1", message: change),
    IllegalEdit(sql: "UPDATE snippets SET preview = 'lie' WHERE id = 1", message: change),
    IllegalEdit(sql: "UPDATE snippets SET title = NULL WHERE id = 1", message: title),
    IllegalEdit(
      sql: "UPDATE snippets SET title = 'two' || char(10) || 'lines' WHERE id = 1",
      message: title
    ),
    IllegalEdit(sql: "UPDATE snippets SET created = 'soon' WHERE id = 1", message: date),
    IllegalEdit(
      sql: "UPDATE snippets SET body = 'x' WHERE id = 2",
      message: "only a text has a body: add other content as a new snippet with snip add"
    ),
    IllegalEdit(sql: "UPDATE snippets SET body = NULL WHERE id = 1", message: body),
    IllegalEdit(sql: "INSERT INTO snippets (body, note) VALUES ('x', 'y')", message: note),
    IllegalEdit(sql: "UPDATE snippets SET note = 'x' WHERE id = 1", message: note),
    IllegalEdit(
      sql: "UPDATE snippets SET note = printf('%65537d', 1) WHERE id = 2",
      message: "a note has at most 65536 bytes, and no NUL"
    ),
    IllegalEdit(
      sql: "UPDATE snippets SET note = 'a' || char(0) WHERE id = 3",
      message: "a note has at most 65536 bytes, and no NUL"
    ),
    IllegalEdit(
      sql: "UPDATE snippets SET body = printf('%65537d', 1) WHERE id = 1",
      message:
        "a text of more than 65536 bytes, or with NUL in it, is a blob: write it with snip edit --stdin"
    ),
    IllegalEdit(
      sql: "UPDATE snippets SET tags = printf('%0101d', 1) WHERE id = 1",
      message: tag
    ),
    IllegalEdit(sql: "UPDATE texts SET bytes = 5", message: "title and body can be changed here"),
    IllegalEdit(sql: "UPDATE texts SET body = NULL", message: body),
    IllegalEdit(
      sql: "INSERT INTO trash (id) VALUES (1)",
      message: "a snippet gets into the trash by DELETE FROM snippets"
    ),
    IllegalEdit(
      sql: "DELETE FROM snippets WHERE id = 1; UPDATE trash SET title = 'x'",
      message: "what is in the trash does not change: bring it back with SET deleted = NULL"
    ),
    IllegalEdit(sql: "INSERT INTO tagged VALUES (1, ' ')", message: tag),
    IllegalEdit(sql: "INSERT INTO tagged VALUES (1, 'a,b')", message: tag),
    IllegalEdit(
      sql: "INSERT INTO tagged VALUES (99, 'home')",
      message: "a snippet and a tag must both be there to be joined"
    ),
    IllegalEdit(sql: "UPDATE tags SET name = 'a,b'", message: tag),
    IllegalEdit(
      sql: "UPDATE tags SET name = 'week 2' WHERE name = 'home'",
      message: "there is such a tag already"
    ),
    IllegalEdit(
      sql: "UPDATE tags SET snippets = 5",
      message: "how many snippets carry a tag follows from their tags"
    ),
  ]

  private static let title = "a title is one line of at most 1000 characters"
  private static let date = "a date is a text such as 2026-01-31 or 2026-01-31T18:30:00Z"
  private static let tag = "a tag has 1 to 100 characters on one line, and no comma"
  private static let note = "only an image or voice has a note: write it into the body"
  private static let body = "a text has a body, which may be empty: write '' for that"
  private static let change =
    "title, body, note, tags, pinned, media_type and created can be changed here; the rest follows from them"
}
