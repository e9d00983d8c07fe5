import Foundation
import SnippetBase
import SnippetExchange
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// The ways in which a store changes its snippets, each with what an observation is to be told.
enum OwnChange: CaseIterable, Sendable {
  case save, saveAsync, saveTagged, saveSeveral, importFile
  case title, shortText, longText, pin, addTag, removeTag, everything
  case moveToTrash, moveSeveralToTrash
  case delete, deleteSeveral, deleteShared

  /// Makes the change in a store that holds three snippets, the first two with one blob between
  /// them, the last with the tag `old`.
  func make(in store: SnippetStore, of ids: [SnippetID]) async throws -> SeenChange {
    func update(_ changes: SnippetEdit) async throws -> SeenChange {
      try await store.apply(changes, to: ids[2])
      return .updated(ids[2])
    }
    switch self {
    case .save:
      let blocking = { try await store.save(SnippetDraft(.text("new"))) }
      return await .inserted(try blocking().id)
    case .saveAsync:
      return .inserted(try await store.save(SnippetDraft(.text("new"))).id)
    case .saveTagged:
      return .inserted(try await store.save(SnippetDraft(.text("new"), tags: ["old", "new"])).id)
    case .saveSeveral:
      let drafts = [SnippetDraft(.text("new")), SnippetDraft(.text(Samples.longText()))]
      let saved = Lock<Set<SnippetID>>([])
      try await store.save(contentsOf: drafts) { event in
        if case .saved(_, let id, _) = event { _ = saved.withLock { $0.insert(id) } }
      }
      return .snippets(inserted: saved.withLock { $0 }, updated: [], deleted: [])
    case .importFile:
      let file = TemporaryDirectory.file("new.txt")
      try Data("a new text".utf8).write(to: file)
      let imported = Lock<Set<SnippetID>>([])
      try await store.importFiles(at: [file]) { event in
        guard event.outcome == .imported, let id = event.snippetID else { return }
        _ = imported.withLock { $0.insert(id) }
      }
      return .snippets(inserted: imported.withLock { $0 }, updated: [], deleted: [])
    case .title: return try await update(SnippetEdit(title: "new"))
    case .shortText: return try await update(SnippetEdit(text: "new"))
    case .longText: return try await update(SnippetEdit(text: Samples.longText()))
    case .pin: return try await update(SnippetEdit(isPinned: true))
    case .addTag: return try await update(SnippetEdit(addedTags: ["new"]))
    case .removeTag: return try await update(SnippetEdit(removedTags: ["old"]))
    case .everything:
      return try await update(
        SnippetEdit(
          title: "new",
          text: "new",
          isPinned: true,
          addedTags: ["a"],
          removedTags: ["old"]
        )
      )
    case .moveToTrash:
      try await store.moveToTrash([ids[2]])
      return .deleted(ids[2])
    case .moveSeveralToTrash:
      try await store.moveToTrash(Array(ids[1...]))
      return .snippets(inserted: [], updated: [], deleted: Set(ids[1...]))
    case .delete:
      try await store.delete([ids[2]])
      return .deleted(ids[2])
    case .deleteSeveral:
      try await store.delete(ids + [SnippetID(rawValue: 999)])
      return .snippets(inserted: [], updated: [], deleted: Set(ids))
    case .deleteShared:
      try await store.delete([ids[0]])
      return .deleted(ids[0])
    }
  }
}
