import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStore

@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct ListIndexTests {
  @Test func `a list remembers one key for every 128 rows`() throws {
    let store = try store(count: 257) { _ in [] }

    let index = try index(of: .all, in: store)

    #expect(index.count == 257)
    guard case .fences(let fences) = index.positions else {
      Issue.record("an unfiltered list has fences")
      return
    }
    #expect(fences.map(\.id) == [1, 129, 257])
  }

  @Test(arguments: [(8, true), (9, false), (1, true), (0, true), (64, false)])
  func `a list of few rows remembers each, one of many does not`(
    count: Int,
    isSparse: Bool
  ) throws {
    let store = try store(count: 64) { $0 < count ? ["tagged"] : [] }

    let index = try index(of: SnippetFilter(tags: ["tagged"]), in: store)

    #expect(index.count == count)
    switch index.positions {
    case .identities(let ids):
      #expect(isSparse)
      #expect(ids == (0..<count).map { Int64($0 + 1) })
    case .fences(let fences):
      #expect(!isSparse)
      #expect(fences.map(\.id) == [1])
    }
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
      try ListIndex.build(query, version: DataVersion(db), in: db)
    }
  }

  private func store(count: Int, tags: (Int) -> [String]) throws -> SnippetStore {
    let store = try TemporaryStore.inMemory()
    try store.save(
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
