/// An edit that the schema refuses, with what it says.
struct IllegalEdit: Sendable {
  var sql: String
  var message: String

  static let all =
    blobs + snippets + texts + tags + record + derivatives + origins + captures + numbers + views
    + synchronization
}

extension IllegalEdit {
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
      message: "the id is too far ahead of the last: leave it out"
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

  private static let texts = [
    IllegalEdit(
      sql: "UPDATE snippet SET blob_id = 3, byte_count = 14 WHERE id = 1",
      message: "a text is kept either in snippet_text or in a blob, not in both"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet_text VALUES (4, 'kept as a blob')",
      message: body
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet_text VALUES (99, 'nobody''s')",
      message: body
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet_text VALUES (2, '')",
      message: "an empty note is none: leave it out"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet_text VALUES (2, 'x'); UPDATE snippet_text SET body = ''",
      message: "an empty note is none: delete it"
    ),
    IllegalEdit(
      sql: "INSERT INTO snippet_text VALUES (3, printf('%65537d', 1))",
      message: "CHECK constraint failed: body_is_at_most_64_kibibytes"
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

  private static let body =
    "a body belongs to a text without a blob, or is the note of an image or voice"

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

  private static let record = [
    IllegalEdit(
      sql: "DELETE FROM snippet WHERE id = 1; UPDATE change SET snippet_id = 9",
      message: "what was recorded never changes"
    ),
    IllegalEdit(
      sql: "INSERT INTO change (snippet_id, event) VALUES (1, 6)",
      message: "CHECK constraint failed: event_is_from_1_to_5"
    ),
    IllegalEdit(
      sql: "INSERT INTO change (snippet_id, event) VALUES (1, 4)",
      message: "CHECK constraint failed: only_the_events_4_and_5_have_a_tag"
    ),
    IllegalEdit(
      sql: "INSERT INTO change (snippet_id, event) VALUES (1, 2)",
      message: "CHECK constraint failed: only_the_events_2_and_3_tell_what_was_before"
    ),
    IllegalEdit(
      sql: "INSERT INTO change (number, snippet_id, event) VALUES (9223372036854775807, 1, 1)",
      message: "a change gets the next number: leave it out"
    ),
    IllegalEdit(
      sql: "INSERT INTO change (number, snippet_id, event) VALUES (-7, 1, 1)",
      message: "CHECK constraint failed: change_number_is_positive"
    ),
  ]

  private static let stagedBlobIdentity =
    "id, uuid and chunk_size of a staged blob never change, nor does it come back"

  private static let captures = [
    IllegalEdit(
      sql: "INSERT INTO staged_blob (id, uuid, chunk_size) VALUES (99, zeroblob(16), 4)",
      message: "a staged blob takes an id that blob has given and that is free again"
    ),
    IllegalEdit(
      sql: "INSERT INTO staged_blob (id, uuid, chunk_size) VALUES (1, zeroblob(16), 4)",
      message: "a staged blob takes an id that blob has given and that is free again"
    ),
    capture(
      "REPLACE INTO staged_blob (id, uuid, chunk_size) VALUES (4, zeroblob(16), 4)",
      "there is such a staged blob already"
    ),
    capture("UPDATE staged_blob SET id = 3", stagedBlobIdentity),
    capture(
      "UPDATE staged_blob SET discarded = 1; UPDATE staged_blob SET discarded = 0",
      stagedBlobIdentity
    ),
    capture(
      "UPDATE staged_blob SET tail = zeroblob(4)",
      "CHECK constraint failed: tail_is_shorter_than_a_chunk"
    ),
    capture("REPLACE INTO capture (id) VALUES (4)", "there is such a capture already"),
    IllegalEdit(
      sql: "INSERT INTO capture (id) VALUES (1)",
      message: "a capture needs a staged blob for its bytes"
    ),
    capture(
      "UPDATE staged_blob SET discarded = 1; INSERT INTO capture (id) VALUES (4)",
      "a capture needs a staged blob for its bytes"
    ),
    capture("UPDATE capture SET id = 3", "a capture stays with its staged blob"),
    capture(
      "UPDATE capture SET kind = 4",
      "CHECK constraint failed: capture_kind_is_text_image_or_voice"
    ),
    capture("DELETE FROM blob_chunk WHERE id = 4 << 20", "a chunk goes only with its blob"),
    capture(
      "INSERT INTO blob_chunk VALUES ((4 << 20) + 2, zeroblob(3))",
      "a chunk must belong to a blob and have the size that the blob gives it"
    ),
    capture(
      "INSERT INTO blob_chunk VALUES ((4 << 20) + 3, zeroblob(4))",
      "a chunk must belong to a blob and have the size that the blob gives it"
    ),
    capture(
      "UPDATE staged_blob SET discarded = 1; INSERT INTO blob_chunk VALUES ((4 << 20) + 2, zeroblob(4))",
      "a chunk must belong to a blob and have the size that the blob gives it"
    ),
    capture(
      "INSERT INTO blob VALUES (4, zeroblob(32), 10, 4)",
      "a staged blob becomes a blob of all its bytes"
    ),
    capture(
      "UPDATE staged_blob SET discarded = 1; INSERT INTO blob VALUES (4, zeroblob(32), 11, 4)",
      "a staged blob becomes a blob of all its bytes"
    ),
  ]

  /// An edit of a store in which something is being captured, which is added first.
  private static func capture(_ sql: String, _ message: String) -> IllegalEdit {
    IllegalEdit(sql: "\(SampleContent.captureInProgress) \(sql)", message: message)
  }

  private static let tagName = "CHECK constraint failed: tag_name_is_one_short_word_group"

  private static func chunk(_ blob: Int, size: Int) -> String {
    "INSERT INTO blob_chunk VALUES (\(blob) << 20, zeroblob(\(size)))"
  }
}
