import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport

@testable import SnippetSync

/// A store of a test that has joined a repository in memory.
struct SyncedStore {
  let store: SnippetStore
  let sync: StoreSync

  init(store: SnippetStore, sync: StoreSync) {
    (self.store, self.sync) = (store, sync)
  }

  /// Joins a place under a name, with the key of a store that has joined it already.
  init(_ name: String, _ place: MemoryPlace, key: String? = nil) async throws {
    store = try TemporaryStore.open("\(name).sqlite")
    sync = try await StoreSync.join(
      store,
      by: place.carrier(name),
      at: "memory",
      as: name,
      key: key
    )
  }

  /// All snippets, or all in the trash.
  func rows(inTrash: Bool = false) throws -> [SnippetRow] {
    let list = store.list(inTrash ? .trash : SnippetFilter())
    return try list.page(0..<list.count).rows
  }

  /// All that devices agree on, a line for each snippet.
  func contents() async throws -> [String] {
    var lines: [String] = []
    for row in try rows() + rows(inTrash: true) {
      let hash = ContentHash.of(try await store.content(of: row.id)).hexadecimal.prefix(12)
      let tags = row.tags.map { $0.lowercased() }.sorted()
      lines.append(
        """
        \(row.uuid) \(row.kind.name) “\(row.title)” \(row.preview) \(hash) \(row.mediaType) \
        \(row.createdAt.milliseconds) \(row.modifiedAt.milliseconds) \(row.isPinned) \(tags) \
        \(row.deletedAt.map { "trash \($0.milliseconds)" } ?? "")
        """
      )
    }
    return lines.sorted()
  }

  /// The row of a snippet of another store.
  func row(_ uuid: UUID) throws -> SnippetRow? {
    try (rows() + rows(inTrash: true)).first { $0.uuid == uuid }
  }
}
