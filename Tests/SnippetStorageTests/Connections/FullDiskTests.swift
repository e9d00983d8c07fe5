import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

/// The file cannot grow any more.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct FullDiskTests {
  @Test func `what does not fit leaves nothing, and what is there stays in use`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("hello")))
    try store.limitPages(toMore: 4)

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.apply(SnippetEdit(text: Samples.longText()), to: row.id)
    }

    #expect(error?.code == .diskFull)
    #expect(error?.isRetryable == false)
    #expect(try store.list().rows(in: 0..<9) == [row])
    #expect(try await store.information().blobCount == 0)
    let small = try await store.apply(SnippetEdit(title: "small"), to: row.id)
    #expect(small.title == "small")
    let deleted = try await store.delete([row.id])
    #expect(deleted == [row.id])
  }

  @Test func `deleting makes room`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(Samples.image(Samples.bytes(500_000, seed: 1)))
    try store.limitPages(toMore: 0)

    try await store.delete([row.id])

    let other = try await store.save(Samples.image(Samples.bytes(480_000, seed: 2)))
    let content = try await store.content(of: other.id)
    #expect(content == Samples.bytes(480_000, seed: 2))
  }

  @Test func `a batch that does not fit stops, and keeps what it reported`() async throws {
    let store = try TemporaryStore.open()
    try store.limitPages(toMore: 300)
    let drafts = (0..<2000).map { number in
      SnippetDraft(.text("\(number) " + String(repeating: "x", count: 3000)))
    }
    let saved = Lock<[SnippetID]>([])

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.save(contentsOf: drafts) { event in
        if case .saved(_, let id, _) = event { saved.withLock { $0.append(id) } }
      }
    }

    #expect(error?.code == .diskFull)
    let ids = saved.withLock { $0 }
    #expect(ids.count == 500)
    #expect(try store.list().count == ids.count)
  }
}
