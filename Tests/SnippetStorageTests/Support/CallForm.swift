import SnippetStorage

/// The two forms in which many calls come.
enum CallForm: CaseIterable, Sendable {
  case blocking, asynchronous

  @discardableResult
  func update(
    _ store: SnippetStore,
    _ id: SnippetID,
    _ changes: SnippetEdit
  ) async throws -> SnippetRow {
    let blocking = { try store.update(id, changes) }
    return switch self {
    case .blocking: try blocking()
    case .asynchronous: try await store.update(id, changes)
    }
  }

  @discardableResult
  func moveToTrash(_ store: SnippetStore, _ ids: [SnippetID]) async throws -> [SnippetID] {
    let blocking = { try store.moveToTrash(ids) }
    return switch self {
    case .blocking: try blocking()
    case .asynchronous: try await store.moveToTrash(ids)
    }
  }

  @discardableResult
  func undelete(_ store: SnippetStore, _ ids: [SnippetID]) async throws -> [SnippetID] {
    let blocking = { try store.undelete(ids) }
    return switch self {
    case .blocking: try blocking()
    case .asynchronous: try await store.undelete(ids)
    }
  }

  func delete(_ store: SnippetStore, _ ids: [SnippetID]) async throws -> [SnippetID] {
    let blocking = { try store.delete(ids) }
    return switch self {
    case .blocking: try blocking()
    case .asynchronous: try await store.delete(ids)
    }
  }
}
