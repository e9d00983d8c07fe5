public import SnippetStorage

/// Carries out the edits of a ``SnippetEditor``, in place of a store.
public protocol EditReceiver: Sendable {
  /// Edits different snippets, each unless the same field was changed since it was seen.
  ///
  /// - Parameter edits: The edits, with the snippets as they were seen. No snippet comes twice.
  /// - Returns: For each, in the same order, the row after the changes and what takes them back, or
  ///   why it failed; the editor passes that on.
  func apply(
    _ edits: [(edit: SnippetEdit, seen: SnippetRow)]
  ) async -> [Result<EditOutcome, any Error>]

  /// Deletes snippets for good, all of them or none.
  ///
  /// - Parameter ids: The snippets. Those that are gone already are no error.
  /// - Throws: Why it failed; the editor passes that on.
  func delete(_ ids: [SnippetID]) async throws
}

/// Carries out edits in a store.
struct StoreEdits: EditReceiver {
  let store: SnippetStore

  @concurrent
  func apply(
    _ edits: [(edit: SnippetEdit, seen: SnippetRow)]
  ) async -> [Result<EditOutcome, any Error>] {
    await store.applyEach(edits).map { $0.mapError { $0 } }
  }

  func delete(_ ids: [SnippetID]) async throws {
    try await store.delete(ids)
  }
}
