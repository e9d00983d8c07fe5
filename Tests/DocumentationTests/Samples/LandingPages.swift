import Foundation
import SnippetLoading
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
  for kind in SnippetKind.allCases { dataSource.register(NotePresenter.init, for: kind) }
  return dataSource
}
