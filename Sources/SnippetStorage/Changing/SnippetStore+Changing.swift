import GRDB

extension SnippetStore {
  /// Changes a snippet and returns its new row.
  ///
  /// All the changes are made in one transaction, which is durable on return. The revision goes
  /// up, and the date of the last change becomes the present.
  ///
  /// - Parameters:
  ///   - id: The snippet to change.
  ///   - changes: What to change.
  /// - Returns: The row after the changes.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.inTrash`, for what nobody sees is not changed by
  ///   mistake; `.invalidInput` when a value breaks a rule; `.busy`, which can be tried again.
  /// - Complexity: O(log *n*) and one transaction.
  @discardableResult
  public func update(
    _ id: SnippetID,
    _ changes: SnippetChanges
  ) throws(SnippetStoreError) -> SnippetRow {
    var edit = try SnippetEdit(id, changes, now: configuration.now())
    let staging = staging(for: edit.operation)
    defer { staging.end() }
    do {
      if let text = edit.text { edit.text = try staging.stage(text) }
      return try connections.write(to: edit.operation) { db in try edit.apply(in: db) }
    } catch {
      throw SnippetStoreError(error, during: edit.operation)
    }
  }

  /// Changes a snippet and returns its new row, without holding one of Swift's threads meanwhile.
  ///
  /// - Parameters:
  ///   - id: The snippet to change.
  ///   - changes: What to change.
  /// - Returns: The row after the changes.
  /// - Throws: ``SnippetStoreError``, as the blocking form; `.cancelled` when the task was
  ///   cancelled before the commit.
  @discardableResult
  public func update(
    _ id: SnippetID,
    _ changes: SnippetChanges
  ) async throws(SnippetStoreError) -> SnippetRow {
    var edit = try SnippetEdit(id, changes, now: configuration.now())
    let staging = staging(for: edit.operation)
    do {
      if let text = edit.text { edit.text = try await staging.stage(text) }
      let row = try await connections.write(to: edit.operation) { [edit] db in
        try edit.apply(in: db)
      }
      await staging.end()
      return row
    } catch {
      await staging.end()
      throw SnippetStoreError(error, during: edit.operation)
    }
  }

  /// Deletes snippets for good in one transaction, whether they are in the trash or not.
  ///
  /// ``moveToTrash(_:)-([SnippetID])`` can be undone instead. A blob goes with its last snippet. On return the deletion is durable.
  ///
  /// - Parameter ids: The snippets to delete.
  /// - Returns: Those that were there. The others had been deleted before.
  /// - Throws: ``SnippetStoreError``; `.busy` can be tried again.
  /// - Complexity: O(*m* log *n*) for *m* snippets, plus the size of their blobs.
  @discardableResult
  public func delete(_ ids: [SnippetID]) throws(SnippetStoreError) -> [SnippetID] {
    try connections.write(to: Self.deleting) { db in try Self.delete(ids, in: db) }
  }

  /// Deletes snippets for good in one transaction, without holding one of Swift's threads meanwhile.
  ///
  /// - Parameter ids: The snippets to delete.
  /// - Returns: Those that were there. The others had been deleted before.
  /// - Throws: ``SnippetStoreError``, as the blocking form; `.cancelled` when the task was
  ///   cancelled before the commit.
  @discardableResult
  public func delete(_ ids: [SnippetID]) async throws(SnippetStoreError) -> [SnippetID] {
    try await connections.write(to: Self.deleting) { db in try Self.delete(ids, in: db) }
  }

  private static let deleting = "delete snippets"

  private static func delete(_ ids: [SnippetID], in db: Database) throws -> [SnippetID] {
    let statement = try db.cachedStatement(sql: "DELETE FROM snippet WHERE id = ?")
    return try ids.filter { id in
      try statement.execute(arguments: [id.rawValue])
      return db.changesCount > 0
    }
  }
}
