internal import SnippetStore

/// Brings snippets into cells: rows at once, blobs as soon as they are read, and nothing ever into
/// the wrong cell.
///
/// The owner of a list tells the loader what is visible and which cell shows which position:
///
/// ```swift
/// let loader = SnippetLoader(rows: list, source: store)
///
/// loader.viewportDidChange(120..<132)     // reads rows, starts and gives up loads
/// loader.bind(cell, at: 131)              // shows the row, and the blob if it is in memory
/// loader.unbind(otherCell)                // its load is given up, unless somebody else wants it
/// ```
///
/// All calls are synchronous, from the main actor, and touch nothing but memory, apart from the one
/// read of rows when the viewport moves. Blobs are read on threads of the loader, at most
/// ``Configuration/workerCount`` at a time, what is visible first. Each blob is read once, however
/// many cells wait for it, and stays in a cache bounded in bytes.
///
/// A cell is known by its binding, never by its position: whatever comes for a binding that is over
/// is dropped and counted. Cells are held weakly.
@MainActor
public final class SnippetLoader {
  /// The limits, as given.
  public let configuration: Configuration
  /// How much is loaded around the viewport.
  ///
  /// The default is ``RangeMode/full``. A change takes effect at once: loads are started and given up so that they are those of the
  /// ranges of the new mode.
  public var rangeMode = RangeMode.full {
    didSet { if rangeMode != oldValue { rangeModeDidChange() } }
  }
  /// The cells to use again; its numbers are part of ``counters``.
  public let pool = ReusePool()

  let rows: any RowSource
  let coordinator: LoadCoordinator
  let mailbox: MainMailbox
  let executor: TimedLoadExecutor
  let now: @Sendable () -> ContinuousClock.Instant
  var window = RowWindow()
  var rowFailure: LoadError?
  var viewport: Viewport?
  var priorities: [LoadKey: LoadPriority] = [:]
  var bindings = BindingTable()
  var tally = LoaderCounters()
  var settlers = Settlers()
  /// Whether ``close()`` was called.
  public internal(set) var isClosed = false

  /// Makes a loader for a list.
  ///
  /// - Parameters:
  ///   - rows: The list.
  ///   - source: Where the blobs are.
  ///   - configuration: The limits.
  ///   - environment: Threads, turns of the main actor and the clock. The defaults are those of the
  ///     system.
  public init(
    rows: any RowSource,
    source: any BlobSource,
    configuration: Configuration = Configuration(),
    environment: Environment = Environment()
  ) {
    self.rows = rows
    self.configuration = configuration
    now = environment.now
    executor = TimedLoadExecutor(environment.executor, now: environment.now)
    mailbox = MainMailbox(
      scheduler: environment.scheduler,
      budget: configuration.deliveryBudget,
      now: environment.now
    )
    coordinator = LoadCoordinator(
      source: source,
      executor: executor,
      mailbox: mailbox,
      configuration: configuration
    )
    mailbox.open(for: self)
  }

  deinit {
    coordinator.close()
  }

  /// What the loader has done so far and holds now.
  public var counters: LoaderCounters {
    var counters = coordinator.counters
    counters.rowsRead = tally.rowsRead
    counters.rowReads = tally.rowReads
    counters.delivered = tally.delivered
    counters.staleDropped = tally.staleDropped
    counters.wrongDeliveries = tally.wrongDeliveries
    counters.cellsCreated = pool.createdCount
    counters.cellsReused = pool.reusedCount
    return counters
  }

  /// Gives up all loads, as when the list leaves the screen.
  ///
  /// Loads that wait never start, those that run stop at their next piece. Cells stay bound, and
  /// keep what they show; the next ``viewportDidChange(_:speed:)`` asks again for what they wait for. The
  /// cache stays as it is.
  public func cancelAll() {
    for slot in bindings.openSlots where bindings.slots[slot].isWaiting {
      _ = bindings.advance(slot)
      bindings.slots[slot].state = .interrupted
    }
    priorities = [:]
    coordinator.withdrawAll()
    settleIfPossible()
  }

  /// Evicts blobs until no more than a number of bytes is kept, as when memory is short.
  ///
  /// What is on screen goes last. Cells keep what they show.
  ///
  /// - Parameter byteCount: The memory that the cache may keep; 0 empties it.
  public func trimCache(to byteCount: Int) {
    coordinator.trimCache(to: byteCount)
  }

  /// Ends the loader: gives up all loads, unbinds all cells, forgets all rows and blobs.
  ///
  /// Nothing is delivered any more. Later calls do nothing, and a bind fails with
  /// ``LoadError/Code/cancelled``. A loader that is let go of without it ends by itself.
  public func close() {
    isClosed = true
    for slot in bindings.openSlots {
      bindings.close(slot)
    }
    viewport = nil
    priorities = [:]
    window.removeAll()
    pool.removeAll()
    coordinator.close()
    settleIfPossible()
  }
}
