extension IllegalEdit {
  static let snippets = [
    IllegalEdit(sql: "DELETE FROM blob", message: "a blob stays while a snippet uses it"),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind, blob_id) VALUES (2, 99)",
      message: blobOfSnippet
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET blob_id = 99 WHERE id = 2",
      message: blobOfSnippet
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind) VALUES (4)",
      message: "CHECK constraint failed: kind_is_text_image_or_voice"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind) VALUES ('text')",
      message: "cannot store TEXT value in INTEGER column snippet.kind"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind) VALUES (2)",
      message: "CHECK constraint failed: image_and_voice_have_a_blob"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind, blob_id, byte_count) VALUES (2, 1, 5)",
      message: blobOfSnippet
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET blob_id = 2 WHERE id = 2",
      message: blobOfSnippet
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET byte_count = 5 WHERE id = 2",
      message: blobOfSnippet
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET byte_count = 5 WHERE id = 1",
      message: "the size of a text follows its body"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET blob_id = NULL WHERE id = 3",
      message: "CHECK constraint failed: image_and_voice_have_a_blob"
    ),
    IllegalEdit(sql: "UPDATE snippet SET id = 9 WHERE id = 1", message: identity),
    IllegalEdit(sql: "UPDATE snippet SET uuid = randomblob(16)", message: identity),
    IllegalEdit(sql: "UPDATE snippet SET kind = 3 WHERE id = 2", message: identity),
    IllegalEdit(sql: "UPDATE snippet SET revision = 2 WHERE id = 1", message: identity),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind, uuid) VALUES (1, zeroblob(15))",
      message: "CHECK constraint failed: uuid_has_16_bytes"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind, uuid) SELECT 1, uuid FROM snippet WHERE id = 2",
      message: "there is such a snippet already: change it by UPDATE"
    ),
    IllegalEdit(
      sql: "INSERT OR REPLACE INTO snippet (kind, uuid) SELECT 1, uuid FROM snippet WHERE id = 2",
      message: "there is such a snippet already: change it by UPDATE"
    ),
    IllegalEdit(
      sql: "REPLACE INTO snippet (id, kind, title) VALUES (3, 1, 'another')",
      message: "there is such a snippet already: change it by UPDATE"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (id, kind) VALUES (-1, 1)",
      message: "CHECK constraint failed: snippet_id_is_positive"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET title = 'two' || char(10) || 'lines'",
      message: "CHECK constraint failed: title_is_one_short_line"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET title = 'a' || char(0) || 'b'",
      message: "CHECK constraint failed: title_is_one_short_line"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind, preview, byte_count) VALUES (1, 'a' || char(0) || 'b', 3)",
      message: "CHECK constraint failed: preview_is_one_short_line"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET title = printf('%1001d', 1)",
      message: "CHECK constraint failed: title_is_one_short_line"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind, preview, byte_count) VALUES (1, 'a' || char(10) || 'b', 3)",
      message: "CHECK constraint failed: preview_is_one_short_line"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET created_at = 253402300800000",
      message: "CHECK constraint failed: created_at_is_in_years_1_to_9999"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET created_at = -62135596800001",
      message: "CHECK constraint failed: created_at_is_in_years_1_to_9999"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET created_at = '2026-01-01'",
      message: "cannot store TEXT value in INTEGER column snippet.created_at"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET modified_at = 253402300800000",
      message: "CHECK constraint failed: modified_at_is_in_years_1_to_9999"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET pinned = 2",
      message: "CHECK constraint failed: pinned_is_0_or_1"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind, revision) VALUES (1, 0)",
      message: "CHECK constraint failed: revision_is_positive"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind, byte_count) VALUES (1, -1)",
      message: "CHECK constraint failed: byte_count_is_not_negative"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET media_type = 'png'",
      message: "CHECK constraint failed: media_type_has_a_slash"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET text_encoding = 'UTF-8' WHERE id = 1",
      message: "CHECK constraint failed: only_a_text_in_a_blob_has_an_encoding"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET text_encoding = 'UTF-8' WHERE id = 2",
      message: "CHECK constraint failed: only_a_text_in_a_blob_has_an_encoding"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET pixel_width = 0 WHERE id = 2",
      message: "CHECK constraint failed: pixel_width_is_positive"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET pixel_height = -1 WHERE id = 2",
      message: "CHECK constraint failed: pixel_height_is_positive"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET duration_ms = -1 WHERE id = 3",
      message: "CHECK constraint failed: duration_is_not_negative"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET sample_rate = 0 WHERE id = 3",
      message: "CHECK constraint failed: sample_rate_is_from_1_to_10000000"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET sample_rate = 10000001 WHERE id = 3",
      message: "CHECK constraint failed: sample_rate_is_from_1_to_10000000"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET sample_rate = '44.1 kHz' WHERE id = 3",
      message: "cannot store TEXT value in INTEGER column snippet.sample_rate"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET channel_count = 0 WHERE id = 3",
      message: "CHECK constraint failed: channel_count_is_from_1_to_1024"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET channel_count = 1025 WHERE id = 3",
      message: "CHECK constraint failed: channel_count_is_from_1_to_1024"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET irregular = 2 WHERE id = 3",
      message: "CHECK constraint failed: irregular_is_0_or_1"
    ),
  ]

  static let numbers = [
    IllegalEdit(
      sql: "UPDATE snippet SET revision = 9223372036854775807 WHERE id = 1",
      message: identity
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind, revision) VALUES (1, 9223372036854775807)",
      message: "the revision is too high: leave it out"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (id, kind) VALUES (9223372036854775807, 1)",
      message: tooFar
    ),
    IllegalEdit(
      sql: "INSERT INTO blob VALUES (8796093022207, zeroblob(32), 4, 4)",
      message: tooFar
    ),
    IllegalEdit(sql: "INSERT INTO tag VALUES (9223372036854775807, 'x')", message: tooFar),
    IllegalEdit(
      sql: "INSERT INTO derivative (id, blob_id, recipe, version, byte_count, data) "
        + "VALUES (9223372036854775807, 1, 'small', 1, 1, X'00')",
      message: tooFar
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind, byte_count) VALUES (1, 9223372036854775807)",
      message: "CHECK constraint failed: byte_count_is_not_negative"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET duration_ms = 9223372036854775807 WHERE id = 3",
      message: "CHECK constraint failed: duration_is_not_negative"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET pixel_width = 2147483648 WHERE id = 2",
      message: "CHECK constraint failed: pixel_width_is_positive"
    ),
    IllegalEdit(
      sql: "UPDATE search_state SET change_number = 9223372036854775807",
      message: "CHECK constraint failed: followed_change_is_none_or_one"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET preview = 'lie' WHERE id = 1",
      message: "the preview of a text follows its body"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET preview = '' WHERE id = 1",
      message: "the preview of a text follows its body"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET preview = 'lie' WHERE id = 4",
      message: "the preview of a text in a blob changes only with the blob"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET preview = 'lie' WHERE id = 2",
      message: "the preview of an image or voice follows its note"
    ),
    IllegalEdit(
      sql: """
        INSERT INTO snippet_text VALUES (2, 'x'); UPDATE snippet SET preview = 'lie' WHERE id = 2
        """,
      message: "the preview of a text follows its body"
    ),
    IllegalEdit(
      sql: """
        INSERT INTO snippet_text VALUES (2, 'x'); UPDATE snippet SET preview = '' WHERE id = 2
        """,
      message: "the preview of a text follows its body"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind, preview) VALUES (1, 'lie')",
      message: "the preview of a text follows its body"
    ),
    IllegalEdit(
      sql: "DELETE FROM snippet_text; UPDATE snippet SET preview = 'lie' WHERE id = 1",
      message: "the preview of a text follows its body"
    ),
  ]

  private static let tooFar = "the id is too far ahead of the last: leave it out"
  private static let identity =
    "id, uuid and kind of a snippet never change, its revision only goes up, step by step"
  private static let blobOfSnippet =
    "the blob of a snippet must be there and have the size that the snippet tells"
}
