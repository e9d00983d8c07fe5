// What holds between the rows of a sound store.
extension StoreCheck {
  /// What must select nothing, with the tables that it looks at and what a row of it means.
  typealias Rule = (
    tables: Set<String>, sql: String, subject: Subject, sentence: @Sendable (Int64) -> String
  )

  /// What a rule finds.
  enum Subject {
    case snippet, capture
    /// What a collection of garbage puts right.
    case garbage
  }

  /// The tables whose rows are garbage without what they refer to.
  static let tablesOfBelongings = ["snippet_text", "snippet_tag", "derivative"]

  /// All rules but one that depends on the version of the schema.
  static let rules: [Rule] = [
    (
      ["blob", "snippet"],
      """
      SELECT id FROM blob WHERE NOT EXISTS (SELECT 1 FROM snippet WHERE blob_id = blob.id)
      """, .garbage, { "blob \($0) belongs to no snippet" }
    ),
    (
      ["blob_chunk", "recording"],
      """
      SELECT blob_chunk.id - 1 FROM recording CROSS JOIN blob_chunk
        ON blob_chunk.id BETWEEN recording.id << 20 AND (recording.id << 20) + 1048575
      WHERE discarded = 0 AND blob_chunk.id > recording.id << 20
        AND NOT EXISTS (SELECT 1 FROM blob_chunk AS before WHERE before.id = blob_chunk.id - 1)
      """, .capture, { "chunk \($0 & 1_048_575) of recording \($0 >> 20) is missing" }
    ),
    (
      ["blob_chunk", "recording"],
      """
      SELECT blob_chunk.id FROM recording CROSS JOIN blob_chunk
        ON blob_chunk.id BETWEEN recording.id << 20 AND (recording.id << 20) + 1048575
      WHERE length(data) <> chunk_size
      """, .capture,
      { "chunk \($0 & 1_048_575) of recording \($0 >> 20) has another size than it gives" }
    ),
    (
      ["blob", "snippet"],
      """
      SELECT snippet.id FROM snippet JOIN blob ON blob.id = blob_id
      WHERE snippet.byte_count <> blob.byte_count
      """, .snippet, { "snippet \($0) has another size than its blob" }
    ),
    (
      ["snippet", "snippet_text"],
      """
      SELECT snippet.id FROM snippet LEFT JOIN snippet_text ON snippet_id = snippet.id
      WHERE blob_id IS NULL
        AND snippet.byte_count <> coalesce(length(CAST(body AS BLOB)), 0)
      """, .snippet, { "snippet \($0) has another size than its text" }
    ),
    (
      ["snippet", "snippet_text"],
      """
      SELECT snippet_id FROM snippet_text JOIN snippet ON snippet.id = snippet_id
      WHERE kind <> 1 OR blob_id IS NOT NULL
      """, .snippet, { "snippet \($0) has a text that it must not have" }
    ),
    (
      ["snippet_tag", "tag"],
      """
      SELECT id FROM tag WHERE NOT EXISTS (SELECT 1 FROM snippet_tag WHERE tag_id = tag.id)
      """, .garbage, { "tag \($0) is carried by no snippet" }
    ),
    (
      ["blob", "derivative"],
      """
      SELECT id FROM derivative WHERE NOT EXISTS (SELECT 1 FROM blob WHERE blob.id = blob_id)
      """, .garbage, { "derivative \($0) belongs to no blob" }
    ),
    (
      ["derivative", "derivative_total"],
      """
      SELECT byte_count FROM derivative_total
      WHERE byte_count <> (SELECT CAST(total(byte_count) AS INTEGER) FROM derivative)
      """, .garbage, { "the derivatives count for \($0) bytes and have another size" }
    ),
    (
      ["derivative_total"],
      """
      SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM derivative_total)
      """, .garbage, { _ in "nobody knows any more how many bytes the derivatives have" }
    ),
  ]

  /// A chunk belongs to a blob or to a staged blob.
  static func rule(besideStagedBlobs hasStagedBlobs: Bool) -> Rule {
    (
      ["blob", "blob_chunk"],
      """
      SELECT blob_chunk.id FROM blob_chunk
      WHERE NOT EXISTS (SELECT 1 FROM blob WHERE blob.id = blob_chunk.id >> 20)
      \(hasStagedBlobs
        ? "AND NOT EXISTS (SELECT 1 FROM recording WHERE recording.id = blob_chunk.id >> 20)" : "")
      """, .garbage, { "chunk \($0 & 1_048_575) of blob \($0 >> 20) belongs to no blob" }
    )
  }
}
