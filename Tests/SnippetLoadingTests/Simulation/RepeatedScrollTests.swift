import SnippetLoading
import SnippetTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct RepeatedScrollTests {
  /// What a loader did.
  private struct Work: Equatable {
    var events: [LoaderEvent]
    var rowReads: [Range<Int>]
    var counters: LoaderCounters
  }

  /// Scrolls by hand: each frame, a little of what is to be done is done.
  private func work(of pattern: ScrollPattern) -> Work {
    let log = EventLog()
    let fixture = ScriptedLoader(onEvent: log.append) { $0.cacheByteLimit = 30_000 }
    let screen = SimulatedScreen(loader: fixture.loader, viewport: 10)
    let thumb = ScrollSimulation(
      rowCount: 1_000,
      viewport: 10,
      pattern: pattern,
      seed: 5,
      steps: 1_000
    )
    for first in thumb {
      screen.scroll(to: first)
      fixture.rowExecutor.runNext()
      fixture.executor.runNext()
      fixture.scheduler.runAll()
      fixture.clock.advance(by: .milliseconds(8))
    }
    fixture.settle()
    return Work(
      events: log.events,
      rowReads: fixture.rows.reads,
      counters: fixture.loader.counters
    )
  }

  @Test(arguments: ScrollPattern.allCases)
  func `the same movement does the same again, event by event`(pattern: ScrollPattern) {
    let work = work(of: pattern)

    #expect(self.work(of: pattern) == work)
    #expect(work.events.count > 1_000)
  }
}
