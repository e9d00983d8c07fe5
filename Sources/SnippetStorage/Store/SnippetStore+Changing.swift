import GRDB

extension SnippetStore {
  /// Changes a snippet and returns its new row.
  ///
  /// All changes are made in one transaction, which is durable on return. The revision rises, and
  /// the date of the last change becomes the present.
  ///
  /// - Parameters:
  ///   - id: The snippet to change.
  ///   - edit: The changes.
  /// - Returns: The row after the changes.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.inTrash`, where a change would not be seen;
  ///   `.invalidInput` if a value breaks a rule; `.busy`, after which you can try again;
  ///   `.cancelled` if the task was cancelled before the commit.
  /// - Complexity: O(log *n*) and one transaction.
  @discardableResult
  public func update(
    _ id: SnippetID,
    with edit: SnippetEdit
  ) async throws(SnippetStoreError) -> SnippetRow {
    let rows = try await update(each: [id], with: edit)
    return rows[0]
  }

  /// Makes the same changes to several snippets in one transaction, or to none of them.
  ///
  /// All changes are durable on return. The revision of each snippet rises, and the date of its
  /// last change becomes the present.
  ///
  /// - Parameters:
  ///   - ids: The snippets to change; duplicates are changed once.
  ///   - edit: The changes to each.
  /// - Returns: The rows after the changes, in the order of `ids`.
  /// - Throws: ``SnippetStoreError`` as for ``update(_:with:)``; then nothing is changed. The error
  ///   names the first snippet that is missing or in the trash.
  /// - Complexity: O(*m* log *n*) for *m* snippets, and one transaction.
  @discardableResult
  public func update(
    each ids: [SnippetID],
    with edit: SnippetEdit
  ) async throws(SnippetStoreError) -> [SnippetRow] {
    var known = Set<SnippetID>()
    let ids = ids.filter { known.insert($0).inserted }
    guard let first = ids.first else { return [] }
    let now = configuration.now()
    let staging = staging(for: PreparedEdit.operation(on: first))
    return try await staging.write { check in
      var prepared = try PreparedEdit(first, edit, now: now, check: check)
      prepared.text = try prepared.text.map { try staging.stage($0, check: check) }
      return prepared
    } then: { prepared, db in
      try ids.map { try prepared.of($0).apply(in: db).row }
    }
  }

  /// Changes a snippet, unless the same field was changed since `seen`.
  ///
  /// Fields are merged one by one: if one person pins a snippet while another retitles it, both
  /// changes stay. If the title or text that the edit replaces was changed, nothing is changed. A
  /// text longer than its preview counts as changed if any field changed; a text kept as a blob is
  /// compared by its hash. Otherwise this works like ``update(_:with:)``.
  ///
  /// - Parameters:
  ///   - edit: The changes.
  ///   - seen: The row of the snippet, as it was seen.
  /// - Returns: The row after the changes, and the edit that undoes them.
  /// - Throws: ``SnippetStoreError``: `.conflict` if the same field was changed since; the others
  ///   as for ``update(_:with:)``.
  /// - Complexity: O(log *n*) and one transaction, plus a read of the replaced text.
  public func apply(
    _ edit: SnippetEdit,
    to seen: SnippetRow
  ) async throws(SnippetStoreError) -> EditOutcome {
    let id = seen.id
    // Read first. Only a text that is unchanged in the transaction can be restored by an undo.
    let text = edit.text == nil ? nil : try? await text(of: id)
    let now = configuration.now()
    let staging = staging(for: PreparedEdit.operation(on: id))
    let made: (former: SnippetRow, row: SnippetRow) = try await staging.write { check in
      var prepared = try PreparedEdit(
        id,
        edit,
        seen: seen,
        now: now,
        check: check
      )
      prepared.text = try prepared.text.map { try staging.stage($0, check: check) }
      return prepared
    } then: { prepared, db in
      try prepared.apply(in: db)
    }
    return EditOutcome(edit, former: made.former, row: made.row, formerText: text)
  }

  /// Deletes snippets for good in one transaction, whether or not they are in the trash.
  ///
  /// Use ``moveToTrash(_:)`` to be able to undo it. A blob is deleted with its last snippet. On
  /// return the deletion is durable.
  ///
  /// - Parameter ids: The snippets to delete.
  /// - Returns: The snippets that existed. The others had already been deleted.
  /// - Throws: ``SnippetStoreError``: `.busy`, after which you can try again; `.cancelled` if the
  ///   task was cancelled before the commit.
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
