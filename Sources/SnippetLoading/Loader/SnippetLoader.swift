public import SnippetStorage

/// Brings snippets into cells: rows at once, blobs as soon as they are read, and never into the
/// wrong cell.
///
/// The owner of a list tells the loader what is visible and which cell shows which position:
///
/// ```swift
/// let loader = SnippetLoader(list: store.list(), store: store)
///
/// loader.show(visible: 120..<132)  // starts and cancels loads
/// loader.bind(cell, to: 131)  // shows the row, and the blob if it is in memory
/// loader.unbind(otherCell)  // cancels its load, unless another cell waits for it
/// ```
///
/// All calls are synchronous, from the main actor. They read memory only, except for rows: of the
/// first screen, after a jump, far from the viewport, and in ``reloadRows()``. All other rows are
/// read ahead of the movement on a thread of the loader. Blobs are read by the workers of a
/// ``LoadPipeline``, what is visible first. Each blob is read once, however many cells of however
/// many lists wait for it, and stays in a cache bounded in bytes.
///
/// The loader knows a cell by its binding, never by its position: it drops and counts a delivery
/// for a binding that has ended. It holds cells weakly.
@MainActor
public final class SnippetLoader {
  /// The limits that the loader was made with.
  public let configuration: Configuration
  /// The cache, the loads and the workers, which the loader may share with other lists.
  public nonisolated let pipeline: LoadPipeline
  /// The distances beyond the viewport at which blobs are loaded ahead.
  ///
  /// The default is that of the configuration. A change starts and cancels loads at once. A list
  /// that is beside something more important takes ``RangeTuning/minimum``, and one that is about
  /// to leave ``RangeTuning/none``.
  public var ranges: RangeTuning {
    get { screen.ranges }
    set {
      guard newValue != screen.ranges else { return }
      screen.ranges = newValue
      followViewport()
    }
  }

  /// Called when rows were removed, inserted or moved, or a row now needs another kind of cell.
  ///
  /// The change names the rows by their positions, or says that all must be laid out again. It also
  /// says how far to scroll to keep the rows on screen where they are, whatever was inserted or
  /// removed above them, unless the list is at its start. ``count`` and the rows belong to the new
  /// state from this call on, and to the former one until then. The rows around the viewport are in
  /// memory.
  ///
  /// Lay out the cells again, say what is visible, and bind them. It is not called for changes to
  /// what a row shows: bound cells have those already. Without ``Configuration/countsFirst`` it is
  /// called too once a long list has been counted.
  public var listChangeHandler: (@MainActor (ListChange) -> Void)?

  /// Shows the edits that are under way in the cells.
  ///
  /// The default is none: cells show rows as the list has them.
  public var editor: SnippetEditor? {
    get { binder.editor }
    set {
      binder.editor = newValue
      newValue?.add(self)
    }
  }

  /// The reason why the last read of the list failed; `nil` once a read succeeds again.
  ///
  /// ``count`` still has the number known so far: 0 if the list was never read.
  public var listError: LoadError? { reader.error }
  /// Called with the reason when the list cannot be read, and with `nil` when it can again.
  public var listErrorHandler: (@MainActor (LoadError?) -> Void)? {
    get { reader.errorHandler }
    set { reader.errorHandler = newValue }
  }
  /// Whether ``close()`` was called.
  public private(set) var isClosed = false
  /// Whether the list is off screen, from ``suspend()`` to ``resume()``.
  public var isSuspended: Bool { screen.isSuspended }

  /// The list on show.
  package var list: any RowList { reader.list }

  /// The number by which the pipeline knows this list.
  let id: ListID
  /// The rows in memory, and the state of the list that the host knows.
  let reader: RowReader
  /// The visible range, which decides how urgent loads are.
  let screen: ListScreen
  /// The cells and their bindings.
  let binder: CellBinder
  let mailbox: MainMailbox
  let now: @Sendable () -> ContinuousClock.Instant
  /// The ends of the streams that tasks wait at for the loader to settle; a task that was cancelled
  /// leaves its own behind.
  var settlers: [AsyncStream<Void>.Continuation] = []
  private var pressureObservation: (any Sendable)?

  /// Makes a loader for a list of a store whose rows need the originals of their blobs.
  ///
  /// It has a ``LoadPipeline`` of its own, with the default limits.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`. The loader follows its
  ///     changes.
  ///   - store: The store of the list.
  ///   - configuration: The limits.
  public convenience init(
    list: any RowList,
    store: SnippetStore,
    configuration: Configuration = Configuration()
  ) {
    self.init(list: list, source: StoreBlobs(store), configuration: configuration)
    store.prepareForLoads()
  }

  /// Makes a loader for a list that may share its loads with others.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`. The loader follows its
  ///     changes.
  ///   - pipeline: The loads, workers and cache that the lists share, over the store of the list.
  ///   - rules: Which recipes the rows need. The default is the originals of their blobs. What
  ///     computes them serves all lists of the pipeline; of two processors with the same recipe,
  ///     the one that came first.
  ///   - configuration: The limits.
  /// - Throws: ``LoadError/Code/recipeUnavailable`` when rows need a recipe that neither a source
  ///   of the pipeline nor a processor makes. A retry does not help.
  public convenience init(
    list: any RowList,
    pipeline: LoadPipeline,
    rules: RecipeRules = .originals,
    configuration: Configuration = Configuration()
  ) throws(LoadError) {
    try pipeline.check(rules)
    self.init(list, pipeline, rules, configuration, LoaderEnvironment())
  }

  /// Makes a loader with its own pipeline, and with other threads, turns of the main actor or
  /// another clock than the system's.
  package convenience init(
    list: any RowList,
    source: any BlobSource,
    rules: RecipeRules = .originals,
    configuration: Configuration = Configuration(),
    limits: LoadPipeline.Configuration = LoadPipeline.Configuration(),
    environment: LoaderEnvironment = LoaderEnvironment()
  ) {
    let pipeline = LoadPipeline(
      source: source,
      configuration: limits,
      environment: environment,
      endsWithLastList: true
    )
    self.init(list, pipeline, rules, configuration, environment)
  }

  package init(
    _ list: any RowList,
    _ pipeline: LoadPipeline,
    _ rules: RecipeRules,
    _ configuration: Configuration,
    _ environment: LoaderEnvironment
  ) {
    self.configuration = configuration
    self.pipeline = pipeline
    now = environment.now
    mailbox = MainMailbox(
      schedule: environment.schedule,
      budget: configuration.deliveryBudget,
      now: environment.now
    )
    let (id, graph) = pipeline.join(rules, mailbox)
    self.id = id
    let screen = ListScreen(
      ranges: configuration.ranges,
      maximumRowCount: configuration.maximumRowCount
    )
    self.screen = screen
    reader = RowReader(
      list,
      maximumRowCount: configuration.maximumRowCount,
      mayBeUncounted: !configuration.countsFirst,
      environment.executeRowRead,
      mailbox
    )
    binder = CellBinder(rules, graph, list: id, pipeline, screen)
    pressureObservation = MemoryPressure.observe { [mailbox] pressure in
      mailbox.post(.pressure(pressure))
    }
    mailbox.open(for: self)
  }

  deinit {
    pipeline.leave(id)
  }

  /// Counts of the work done so far and of what is in memory; loads and cache are counted over all
  /// lists of the pipeline.
  public var counters: LoaderCounters {
    var counters = pipeline.counters
    counters.rowsRead = reader.rowCount
    counters.rowsReadForChanges = reader.changedRowCount
    counters.rowReads = reader.readCount
    counters.rowReadsAhead = reader.readAheadCount
    counters.boundCells = binder.bindings.boundCount
    counters.delivered = binder.deliveredCount
    counters.staleDropped = binder.staleDropCount
    counters.wrongDeliveries = binder.wrongDeliveryCount
    return counters
  }

  /// Cancels all loads until the viewport moves.
  ///
  /// Waiting loads never start, and running ones stop at their next piece. Cells stay bound and
  /// keep what they show. The next ``show(visible:speed:)`` loads what they wait for.
  public func cancelAll() {
    interrupt()
    settleIfPossible()
  }

  /// Cancels all loads and starts none until ``resume()``, while the list is off screen.
  ///
  /// A cell bound during that time shows its row, and its blob if that is in memory.
  public func suspend() {
    guard !isClosed else { return }
    screen.isSuspended = true
    interrupt()
    settleIfPossible()
  }

  /// Loads the screen again after ``suspend()``.
  public func resume() {
    guard isSuspended, !isClosed else { return }
    screen.isSuspended = false
    screen.follow()
    followViewport()
    // Without a viewport, no movement asks for these loads.
    binder.resume()
    settleIfPossible()
  }

  private func interrupt() {
    screen.rest()
    binder.interrupt()
    pipeline.withdraw(id)
  }

  /// Ends the loader: cancels its loads, unbinds its cells, and forgets its rows.
  ///
  /// Blobs are forgotten too, unless the app passed the pipeline.
  ///
  /// Nothing is delivered any more. Later calls do nothing, and a bind fails with
  /// ``LoadError/Code/cancelled``. A loader that is not closed ends with its last reference.
  public func close() {
    isClosed = true
    binder.close()
    screen.rest()
    screen.leave()
    reader.close()
    binder.forgetNewRows()
    pressureObservation = nil
    pipeline.leave(id)
    settleIfPossible()
  }
}

extension SnippetLoader: EditObserver {
  func editorDidChange(_ ids: Set<SnippetID>) {
    binder.refresh(ids)
    settleIfPossible()
  }
}
