import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderResetTests {
  private let fixture = ScriptedLoader { configuration in
    configuration.ranges = .none
    configuration.retries.maximumAttemptCount = 1
    configuration.retries.memory = .seconds(60)
  }
  private var loader: SnippetLoader { fixture.loader }

  private func readCount(_ position: Int) -> Int {
    fixture.source.readCount(of: fixture.key(at: position))
  }

  @Test func `a cell that is reset loads anew what it shows`() {
    let cells = fixture.screen(of: 3)

    loader.reset(cells[1])
    #expect(cells[1].state == .waiting)
    fixture.settle()

    #expect(cells[1].states == [.waiting, fixture.bytes(at: 1), .waiting, fixture.bytes(at: 1)])
    #expect((0..<3).map(readCount) == [1, 2, 1])
    #expect(cells[0].states.count == 2)
  }

  @Test func `a reset forgets a failure that could not be overcome`() {
    fixture.source.fail(fixture.key(at: 1), with: LoadError(.notFound))
    let cells = fixture.screen(of: 3)
    #expect(cells[1].state == .failed(LoadError(.notFound)))
    fixture.source.fail(fixture.key(at: 1), with: nil)

    loader.reset(cells[1])
    fixture.settle()

    #expect(cells[1].state == fixture.bytes(at: 1))
  }

  @Test func `a position that is reset starts again at once where it is visible`() {
    let cells = fixture.screen(of: 3)

    loader.reset(at: 2)
    fixture.settle()

    #expect(cells[2].states.count == 4)
    #expect((0..<3).map(readCount) == [1, 1, 2])
  }

  @Test func `a position that is reset out of sight is loaded by the next cell`() {
    let cells = fixture.screen(of: 3)
    loader.show(visible: 500..<503)
    loader.unbind(cells[2])

    loader.reset(at: 2)
    fixture.settle()
    #expect(readCount(2) == 1)
    #expect(loader.bind(cells[2], to: 2) == .pending)
    fixture.settle()

    #expect(readCount(2) == 2)
  }

  @Test func `positions outside of the list have nothing to reset`() {
    _ = fixture.screen(of: 3)

    loader.reset(at: -1)
    loader.reset(at: 1_000)
    loader.reset(RecordingCell())
    fixture.settle()

    #expect(fixture.source.reads.count == 3)
  }

  @Test func `pull to refresh starts all that is visible again and nothing else`() {
    let cells = fixture.screen(of: 3)
    loader.show(visible: 10..<13)
    fixture.settle()
    for cell in cells { loader.unbind(cell) }
    let visible = (10..<13).map { fixture.boundCell(to: $0) }
    let reads = fixture.source.reads.count

    loader.resetAll()
    #expect(visible.allSatisfy { $0.state == .waiting })
    fixture.settle()

    #expect(Set(fixture.source.reads.dropFirst(reads)) == Set((10..<13).map(fixture.key)))
    #expect(fixture.source.reads.count == reads + 3)
    for (index, cell) in visible.enumerated() {
      #expect(cell.state == fixture.bytes(at: 10 + index))
    }
  }

  @Test func `a result from before the reset comes as the result of no other load`() {
    let cell = fixture.boundCell(to: 0)
    // Read, but not delivered yet.
    fixture.executor.runAll()

    loader.resetAll()
    fixture.settle()

    #expect(cell.states == [.waiting, .waiting, fixture.bytes(at: 0)])
    #expect(loader.counters.staleDropped == 1)
    #expect(loader.counters.wrongDeliveries == 0)
  }

  // original ── read ──┐               ┌── read again ──┐
  // derivative         └─ handed over ─┤                └── computed
  //                                  reset
  @Test func `a reset computes a derivative from an original that is read again`() {
    let rules = RecipeRules(processors: [FakeProcessor(1)], recipes: [.numbered(1)]) { _, _ in
      [.numbered(1)]
    }
    let fixture = ScriptedLoader(rules: rules) { $0.ranges = .none }
    let original = fixture.key(at: 0)
    let derived = original.by(.numbered(1))
    let cell = fixture.boundCell(to: 0)
    fixture.executor.runNext()
    #expect(fixture.source.readCount(of: original) == 1 && fixture.executor.pendingCount == 1)

    fixture.loader.reset(cell)
    fixture.settle()

    #expect(fixture.source.readCount(of: original) == 2)
    #expect(cell.state == .loaded(fixture.source.blob(of: derived)))
    #expect(fixture.loader.counters.loadsRunning == 0)
  }

  @Test func `a reset while the load is under way leaves one load`() {
    let cell = fixture.boundCell(to: 0)

    loader.reset(cell)
    loader.reset(cell)
    fixture.settle()

    #expect(cell.bytes != nil)
    #expect(readCount(0) == 1)
    #expect(loader.counters.loadsRunning == 0)
  }
}
