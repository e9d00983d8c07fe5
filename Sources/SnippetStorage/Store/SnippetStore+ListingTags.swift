import GRDB

extension SnippetStore {
  /// Returns all tags in use, ordered by name.
  ///
  /// - Returns: The tags with the number of their snippets.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(*n*) in the number of pairs of a snippet and a tag.
  public func tags() async throws(SnippetStoreError) -> [TagUse] {
    try await connections.read(.rows, to: "list the tags") { db in
      try db.values("SELECT name, snippets FROM tags ORDER BY name") { row in
        TagUse(name: try row.text(0), snippetCount: Int(try row.number(1)))
      }
    }
  }
}

/// A tag with the number of its snippets.
public struct TagUse: Sendable, Hashable {
  /// The tag.
  public var name: String
  /// The number of snippets that have it.
  public var snippetCount: Int
}
