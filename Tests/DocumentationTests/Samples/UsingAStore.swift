import Foundation
import SnippetStorage

/// The samples in the article on using a store.
enum UsingAStore {
  static func opening(_ file: URL) async throws -> (SnippetStore, SnippetRow) {
    let store = try await SnippetStore.open(at: file)
    let milk = try await store.save(SnippetDraft(.text("Milk, eggs"), tags: ["shopping"]))
    try await store.apply(SnippetEdit(isPinned: true, addedTags: ["kitchen"]), to: milk.id)

    for row in try store.list(SnippetFilter(tags: ["shopping"])).rows(in: 0..<40) {
      print(row.title, row.tags)
    }
    return (store, milk)
  }

  static func reopening(_ file: URL) async throws -> SnippetStore {
    var configuration = SnippetStore.Configuration(access: .readWrite)
    configuration.busyTimeout = .seconds(2)
    let store = try await SnippetStore.open(at: file, configuration: configuration)
    return store
  }

  static func rename(
    _ row: SnippetRow,
    to title: String,
    in store: SnippetStore
  ) async throws(SnippetStoreError) -> SnippetEdit? {
    do {
      let outcome = try await store.apply(SnippetEdit(title: title), to: row)
      return outcome.inverse  // applied to `outcome.row`, it undoes the edit
    } catch {
      guard error.code == .conflict else { throw error }
      return nil  // Others changed the title too: show both.
    }
  }

  static func noting(_ file: URL, in store: SnippetStore) async throws {
    let photo = try await store.save(
      SnippetDraft(.file(at: file), note: "The boats of the regatta")
    )
    try await store.apply(SnippetEdit(note: "The boats before the start"), to: photo)
    print(try await store.note(of: photo.id))
  }

  static func trashing(_ milk: SnippetRow, in store: SnippetStore) async throws {
    try await store.moveToTrash([milk.id])
    try await store.undelete([milk.id])
  }

  static func emptying(_ store: SnippetStore) async throws -> Int {
    let monthAgo = Date(timeIntervalSinceNow: -30 * 86_400)
    let deletedCount = try await store.emptyTrash(before: monthAgo)
    return deletedCount
  }

  static func backingUp(_ store: SnippetStore, to backup: URL) async throws {
    try await store.backUp(to: backup, replacesExisting: true)
  }

  static func saving(_ draft: SnippetDraft, in store: SnippetStore) async -> String? {
    do {
      try await store.save(draft)
      return nil
    } catch {
      guard !error.isRetryable else { return "The store is busy. Try again." }
      return [error.localizedDescription, error.recoverySuggestion ?? ""].joined(separator: "\n")
    }
  }
}
