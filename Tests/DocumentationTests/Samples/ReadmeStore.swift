import Foundation
import SnippetExchange
import SnippetStorage

func rememberMilk(in folder: URL) async throws {
  let store = try await SnippetStore.open(at: folder.appendingPathComponent("snippets.sqlite"))
  try await store.save(SnippetDraft(.text("Milk, eggs"), tags: ["shopping"]))
  try await store.importFiles(at: [folder.appendingPathComponent("Photos")])

  let list = store.list(SnippetFilter(kinds: [.text, .image]), order: .newestFirst)
  for row in try list.rows(in: 0..<40) where row.kind == .image {  // reads only rows
    let bytes = try await store.content(of: row.id)  // reads a blob, on a thread of the store
    print(row.title, bytes.count)
  }
}
