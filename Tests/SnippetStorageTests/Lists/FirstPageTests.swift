import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct FirstPageTests {
  private static let filters = [
    SnippetFilter.all, SnippetFilter(tags: ["all"]), SnippetFilter(isPinned: false),
  ]

  @Test(arguments: [false, true])
  func `the first page of a long list comes before the list is counted`(isInMemory: Bool)
    async throws
  {
    let store = try await store(count: 3_000, isInMemory: isInMemory)
    for order in SnippetOrder.all {
      for filter in Self.filters {
        let expected = try store.list(filter, order: order).rows(in: 0..<2_000)
        let list = store.list(filter, order: order)

        for range in [0..<50, 130..<131, 127..<128, 0..<0, -5..<5, 900..<1_000] {
          let page = try list.firstPage(range)
          let held = range.clamped(to: 0..<2_000)
          #expect(!page.isCounted)
          #expect(page.count == held.upperBound + 1_024)
          #expect(page.start == held.lowerBound)
          #expect(page.rows == Array(expected[held]), "\(order), \(filter), \(range)")
        }

        let counted = try list.page(0..<50)
        #expect((counted.isCounted, counted.count) == (true, 3_000))
        #expect(try list.firstPage(0..<50) == counted)
      }
    }
  }

  @Test func `a page whose walk comes to the end is counted`() async throws {
    let store = try await store(count: 3_000)
    for range in [1_976..<1_977, 2_990..<4_000, 5_000..<5_001, 0..<Int.max, Int.min..<Int.max] {
      let list = store.list(order: .oldestFirst)
      #expect(try list.firstPage(range) == list.page(range))
    }
    for count in [0, 1, 1_000] {
      let list = try await self.store(count: count, isInMemory: true).list()
      let page = try list.firstPage(0..<50)
      #expect((page.isCounted, page.count, page.rows.count) == (true, count, min(count, 50)))
    }
  }

  @Test(arguments: [false, true])
  func `its version is another after every commit and that of no counted page`(
    isInMemory: Bool
  ) async throws {
    let store = try await store(count: 1_500, isInMemory: isInMemory)
    var versions: [Int64] = []
    for _ in 0..<3 {
      versions.append(try store.list().firstPage(0..<50).version)
      #expect(try store.list().firstPage(9..<20).version == versions.last)
      versions.append(try store.list().page(0..<50).version)
      try await store.save(SnippetDraft(.text("another")))
    }
    let (uncounted, counted) = ([0, 2, 4].map { versions[$0] }, [1, 3, 5].map { versions[$0] })

    #expect(Set(uncounted).count == 3)
    #expect(Set(uncounted).isDisjoint(with: counted))
  }

  @Test func `a walk in steps comes to the same as one at once`() async throws {
    let store = try await store(count: 1_000)
    for filter in Self.filters {
      let query = ListQuery(filter: filter, order: .byTitle)
      var walk = ListIndexWalk(query)
      var index: ListIndex?
      var stepCount = 0
      func advance() throws -> ListIndex? {
        try store.connections.read(.rows, to: "walk") { try walk.advance(by: 100, in: $0) }
      }
      while index == nil {
        index = try advance()
        stepCount += 1
      }

      let whole = try await store.connections.read(.rows, to: "walk") { db in
        try ListIndex.build(query, in: db)
      }
      #expect(stepCount == 11)
      #expect(index?.count == whole.count)
      #expect(index?.fences == whole.fences)
      #expect(index?.counts.values == whole.counts.values)
    }
  }

  @Test func `a walk in steps begins again when somebody commits`() async throws {
    let (store, other) = (try await store(count: 500), try TemporaryStore.open())
    var walk = ListIndexWalk(ListQuery(filter: .all, order: .oldestFirst))
    func advance() throws -> ListIndex? {
      try store.connections.read(.rows, to: "walk") { try walk.advance(by: 300, in: $0) }
    }

    #expect(try advance() == nil)
    #expect(walk.restartCount == 0)
    try await other.save(SnippetDraft(.text("early"), createdAt: .distantPast))
    #expect(try advance() == nil)
    #expect(walk.restartCount == 1)

    let index = try advance()
    #expect(index?.count == 501)
    let version = try await store.connections.read(.rows, to: "ask") { try DataVersion($0) }
    #expect(index?.version == version)
  }

  private func store(count: Int, isInMemory: Bool = false) async throws -> SnippetStore {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    let drafts = (0..<count).map { number in
      SnippetDraft(
        .text("\(number)"),
        title: "title \(number / 3)",
        tags: ["all"],
        createdAt: Samples.date.addingTimeInterval(Double(number / 3))
      )
    }
    let report = try await store.save(contentsOf: drafts)
    #expect(report.savedCount == count)
    return store
  }
}
