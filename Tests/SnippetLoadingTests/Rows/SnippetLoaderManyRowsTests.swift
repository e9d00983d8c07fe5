import SnippetStorage
import SnippetTesting
import Testing

@testable import SnippetLoading

/// Many rows that are read at once, wherever they are.
@MainActor
struct SnippetLoaderManyRowsTests {
  private let stage = ScriptedLoader(rows: ScriptedRows(count: 5_000))

  private func ids(at positions: [Int]) async -> [Int64]? {
    await stage.loader.readRows(at: positions).value?.map(\.id.rawValue)
  }

  @Test func `rows are read where they are, in few pages`() async {
    #expect(stage.loader.count == 5_000)
    let former = stage.rows.reads.count
    let positions = Array(0..<2_500) + [3_000, 3_010, 4_999]
    #expect(await ids(at: positions) == positions.map { Int64($0) + 1 })
    #expect(stage.rows.reads.count - former == 5)
  }

  @Test func `a host that is behind gets the snippets that it knows there`() async {
    #expect(stage.loader.count == 5_000)
    let rows = stage.rows.rows
    // A new one and a former one are first, and one is gone.
    stage.rows.rows =
      [.image(9_001), rows[4_000]] + rows[..<10] + rows[11..<4_000] + rows[4_001...]

    #expect(await ids(at: [5, 10, 11, 4_000, 4_001]) == [4_001, 6, 12, 4_002])
    stage.rows.announce()
    stage.settle()
    #expect(await ids(at: [5, 10, 11, 4_000, 4_001]) == [4, 9, 10, 4_000, 4_002])
  }

  @Test func `a list that names no change gives no rows`() async {
    #expect(stage.loader.count == 5_000)
    stage.rows.hidesBatches = true
    stage.rows.rows.removeFirst()
    #expect(await ids(at: [5]) == nil)
  }
}
