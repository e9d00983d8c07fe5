import Foundation
import SnippetLoading
import SnippetMedia
import SnippetStorage

func printNewest(in file: URL) async throws {
  let store = try await SnippetStore.open(at: file)
  try await store.save(SnippetDraft(.text("Milk, eggs"), tags: ["shopping"]))

  for row in try store.list().rows(in: 0..<40) where row.kind == .text {
    print(row.title, try await store.text(of: row.id))
  }
}

@MainActor func notes(in store: SnippetStore) -> SnippetDataSource {
  let dataSource = SnippetDataSource(list: store.list(), store: store)
  for kind in SnippetKind.allCases { dataSource.register(NotePresenter.self, for: kind) }
  return dataSource
}

@MainActor func pictures(in store: SnippetStore, helper: URL) -> SnippetLoader {
  let media = WorkerMedia(.init(executable: helper))
  let source = MediaSource(store, media: media)
  return SnippetLoader(rows: store.list(), source: source, changes: store, rules: .media(media))
}
