import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct DeletingTests {
  @Test func `deleting tells which snippets were there`() async throws {
    let store = try TemporaryStore.open()
    let report = try await store.save(contentsOf: (0..<5).map { SnippetDraft(.text("\($0)")) })
    #expect(report.savedCount == 5)
    let ids = [3, 99, 1, 3, -7, 5].map { SnippetID(rawValue: $0) }

    let deleted = try await store.delete(ids)

    #expect(deleted.map(\.rawValue) == [3, 1, 5])
    #expect(try store.list(order: .byTitle).rows(in: 0..<9).map(\.id.rawValue) == [2, 4])
    let again = try await store.delete(ids)
    #expect(again == [])
    let none = try await store.delete([])
    #expect(none == [])
  }

  @Test func `a snippet that others have changed since it was seen is not deleted`() async throws {
    let store = try TemporaryStore.open()
    let others = try TemporaryStore.open()
    let seen = try await store.save(SnippetDraft(.text("draft")))
    try await others.apply(SnippetEdit(text: "theirs"), to: seen.id)
    #expect(try await !store.delete(ifUnchanged: seen))
    #expect(try await store.text(of: seen.id) == "theirs")

    let changed = try #require(try store.row(seen.id))
    #expect(try await store.delete(ifUnchanged: changed))
    #expect(try store.row(seen.id) == nil)
    #expect(try await !store.delete(ifUnchanged: changed))
  }

  @Test func `a deleted snippet is nowhere to be found`() async throws {
    let store = try TemporaryStore.open()
    let draft = SnippetDraft(.text(Samples.longText()), title: "gone", tags: ["gone"])
    let row = try await store.save(draft)
    let list = store.list()
    #expect(try list.position(of: row.id) == 0)

    try await store.delete([row.id])

    #expect(try store.row(row.id) == nil)
    #expect(try list.position(of: row.id) == nil)
    let found = try await store.foundIDs("gone")
    #expect(found == [])
    #expect(await errorCode { try await store.text(of: row.id) } == .notFound)
    let information = try await store.information()
    #expect(information.blobCount == 0)
    #expect(information.tagCount == 0)
  }

  @Test func `shared bytes stay until their last snippet goes`() async throws {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(600_000)
    var ids: [SnippetID] = []
    for _ in 0..<3 { ids.append(try await store.save(Samples.image(bytes)).id) }
    #expect(try await store.information().blobByteCount == 600_000)

    try await store.delete(Array(ids[0...1]))
    let content = try await store.content(of: ids[2])
    #expect(content == bytes)

    try await store.delete([ids[2]])
    #expect(try await store.information().blobCount == 0)
    let chunks = try await Shell.sqlite3(
      TemporaryDirectory.file("store.sqlite"),
      "SELECT count(*) FROM blob_chunk"
    )
    #expect(chunks.standardOutput == "0\n")
  }

  @Test func `the same bytes can be saved again after they were deleted`() async throws {
    let store = try TemporaryStore.open()
    let first = try await store.save(Samples.image(Samples.bytes(1000)))
    try await store.delete([first.id])

    let second = try await store.save(Samples.image(Samples.bytes(1000)))

    #expect(second.id > first.id)
    let (old, new) = (try #require(first.blobID), try #require(second.blobID))
    #expect(new > old)
    let content = try await store.content(of: second.id)
    #expect(content == Samples.bytes(1000))
  }

  @Test func `many snippets go in one transaction`() async throws {
    let store = try TemporaryStore.open()
    let other = try TemporaryStore.open()
    let drafts = (0..<2000).map { SnippetDraft(.text("\($0)"), tags: ["all"]) }
    try await store.save(contentsOf: drafts)
    let list = other.list()
    #expect(try list.count == 2000)

    let deleted = try await store.delete((1...2000).map { SnippetID(rawValue: $0) })

    #expect(deleted.count == 2000)
    #expect(try list.count == 0)
  }
}
