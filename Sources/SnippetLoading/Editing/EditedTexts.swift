import SnippetStorage

/// Reads and saves the texts of a ``SnippetTextEditor``: of a text snippet its text, of an image or
/// voice its note.
protocol EditedTexts: Sendable {
  /// The row of a snippet, also in the trash, and its text or note; `nil` if there is no such
  /// snippet.
  func find(_ id: SnippetID) async throws -> (row: SnippetRow, text: String)?

  /// The row of a snippet, in a fraction of a millisecond; `nil` if there is none.
  func row(_ id: SnippetID) throws -> SnippetRow?

  /// Replaces the text or note of a snippet that nothing has changed since a revision.
  ///
  /// Tags with the given keys stay, whatever the text says. Returns the edit, as it was completed,
  /// and its outcome, with an inverse that lacks the former text.
  func save(
    _ text: String,
    of id: SnippetID,
    at revision: Int64,
    bringsBack: Bool,
    keepingTags keys: Set<[UInt8]>
  ) async throws -> (edit: SnippetEdit, outcome: EditOutcome)

  /// Saves a text as a snippet of its own.
  func saveAsNew(_ text: String, title: String?, tags: [String]) async throws -> SnippetRow

  /// Calls a closure after every change of the store, on any thread, until the result is released.
  func observe(_ handler: @escaping @Sendable () -> Void) -> AnyObject?
}

/// Reads and saves in a store.
struct StoreTexts: EditedTexts {
  let store: SnippetStore
  /// Completes the edit that saves a text.
  var complete: (@Sendable (SnippetEdit, SnippetID) async throws -> SnippetEdit)?

  func find(_ id: SnippetID) async throws -> (row: SnippetRow, text: String)? {
    while let row = try store.row(id) {
      do throws(SnippetStoreError) {
        let text = try await row.kind == .text ? store.text(of: id) : store.note(of: id)
        // Between two equal revisions nothing was changed.
        if try store.row(id)?.revision == row.revision { return (row, text) }
      } catch {
        // It may have been deleted in between.
        guard error.code == .notFound else { throw error }
      }
    }
    return nil
  }

  func row(_ id: SnippetID) throws -> SnippetRow? { try store.row(id) }

  func save(
    _ text: String,
    of id: SnippetID,
    at revision: Int64,
    bringsBack: Bool,
    keepingTags keys: Set<[UInt8]>
  ) async throws -> (edit: SnippetEdit, outcome: EditOutcome) {
    // That a snippet is gone is for the edit to say.
    let isNote = try row(id).map { $0.kind != .text } ?? false
    var edit = isNote ? SnippetEdit(note: text) : SnippetEdit(text: text)
    // Should others change the text in between, nothing is saved.
    if let complete, !isNote { edit = try await complete(edit, id) }
    edit.removedTags.removeAll { keys.contains(TextRules.key(ofTag: $0)) }
    let outcome = try await store.replaceText(
      of: id,
      with: edit,
      at: revision,
      bringsBack: bringsBack
    )
    return (edit, outcome)
  }

  func saveAsNew(_ text: String, title: String?, tags: [String]) async throws -> SnippetRow {
    var draft = SnippetDraft(.text(text), kind: .text, title: title, tags: tags)
    draft.hints.isTextWhenEmpty = true
    return try await store.save(draft)
  }

  func observe(_ handler: @escaping @Sendable () -> Void) -> AnyObject? {
    store.observeChanges(handler)
  }
}
