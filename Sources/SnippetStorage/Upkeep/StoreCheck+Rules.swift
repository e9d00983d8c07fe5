// Conditions between the rows of an intact store.
extension StoreCheck {
  /// A query that must find nothing, with the tables that it reads and the meaning of a result.
  typealias Rule = (
    tables: Set<String>, sql: String, subject: Subject, sentence: @Sendable (Int64) -> String
  )

  /// The subject of a result.
  enum Subject {
    case snippet, stagedBlob, numbers
    /// A problem that garbage collection mends.
    case garbage
  }

  /// The tables whose rows are garbage once the row that they refer to is gone.
  static let tablesOfBelongings = ["snippet_text", "snippet_tag", "derivative", "origin"]

  private static func tooHighNumber(
    _ column: String = "id",
    in table: String,
    of name: String,
    _ place: String = "",
    about subject: Subject = .numbers
  ) -> Rule {
    (
      [table], "SELECT \(column) FROM \(table) WHERE \(column) > \(NumberSpace.highestID)", subject,
      { "\(name) \($0)\(place) has a number that leaves too few for others" }
    )
  }

  /// All rules.
  static let rules: [Rule] = [
    (
      ["blob", "snippet"],
      """
      SELECT id FROM blob WHERE NOT EXISTS (SELECT 1 FROM snippet WHERE blob_id = blob.id)
      """, .garbage, { "blob \($0) belongs to no snippet" }
    ),
    (
      ["blob", "blob_chunk", "staged_blob"],
      """
      SELECT blob_chunk.id FROM blob_chunk
      WHERE NOT EXISTS (SELECT 1 FROM blob WHERE blob.id = blob_chunk.id >> 20)
        AND NOT EXISTS (SELECT 1 FROM staged_blob WHERE staged_blob.id = blob_chunk.id >> 20)
      """, .garbage, { "chunk \($0 & 1_048_575) of blob \($0 >> 20) belongs to no blob" }
    ),
    (
      ["blob", "change", "snippet", "sqlite_sequence"],
      """
      SELECT seq FROM sqlite_sequence
      WHERE typeof(seq) = 'integer' AND seq > CASE name WHEN 'blob' THEN \(NumberSpace.highestBlobID) ELSE \(NumberSpace.highestID) END
      """, .numbers,
      { "the number \($0) was given, and leaves too few for others" }
    ),
    (
      ["blob", "change", "snippet", "sqlite_sequence"],
      "SELECT rowid FROM sqlite_sequence WHERE typeof(seq) <> 'integer' OR typeof(name) <> 'text'",
      .numbers, { "row \($0) of sqlite_sequence does not tell which number was given last" }
    ),
    (
      ["blob", "change", "snippet", "sqlite_sequence"],
      """
      SELECT held FROM (
        SELECT 'snippet' AS name, max(id) AS held FROM snippet
        UNION ALL SELECT 'blob', max(id) FROM blob
        UNION ALL SELECT 'change', max(number) FROM change
      ) AS highest
      WHERE held > coalesce(
        (
          SELECT max(seq) FROM sqlite_sequence
          WHERE name = highest.name AND typeof(seq) = 'integer'
        ), 0)
      """, .numbers,
      { "the number \($0) is in use, and sqlite_sequence does not know that it was given" }
    ),
    tooHighNumber(in: "snippet", of: "snippet", about: .snippet),
    (
      ["snippet"],
      "SELECT id FROM snippet WHERE revision > \(NumberSpace.highestID)",
      .snippet, { "snippet \($0) has a revision that leaves too few: it can no longer be changed" }
    ),
    tooHighNumber("number", in: "change", of: "change"),
    tooHighNumber(in: "tag", of: "tag"),
    tooHighNumber(in: "derivative", of: "derivative"),
    (
      ["blob_chunk", "staged_blob"],
      """
      SELECT blob_chunk.id - 1 FROM staged_blob CROSS JOIN blob_chunk
        ON blob_chunk.id BETWEEN staged_blob.id << 20 AND (staged_blob.id << 20) + 1048575
      WHERE discarded = 0 AND blob_chunk.id > staged_blob.id << 20
        AND NOT EXISTS (SELECT 1 FROM blob_chunk AS before WHERE before.id = blob_chunk.id - 1)
      """, .stagedBlob, { "chunk \($0 & 1_048_575) of staged blob \($0 >> 20) is missing" }
    ),
    (
      ["blob_chunk", "staged_blob"],
      """
      SELECT blob_chunk.id FROM staged_blob CROSS JOIN blob_chunk
        ON blob_chunk.id BETWEEN staged_blob.id << 20 AND (staged_blob.id << 20) + 1048575
      WHERE length(data) <> chunk_size
      """, .stagedBlob,
      { "chunk \($0 & 1_048_575) of staged blob \($0 >> 20) has another size than it gives" }
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
      ["snippet", "snippet_text", "text_beginnings"],
      """
      SELECT snippet.id FROM snippet JOIN text_beginnings AS text ON snippet_id = snippet.id
      WHERE snippet.preview <> text.preview AND (
        snippet.preview = ''
        OR replace(snippet.preview, ' ', '')
          <> substr(letters, 1, length(replace(snippet.preview, ' ', '')))
      )
      """, .snippet, { "snippet \($0) has a preview that its text does not begin with" }
    ),
    (
      ["snippet", "snippet_text"],
      """
      SELECT snippet_id FROM snippet_text JOIN snippet ON snippet.id = snippet_id
      WHERE kind = 1 AND blob_id IS NOT NULL
      """, .snippet, { "snippet \($0) has a text that it must not have" }
    ),
    (
      ["snippet", "snippet_text"],
      """
      SELECT id FROM snippet
      WHERE kind <> 1 AND preview <> ''
        AND NOT EXISTS (SELECT 1 FROM snippet_text WHERE snippet_id = snippet.id)
      """, .snippet, { "snippet \($0) has the preview of a note, and no note" }
    ),
    (
      ["snippet_tag", "tag"],
      """
      SELECT id FROM tag WHERE NOT EXISTS (SELECT 1 FROM snippet_tag WHERE tag_id = tag.id)
      """, .garbage, { "tag \($0) is carried by no snippet" }
    ),
    (
      ["origin", "origin_folder"],
      """
      SELECT id FROM origin_folder
      WHERE NOT EXISTS (SELECT 1 FROM origin WHERE folder_id = origin_folder.id)
      """, .garbage, { "folder \($0) of origins holds none" }
    ),
    tooHighNumber(in: "origin_folder", of: "folder", " of origins"),
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
      """, .garbage, { _ in "the total size of the derivatives is missing" }
    ),
    (
      SyncLeftovers.tables, SyncLeftovers.selection, .garbage,
      {
        $0 == 1
          ? "1 row of a synchronization is left without its state"
          : "\($0) rows of a synchronization are left without its state"
      }
    ),
    (
      ["sync_outbox", "sync_state"],
      "SELECT number FROM sync_outbox WHERE number > (SELECT sealed FROM sync_state)", .numbers,
      { "log file \($0) is in the outbox, and the synchronization does not know that it was made" }
    ),
  ]
}
