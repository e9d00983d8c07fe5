import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Lists with a condition that the record of changes does not tell of a former row.
@Suite(.temporaryDirectory)
struct TypedListTests {
  @Test func `a list of a type follows what is saved, changed, moved and deleted`() async throws {
    let store = try TemporaryStore.open()
    let query: SearchQuery = "type:png OR tag:x"
    let list = store.list(try #require(SnippetFilter.all.narrowed(by: query)))
    func titles() throws -> [String] { try list.rows(in: 0..<9).map(\.title).sorted() }
    #expect(try titles().isEmpty)

    let picture = try await store.save(SnippetDraft(.bytes(Samples.png), title: "picture"))
    let text = try await store.save(SnippetDraft(.text("text"), title: "text"))
    #expect(try titles() == ["picture"])
    try await store.apply(SnippetEdit(addedTags: ["x/y"]), to: text.id)
    #expect(try titles() == ["picture", "text"])
    try await store.moveToTrash([picture.id])
    #expect(try titles() == ["text"])
    try await store.undelete([picture.id])
    try await store.delete([text.id])

    #expect(try titles() == ["picture"])
    #expect(try list.count == 1)
  }
}
