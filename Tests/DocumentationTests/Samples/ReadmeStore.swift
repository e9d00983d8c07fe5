import Foundation
import SnippetExchange
import SnippetStorage

func rememberMilk(in folder: URL) async throws {
  let store = try await SnippetStore.open(at: folder.appendingPathComponent("snippets.sqlite"))
  try await store.save(SnippetDraft(.text("Milk, eggs"), tags: ["shopping"]))
  try await store.importFiles(at: [folder.appendingPathComponent("Photos")])

  let list = store.list(SnippetFilter(kinds: [.text, .image]), order: .newestFirst)
  let page = try list.rows(in: 0..<40)  // rows only: no payload is read, at any position
  for row in page where row.kind == .image {
    let bytes = try await store.content(of: row.id)  // a blob, off every thread of Swift's
    print(row.title, bytes.count)
  }
}
