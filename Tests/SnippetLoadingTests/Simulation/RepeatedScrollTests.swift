import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct RepeatedScrollTests {
  /// Scrolls by hand: each frame, a little of what is to be done is done.
  private func events(of pattern: ScrollPattern) -> [LoaderEvent] {
    let trace = LoaderTrace()
    let fixture = ScriptedLoader(trace: trace) { $0.cacheByteLimit = 30_000 }
    let screen = SimulatedScreen(loader: fixture.loader, viewport: 10)
    let thumb = ScrollSimulation(
      rowCount: 1_000,
      viewport: 10,
      pattern: pattern,
      seed: 5,
      steps: 500
    )
    for first in thumb {
      screen.scroll(to: first)
      fixture.rowExecutor.runNext()
      fixture.executor.runNext()
      fixture.scheduler.runAll()
      fixture.clock.advance(by: .milliseconds(8))
    }
    fixture.settle()
    return trace.held.events
  }

  @Test(arguments: ScrollPattern.allCases)
  func `the same movement does the same again, event by event`(pattern: ScrollPattern) {
    let events = events(of: pattern)

    #expect(self.events(of: pattern) == events)
    #expect(events.count > 1_000)
  }
}
