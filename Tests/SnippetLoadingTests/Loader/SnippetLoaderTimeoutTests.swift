import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// Loads that take too long.
@MainActor
struct SnippetLoaderTimeoutTests {
  private func fixture(retries: RetryPolicy = .none, workers: Int = 2) -> ScriptedLoader {
    ScriptedLoader { configuration in
      configuration.loadTimeout = .seconds(1)
      configuration.retries = retries
      configuration.workerCount = workers
    }
  }

  private func pass(_ duration: Duration, in fixture: ScriptedLoader) {
    fixture.clock.advance(by: duration)
    fixture.timer.runDue()
    fixture.scheduler.runAll()
  }

  @Test func `a load that takes too long has failed, and what it reads later counts for nothing`() {
    let fixture = fixture()
    let cell = fixture.boundCell(to: 3)

    pass(.milliseconds(999), in: fixture)
    #expect(cell.states == [.waiting])
    pass(.milliseconds(1), in: fixture)
    #expect(cell.states == [.waiting, .failed(LoadError(.timedOut))])
    fixture.settle()

    #expect(cell.states.count == 2)
    #expect(fixture.loader.counters.cacheCount == 0)
    #expect(fixture.source.pieceCount(of: fixture.key(at: 3)) == 0)
  }

  @Test func `a load that ends in time is left alone`() {
    let fixture = fixture()
    let cell = fixture.boundCell(to: 3)
    fixture.settle()

    pass(.seconds(5), in: fixture)

    #expect(cell.states == [.waiting, fixture.bytes(at: 3)])
    #expect(fixture.loader.counters.loadsFailed == 0)
  }

  @Test func `it is tried again on another worker while the first one hangs`() {
    var retries = RetryPolicy()
    retries.jitter = 0
    let fixture = fixture(retries: retries)
    let cell = fixture.boundCell(to: 3)
    pass(.seconds(1), in: fixture)
    #expect(fixture.executor.pendingCount == 1)

    pass(.milliseconds(200), in: fixture)
    #expect(fixture.executor.pendingCount == 2)
    fixture.executor.runNext(at: 1)
    fixture.scheduler.runAll()

    #expect(cell.state == fixture.bytes(at: 3))
    fixture.executor.runAll()
    fixture.scheduler.runAll()
    #expect(cell.state == fixture.bytes(at: 3))
    let counters = fixture.loader.counters
    #expect(counters.loadsStarted == 2)
    #expect(counters.loadsFailed == 1)
    #expect(counters.loadsFinished == 1)
    #expect(counters.loadsRunning == 0)
  }

  @Test func `a source that hangs never has more reads than there are workers`() {
    let fixture = fixture(workers: 2)
    let cells = (0..<5).map { fixture.boundCell(to: $0) }

    for _ in 0..<5 { pass(.seconds(1), in: fixture) }

    #expect(fixture.executor.pendingCount == 2)
    #expect(cells.count { $0.error?.code == .timedOut } == 2)
    fixture.settle()
    #expect(cells.count { $0.bytes != nil } == 3)
  }

  @Test func `what is made from a load that takes too long has failed with it`() {
    let fixture = ScriptedLoader(
      rules: RecipeRules(processors: [FakeProcessor(1)], recipes: [.numbered(1)]) { _, _ in
        [Recipe.numbered(1)]
      }
    ) { $0.loadTimeout = .seconds(1) }
    let cell = fixture.boundCell(to: 3)

    pass(.seconds(1), in: fixture)

    #expect(cell.state == .failed(LoadError(.timedOut)))
  }
}
