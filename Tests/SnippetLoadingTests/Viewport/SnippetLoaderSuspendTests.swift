import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderSuspendTests {
  private let fixture = ScriptedLoader { $0.ranges = .none }
  private var loader: SnippetLoader { fixture.loader }

  @Test func `nothing is loaded while the list is away and all is when it is back`() {
    loader.show(visible: 0..<5)
    let cells = (0..<5).map { fixture.boundCell(to: $0) }

    loader.suspend()
    fixture.settle()
    #expect(fixture.source.pieceCount(of: fixture.key(at: 0)) == 0)
    #expect(cells.allSatisfy { $0.states == [.waiting] })

    loader.resume()
    fixture.settle()
    for (position, cell) in cells.enumerated() {
      #expect(cell.states == [.waiting, fixture.bytes(at: position)])
    }
    #expect(!loader.isSuspended)
  }

  @Test func `cells come back without a viewport too`() {
    let cell = fixture.boundCell(to: 3)
    loader.suspend()
    fixture.settle()

    loader.resume()
    fixture.settle()

    #expect(cell.states == [.waiting, fixture.bytes(at: 3)])
  }

  @Test func `what is bound meanwhile has its row and what is in memory`() {
    loader.show(visible: 0..<5)
    loader.bind(RecordingCell(), to: 0)
    fixture.settle()
    loader.suspend()
    let reads = fixture.source.reads.count

    let known = fixture.boundCell(to: 0)
    let unknown = fixture.boundCell(to: 900)
    fixture.settle()

    #expect(known.state == fixture.bytes(at: 0))
    #expect(unknown.states == [.waiting])
    #expect(unknown.row?.id.rawValue == 901)
    #expect(fixture.source.reads.count == reads)
    loader.resume()
    fixture.settle()
    #expect(unknown.states == [.waiting, fixture.bytes(at: 900)])
  }

  @Test func `a movement meanwhile loads nothing before the list is back`() {
    loader.show(visible: 0..<5)
    fixture.settle()
    loader.suspend()
    let reads = fixture.source.reads.count

    loader.show(visible: 500..<505)
    fixture.settle()
    #expect(fixture.source.reads.count == reads)
    loader.resume()
    fixture.settle()

    #expect(
      fixture.source.reads.dropFirst(reads).compactMap(\.blobID?.rawValue) == Array(501...505)
    )
  }

  @Test(arguments: [false, true])
  func `what stands in stays on screen while the list is away`(isBoundMeanwhile: Bool) {
    let small = FakeProcessor(1, standsInFor: [.numbered(2)])
    let large = FakeProcessor(2)
    let rules = RecipeRules(
      processors: [small, large],
      recipes: [small.recipe, large.recipe]
    ) { [small, large] _, range in
      range == .visible ? [large.recipe] : [small.recipe]
    }
    let fixture = ScriptedLoader(rules: rules)
    fixture.loader.show(visible: 1..<2)
    fixture.settle()
    let standIn = fixture.loader.pipeline.blobInMemory(
      for: fixture.key(at: 2).by(small.recipe)
    )
    let cell = RecordingCell()
    if isBoundMeanwhile {
      fixture.loader.suspend()
      fixture.loader.bind(cell, to: 2)
    } else {
      fixture.loader.bind(cell, to: 2)
      fixture.loader.suspend()
      fixture.loader.bind(cell, to: 2)
    }

    #expect(standIn != nil)
    #expect(cell.states == [.loading(LoadProgress(standIn: standIn))])
    fixture.loader.resume()
    #expect(cell.states == [.loading(LoadProgress(standIn: standIn))])
    fixture.settle()
    #expect(cell.states.count == 2)
  }

  @Test func `an attempt that was put off is made when the list is back`() {
    let fixture = ScriptedLoader { configuration in
      configuration.ranges = .none
      configuration.retries.maximumAttemptCount = 2
    }
    fixture.source.fail(fixture.key(at: 0), with: LoadError(.unreadable))
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    fixture.loader.suspend()
    fixture.settleWithRetries()
    #expect(fixture.source.reads.count == 1)
    fixture.source.fail(fixture.key(at: 0), with: nil)
    fixture.loader.resume()
    fixture.settle()

    #expect(cell.state == fixture.bytes(at: 0))
  }

  @Test func `a change of the list meanwhile is shown`() {
    let fixture = ScriptedLoader() { $0.ranges = .none }
    fixture.loader.show(visible: 0..<5)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    fixture.loader.suspend()

    fixture.rows.rows[0] = .image(1, revision: 2, title: "new")
    fixture.rows.announce()
    fixture.settle()

    #expect(cell.row?.title == "new")
    #expect(cell.state == fixture.bytes(at: 0))
  }

  @Test func `a load that was started goes on to its end if that is wanted`() {
    let fixture = ScriptedLoader { configuration in
      configuration.ranges = .none
      configuration.finishesStartedLoads = true
      configuration.workerCount = 1
    }
    let (started, queued) = (fixture.boundCell(to: 0), fixture.boundCell(to: 1))

    fixture.loader.unbind(started)
    fixture.loader.unbind(queued)
    fixture.settle()

    // It is ready for the next display; what had not begun is not.
    #expect(started.states == [.waiting])
    #expect(fixture.source.reads == [fixture.key(at: 0)])
    #expect(fixture.loader.bind(started, to: 0) == .hit)
    #expect(fixture.loader.counters.loadsWithdrawn == 1)
  }

  @Test func `a started load stops all the same when everything is cancelled`() {
    let fixture = ScriptedLoader { $0.finishesStartedLoads = true }
    fixture.loader.bind(RecordingCell(), to: 0)
    let cell = fixture.boundCell(to: 1)

    fixture.loader.suspend()
    fixture.settle()

    #expect(cell.states == [.waiting])
    #expect(fixture.loader.counters.cacheCount == 0)
  }
}
