import Foundation
import GRDB
import SnippetRecognition

/// An edit that was made.
struct MadeEdit {
  /// The row before it.
  let former: SnippetRow
  /// The note before it, if the edit replaced that; empty if there was none.
  let formerNote: String?
  /// The row after it.
  let row: SnippetRow
}

/// An edit with validated values, ready to be made.
struct PreparedEdit: Sendable {
  private var id: SnippetID
  private let edit: SnippetEdit
  /// The new content.
  ///
  /// A long text may be staged before the edit is made.
  var text: PreparedSnippet?
  private let now: Date
  /// The row that the editor has seen; `nil` if it does not matter.
  private var seen: SnippetRow?
  /// The only revision whose text or note may be replaced; `nil` if it does not matter.
  var revision: Int64?

  /// The operation, as errors name it.
  static func operation(_ edit: SnippetEdit, on id: SnippetID) -> String {
    guard edit.isMove else { return "change snippet \(id)" }
    return edit.isInTrash == true
      ? "move snippet \(id) to the trash" : "bring snippet \(id) back from the trash"
  }

  private var operation: String { Self.operation(edit, on: id) }

  init(
    _ id: SnippetID,
    _ edit: SnippetEdit,
    seen: SnippetRow? = nil,
    now: Date,
    check: @escaping () throws -> Void
  ) throws(SnippetStoreError) {
    let operation = Self.operation(edit, on: id)
    var edit = edit
    if let title = edit.title {
      edit.title = try TextRules.title(title, during: operation)
    }
    if let note = edit.note {
      edit.note = try TextRules.note(note, during: operation)
    }
    edit.addedTags = try TextRules.tags(edit.addedTags, during: operation)
    edit.removedTags = try TextRules.tags(edit.removedTags, during: operation)
    if let text = edit.text {
      self.text = try DraftPreparation(now: now, operation: operation, check: check)
        .prepare(SnippetDraft(.text(text)))
    } else {
      text = nil
    }
    self.id = id
    self.edit = edit
    self.now = now
    self.seen = seen
  }

  /// The same edit of another snippet.
  func of(_ id: SnippetID) -> PreparedEdit {
    var edit = self
    edit.id = id
    return edit
  }

  /// Makes edits of different snippets inside one transaction; one that is refused changes nothing.
  static func applyEach(
    _ edits: [(edit: SnippetEdit, seen: SnippetRow)],
    now: Date,
    in db: Database
  ) throws -> [Result<EditOutcome, SnippetStoreError>] {
    var former: (edit: SnippetEdit, prepared: PreparedEdit)?
    return try edits.map { edit, seen in
      do {
        // Mostly all are the same.
        var prepared: PreparedEdit
        if let former, former.edit == edit {
          prepared = former.prepared.of(seen.id)
        } else {
          prepared = try PreparedEdit(seen.id, edit, now: now) {}
          former = (edit, prepared)
        }
        prepared.seen = seen
        let made = try prepared.apply(in: db)
        return .success(EditOutcome(edit, made, formerText: nil))
      } catch let error as SnippetStoreError {
        return .failure(error)
      }
    }
  }

  /// Makes the edit inside a transaction.
  ///
  /// A ``SnippetStoreError`` says that nothing was written, unless the edit has a text.
  func apply(in db: Database) throws -> MadeEdit {
    let former = try row(in: db)
    let writer = SnippetWriter(db: db)
    let note = edit.note == nil || former.kind == .text ? nil : try writer.note(of: id) ?? ""
    if !edit.isMove { try requireChangeable(former, note: note) }
    if edit.isInTrash == false { _ = try writer.bringBack(id) }
    if !edit.isMove { try change(former, in: db) }
    if edit.isInTrash == true { try writer.moveToTrash(id, at: now) }
    return MadeEdit(
      former: former,
      formerNote: note == edit.note ? nil : note,
      row: try row(in: db)
    )
  }

  private func row(in db: Database) throws -> SnippetRow {
    guard let row = try SnippetRowQuery.row(id, in: db) else {
      throw SnippetStoreError.noSuchSnippet(id, during: operation)
    }
    return row
  }

  /// Throws if the edit is not for a row, with its note, as it is now.
  private func requireChangeable(_ row: SnippetRow, note: String?) throws {
    guard row.deletedAt == nil || edit.isInTrash == false else { throw inTrash() }
    guard edit.note == nil || row.kind != .text else {
      throw SnippetStoreError.textHasNoNote(during: operation)
    }
    if let seen, let field = conflict(of: row, note: note, with: seen) {
      throw conflict(in: field)
    }
    if let revision, row.revision != revision {
      throw conflict(in: edit.note == nil ? "text" : "note")
    }
  }

  /// Changes all that is edited but the trash.
  private func change(_ row: SnippetRow, in db: Database) throws {
    let title = try title(of: row, in: db)
    let writer = SnippetWriter(db: db)
    if let text { try replaceText(of: row, with: text, in: db) }
    if let note = edit.note { try writer.replaceNote(of: id, with: note) }
    // The indexes on the date are left alone by most edits.
    let date = edit.createdAt == nil ? "" : ", created_at = ?"
    let isPinned = edit.isPinned ?? row.isPinned
    var arguments = [
      title.databaseValue, (isPinned ? 1 : 0).databaseValue, now.milliseconds.databaseValue,
    ]
    if let createdAt = edit.createdAt { arguments.append(createdAt.milliseconds.databaseValue) }
    try db.cachedStatement(
      sql: """
        UPDATE snippet SET title = ?, pinned = ?, modified_at = ?\(date), revision = revision + 1
        WHERE id = ?
        """
    ).execute(arguments: StatementArguments(arguments + [id.rawValue.databaseValue]))
    for tag in edit.removedTags { try writer.remove(tag, from: id) }
    for tag in edit.addedTags { try writer.add(tag, to: id) }
    // The triggers carry the digest on through any other change.
    if edit.title != nil || text != nil || edit.note != nil {
      try SnippetDigest.give(to: id, in: db)
    }
  }

  /// Returns the title after the edit: one that was made of the former text follows the text.
  private func title(of row: SnippetRow, in db: Database) throws -> String {
    if let title = edit.title { return title }
    guard let text, row.kind == .text else { return row.title }
    let former = try db.beginning(
      ofTextOf: id,
      in: row.blobID,
      upTo: Int64(DraftPreparation.previewByteCount)
    )
    return TextPreview(of: former).makes(row.title) ? text.title : row.title
  }

  /// Returns the field of the edit that another writer has changed since it was seen; `nil` if
  /// there is none, or if both want the same value.
  private func conflict(of row: SnippetRow, note: String?, with seen: SnippetRow) -> String? {
    if let note, note != edit.note, isNoteChanged(of: row, since: seen) { return "note" }
    if let title = edit.title, row.title != seen.title, row.title != title { return "title" }
    guard text != nil, row.revision != seen.revision else { return nil }
    // The row only has the beginning and the size of a text.
    let isWholeInRow = row.byteCount == row.preview.utf8.count
    let isSame =
      row.preview == seen.preview && row.byteCount == seen.byteCount && row.blobID == seen.blobID
    return isSame && (isWholeInRow || row.blobID != nil) ? nil : "text"
  }

  /// Whether a note may have changed since it was seen.
  ///
  /// The row only has the beginning of a note, on one line. If it may go on, any change counts.
  private func isNoteChanged(of row: SnippetRow, since seen: SnippetRow) -> Bool {
    guard row.revision != seen.revision else { return false }
    return row.preview != seen.preview
      || row.preview.unicodeScalars.count >= SnippetRow.maximumPreviewLength - 1
  }

  private func conflict(in field: String) -> SnippetStoreError {
    SnippetStoreError(
      .conflict,
      operation,
      because: "its \(field) has changed since it was read",
      keeping: "Nothing was changed.",
      do: "Look at it again, then repeat your change."
    )
  }

  /// Replaces the content of a text.
  ///
  /// Triggers remove a blob that is no longer used.
  private func replaceText(
    of row: SnippetRow,
    with text: PreparedSnippet,
    in db: Database
  ) throws {
    guard row.kind == .text else {
      throw SnippetStoreError(
        .invalidInput,
        operation,
        because: "it is of kind \(row.kind.name), not a text",
        keeping: "Nothing was changed.",
        do: "Change its title or tags, or save the text as a new snippet."
      )
    }
    try SnippetWriter(db: db).replaceContent(of: id, with: text)
  }

  private func inTrash() -> SnippetStoreError {
    SnippetStoreError(
      .inTrash,
      operation,
      because: "it is in the trash",
      keeping: "Nothing was changed.",
      do: "Bring it back first."
    )
  }
}
