import Foundation
import GRDB
import GRDBSQLite
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// What a list costs is counted in the steps of SQLite's machine, which are the same on every run.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ListCostTests {
  private static let lists = SnippetOrder.all.flatMap { order in
    [
      SnippetFilter.all, SnippetFilter(kinds: [.text]), SnippetFilter(isPinned: false),
      SnippetFilter(createdAt: .distantPast..<Date.distantFuture), SnippetFilter(tags: ["all"]),
    ].map { (order, $0) }
  }

  @Test(arguments: [false, true])
  func `a window costs the same wherever it is`(areEqual: Bool) async throws {
    let count = 3000
    let store = try await store(count: count, areEqual: areEqual)
    for (order, filter) in Self.lists {
      let list = store.list(filter, order: order)
      #expect(try list.count == count)
      _ = try list.row(at: 0)

      let costs = try [0, 128 * 10, 128 * 23].map { start in
        try cost(in: store) {
          let rows = try list.rows(in: start..<start + 50)
          #expect(rows.count == 50)
        }
      }

      #expect(costs.allSatisfy { $0 <= costs[0] + costs[0] / 4 }, "\(order), \(filter), \(costs)")
    }
  }

  @Test(arguments: [false, true])
  func `the position of a snippet costs the same wherever it is`(areEqual: Bool) async throws {
    let store = try await store(count: 3000, areEqual: areEqual)
    for (order, filter) in Self.lists {
      let list = store.list(filter, order: order)
      let ids = try [127, 128 * 10 + 127, 128 * 22 + 127].map { position in
        let row = try list.row(at: position)
        return try #require(row).id
      }

      let costs = try ids.map { id in
        try cost(in: store) {
          let position = try list.position(of: id)
          #expect(position != nil)
        }
      }

      #expect(costs.allSatisfy { $0 <= costs[0] + costs[0] / 4 }, "\(order), \(filter), \(costs)")
    }
  }

  @Test func `the first page costs the same however long the list is`() async throws {
    let costs = try await [2_000, 4_000].asyncMap { count in
      let store = try await store(count: count, areEqual: false)
      return try SnippetOrder.all.map { order in
        let list = store.list(order: order)
        return try cost(in: store) {
          let page = try list.firstPage(0..<50)
          #expect(!page.isCounted)
        }
      }
    }

    #expect(costs[0] == costs[1])
  }

  @Test func `a full trash costs a list nothing, nor does a long list cost the trash`() async throws
  {
    let store = try await store(count: 2000, areEqual: false)
    func costs(_ filter: SnippetFilter) throws -> [Int] {
      try SnippetOrder.all.map { order in
        let list = store.list(filter, order: order)
        let count = try list.count
        // The statements are prepared.
        _ = try list.rows(in: 0..<count)
        return try cost(in: store) {
          let rows = try list.rows(in: 300..<350)
          #expect(rows.count == 50)
        }
      }
    }
    let odd = try store.list(order: .oldestFirst).rows(in: 0..<2000).map(\.id)
      .filter { $0.rawValue % 2 == 1 }
    try await store.delete(odd.suffix(500))
    let before = try costs(.all)
    try await store.moveToTrash(Array(odd.prefix(500)))

    let (after, trash) = (try costs(.all), try costs(.trash))

    #expect(zip(before, after).allSatisfy { $1 <= $0 + $0 / 4 }, "\(before) \(after)")
    #expect(zip(before, trash).allSatisfy { $1 <= $0 + $0 / 4 }, "\(before) \(trash)")
  }

  // What is read follows the changes, not the list.
  @Test func `a change costs the same in a long list as in a short one`() async throws {
    let lists = SnippetOrder.all.flatMap { order in
      [
        SnippetFilter.all, SnippetFilter(isPinned: false), SnippetFilter(tags: ["all"]),
        SnippetFilter(tags: ["rare"]),
      ].map { (order, $0) }
    }
    let costs = try await [600, 3000].asyncMap { count in
      let store = try await store(
        count: count,
        areEqual: false,
        tags: { $0 % 30 == 0 ? ["rare"] : [] }
      )
      return try await lists.asyncMap { order, filter in
        let list = store.list(filter, order: order)
        let rows = try list.rows(in: 0..<100_000)
        let follower = ListFollower(list)
        let row = rows[rows.count / 2]
        // The statements are prepared.
        try await store.apply(SnippetEdit(title: "title 2999"), to: row.id)
        _ = try list.count
        #expect(follower.takeBatch()?.isReset == false)

        try await store.apply(SnippetEdit(title: "title 3000"), to: row.id)
        let cost = try cost(in: store) { _ = try list.count }

        #expect(follower.takeBatch()?.isReset == false)
        return cost
      }
    }

    let (short, long) = (costs[0], costs[1])
    // A block is walked once or twice, at some steps for each of its rows.
    #expect(zip(short, long).allSatisfy { $1 < 2 * $0 + 500 }, "\(costs)")
    #expect(long.allSatisfy { $0 < 20_000 }, "\(costs)")
  }

  private func store(
    count: Int,
    areEqual: Bool,
    tags: (Int) -> [String] = { _ in [] }
  ) async throws -> SnippetStore {
    let store = try TemporaryStore.inMemory()
    let report = try await store.save(
      contentsOf: (0..<count).map { number in
        SnippetDraft(
          .text("text"),
          title: areEqual ? "same" : "title \(number)",
          tags: ["all"] + tags(number),
          createdAt: Samples.date.addingTimeInterval(areEqual ? 0 : Double(number))
        )
      }
    )
    #expect(report.savedCount == count)
    return store
  }

  /// The steps that SQLite takes for what `body` asks of the lists.
  private func cost(in store: SnippetStore, of body: () throws -> Void) throws -> Int {
    _ = steps(in: store)
    try body()
    return steps(in: store)
  }

  /// The steps of all statements since they were last asked for.
  private func steps(in store: SnippetStore) -> Int {
    store.connections.rows.unsafeRead { db in
      var steps = 0
      var statement = sqlite3_next_stmt(db.sqliteConnection, nil)
      while let found = statement {
        steps += Int(sqlite3_stmt_status(found, SQLITE_STMTSTATUS_VM_STEP, 1))
        statement = sqlite3_next_stmt(db.sqliteConnection, found)
      }
      return steps
    }
  }
}
