import Foundation
import SnippetStorage
import SnippetTestSupport
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
    try await store.apply(SnippetEdit(isPinned: true, addedTags: ["theirs"]), to: seen.id)

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
    try await store.apply(SnippetEdit(title: "Theirs", text: "Eggs"), to: seen.id)

    #expect(await code(of: seen, SnippetEdit(title: "Mine", isPinned: true)) == .conflict)
    #expect(await code(of: seen, SnippetEdit(text: "Flour")) == .conflict)
    let row = try store.row(seen.id)
    #expect(row?.title == "Theirs")
    #expect(row?.isPinned == false)
    #expect(try await store.text(of: seen.id) == "Eggs")
  }

  @Test func `two who want the same agree`() async throws {
    let seen = try await save()
    try await store.apply(SnippetEdit(title: "Same", isPinned: true), to: seen.id)
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
    try await store.apply(SnippetEdit(text: text.dropLast(5) + "song "), to: seen.id)

    #expect(await code(of: seen, SnippetEdit(text: "Mine")) == .conflict)
    let now = try #require(try store.row(seen.id))
    #expect(await code(of: now, SnippetEdit(text: "Mine")) == nil)
  }

  @Test func `a text with a blob is known by it`() async throws {
    let text = String(repeating: "word ", count: 20_000)
    let seen = try await save(text)
    try #require(seen.blobID != nil)
    try await store.apply(SnippetEdit(isPinned: true), to: seen.id)
    #expect(await code(of: seen, SnippetEdit(text: "Mine")) == nil)

    let again = try await save(text)
    try await store.apply(SnippetEdit(text: text.dropLast(5) + "song "), to: again.id)
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

    try await store.apply(SnippetEdit(addedTags: ["later"]), to: seen.id)
    let back = try await store.apply(outcome.inverse, to: outcome.row)
    #expect(back.row.title == "To buy")
    #expect(!back.row.isPinned)
    #expect(Set(back.row.tags) == ["old", "later"])
    #expect(try await store.text(of: seen.id) == "Milk")
    #expect(
      back.inverse == SnippetEdit(title: "New", text: "Eggs", isPinned: true, addedTags: ["new"])
    )
  }

  @Test func `the date of a snippet is changed, and taken back`() async throws {
    let seen = try await save()
    let date = Date(timeIntervalSince1970: 1_000_000_000)

    let outcome = try await store.apply(SnippetEdit(text: "Eggs", createdAt: date), to: seen)

    #expect(outcome.row.createdAt == date)
    #expect(outcome.inverse.createdAt == seen.createdAt)
    let back = try await store.apply(outcome.inverse, to: outcome.row)
    #expect(back.row.createdAt == seen.createdAt)
    #expect(try await store.text(of: seen.id) == "Milk")
  }

  @Test func `what is gone or in the trash fails as any edit does`() async throws {
    let (gone, trashed) = (try await save(), try await save())
    try await store.delete([gone.id])
    try await store.moveToTrash([trashed.id])
    #expect(await code(of: gone, SnippetEdit(isPinned: true)) == .notFound)
    #expect(await code(of: trashed, SnippetEdit(isPinned: true)) == .inTrash)
  }

  @Test func `a move to the trash is an edit with an inverse`() async throws {
    let seen = try await save()
    let moved = try await store.apply(SnippetEdit(isInTrash: true), to: seen)
    #expect(moved.row.deletedAt != nil)
    #expect(moved.row.modifiedAt == seen.modifiedAt)
    #expect(moved.row.revision == seen.revision + 1)
    #expect(moved.formerRevision == seen.revision)
    #expect(moved.inverse == SnippetEdit(isInTrash: false))

    let again = try await store.apply(SnippetEdit(isInTrash: true), to: moved.row)
    #expect(again.row == moved.row)
    #expect(again.inverse == SnippetEdit())

    let back = try await store.apply(moved.inverse, to: moved.row)
    #expect(back.row.deletedAt == nil)
    #expect(back.inverse == SnippetEdit(isInTrash: true))
  }

  @Test func `what is brought back can be changed in the same edit, and the other way round`()
    async throws
  {
    let seen = try await save()
    let moved = try await store.apply(SnippetEdit(title: "Gone", isInTrash: true), to: seen)
    #expect(moved.row.title == "Gone" && moved.row.deletedAt != nil)
    #expect(moved.inverse == SnippetEdit(title: "To buy", isInTrash: false))

    let back = try await store.apply(moved.inverse, to: moved.row)
    #expect(back.row.title == "To buy" && back.row.deletedAt == nil)
    #expect(back.inverse == SnippetEdit(title: "Gone", isInTrash: true))
  }

  @Test func `several are moved in one transaction, or none of them`() async throws {
    let (first, second) = (try await save(), try await save())
    let rows = try await store.apply(SnippetEdit(isInTrash: true), to: [first.id, second.id])
    #expect(rows.allSatisfy { $0.deletedAt != nil })

    try await store.delete([second.id])
    let failed = await errorCode {
      try await store.apply(SnippetEdit(isInTrash: false), to: [first.id, second.id])
    }
    #expect(failed == .notFound)
    #expect(try store.row(first.id)?.deletedAt != nil)
  }
}
