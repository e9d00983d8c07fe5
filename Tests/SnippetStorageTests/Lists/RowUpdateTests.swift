import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

/// How a list brings rows in memory up to its latest state.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct RowUpdateTests {
  @Test func `a list of an app that knows its changes is updated like one of a store`()
    async throws
  {
    let store = try TemporaryStore.open(configuration: .withoutLooks)
    try await store.save(contentsOf: (0..<60).map { SnippetDraft(.text("text \($0)")) })
    let list = store.list()
    let own = AppList(list: list)
    let page = try list.page(10..<30)
    let held = HeldRows(version: page.version, count: page.count, positions: 10..<30)
    let candidates = [2, 0, 5].map { RowPlace(id: page.rows[$0].id, position: 10 + $0) }

    try await store.save(contentsOf: (0..<3).map { SnippetDraft(.text("new \($0)")) })
    try await store.delete([candidates[0].id, page.rows[7].id])
    try await store.apply(SnippetEdit(title: "changed"), to: page.rows[9].id)
    let update = try own.readUpdate(of: held, at: 10..<30, anchoredAt: candidates)

    #expect(update == (try list.update(held, at: 10..<30, anchoredAt: candidates)))
    #expect(update.anchor == RowMove(id: candidates[1].id, from: 10, to: 13))
    #expect(!update.batch.isReset && update.rows.count < 20)
    #expect(update.batch == (try list.changes(since: page.version)))
  }

  @Test func `a list of an app that knows no changes is read anew`() async throws {
    let rows = ScriptedRows(count: 100)
    let own = PageList(rows: rows)
    let page = try own.page(10..<30)
    let held = HeldRows(version: page.version, count: page.count, positions: 10..<30)
    rows.rows.insert(.image(1_000), at: 0)

    let update = try own.readUpdate(
      of: held,
      at: 10..<30,
      anchoredAt: [RowPlace(id: page.rows[4].id, position: 14)]
    )

    #expect(update.batch.isReset && update.positions == 10..<30 && update.rows.count == 20)
    #expect(update.anchor == RowMove(id: page.rows[4].id, from: 14, to: 15))
  }

  @Test func `changes since a version are those between the pages`() async throws {
    let store = try TemporaryStore.open(configuration: .withoutLooks)
    try await store.save(contentsOf: (0..<10).map { SnippetDraft(.text("word \($0)")) })
    let (list, results) = (store.list(), try await store.search("word"))
    try await results.finish()
    let (page, found) = (try list.page(0..<10), try results.page(0..<10))

    #expect(try list.changes(since: page.version)?.splices == [])
    #expect(try results.changes(since: found.version)?.splices == [])
    try await store.delete([page.rows[3].id])
    let batch = try #require(try list.changes(since: page.version))
    #expect(batch.removed == [RowPlace(id: page.rows[3].id, position: 3)])
    #expect(batch.version == (try list.page(0..<0).version))
    #expect(try list.changes(since: page.version - 1) == nil)
  }
}

/// A list of an app that knows its changes.
private struct AppList: RowList {
  let list: SnippetList

  func page(_ positions: Range<Int>) throws(SnippetStoreError) -> SnippetPage {
    try list.page(positions)
  }

  func changes(since version: Int64) throws(SnippetStoreError) -> ListBatch? {
    try list.changes(since: version)
  }
}

/// A list of an app that can only be read.
private struct PageList: RowList {
  let rows: ScriptedRows

  func page(_ positions: Range<Int>) throws -> SnippetPage { try rows.page(positions) }
}
