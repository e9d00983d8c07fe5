import Foundation
import GRDB

/// The snippets outside the trash that carry some tags, all of them, as a history that the newest
/// ones are kept of.
struct NewestSnippets {
  let db: Database
  /// The tags in their stored form; without any the history is the whole store.
  let tags: [String]

  /// Returns the newest snippet with the content of a prepared one; `nil` if there is none.
  func snippet(equalTo snippet: PreparedSnippet) throws -> SnippetID? {
    let (source, content): (String, DatabaseValue) =
      switch snippet.body {
      case .text(let body):
        (
          """
          snippet_text INDEXED BY snippet_text_by_content
          CROSS JOIN snippet ON snippet.id = snippet_id
          WHERE \(SnippetWriter.condition(thatBodyIs: "?1"))
          """, body.databaseValue
        )
      case .blob(let blob, _):
        (
          """
          blob CROSS JOIN snippet INDEXED BY snippet_by_blob ON snippet.blob_id = blob.id
          WHERE blob.sha256 = ?1
          """, blob.sha256.databaseValue
        )
      }
    return try db.number(
      """
      SELECT snippet.id FROM \(source) AND deleted_at IS NULL\(conditions(tags[...]))
      ORDER BY created_at DESC, snippet.id DESC LIMIT 1
      """,
      [content] + tags.map(\.databaseValue)
    ).map(SnippetID.init(rawValue:))
  }

  /// Dates a snippet anew, so that it is the newest.
  func bringToTop(_ id: SnippetID, at date: Date) throws {
    try db.execute(
      sql: """
        UPDATE snippet SET created_at = ?1, modified_at = ?1, revision = revision + 1 WHERE id = ?2
        """,
      arguments: [date.milliseconds, id.rawValue]
    )
  }

  /// The seconds by which a date may be ahead after a clock was put right by a little.
  private static let tolerance: TimeInterval = 60

  /// Returns those that are not pinned and not among the newest of these.
  ///
  /// A snippet that was dated just now is the newest, whatever dates the others have. Dates still
  /// to come were given while the clock was ahead, or the clock was set back since. Their snippets
  /// were there before, so they count as the oldest.
  ///
  /// Takes O(*m* log *m*) for *m* snippets with the first of the tags.
  func ids(
    beyond count: Int,
    after newest: SnippetID?,
    at now: Date
  ) throws -> [SnippetID] {
    let source =
      tags.isEmpty
      ? "snippet INDEXED BY snippet_by_created WHERE"
      : """
      tag CROSS JOIN snippet_tag ON tag_id = tag.id CROSS JOIN snippet ON snippet.id = snippet_id
      WHERE tag.name = ? AND
      """
    return try db.numbers(
      """
      SELECT snippet.id FROM \(source) deleted_at IS NULL AND pinned = 0\(conditions(tags.dropFirst()))
      ORDER BY snippet.id IS ? DESC, created_at > ?, created_at DESC, snippet.id DESC
      """,
      tags.map(\.databaseValue) + [
        newest?.rawValue.databaseValue ?? .null,
        (now + Self.tolerance).milliseconds.databaseValue,
      ]
    ).dropFirst(count).map(SnippetID.init(rawValue:))
  }

  private func conditions(_ tags: ArraySlice<String>) -> String {
    tags.map { _ in
      """
       AND EXISTS (
        SELECT 1 FROM snippet_tag AS worn
        WHERE worn.snippet_id = snippet.id AND worn.tag_id = (SELECT id FROM tag WHERE name = ?)
      )
      """
    }.joined()
  }
}
