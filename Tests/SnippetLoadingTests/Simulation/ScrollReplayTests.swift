import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct ScrollReplayTests {
  /// A run by hand: each frame, a little of what is to be done is done.
  private func run(_ move: (SimulatedScreen, ScriptedLoader) -> Void) -> LoaderRecording {
    let trace = LoaderTrace()
    let fixture = ScriptedLoader(trace: trace) { $0.cacheByteLimit = 30_000 }
    move(SimulatedScreen(loader: fixture.loader, viewport: 10), fixture)
    fixture.settle()
    return LoaderRecording(trace)
  }

  private func endFrame(_ fixture: ScriptedLoader) {
    fixture.rowExecutor.runNext()
    fixture.executor.runNext()
    fixture.scheduler.runAll()
    fixture.clock.advance(by: .milliseconds(8))
  }

  @Test(arguments: ScrollPattern.allCases)
  func `a recorded run played again does the same, event by event`(pattern: ScrollPattern) throws {
    let recorded = run { screen, fixture in
      let thumb = ScrollSimulation(
        rowCount: 1_000,
        viewport: 10,
        pattern: pattern,
        seed: 5,
        steps: 500
      )
      for first in thumb {
        screen.scroll(to: first)
        endFrame(fixture)
      }
    }
    let replay = ScrollReplay(try LoaderRecording(jsonLines: recorded.jsonLines()))

    let again = run { screen, fixture in
      for frame in replay.frames {
        screen.show(frame)
        endFrame(fixture)
      }
    }

    #expect(replay.frames.count == 500)
    #expect(replay.rowCount == 1_000)
    #expect(replay.viewport == 10)
    #expect(replay.frames.map(\.time) == (0..<500).map { .milliseconds(8 * $0) })
    #expect(again.events.count == recorded.events.count)
    #expect(again.events.map(\.action) == recorded.events.map(\.action))
    #expect(recorded.events.count > 1_000)
  }

  @Test func `viewports of changing size are shown as they were`() {
    let visible = [0..<3, 2..<9, 995..<1_000, 990..<2_000, 0..<0, 4..<5]
    let replay = ScrollReplay(
      LoaderRecording(
        events: visible.map { LoaderEvent(time: .seconds(1), .viewportMoved(to: $0)) }
      )
    )
    var shown: [Range<Int>] = []

    _ = run { screen, _ in
      for frame in replay.frames {
        screen.show(frame)
        shown.append(screen.visible)
      }
    }

    #expect(shown[..<3] == visible[..<3])
    // Rows that the list does not have cannot be shown.
    #expect(shown[3] == 990..<1_000)
    #expect(shown[4].isEmpty && shown[5] == 4..<5)
  }

  @Test func `a recording without its beginning is played from where it has one`() {
    let replay = ScrollReplay(
      LoaderRecording(
        events: [
          LoaderEvent(time: .seconds(8), .unbound(slot: 0)),
          LoaderEvent(time: .seconds(9), .viewportMoved(to: 30..<40)),
          LoaderEvent(time: .seconds(11), .viewportMoved(to: 31..<41)),
          LoaderEvent(time: .seconds(10), .viewportMoved(to: 32..<42)),
        ],
        lostCount: 100
      )
    )

    #expect(replay.frames.map(\.time) == [.zero, .seconds(2), .seconds(1)])
    #expect(replay.rowCount == 42)
  }

  @Test func `nothing recorded is nothing to play`() {
    let replay = ScrollReplay(LoaderRecording(events: []))

    #expect(replay.frames.isEmpty && replay.viewport == 0 && replay.rowCount == 0)
  }

  @Test func `the look-ups of a run are those of its cells`() {
    let (first, second) = (LoadKey(blob: 1), LoadKey(blob: 2))
    let actions: [LoaderEvent.Action] = [
      .loadStarted(first), .pending(slot: 0, first), .loadFinished(first, byteCount: 100),
      .delivered(slot: 0, first, .loaded), .pending(slot: 1, second), .loadCancelled(second),
      .bound(slot: 1, nil, position: 1, .pending), .hit(slot: 2, first, byteCount: 100),
      .knownFailure(slot: 3, second, code: "notFound"), .unbound(slot: 0), .unbound(slot: 2),
      .pending(slot: 1, second), .hit(slot: 1, first, byteCount: 100),
    ]

    let replay = CacheReplay(
      LoaderRecording(events: actions.map { LoaderEvent(time: .zero, $0) })
    )

    // The size of the second blob never became known.
    let look = CacheReplay.Access(key: first, byteCount: 100, isShown: true)
    var last = look
    last.leaving = [first, second]
    #expect(replay.accesses == [look, look, last])
    #expect(abs(replay.bestRatios(byteLimit: 1_000).objects - 2 / 3) < 1e-9)
  }

  @Test func `no sizes in a recording are too large to be counted`() {
    let actions = (0..<1_000).map {
      LoaderEvent.Action.hit(slot: 0, LoadKey(blob: Int64($0 % 3)), byteCount: .max)
    }
    let replay = CacheReplay(
      LoaderRecording(events: actions.map { LoaderEvent(time: .zero, $0) })
    )

    #expect(replay.ratios(byteLimit: .max).objects <= 1)
    #expect(replay.bestRatios(byteLimit: .max).objects <= 1)
  }
}
