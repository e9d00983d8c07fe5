import Foundation
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Testing

/// What somebody does with a store of some snippets, from opening it to closing it.
struct StoreUse: Sendable, CustomStringConvertible {
  var description: String
  private var use: @Sendable (SnippetStore, [SnippetID]) async throws -> Void

  /// Opens a store, uses it and closes it, whatever came of the use.
  func run(on file: URL) async throws {
    let store = try SnippetStore(at: file)
    do {
      try await use(store, (1...8).map(SnippetID.init(rawValue:)))
    } catch {
      try? await store.close()
      throw error
    }
    try await store.close()
  }

  private init(
    _ description: String,
    _ use: @escaping @Sendable (SnippetStore, [SnippetID]) async throws -> Void
  ) {
    (self.description, self.use) = (description, use)
  }

  /// Everything, the reading first.
  static let all: [StoreUse] = looking + finding + following + keeping + changing

  private static func each(
    _ ids: [SnippetID],
    _ body: (SnippetID) async throws -> Void
  ) async throws {
    for id in ids {
      do {
        try await body(id)
      } catch {
        #expect(error is SnippetStoreError, "\(error)")
      }
    }
  }

  private static let filters: [SnippetFilter] = [
    .all, .init(isInTrash: true), .init(kinds: [.text], tags: ["a"], isPinned: false),
  ]
  private static let orders: [SnippetOrder] = [.newestFirst, .recentlyModifiedFirst, .byTitle]

  private static let looking: [StoreUse] = [
    StoreUse("list") { store, ids in
      for filter in filters {
        for order in orders {
          let list = store.list(filter, order: order)
          do {
            _ = try list.firstPage(0..<3)
            _ = try list.page(1..<9)
            for id in ids { _ = try list.position(of: id) }
            _ = try list.rows(in: 0..<99)
          } catch {
            #expect(error is SnippetStoreError, "\(error)")
          }
        }
      }
    },
    StoreUse("rows") { store, ids in try await each(ids) { _ = try store.row($0) } },
    StoreUse("contents") { store, ids in
      try await each(ids) { _ = try await store.content(of: $0) }
      try await each(ids) { try store.forEachPiece(of: $0, in: 5..<900_000) { _ in } }
      try await each(ids) { _ = try await store.text(of: $0) }
      try await each(ids) { try store.forEachTextPiece(of: $0) { _ in } }
    },
    StoreUse("blobs") { store, _ in
      let blobs = (1...5).map(BlobID.init(rawValue:))
      for blob in blobs {
        _ = await errorCode { try await store.content(of: blob) }
        _ = await errorCode { try await store.derivative(of: blob, by: Recipe("small")) }
      }
      _ = try await store.content(of: blobs)
    },
    StoreUse("tags") { store, _ in _ = try await store.tags() },
    StoreUse("captures") { store, _ in _ = try await store.captures() },
    StoreUse("information") { store, _ in _ = try await store.information() },
    StoreUse("storage use") { store, _ in _ = try await store.storageUse() },
    StoreUse("sql") { store, _ in
      for table in [
        "snippets", "trash", "texts", "tagged", "tags", "blobs", "small_blobs", "captures",
        "derivatives", "changes", "search_index", "search_state", "change",
      ] {
        _ = errorCode { _ = try store.rows(of: "SELECT * FROM \(table)") }
      }
    },
  ]

  private static let finding: [StoreUse] = [
    StoreUse("search") { store, ids in
      for filter in filters {
        for query: SearchQuery in ["word", "ord", "a"] {
          do {
            let results = try await store.search(query, in: filter)
            try await results.finish()
            for row in try results.rows(in: 0..<9) { _ = try await results.excerpt(of: row.id) }
          } catch {
            #expect(error is SnippetStoreError, "\(error)")
          }
        }
      }
    },
    StoreUse("index") { store, _ in try await store.updateSearchIndex() },
  ]

  private static let following: [StoreUse] = [
    StoreUse("changes") { store, _ in
      _ = try await store.changes(after: ChangeNumber(rawValue: 0))
      _ = try await store.changes(after: ChangeNumber(rawValue: 3), limit: 2)
      _ = try await store.lastChange
    },
    StoreUse("follow") { store, ids in
      let lists = filters.map { store.list($0, order: .byTitle) }
      for list in lists { _ = errorCode { try list.rows(in: 0..<9) } }
      let (changes, continuation) = AsyncStream<Void>.makeStream()
      let observation = store.observeChanges { continuation.yield() }
      defer { observation.cancel() }
      try await store.save(SnippetDraft(.text("new"), tags: ["a"]))
      for await _ in changes { break }
      for list in lists { _ = errorCode { try list.rows(in: 0..<9) } }
    },
  ]

  private static let keeping: [StoreUse] = [
    StoreUse("check") { store, _ in _ = try await store.check() },
    StoreUse("back up") { store, _ in
      try await store.backUp(to: TemporaryDirectory.file("backup-\(UUID()).sqlite"))
    },
    StoreUse("restore") { store, _ in
      let other = try SnippetStore(at: TemporaryDirectory.file("other.sqlite"))
      try await other.close()
      try await SnippetStore.restore(
        from: try #require(store.url),
        to: TemporaryDirectory.file("other.sqlite")
      )
    },
    StoreUse("export and import") { store, _ in
      let folder = TemporaryDirectory.file("export-\(UUID())")
      try await store.export(to: folder)
      let other = try SnippetStore(at: TemporaryDirectory.file("other.sqlite"))
      _ = await errorCode { try await other.importFiles(at: [folder]) }
      try await other.close()
    },
  ]

  private static let changing: [StoreUse] = [
    StoreUse("save") { store, _ in
      try await store.save(SnippetDraft(.text("new"), tags: ["a", "new"]))
      try await store.save(
        contentsOf: [
          SnippetDraft(.text("text 1 word")), SnippetDraft(.text(Samples.longText())),
          Samples.image(Samples.bytes(70_000)),
        ],
        skipsDuplicates: true
      )
    },
    StoreUse("edit") { store, ids in
      try await each(ids) { try await store.apply(SnippetEdit(title: "changed"), to: $0) }
      try await each(ids) {
        try await store.apply(SnippetEdit(addedTags: ["b"], removedTags: ["a"]), to: $0)
      }
      try await each(ids) { try await store.apply(SnippetEdit(text: "changed word"), to: $0) }
    },
    StoreUse("derivatives") { store, _ in
      try await store.saveDerivatives([
        Derivative(blobID: BlobID(rawValue: 2), recipe: Recipe("small"), data: Data([1]))
      ])
      try await store.deleteDerivatives()
    },
    StoreUse("capture") { store, _ in
      for capture in try await store.captures() {
        _ = await errorCode { try await store.finishCapture(capture.id) }
        _ = await errorCode { try await store.discardCapture(capture.id) }
      }
      let capture = try await store.startCapture()
      try await capture.append(Samples.wav())
      _ = try await capture.finish()
    },
    StoreUse("trash") { store, ids in
      try await each(ids) { try await store.moveToTrash([$0]) }
      try await each(ids) { try await store.undelete([$0]) }
      try await store.moveToTrash(ids)
    },
    StoreUse("search once more") { store, _ in
      let results = try await store.search("word")
      try await results.finish()
    },
    StoreUse("collect garbage") { store, _ in try await store.collectGarbage() },
    StoreUse("empty trash") { store, _ in try await store.emptyTrash() },
    StoreUse("delete") { store, ids in
      try await each(ids) { try await store.delete([$0]) }
    },
    StoreUse("purge quickly") { store, _ in try await store.purge(rewritesFile: false) },
    StoreUse("purge") { store, _ in try await store.purge() },
  ]
}
