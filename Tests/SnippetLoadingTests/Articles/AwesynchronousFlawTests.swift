import Foundation
import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

/// What the code of “Make your UIViewController Awesynchronous!” and its framework get wrong.
@MainActor
struct AwesynchronousFlawTests {
  private let fixture = ScriptedLoader { $0.ranges = .none }
  private var loader: SnippetLoader { fixture.loader }

  @Test func `one display has each state once`() throws {
    let fixture = PresenterFixture()
    fixture.dataSource.show(visible: 0..<9)
    let view = try #require(fixture.list.prepare(1))
    fixture.dataSource.willDisplay(view, at: 1)
    fixture.settle()
    fixture.dataSource.willDisplay(view, at: 1)
    fixture.settle()

    #expect(view.states == [.waiting, fixture.loading.bytes(at: 1)])
  }

  @Test func `states are those of their moment though they come late`() {
    let fixture = ScriptedLoader { configuration in
      configuration.retries.maximumAttemptCount = 2
      configuration.retries.jitter = 0
    }
    let error = LoadError(.unreadable)
    fixture.source.fail(fixture.key(at: 0), with: error)
    let cell = fixture.boundCell(to: 0)
    // The failure is on its way while the next attempt succeeds.
    fixture.executor.runAll()
    let retryAt = fixture.clock.now + .milliseconds(200)
    fixture.source.fail(fixture.key(at: 0), with: nil)
    fixture.timer.runAll()
    fixture.executor.runAll()
    fixture.settle()

    let delayed = LoadProgress<LoadedBlob>(error: error, failedAttemptCount: 1, retryAt: retryAt)
    #expect(cell.states == [.waiting, .loading(delayed), fixture.bytes(at: 0)])
  }

  @Test func `no state is shown before there is one`() {
    let cell = RecordingCell()
    #expect(cell.state == nil)

    loader.bind(cell, to: 5_000)

    #expect(cell.states == [.failed(LoadError(.rowUnavailable))])
  }

  @Test func `values and failures stay with their items when rows move`() {
    let fixture = ScriptedLoader { configuration in
      configuration.ranges = .none
      configuration.retries.maximumAttemptCount = 1
      configuration.retries.memory = .seconds(60)
    }
    let error = LoadError(.unreadable)
    fixture.source.fail(fixture.key(at: 1), with: error)
    let cells = (0..<3).map { fixture.boundCell(to: $0) }
    fixture.settle()

    fixture.rows.rows.insert(.image(5_000), at: 0)
    fixture.loader.reloadRows()
    for (position, cell) in cells.enumerated() { fixture.loader.bind(cell, to: position) }
    fixture.settle()

    #expect(cells[0].bytes == fixture.source.bytes(of: LoadKey(blob: 5_000)))
    #expect(cells[1].state == fixture.bytes(at: 0))
    #expect(cells[2].state == .failed(error))
    #expect(fixture.source.readCount(of: fixture.key(at: 1)) == 1)
  }

  @Test func `a load is for the item that it was begun for whatever its cell shows by then`() {
    let cell = fixture.boundCell(to: 0)
    let other = fixture.boundCell(to: 0)
    // The work runs only after the cell was used again.
    loader.bind(cell, to: 7)
    fixture.settle()

    #expect(other.state == fixture.bytes(at: 0))
    #expect(cell.state == fixture.bytes(at: 7))
    #expect(loader.pipeline.blobInMemory(for: fixture.key(at: 0))?.key == fixture.key(at: 0))
  }

  @Test func `what is kept is bounded in bytes and goes when memory is short`() {
    let fixture = ScriptedLoader { $0.cacheByteLimit = 20_000 }
    for position in 0..<500 {
      let cell = fixture.boundCell(to: position)
      fixture.settle()
      fixture.loader.unbind(cell)
      #expect(fixture.loader.counters.cacheCost <= 20_000)
    }
    #expect(fixture.loader.counters.cacheEvictions > 400)

    fixture.loader.pipeline.trimCache(to: 0)

    #expect(fixture.loader.counters.cacheCount == 0)
  }

  @Test func `loads begin before their rows are displayed`() {
    let fixture = ScriptedLoader()
    fixture.loader.show(visible: 0..<10)
    fixture.settle()

    #expect(fixture.loader.bind(RecordingCell(), to: 12) == .hit)
  }

  @Test func `a new attempt does not begin by showing the first state again`() {
    let fixture = ScriptedLoader { $0.retries.maximumAttemptCount = 3 }
    fixture.source.fail(fixture.key(at: 0), with: LoadError(.unreadable))
    let cell = fixture.boundCell(to: 0)
    fixture.settleWithRetries()

    // One state for each failure, none for each beginning.
    #expect(cell.states.count == 1 + 3)
    #expect(cell.states.filter { $0 == .waiting }.count == 1)
  }

  @Test func `a source that fails after all its bytes has failed and nothing else`() {
    let (cell, loader) = cell(with: EagerSource(ending: LoadError(.unreadable)))

    #expect(cell.states == [.waiting, .failed(LoadError(.unreadable))])
    #expect(loader.counters.cacheCount == 0)
  }

  @Test func `a source that gives nothing has come to its end all the same`() {
    let (cell, loader) = cell(with: EagerSource(bytes: Data()))

    #expect(cell.bytes == Data())
    #expect(loader.isSettled)
  }

  @Test func `what is in memory is in the view before the list has it`() throws {
    let fixture = PresenterFixture()
    fixture.list.scroll(to: 0..<9)
    fixture.settle()
    fixture.list.scroll(to: 30..<39)
    fixture.settle()

    fixture.dataSource.show(visible: 0..<9)
    let view = PhotoView()

    #expect(fixture.dataSource.present(1, in: view) == .hit)
    #expect(view.states == [fixture.loading.bytes(at: 1)])
  }

  @Test func `a reload loads nothing again and makes nothing that is thrown away`() {
    let fixture = PresenterFixture()
    fixture.list.scroll(to: 0..<9)
    fixture.settle()
    let counters = fixture.loader.counters
    let presenters = fixture.dataSource.presenterCount

    for _ in 0..<10 { fixture.list.reload(0..<9) }
    fixture.settle()

    #expect(fixture.loader.counters.loadsStarted == counters.loadsStarted)
    #expect(fixture.dataSource.presenterCount == presenters)
    #expect(fixture.list[1]?.state == fixture.loading.bytes(at: 1))
  }

  private func cell(with source: EagerSource) -> (RecordingCell, SnippetLoader) {
    let executor = ManualExecutor()
    let scheduler = ManualScheduler()
    var limits = LoadPipeline.Configuration()
    limits.retries = .none
    let loader = SnippetLoader(
      list: ScriptedRows(count: 10),
      source: source,
      limits: limits,
      environment: .init(executor: executor, scheduler: scheduler)
    )
    let cell = RecordingCell()
    loader.bind(cell, to: 0)
    executor.runAll()
    scheduler.runAll()
    return (cell, loader)
  }
}

/// A source that gives all its bytes at once, and may fail after that.
private struct EagerSource: BlobSource {
  var bytes = Data([1, 2, 3])
  var ending: LoadError?

  func read(_ key: LoadKey, into context: inout LoadContext) throws {
    if !bytes.isEmpty { try context.append(bytes) }
    if let ending { throw ending }
  }
}
