import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ListIndexTests {
  @Test func `a list remembers one key for every 128 rows`() async throws {
    let store = try await store(count: 257) { _ in [] }

    let index = try index(of: .all, in: store)

    #expect(index.count == 257)
    #expect(index.identities == nil)
    let ends = [127, 255].map { Samples.date.addingTimeInterval($0).milliseconds }
    #expect(index.fences.map(\.value) == ends.map { .number($0) })
    #expect(index.counts.values == [128, 128, 1])
  }

  @Test(arguments: [(6, true), (7, false), (1, true), (0, true), (64, false)])
  func `a list of few rows remembers each, one of many does not`(
    count: Int,
    isSparse: Bool
  ) async throws {
    let store = try await store(count: 64) { $0 < count ? ["tagged"] : [] }

    let index = try index(of: SnippetFilter(tags: ["tagged"]), in: store)

    #expect(index.count == count)
    #expect(index.identities == (isSparse ? [(0..<count).map { Int64($0 + 1) }] : nil))
    #expect(index.fences == [])
  }

  // A block is cut where it has become long, and joined to another where it has become short.
  @Test(arguments: [SnippetFilter.all, SnippetFilter(tags: ["tagged"])])
  func `an index that has followed changes is cut as evenly as a new one`(
    filter: SnippetFilter
  ) async throws {
    let store = try await store(count: 4000) { $0 < 200 ? ["tagged"] : [] }
    let list = store.list(filter, order: .oldestFirst)
    let count = try list.count
    let lengths = { list.state.withLock { $0.index?.counts.values ?? [] } }
    let before = lengths()

    try await store.save(
      contentsOf: (0..<400).map { number in
        SnippetDraft(.text("new \(number)"), tags: ["tagged"], createdAt: Samples.date)
      }
    )
    #expect(try list.count == count + 400)
    #expect(lengths().allSatisfy { $0 <= 256 }, "\(lengths())")
    #expect(lengths().count >= before.count + 3)

    for start in stride(from: 0, to: count + 400 - 40, by: 500) {
      let ids = try list.rows(in: 0..<500).map(\.id)
      #expect(!ids.isEmpty, "\(start)")
      try await store.delete(Array(ids))
      _ = try list.count
    }
    let rest = lengths()
    #expect(rest.count <= rest.reduce(0, +) / 64 + 2, "\(rest)")
    #expect(try list.count == rest.reduce(0, +))
  }

  @Test func `an empty store makes an empty list`() throws {
    let list = try TemporaryStore.open().list()

    #expect(try list.count == 0)
    #expect(try list.row(at: 0) == nil)
    #expect(try list.rows(in: 0..<10) == [])
    #expect(try list.position(of: SnippetID(rawValue: 1)) == nil)
  }

  private func index(of filter: SnippetFilter, in store: SnippetStore) throws -> ListIndex {
    let query = ListQuery(filter: filter, order: .oldestFirst)
    return try store.connections.read(.rows, to: "build an index") { db in
      try ListIndex.build(query, in: db)
    }
  }

  private func store(count: Int, tags: (Int) -> [String]) async throws -> SnippetStore {
    let store = try TemporaryStore.inMemory()
    try await store.save(
      contentsOf: (0..<count).map { number in
        SnippetDraft(
          .text("\(number)"),
          tags: tags(number),
          createdAt: Samples.date.addingTimeInterval(Double(number))
        )
      }
    )
    return store
  }
}
