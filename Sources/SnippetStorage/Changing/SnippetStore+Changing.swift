import GRDB

extension SnippetStore {
  /// Changes a snippet and returns its new row.
  ///
  /// All the changes are made in one transaction, which is durable on return. The revision goes
  /// up, and the date of the last change becomes the present.
  ///
  /// - Parameters:
  ///   - id: The snippet to change.
  ///   - edit: What to change.
  /// - Returns: The row after the changes.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.inTrash`, because nobody sees what is changed
  ///   there; `.invalidInput` when a value breaks a rule; `.busy`, which can be tried again;
  ///   `.cancelled` when the task was cancelled before the commit.
  /// - Complexity: O(log *n*) and one transaction.
  @discardableResult
  public func update(
    _ id: SnippetID,
    with edit: SnippetEdit
  ) async throws(SnippetStoreError) -> SnippetRow {
    let operation = "change snippet \(id)"
    let now = configuration.now()
    let staging = staging(for: operation)
    return try await staging.write { check in
      var prepared = try PreparedEdit(id, edit, now: now, operation: operation, check: check)
      prepared.text = try prepared.text.map { try staging.stage($0, check: check) }
      return prepared
    } then: { prepared, db in
      try prepared.apply(in: db).row
    }
  }

  /// Changes a snippet as somebody has seen it, so that nobody's change is lost.
  ///
  /// What others changed meanwhile stays, field by field: of two who pin and retitle a snippet both
  /// get what they want. Where somebody else changed the very title or text, nothing is changed; a
  /// text of more than its preview counts as changed if anything of the snippet was, unless it has
  /// a blob, which tells. Otherwise all is as with ``update(_:with:)``.
  ///
  /// - Parameters:
  ///   - edit: What to change.
  ///   - seen: The snippet to change, as it was seen.
  /// - Returns: The row after the changes, and what takes them back.
  /// - Throws: ``SnippetStoreError``: `.conflict` when somebody else changed the same; the others as
  ///   ``update(_:with:)``.
  /// - Complexity: O(log *n*) and one transaction, and a read of the text that is replaced.
  public func apply(
    _ edit: SnippetEdit,
    to seen: SnippetRow
  ) async throws(SnippetStoreError) -> EditOutcome {
    let id = seen.id
    let operation = "change snippet \(id)"
    // Read before, and only what is still so in the transaction can be taken back.
    let text = edit.text == nil ? nil : try? await text(of: id)
    let now = configuration.now()
    let staging = staging(for: operation)
    let made: (former: SnippetRow, row: SnippetRow) = try await staging.write { check in
      var prepared = try PreparedEdit(
        id,
        edit,
        seen: seen,
        now: now,
        operation: operation,
        check: check
      )
      prepared.text = try prepared.text.map { try staging.stage($0, check: check) }
      return prepared
    } then: { prepared, db in
      try prepared.apply(in: db)
    }
    return EditOutcome(edit, former: made.former, row: made.row, formerText: text)
  }

  /// Deletes snippets for good in one transaction, in the trash or not.
  ///
  /// ``moveToTrash(_:)`` can be undone instead. A blob goes with its last snippet. On return the
  /// deletion is durable.
  ///
  /// - Parameter ids: The snippets to delete.
  /// - Returns: Those that were there. The others had been deleted before.
  /// - Throws: ``SnippetStoreError``: `.busy`, which can be tried again; `.cancelled` when the task
  ///   was cancelled before the commit.
  /// - Complexity: O(*m* log *n*) for *m* snippets, plus the size of their blobs.
  @discardableResult
  public func delete(_ ids: [SnippetID]) async throws(SnippetStoreError) -> [SnippetID] {
    try await connections.writeWithReserve(to: Self.deleting) { db in try Self.delete(ids, in: db) }
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
