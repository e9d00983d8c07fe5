package import SnippetLoading

/// A loader over made-up rows and blobs, whose threads and turns are in the test's hand.
@MainActor
package final class LoaderFixture {
  package let rows: FakeRows
  package let source: FakeSource
  package let executor = ManualExecutor()
  /// Runs the reads of rows ahead.
  package let rowExecutor = ManualExecutor()
  package let scheduler = ManualScheduler()
  package let clock: ManualClock
  package let timer: ManualTimer
  package let loader: SnippetLoader

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - rows: The list. The default is 1,000 pictures of 1,000 bytes.
  ///   - source: The blobs.
  ///   - rules: Which variants rows need. The default is the original.
  ///   - hasFeed: Whether the loader follows the changes of the list by itself.
  ///   - isThreaded: Whether reads run on threads, as they do in an app, instead of by hand.
  ///   - trace: Records what the loader does. The default is that nothing is recorded.
  ///   - configure: Changes the default limits; there are no retries unless it says so.
  package init(
    rows: FakeRows? = nil,
    source: FakeSource = FakeSource(),
    rules: VariantRules = .originals,
    hasFeed: Bool = false,
    isThreaded: Bool = false,
    trace: LoaderTrace? = nil,
    configure: (inout SnippetLoader.Configuration) -> Void = { _ in }
  ) {
    var configuration = SnippetLoader.Configuration()
    configuration.retries = .none
    configure(&configuration)
    let executor = executor
    let clock = ManualClock()
    self.clock = clock
    timer = ManualTimer(clock: clock)
    let list = rows ?? FakeRows(count: 1_000)
    self.rows = list
    self.source = source
    loader = SnippetLoader(
      rows: list,
      source: source,
      changes: hasFeed ? list : nil,
      rules: rules,
      configuration: configuration,
      environment: .init(
        executor: isThreaded ? DispatchLoadExecutor() : executor,
        rowExecutor: isThreaded ? DispatchLoadExecutor() : rowExecutor,
        scheduler: scheduler,
        timer: timer,
        now: { clock.now },
        trace: trace
      )
    )
  }

  /// Runs all reads and deliveries until nothing is left to do.
  package func settle() {
    repeat {
      rowExecutor.runAll()
      executor.runAll()
      scheduler.runAll()
    } while rowExecutor.pendingCount + executor.pendingCount + scheduler.pendingCount > 0
  }

  /// Runs all reads, deliveries and retries until nothing is left to do, however late it is by then.
  package func settleWithRetries() {
    repeat {
      settle()
      timer.runAll()
    } while rowExecutor.pendingCount + executor.pendingCount + scheduler.pendingCount > 0
  }

  /// Makes deliveries as they come from threads, until every bound cell has what it waits for.
  package func deliverAll() async {
    while !loader.isSettled || scheduler.pendingCount > 0 {
      timer.runAll()
      await scheduler.untilPending()
      scheduler.runAll()
    }
  }

  /// Makes a cell and binds it.
  package func boundCell(to position: Int) -> RecordingCell {
    let cell = RecordingCell()
    loader.bind(cell, to: position)
    return cell
  }

  /// The key of the picture at a position of the default list.
  package func key(at position: Int) -> LoadKey {
    LoadKey(blob: Int64(position) + 1)
  }

  /// The bytes of the picture at a position of the default list.
  package func bytes(at position: Int) -> LoadState {
    .loaded(source.blob(of: key(at: position)))
  }
}
