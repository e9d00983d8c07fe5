package import SnippetLoader

/// A loader over made-up rows and blobs, whose threads and turns are in the test's hand.
@MainActor
package final class LoaderFixture {
  package let rows: FakeRows
  package let source: FakeSource
  package let executor = ManualExecutor()
  package let scheduler = ManualScheduler()
  package let clock = ManualClock()
  package let loader: SnippetLoader

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - rows: The list. The default is 1,000 pictures of 1,000 bytes.
  ///   - source: The blobs.
  ///   - isThreaded: Whether reads run on threads, as they do in an app, instead of by hand.
  ///   - configure: Changes the default limits.
  package init(
    rows: FakeRows? = nil,
    source: FakeSource = FakeSource(),
    isThreaded: Bool = false,
    configure: (inout SnippetLoader.Configuration) -> Void = { _ in }
  ) {
    var configuration = SnippetLoader.Configuration()
    configure(&configuration)
    let executor = executor
    let clock = clock
    let list = rows ?? FakeRows(count: 1_000)
    self.rows = list
    self.source = source
    loader = SnippetLoader(
      rows: list,
      source: source,
      configuration: configuration,
      environment: .init(
        executor: isThreaded ? DispatchLoadExecutor() : executor,
        scheduler: scheduler,
        now: { clock.now }
      )
    )
  }

  /// Runs all reads and deliveries until nothing is left to do.
  package func settle() {
    repeat {
      executor.runAll()
      scheduler.runAll()
    } while executor.pendingCount + scheduler.pendingCount > 0
  }

  /// Makes deliveries as they come from threads, until every bound cell has what it waits for.
  package func deliverAll() async {
    while !loader.isSettled {
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
