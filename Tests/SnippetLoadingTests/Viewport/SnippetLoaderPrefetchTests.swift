import SnippetLoading
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderPrefetchTests {
  private let fixture = ScriptedLoader { configuration in
    configuration.ranges = .none
    configuration.workerCount = 1
  }
  private var loader: SnippetLoader { fixture.loader }

  @Test func `a position that is hinted at is loaded after all that is visible`() {
    loader.show(visible: 0..<5)
    loader.prefetch([20, 21])
    fixture.settle()

    #expect(fixture.positionsRead == [0, 1, 2, 3, 4, 20, 21])
    #expect(loader.bind(RecordingCell(), to: 21) == .hit)
  }

  @Test func `a hint that is taken back loads nothing`() {
    loader.show(visible: 0..<5)
    loader.prefetch([20, 21])
    loader.cancelPrefetching([20])
    fixture.settle()

    #expect(fixture.positionsRead == [0, 1, 2, 3, 4, 21])
  }

  @Test func `taking back a hint leaves the load to the cell that needs it`() {
    loader.show(visible: 0..<5)
    loader.prefetch([20])
    let cell = fixture.boundCell(to: 20)
    loader.cancelPrefetching([20, 0])
    fixture.settle()

    #expect(cell.state == fixture.bytes(at: 20))
    #expect(fixture.positionsRead.contains(0))
  }

  @Test func `hints far away and outside of the list cost nothing`() {
    loader.show(visible: 0..<5)
    let reads = fixture.rows.reads.count

    loader.prefetch([-5, 900, 5_000])
    fixture.settle()

    #expect(fixture.positionsRead == [0, 1, 2, 3, 4])
    #expect(!fixture.rows.reads.dropFirst(reads).contains { $0.contains(900) })
  }

  @Test func `only the last hundred hints count`() {
    loader.show(visible: 0..<5)
    fixture.settle()
    let near = (5..<1_000).prefix { loader.rowInMemory(at: $0) != nil }
    #expect(near.count > 20)

    loader.prefetch(near)
    // The first of them has a worker already; all others are pushed out.
    loader.prefetch(3_000..<3_100)
    fixture.settle()

    #expect(fixture.positionsRead.dropFirst(5).count <= 1)
  }

  @Test func `hints end with a change of the list`() {
    loader.show(visible: 0..<5)
    loader.prefetch([20])
    fixture.rows.rows.insert(.image(5_000), at: 0)

    loader.reloadRows()
    fixture.settle()

    #expect(!fixture.positionsRead.contains(19) && !fixture.positionsRead.contains(20))
  }
}
