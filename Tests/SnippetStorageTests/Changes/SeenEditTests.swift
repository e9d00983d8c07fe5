import Foundation
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// Edits of a snippet as somebody has seen it, while others change it.
@Suite(.temporaryDirectory)
struct SeenEditTests {
  private let store: SnippetStore

  init() throws {
    store = try TemporaryStore.inMemory()
  }

  private func save(_ text: String = "Milk") async throws -> SnippetRow {
    try await store.save(SnippetDraft(.text(text), title: "To buy", tags: ["old"]))
  }

  private func code(of seen: SnippetRow, _ edit: SnippetEdit) async -> SnippetStoreError.Code? {
    await errorCode { try await store.apply(edit, to: seen) }
  }

  @Test func `what others changed of other fields is kept`() async throws {
    let seen = try await save()
    try await store.update(seen.id, with: SnippetEdit(isPinned: true, addedTags: ["theirs"]))

    let outcome = try await store.apply(
      SnippetEdit(title: "Mine", text: "Eggs", addedTags: ["mine"], removedTags: ["old"]),
      to: seen
    )

    #expect(outcome.row.title == "Mine")
    #expect(outcome.row.isPinned)
    #expect(Set(outcome.row.tags) == ["theirs", "mine"])
    #expect(try await store.text(of: seen.id) == "Eggs")
    #expect(outcome.formerRevision > seen.revision)
  }

  @Test func `what somebody else changed is not written over`() async throws {
    let seen = try await save()
    try await store.update(seen.id, with: SnippetEdit(title: "Theirs", text: "Eggs"))

    #expect(await code(of: seen, SnippetEdit(title: "Mine", isPinned: true)) == .conflict)
    #expect(await code(of: seen, SnippetEdit(text: "Flour")) == .conflict)
    let row = try store.row(seen.id)
    #expect(row?.title == "Theirs")
    #expect(row?.isPinned == false)
    #expect(try await store.text(of: seen.id) == "Eggs")
  }

  @Test func `two who want the same agree`() async throws {
    let seen = try await save()
    try await store.update(seen.id, with: SnippetEdit(title: "Same", isPinned: true))
    let outcome = try await store.apply(SnippetEdit(title: "Same", isPinned: true), to: seen)
    #expect(outcome.row.title == "Same")
    #expect(outcome.inverse == SnippetEdit())
  }

  // The row tells no more of it than its beginning and its size.
  @Test func `a long text that may have been changed behind its preview is not written over`()
    async throws
  {
    let text = String(repeating: "word ", count: 200)
    let seen = try await save(text)
    try await store.update(seen.id, with: SnippetEdit(text: text.dropLast(5) + "song "))

    #expect(await code(of: seen, SnippetEdit(text: "Mine")) == .conflict)
    let now = try #require(try store.row(seen.id))
    #expect(await code(of: now, SnippetEdit(text: "Mine")) == nil)
  }

  @Test func `a text with a blob is known by it`() async throws {
    let text = String(repeating: "word ", count: 20_000)
    let seen = try await save(text)
    try #require(seen.blobID != nil)
    try await store.update(seen.id, with: SnippetEdit(isPinned: true))
    #expect(await code(of: seen, SnippetEdit(text: "Mine")) == nil)

    let again = try await save(text)
    try await store.update(again.id, with: SnippetEdit(text: text.dropLast(5) + "song "))
    #expect(await code(of: again, SnippetEdit(text: "Mine")) == .conflict)
  }

  @Test func `the inverse takes an edit back, and only that`() async throws {
    let seen = try await save()
    let edit = SnippetEdit(
      title: "New",
      text: "Eggs",
      isPinned: true,
      addedTags: ["new", "old"],
      removedTags: ["none"]
    )
    let outcome = try await store.apply(edit, to: seen)
    #expect(
      outcome.inverse
        == SnippetEdit(title: "To buy", text: "Milk", isPinned: false, removedTags: ["new"])
    )

    try await store.update(seen.id, with: SnippetEdit(addedTags: ["later"]))
    let back = try await store.apply(outcome.inverse, to: outcome.row)
    #expect(back.row.title == "To buy")
    #expect(!back.row.isPinned)
    #expect(Set(back.row.tags) == ["old", "later"])
    #expect(try await store.text(of: seen.id) == "Milk")
    #expect(
      back.inverse == SnippetEdit(title: "New", text: "Eggs", isPinned: true, addedTags: ["new"])
    )
  }

  @Test func `what is gone or in the trash fails as any edit does`() async throws {
    let (gone, trashed) = (try await save(), try await save())
    try await store.delete([gone.id])
    try await store.moveToTrash([trashed.id])
    #expect(await code(of: gone, SnippetEdit(isPinned: true)) == .notFound)
    #expect(await code(of: trashed, SnippetEdit(isPinned: true)) == .inTrash)
  }
}
