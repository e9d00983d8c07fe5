import GRDB

extension SnippetStore {
  /// Changes a snippet and returns its new row.
  ///
  /// All changes are made in one transaction, which is durable on return. The revision rises, and
  /// the date of the last change becomes the present; a mere move to the trash or out of it leaves
  /// that date as it is. Moving what is there already changes nothing.
  ///
  /// - Parameters:
  ///   - edit: The changes.
  ///   - id: The snippet to change.
  /// - Returns: The row after the changes.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.inTrash`, where a change would not be seen,
  ///   unless the edit brings the snippet back; `.invalidInput` when a value breaks a rule;
  ///   `.busy`, which can be tried again; `.cancelled` when the task was cancelled before the
  ///   commit.
  /// - Complexity: O(log *n*) and one transaction.
  @discardableResult
  public func apply(
    _ edit: SnippetEdit,
    to id: SnippetID
  ) async throws(SnippetStoreError) -> SnippetRow {
    let rows = try await apply(edit, to: [id])
    return rows[0]
  }

  /// Makes the same changes to several snippets in one transaction, or to none of them.
  ///
  /// - Parameters:
  ///   - edit: The changes to each.
  ///   - ids: The snippets to change; duplicates are changed once.
  /// - Returns: The rows after the changes, in the order of `ids`.
  /// - Throws: ``SnippetStoreError`` as for one snippet; nothing was changed then. The error names
  ///   the first snippet that is missing or in the trash.
  /// - Complexity: O(*m* log *n*) for *m* snippets, and one transaction.
  @discardableResult
  public func apply(
    _ edit: SnippetEdit,
    to ids: [SnippetID]
  ) async throws(SnippetStoreError) -> [SnippetRow] {
    var known = Set<SnippetID>()
    let ids = ids.filter { known.insert($0).inserted }
    guard let first = ids.first else { return [] }
    return try await write(edit, of: first) { prepared, db in
      try ids.map { try prepared.of($0).apply(in: db).row }
    }
  }

  /// Changes a snippet, unless the same field was changed since `seen`.
  ///
  /// Fields are merged one by one: if one person pins a snippet while another retitles it, both
  /// changes stay. If the title, text or note that the edit replaces was changed, nothing is
  /// changed. A text or note longer than its preview counts as changed if any field changed; a text
  /// kept as a blob is compared by its hash, and of a shorter note blanks are not compared. In all
  /// else this is ``apply(_:to:)-(_,SnippetID)``.
  ///
  /// - Parameters:
  ///   - edit: What to change.
  ///   - seen: The snippet to change, as it was seen.
  /// - Returns: The row after the changes, and what takes them back.
  /// - Throws: ``SnippetStoreError``: `.conflict` when the same field was changed since; the
  ///   others as for ``apply(_:to:)-(_,SnippetID)``.
  /// - Complexity: O(log *n*) and one transaction, and a read of the text that is replaced.
  @discardableResult
  public func apply(
    _ edit: SnippetEdit,
    to seen: SnippetRow
  ) async throws(SnippetStoreError) -> EditOutcome {
    // Read first. Only a text that is unchanged in the transaction can be restored by an undo.
    let text = edit.text == nil ? nil : try? await text(of: seen.id)
    let made = try await write(edit, of: seen.id, seen: seen) { prepared, db in
      try prepared.apply(in: db)
    }
    return EditOutcome(edit, made, formerText: text)
  }

  /// Replaces the text or note of a snippet that nothing has changed since a revision.
  ///
  /// At any other revision it throws `.conflict`. An edit of a row that was seen cannot: rows do
  /// not tell all texts apart. With `bringsBack` the same transaction brings the snippet back from
  /// the trash. The inverse in the outcome has all but the former text.
  package func replaceText(
    of id: SnippetID,
    with edit: SnippetEdit,
    at revision: Int64,
    bringsBack: Bool = false
  ) async throws(SnippetStoreError) -> EditOutcome {
    var edit = edit
    if bringsBack { edit.isInTrash = false }
    let made = try await write(edit, of: id, at: revision) { prepared, db in
      try prepared.apply(in: db)
    }
    return EditOutcome(edit, made, formerText: nil)
  }

  /// Makes edits of different snippets, each as ``apply(_:to:)-(_,SnippetRow)`` does, with many in
  /// each transaction.
  ///
  /// An edit that replaces a text has a transaction of its own. One may fail and the others not.
  ///
  /// - Parameter edits: The edits, with the snippets as they were seen, each snippet once.
  /// - Returns: The outcomes, in the order of `edits`.
  /// - Complexity: O(*m* log *n*) for *m* edits, with a transaction for each 4,096.
  @concurrent
  package func applyEach(
    _ edits: [(edit: SnippetEdit, seen: SnippetRow)]
  ) async -> [Result<EditOutcome, SnippetStoreError>] {
    var outcomes = [Result<EditOutcome, SnippetStoreError>?](repeating: nil, count: edits.count)
    for isMove in [true, false] {
      let alike = edits.indices.filter { place in
        edits[place].edit.text == nil && edits[place].edit.isMove == isMove
      }
      for start in stride(from: 0, to: alike.count, by: Self.editCountAtATime) {
        let places = alike[start..<min(start + Self.editCountAtATime, alike.count)]
        let made = await applyTogether(places.map { edits[$0] }, areMoves: isMove)
        for (place, outcome) in zip(places, made ?? []) { outcomes[place] = outcome }
      }
    }
    for place in edits.indices where outcomes[place] == nil {
      do throws(SnippetStoreError) {
        outcomes[place] = .success(try await apply(edits[place].edit, to: edits[place].seen))
      } catch {
        outcomes[place] = .failure(error)
      }
    }
    return outcomes.compactMap(\.self)
  }

  /// The most edits in one transaction: they keep others from writing for about 0.2 seconds.
  private static let editCountAtATime = 4096

  /// Makes edits in one transaction, all of them moves or none.
  ///
  /// - Returns: The outcomes; `nil`, with nothing changed, where each must be made by itself.
  private func applyTogether(
    _ edits: [(edit: SnippetEdit, seen: SnippetRow)],
    areMoves: Bool
  ) async -> [Result<EditOutcome, SnippetStoreError>]? {
    guard edits.count > 1 else { return nil }
    let now = configuration.now()
    let body = { @Sendable (db: Database) throws in
      try PreparedEdit.applyEach(edits, now: now, in: db)
    }
    do throws(SnippetStoreError) {
      return areMoves
        ? try await connections.writeWithReserve(to: "move", keeping: .inMemory, body)
        : try await connections.write(to: "change", keeping: .inMemory, body)
    } catch {
      // What one row is to blame for keeps no other from being changed.
      guard ![.damaged, .refusedBySchema].contains(error.code) else { return nil }
      return edits.map { edit, seen in
        .failure(error.during(PreparedEdit.operation(edit, on: seen.id)))
      }
    }
  }

  /// Prepares an edit, and makes it in one transaction.
  private func write<Made: Sendable>(
    _ edit: SnippetEdit,
    of id: SnippetID,
    seen: SnippetRow? = nil,
    at revision: Int64? = nil,
    _ make: @escaping @Sendable (PreparedEdit, Database) throws -> Made
  ) async throws(SnippetStoreError) -> Made {
    let now = configuration.now()
    let operation = PreparedEdit.operation(edit, on: id)
    guard !edit.isMove else {
      // It makes room on a full disk, as soon as the trash is emptied.
      let prepared = try PreparedEdit(id, edit, now: now) {}
      return try await connections.writeWithReserve(to: operation) { db in
        try make(prepared, db)
      }
    }
    let staging = staging(for: operation)
    return try await staging.write { check in
      var prepared = try PreparedEdit(id, edit, seen: seen, now: now, check: check)
      prepared.text = try prepared.text.map { try staging.stage($0, check: check) }
      prepared.revision = revision
      return prepared
    } then: {
      try make($0, $1)
    }
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
    try await connections.writeWithReserve(to: "delete snippets") { db in
      let deletion = try db.cachedStatement(sql: "DELETE FROM snippet WHERE id = ?")
      return try ids.filter { id in
        try deletion.execute(arguments: [id.rawValue])
        return db.changesCount > 0
      }
    }
  }

  /// Deletes a snippet for good, unless it was changed since it was seen.
  ///
  /// An empty note that was to be deleted stays if others have written into it by then. In all else
  /// this is ``delete(_:)``.
  ///
  /// - Parameter seen: The snippet, as it was seen.
  /// - Returns: Whether it was deleted. Otherwise it was changed, or is gone already.
  /// - Throws: ``SnippetStoreError``: `.busy`, after which you can try again; `.cancelled` if the
  ///   task was cancelled before the commit.
  /// - Complexity: O(log *n*), plus the size of its blob.
  @discardableResult
  public func delete(ifUnchanged seen: SnippetRow) async throws(SnippetStoreError) -> Bool {
    try await connections.writeWithReserve(to: "delete snippet \(seen.id)") { db in
      try db.cachedStatement(sql: "DELETE FROM snippet WHERE id = ? AND revision = ?")
        .execute(arguments: [seen.id.rawValue, seen.revision])
      return db.changesCount > 0
    }
  }
}
