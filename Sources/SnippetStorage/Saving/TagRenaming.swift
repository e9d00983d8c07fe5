import GRDB

/// Renames a tag and those below it inside a transaction.
struct TagRenaming {
  let db: Database
  /// The operation, as errors name it.
  let operation: String

  private struct Tag {
    let id: Int64
    let name: String
  }

  /// Returns the number of snippets with the renamed tags; `nil` if there are no such tags.
  func rename(_ name: String, to newName: String) throws -> Int? {
    // A tag may get the name of another of them, which has to have its new name by then: on the way
    // down the longest goes first, and on the way up the shortest.
    let tags = try db.values(
      """
      SELECT id, name FROM tag
      WHERE name = ?1 OR substr(name, 1, length(?1) + 1) COLLATE NOCASE = ?1 || '/'
      ORDER BY CASE WHEN length(?2) < length(?1) THEN length(name) ELSE -length(name) END
      """,
      [name.databaseValue, newName.databaseValue]
    ) { Tag(id: try $0.number(0), name: try $0.text(1)) }
    guard !tags.isEmpty else { return nil }
    var snippets: Set<Int64> = []
    for tag in tags {
      let below = String(tag.name.unicodeScalars.dropFirst(name.unicodeScalars.count))
      snippets.formUnion(
        try db.numbers(
          "SELECT snippet_id FROM snippet_tag WHERE tag_id = ?",
          [tag.id.databaseValue]
        )
      )
      try rename(tag, to: TextRules.tag(newName + below, during: operation))
    }
    return snippets.count
  }

  private func rename(_ tag: Tag, to name: String) throws {
    let other = try db.number(
      "SELECT id FROM tag WHERE name = ? AND id <> ?",
      [name.databaseValue, tag.id.databaseValue]
    )
    guard let other else {
      return try db.execute(sql: "UPDATE tag SET name = ? WHERE id = ?", arguments: [name, tag.id])
    }
    try db.execute(
      sql: """
        INSERT INTO snippet_tag (snippet_id, tag_id)
        SELECT snippet_id, ?1 FROM snippet_tag AS worn WHERE tag_id = ?2 AND NOT EXISTS (
          SELECT 1 FROM snippet_tag WHERE snippet_id = worn.snippet_id AND tag_id = ?1
        )
        """,
      arguments: [other, tag.id]
    )
    // A trigger deletes the tag with its last snippet.
    try db.execute(sql: "DELETE FROM snippet_tag WHERE tag_id = ?", arguments: [tag.id])
  }
}
