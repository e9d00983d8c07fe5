import Foundation
import SnippetStorage

/// A store full of short texts, every eighth of them with a tag or two.
package struct ListFile {
  package let url: URL
  package let rowCount: Int

  /// Makes the store by SQL, which is far quicker than to save so many drafts.
  ///
  /// Rows of lists need no texts; with them the store also passes a check.
  package init(in folder: URL, rowCount: Int, hasTexts: Bool = false) async throws {
    url = folder.appendingPathComponent("\(hasTexts ? "texts" : "list")-\(rowCount).sqlite")
    self.rowCount = rowCount
    try await SnippetStore.open(at: url).close()
    let raw = try RawDatabase(url.path, isReadOnly: false)
    try raw.run("PRAGMA synchronous = OFF; PRAGMA cache_size = -64000")
    try raw.run("INSERT INTO tag (name) VALUES ('home'), ('work'), ('idea')")
    let text = "'The text of row ' || i || ', as short as most notes are.'"
    for start in stride(from: 1, through: rowCount, by: 50_000) {
      let end = min(rowCount, start + 49_999)
      let numbers =
        "WITH RECURSIVE n (i) AS (SELECT \(start) UNION ALL SELECT i + 1 FROM n WHERE i < \(end))"
      try raw.run(
        """
        BEGIN IMMEDIATE;
        \(numbers) INSERT INTO snippet (kind, title, preview, created_at, modified_at, byte_count)
        SELECT 1, 'Row ' || i, \(text), 1700000000000 + i * 1000, 1700000000000 + i * 1000,
          length(\(text)) FROM n;
        \(hasTexts ? "\(numbers) INSERT INTO snippet_text SELECT i, \(text) FROM n;" : "")
        \(numbers) INSERT INTO snippet_tag SELECT i, 1 + i % 3 FROM n WHERE i % 8 = 0;
        \(numbers) INSERT INTO snippet_tag SELECT i, 1 + (i + 1) % 3 FROM n WHERE i % 64 = 0;
        COMMIT;
        """
      )
    }
    try raw.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  package func open() async throws -> SnippetStore { try await SnippetStore.open(at: url) }

  /// The queries of the other sides: the newest snippets first, without the trash.
  package enum Query {
    /// All identities in order.
    package static let identities =
      "SELECT id FROM snippet WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC"
    /// The row of one identity.
    package static let row = "SELECT \(columns) FROM snippet WHERE id = ?"
    /// So many rows from a creation date and an identity on.
    package static let keyset = """
      SELECT \(columns) FROM snippet WHERE deleted_at IS NULL AND (created_at, id) <= (?, ?)
      ORDER BY created_at DESC, id DESC LIMIT ?
      """
    /// So many rows from a position on.
    package static let offset = """
      SELECT \(columns) FROM snippet WHERE deleted_at IS NULL
      ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?
      """
  }

  /// What a row of a list is made of.
  private static let columns = """
    id, uuid, kind, title, preview, created_at, modified_at, pinned, byte_count, media_type,
    pixel_width, pixel_height, duration_ms, revision, blob_id, sample_rate, channel_count,
    (SELECT group_concat(tag.name, ',') FROM snippet_tag JOIN tag ON tag.id = snippet_tag.tag_id
      WHERE snippet_tag.snippet_id = snippet.id) AS tags
    """
}
