import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// Mail that comes in another order than it was posted.
@MainActor
struct SnippetLoaderOrderTests {
  // first attempt     timer              second attempt
  // fails
  //                   rings at once ───▶ succeeds, and its outcome is posted
  // its outcome is posted
  @Test func `the outcome of an earlier attempt does not come after that of a later one`() {
    let source = ScriptedSource()
    let executor = ManualExecutor()
    let scheduler = ManualScheduler()
    let key = LoadKey(blob: 1)
    var environment = LoaderEnvironment(
      executor: executor,
      rowExecutor: ManualExecutor(),
      scheduler: scheduler
    )
    // It rings within the call, and lets the next attempt succeed before it returns.
    environment.wake = { _, work in
      work()
      source.fail(key, with: nil)
      executor.runAll()
    }
    let loader = SnippetLoader(
      list: ScriptedRows(count: 10),
      source: source,
      environment: environment
    )
    source.fail(key, with: LoadError(.unreadable))
    let cell = RecordingCell()
    loader.bind(cell, to: 0)
    executor.runAll()

    scheduler.runAll()

    #expect(cell.states == [.waiting, .loaded(source.blob(of: key))])
    #expect(loader.isSettled)
    #expect(loader.counters.staleDropped == 1)
  }

  @Test func `a cell whose failure another cell tries again waits with it`() {
    let fixture = ScriptedLoader { configuration in
      configuration.retries = RetryPolicy()
      configuration.retries.memory = .zero
      configuration.retries.maximumAttemptCount = 2
    }
    fixture.source.fail(fixture.key(at: 3), with: LoadError(.unreadable))
    let first = fixture.boundCell(to: 3)
    fixture.settleWithRetries()
    #expect(first.error?.code == .unreadable)
    #expect(fixture.source.readCount(of: fixture.key(at: 3)) == 2)
    let second = fixture.boundCell(to: 3)
    fixture.settle()
    guard case .loading = first.state else {
      Issue.record("The first cell shows \(String(describing: first.state)).")
      return
    }

    fixture.loader.suspend()
    fixture.source.fail(fixture.key(at: 3), with: nil)
    fixture.loader.resume()
    fixture.settleWithRetries()

    #expect(first.bytes != nil)
    #expect(second.bytes != nil)
  }

  @Test func `under critical pressure a list off screen keeps nothing`() {
    let fixture = ScriptedLoader()
    fixture.loader.show(visible: 0..<10)
    fixture.settle()
    #expect(fixture.loader.counters.cacheCount > 0)

    fixture.loader.suspend()
    fixture.loader.respond(to: .critical)

    #expect(fixture.loader.counters.cacheCount == 0)
  }

  @Test func `a list that cannot be read again keeps what is known of it`() {
    let fixture = ScriptedLoader()
    fixture.loader.show(visible: 0..<10)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    fixture.rows.rows.remove(at: 0)
    fixture.rows.error = LoadError(.unreadable)
    var callCount = 0
    fixture.loader.listChangeHandler = { _ in callCount += 1 }

    fixture.loader.reloadRows()
    #expect(fixture.loader.count == 1_000)
    #expect(cell.row?.id.rawValue == 1)

    fixture.rows.error = nil
    fixture.loader.show(visible: 0..<10)
    fixture.settle()
    #expect(fixture.loader.count == 999)
    #expect(callCount == 1)
  }
}
