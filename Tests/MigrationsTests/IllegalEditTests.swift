import Foundation
import SnippetStore
import SnippetTestSupport
import Testing

/// What must not be done with the `sqlite3` shell, whose foreign keys are off by default.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct IllegalEditTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test(arguments: IllegalEdit.all, [false, true])
  fileprivate func `an illegal edit is refused and changes nothing`(
    edit: IllegalEdit,
    enforcesForeignKeys: Bool
  ) async throws {
    try await SampleContent.make(in: file)
    let before = try await Shell.sqlite3(file, ".dump")
    let foreignKeys = enforcesForeignKeys ? "PRAGMA foreign_keys = ON;" : ""

    let output = try await Shell.sqlite3(file, "\(foreignKeys) BEGIN; \(edit.sql); COMMIT")

    #expect(output.standardError == "Error: stepping, \(edit.message) (19)\n")
    #expect(output.status == 19)
    let after = try await Shell.sqlite3(file, ".dump")
    #expect(before == after)
    _ = try TemporaryStore.open()
  }
}

private struct IllegalEdit: CustomTestStringConvertible {
  var sql: String
  var message: String

  var testDescription: String { sql }

  static let all = blobs + snippets + texts + tags

  private static let blobs = [
    IllegalEdit(
      sql: "UPDATE blob SET byte_count = 5 WHERE id = 1",
      message: "a blob never changes: save the new bytes as another blob"
    ),
    IllegalEdit(
      sql: "UPDATE blob_chunk SET data = zeroblob(4) WHERE id = 1 << 20",
      message: "a blob never changes: save the new bytes as another blob"
    ),
    IllegalEdit(
      sql: "INSERT INTO blob_chunk VALUES ((1 << 20) + 1, X'00')",
      message: "a chunk must belong to a blob and have the size that the blob gives it"
    ),
    IllegalEdit(
      sql: "INSERT INTO blob VALUES (9, zeroblob(32), 10, 5); \(chunk(9, size: 4))",
      message: "a chunk must belong to a blob and have the size that the blob gives it"
    ),
    IllegalEdit(
      sql: chunk(99, size: 1),
      message: "a chunk must belong to a blob and have the size that the blob gives it"
    ),
    // The blob ends with its last full chunk.
    IllegalEdit(
      sql: "INSERT INTO blob_chunk VALUES ((3 << 20) + 2, X'')",
      message: "a chunk must belong to a blob and have the size that the blob gives it"
    ),
    IllegalEdit(
      sql: "INSERT INTO blob_chunk VALUES (1 << 20, X'00112233')",
      message: "there is such a chunk already"
    ),
    IllegalEdit(
      sql: "INSERT OR REPLACE INTO blob_chunk VALUES (1 << 20, X'00112233')",
      message: "there is such a chunk already"
    ),
    IllegalEdit(
      sql: "DELETE FROM blob_chunk WHERE id = 2 << 20",
      message: "a chunk goes only with its blob"
    ),
    IllegalEdit(
      sql: "INSERT OR REPLACE INTO blob VALUES (1, zeroblob(32), 4, 4)",
      message: "there is such a blob already"
    ),
    IllegalEdit(
      sql: "REPLACE INTO blob (sha256, byte_count, chunk_size) SELECT sha256, 4, 4 FROM blob",
      message: "there is such a blob already"
    ),
    IllegalEdit(
      sql: "INSERT INTO blob VALUES (-1, zeroblob(32), 4, 4)",
      message: "CHECK constraint failed: blob_id_leaves_room_for_chunks"
    ),
    IllegalEdit(
      sql: "INSERT INTO blob VALUES (1 << 43, zeroblob(32), 4, 4)",
      message: "CHECK constraint failed: blob_id_leaves_room_for_chunks"
    ),
    IllegalEdit(
      sql: "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (zeroblob(31), 1, 1)",
      message: "CHECK constraint failed: sha256_has_32_bytes"
    ),
    IllegalEdit(
      sql: "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (zeroblob(32), 0, 1)",
      message: "CHECK constraint failed: blob_is_not_empty"
    ),
    IllegalEdit(
      sql: "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (zeroblob(32), 1, 0)",
      message: "CHECK constraint failed: chunk_size_is_from_1_byte_to_16_mebibytes"
    ),
    IllegalEdit(
      sql: "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (zeroblob(32), 1, 1 << 25)",
      message: "CHECK constraint failed: chunk_size_is_from_1_byte_to_16_mebibytes"
    ),
    IllegalEdit(
      sql: "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (zeroblob(32), 1048577, 1)",
      message: "CHECK constraint failed: blob_has_at_most_1048576_chunks"
    ),
  ]

  private static let snippets = [
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
      sql: "UPDATE snippet SET preview = 'a' || char(0) || 'b'",
      message: "CHECK constraint failed: preview_is_one_short_line"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET title = printf('%1001d', 1)",
      message: "CHECK constraint failed: title_is_one_short_line"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET preview = 'two' || char(10) || 'lines'",
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
  ]

  private static let texts = [
    IllegalEdit(
      sql: "UPDATE snippet SET blob_id = 3, byte_count = 14 WHERE id = 1",
      message: "a text is kept either in snippet_text or in a blob, not in both"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet_text VALUES (4, 'kept as a blob')",
      message: "only a text snippet without a blob has a body"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet_text VALUES (2, 'a caption')",
      message: "only a text snippet without a blob has a body"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet_text VALUES (99, 'nobody''s')",
      message: "only a text snippet without a blob has a body"
    ),
    IllegalEdit(
      sql: "REPLACE INTO snippet_text VALUES (1, 'another body')",
      message: "the snippet has a body already: change it by UPDATE"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet (kind) VALUES (1); UPDATE snippet_text SET snippet_id = 5",
      message: "a body stays with its snippet"
    ),
    IllegalEdit(
      sql: "UPDATE snippet_text SET body = printf('%65537d', 1)",
      message: "CHECK constraint failed: body_is_at_most_64_kibibytes"
    ),
    IllegalEdit(
      sql: "UPDATE snippet_text SET body = 'a' || char(0) || 'b'",
      message: "CHECK constraint failed: body_has_no_nul"
    ),
  ]

  private static let tags = [
    IllegalEdit(sql: "UPDATE tag SET name = '' WHERE id = 1", message: tagName),
    IllegalEdit(sql: "UPDATE tag SET name = ' home' WHERE id = 1", message: tagName),
    IllegalEdit(sql: "UPDATE tag SET name = 'a,b' WHERE id = 1", message: tagName),
    IllegalEdit(
      sql: "UPDATE tag SET name = 'a' || char(10) || 'b' WHERE id = 1",
      message: tagName
    ),
    IllegalEdit(
      sql: "UPDATE tag SET name = 'a' || char(0) || 'b' WHERE id = 1",
      message: tagName
    ),
    IllegalEdit(sql: "UPDATE tag SET name = printf('%0101d', 1) WHERE id = 1", message: tagName),
    IllegalEdit(
      sql: "INSERT INTO snippet_tag VALUES (1, 1)",
      message: "UNIQUE constraint failed: snippet_tag.snippet_id, snippet_tag.tag_id"
    ),
    IllegalEdit(
      sql: "INSERT INTO tag (name) VALUES ('HOME')",
      message: "there is such a tag already"
    ),
    IllegalEdit(
      sql: "REPLACE INTO tag (name) VALUES ('home')",
      message: "there is such a tag already"
    ),
    IllegalEdit(
      sql: "REPLACE INTO tag VALUES (1, 'other')",
      message: "there is such a tag already"
    ),
    IllegalEdit(
      sql: "UPDATE OR REPLACE tag SET name = 'home' WHERE id = 2",
      message: "there is such a tag already"
    ),
    IllegalEdit(
      sql: "INSERT INTO tag VALUES (-1, 'other')",
      message: "CHECK constraint failed: tag_id_is_positive"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet_tag VALUES (99, 1)",
      message: "a snippet and a tag must both be there to be joined"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet_tag VALUES (1, 99)",
      message: "a snippet and a tag must both be there to be joined"
    ),
    IllegalEdit(
      sql: "UPDATE snippet_tag SET tag_id = 1",
      message: "a tag is put on by INSERT and taken off by DELETE"
    ),
    IllegalEdit(
      sql: "UPDATE tag SET id = 9 WHERE id = 1",
      message: "the id of a tag never changes"
    ),
  ]

  private static let identity =
    "id, uuid and kind of a snippet never change, its revision only goes up"
  private static let blobOfSnippet =
    "the blob of a snippet must be there and have the size that the snippet tells"
  private static let tagName = "CHECK constraint failed: tag_name_is_one_short_word_group"

  private static func chunk(_ blob: Int, size: Int) -> String {
    "INSERT INTO blob_chunk VALUES (\(blob) << 20, zeroblob(\(size)))"
  }
}
