import GRDB

extension SnippetStore {
  /// Renames a tag on all snippets, also those in the trash, in one transaction.
  ///
  /// The tags below it go along: with `work` also `work/berlin`. A tag that gets the name of
  /// another becomes one with it. Open lists follow; the dates of the snippets stay as they are.
  ///
  /// - Parameters:
  ///   - name: The tag; the case of ASCII letters is ignored.
  ///   - newName: Its new name; the rules of ``SnippetDraft/tags`` apply.
  /// - Returns: The number of snippets with another tag than before; `nil` if there is neither such
  ///   a tag nor one below it.
  /// - Throws: ``SnippetStoreError``: `.invalidInput` for a name that is no tag, also of a tag
  ///   below; `.busy`, after which you can try again; `.cancelled` if the task was cancelled before
  ///   the commit. Nothing was changed then.
  /// - Complexity: O(*t* + *m* log *n*) for *t* tags and *m* snippets with them.
  @discardableResult
  public func renameTag(
    _ name: String,
    to newName: String
  ) async throws(SnippetStoreError) -> Int? {
    let operation = "rename the tag “\(name)”"
    let (name, newName) = (TextRules.composed(name), try TextRules.tag(newName, during: operation))
    return try await connections.write(to: operation, keeping: .inMemory) { db in
      try TagRenaming(db: db, operation: operation).rename(name, to: newName)
    }
  }
}
