import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// What “Make your UIViewController Awesynchronous!” and its framework promise.
@MainActor
struct AwesynchronousTests {
  private let fixture = ScriptedLoader { $0.ranges = .none }
  private var loader: SnippetLoader { fixture.loader }

  @Test func `what succeeded once is not done again`() {
    for _ in 0..<5 {
      let cell = fixture.boundCell(to: 0)
      fixture.settle()
      #expect(cell.state == fixture.bytes(at: 0))
      loader.unbind(cell)
    }

    #expect(fixture.source.readCount(of: fixture.key(at: 0)) == 1)
  }

  @Test func `a row has one operation however often it is asked for`() {
    let cell = RecordingCell()
    for _ in 0..<10 { loader.bind(cell, to: 0) }
    loader.show(visible: 0..<3)
    loader.prefetch([0, 1])
    fixture.settle()

    #expect(loader.counters.loadsStarted == 3)
    #expect(cell.states == [.waiting, fixture.bytes(at: 0)])
  }

  @Test func `one call on main delivers whatever came`() {
    let cells = (0..<8).map { fixture.boundCell(to: $0) }
    fixture.executor.runAll()

    #expect(fixture.scheduler.pendingCount == 1)
    #expect(cells.allSatisfy { $0.states == [.waiting] })
    fixture.scheduler.runNext()

    #expect(cells.allSatisfy { $0.bytes != nil })
  }

  @Test func `nothing is left of the operations once all are dropped`() {
    let cells = (0..<8).map { fixture.boundCell(to: $0) }

    loader.cancelAll()
    fixture.settle()

    #expect(fixture.source.reads == [])
    #expect(cells.allSatisfy { $0.states == [.waiting] })
  }

  @Test(arguments: [true, false])
  func `work is done for the next display where that is wanted`(finishes: Bool) {
    let fixture = ScriptedLoader { $0.finishesStartedLoads = finishes }
    var cell: RecordingCell? = fixture.boundCell(to: 0)
    weak let gone = cell
    // The cell leaves while a worker has its load, and is thrown away.
    if let cell { fixture.loader.unbind(cell) }
    cell = nil
    #expect(gone == nil)
    fixture.settle()

    let next = RecordingCell()
    #expect(fixture.loader.bind(next, to: 0) == (finishes ? .hit : .pending))
    #expect(next.states == [finishes ? fixture.bytes(at: 0) : .waiting])
    #expect(fixture.source.reads.count == (finishes ? 1 : 0))
  }

  @Test func `a view that is not on screen is not updated`() {
    let cell = fixture.boundCell(to: 0)
    fixture.executor.runAll()
    loader.unbind(cell)
    fixture.settle()

    #expect(cell.states == [.waiting])
    #expect(loader.counters.staleDropped == 1)
  }

  @Test func `the item says what is to be loaded for it`() {
    let thumbnail = FakeProcessor(1)
    let rules = RecipeRules(
      processors: [thumbnail],
      recipes: [.original, thumbnail.recipe]
    ) { row, _ in
      row.title == "large" ? [.original] : [thumbnail.recipe]
    }
    let rows = ScriptedRows([.image(1, title: "large"), .image(2)])
    let fixture = ScriptedLoader(rows: rows, rules: rules)
    let (large, small) = (fixture.boundCell(to: 0), fixture.boundCell(to: 1))
    fixture.settle()

    #expect(large.recipes.last == .original)
    #expect(small.recipes.last == thumbnail.recipe)
  }

  @Test func `each way to fail has a name and words of its own`() {
    let errors = [LoadError.Code.notFound, .unreadable, .undecodable, .tooLarge].map {
      LoadError($0)
    }
    for (position, error) in errors.enumerated() {
      fixture.source.fail(fixture.key(at: position), with: error)
    }
    let cells = errors.indices.map { fixture.boundCell(to: $0) }
    fixture.settle()

    #expect(cells.map { $0.error } == errors)
    #expect(Set(errors.map(\.description)).count == errors.count)
  }

  @Test func `values and failures are remembered for the next display`() {
    let fixture = ScriptedLoader { configuration in
      configuration.retries.maximumAttemptCount = 1
      configuration.retries.memory = .seconds(5)
    }
    let error = LoadError(.unreadable)
    fixture.source.fail(fixture.key(at: 1), with: error)
    let first = (0..<2).map { fixture.boundCell(to: $0) }
    fixture.settle()
    for cell in first { fixture.loader.unbind(cell) }

    let next = (0..<2).map { fixture.boundCell(to: $0) }

    #expect(next[0].states == [fixture.bytes(at: 0)])
    #expect(next[1].states == [.failed(error)])
  }

  @Test func `three attempts are made unless told otherwise`() {
    let fixture = ScriptedLoader { $0.retries = RetryPolicy() }
    fixture.source.fail(fixture.key(at: 0), with: LoadError(.unreadable))
    let cell = fixture.boundCell(to: 0)
    fixture.settleWithRetries()

    #expect(fixture.source.reads.count == 3)
    #expect(cell.error == LoadError(.unreadable))
  }

  @Test func `attempts without a limit end with the first success and never come in a hurry`() {
    let fixture = ScriptedLoader { configuration in
      configuration.retries.maximumAttemptCount = .max
      configuration.retries.jitter = 0
    }
    fixture.source.fail(fixture.key(at: 0), with: LoadError(.unreadable))
    let cell = fixture.boundCell(to: 0)
    let start = fixture.clock.now
    for _ in 0..<20 {
      fixture.settle()
      fixture.timer.runAll()
    }
    fixture.source.fail(fixture.key(at: 0), with: nil)
    fixture.settle()

    #expect(cell.state == fixture.bytes(at: 0))
    #expect(fixture.source.reads.count == 21)
    #expect(fixture.clock.now - start > .seconds(150))
  }

  @Test func `a list that only says what is displayed is served`() {
    let fixture = PresenterFixture()
    let view = PhotoView()

    fixture.dataSource.willDisplay(view, at: 1)
    fixture.settle()

    #expect(view.states == [.waiting, fixture.loading.bytes(at: 1)])
  }
}
