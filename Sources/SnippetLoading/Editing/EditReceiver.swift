public import SnippetStorage

/// Carries out the edits of a ``SnippetEditor``, in place of a store.
public protocol EditReceiver: Sendable {
  /// Changes a snippet, unless the same field was changed since it was seen.
  ///
  /// - Parameters:
  ///   - edit: The changes.
  ///   - seen: The snippet, as it was seen.
  /// - Returns: The row after the changes, and what takes them back.
  /// - Throws: Why it failed; the editor passes that on.
  func apply(_ edit: SnippetEdit, to seen: SnippetRow) async throws -> EditOutcome

  /// Makes the same changes to several snippets.
  ///
  /// The default does so one after the other.
  ///
  /// - Parameters:
  ///   - edit: The changes.
  ///   - seen: The snippets, as they were seen.
  /// - Returns: The outcome for each, in the same order.
  func apply(
    _ edit: SnippetEdit,
    to seen: [SnippetRow]
  ) async -> [Result<EditOutcome, any Error>]

  /// Deletes snippets for good, all of them or none.
  ///
  /// - Parameter ids: The snippets. Those that are gone already are no error.
  /// - Throws: Why it failed; the editor passes that on.
  func delete(_ ids: [SnippetID]) async throws
}

extension EditReceiver {
  /// Makes the same changes to several snippets, one after the other.
  public func apply(
    _ edit: SnippetEdit,
    to seen: [SnippetRow]
  ) async -> [Result<EditOutcome, any Error>] {
    var outcomes: [Result<EditOutcome, any Error>] = []
    for row in seen {
      do {
        outcomes.append(.success(try await apply(edit, to: row)))
      } catch {
        outcomes.append(.failure(error))
      }
    }
    return outcomes
  }
}

/// Carries out edits in a store.
struct StoreEdits: EditReceiver {
  let store: SnippetStore

  func apply(_ edit: SnippetEdit, to seen: SnippetRow) async throws -> EditOutcome {
    try await store.apply(edit, to: seen)
  }

  func apply(
    _ edit: SnippetEdit,
    to seen: [SnippetRow]
  ) async -> [Result<EditOutcome, any Error>] {
    await store.applyEach(edit, to: seen).map { $0.mapError { $0 } }
  }

  func delete(_ ids: [SnippetID]) async throws {
    try await store.delete(ids)
  }
}
