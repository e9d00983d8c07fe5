public import SnippetStorage

/// Brings snippets into cells: rows at once, blobs as soon as they are read, and never into the
/// wrong cell.
///
/// The owner of a list tells the loader what is visible and which cell shows which position:
///
/// ```swift
/// let loader = SnippetLoader(list: store.list(), source: store)
///
/// loader.viewportDidChange(120..<132)  // starts and cancels loads
/// loader.bind(cell, to: 131)  // shows the row, and the blob if it is in memory
/// loader.unbind(otherCell)  // cancels its load, unless another cell waits for it
/// ```
///
/// All calls are synchronous, from the main actor. They only read memory, with a few exceptions for
/// rows: the first screen, a jump, rows far from the viewport, and ``rowsDidChange()``. All other
/// rows are read ahead of the movement on a thread of the loader. The workers of a ``LoadPipeline``
/// read blobs, visible ones first. Each blob is read once, no matter how many cells of how many
/// lists wait for it, and stays in a cache with a limit in bytes.
///
/// The loader knows a cell by its binding, never by its position: it drops and counts a delivery
/// for a binding that has ended. It holds cells weakly.
@MainActor
public final class SnippetLoader {
  /// The limits that the loader was made with.
  public let configuration: Configuration
  /// The cache, the loads and the workers, which the loader may share with other lists.
  public nonisolated let pipeline: LoadPipeline
  /// The amount of loading around the viewport.
  ///
  /// The default is ``RangeMode/full``. A change starts and cancels loads at once.
  public var rangeMode: RangeMode {
    get { screen.rangeMode }
    set {
      guard newValue != screen.rangeMode else { return }
      screen.rangeMode = newValue
      followViewport()
      if newValue == .lowMemory { pipeline.trimCacheToPinned() }
    }
  }
  /// The cells to reuse.
  ///
  /// Its numbers are part of ``counters``.
  public let pool = ReusePool()

  /// Called when rows were inserted, deleted or moved, or a row now needs another kind of cell.
  ///
  /// The change names the rows by their positions, or says that all must be laid out again. It also
  /// says how far to scroll to keep the rows on screen where they are, whatever was inserted or
  /// deleted above them, unless the list is at its start. ``count`` and the rows belong to the new
  /// state from this call on, and to the former one until then. The rows around the viewport are in
  /// memory.
  ///
  /// Lay out the cells again, report the visible range, and bind the cells. It is not called for
  /// changes within a row: bound cells show those already. With this handler, a long list is on
  /// screen before it has been counted, and the handler is called once it has been; without it, the
  /// list is counted first. So set it before you use the loader.
  public var listChangeHandler: (@MainActor (ListChange) -> Void)? {
    didSet { reader.mayBeUncounted = listChangeHandler != nil }
  }

  /// Shows commands under way in the cells.
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
  let trace: LoaderEventRecorder?
  var settlers = Settlers()
  private var pressureObservation: (any Sendable)?

  /// Makes a loader for a list whose rows need the originals of their blobs.
  ///
  /// It has a ``LoadPipeline`` of its own, with the default limits.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`. The loader follows its changes.
  ///   - source: Where the blobs are, such as the store of the list.
  ///   - configuration: The limits.
  ///   - trace: Records what the loader does. The default is no trace.
  public convenience init(
    list: any RowList,
    source: any BlobSource,
    configuration: Configuration = Configuration(),
    trace: LoaderTrace? = nil
  ) {
    self.init(
      list: list,
      source: source,
      configuration: configuration,
      environment: LoaderEnvironment(trace: trace)
    )
  }

  /// Makes a loader for a list.
  ///
  /// It has a ``LoadPipeline`` of its own, with the default limits.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`. The loader follows its changes.
  ///   - source: Where the blobs are, such as the store of the list.
  ///   - rules: Decide which recipes the rows need, and name the processors that compute them.
  ///   - configuration: The limits.
  ///   - trace: Records what the loader does. The default is no trace.
  /// - Throws: ``LoadError/Code/recipeUnavailable`` when rows need a recipe that neither the source
  ///   nor a processor makes. A retry does not help.
  public convenience init(
    list: any RowList,
    source: any BlobSource,
    rules: RecipeRules,
    configuration: Configuration = Configuration(),
    trace: LoaderTrace? = nil
  ) throws(LoadError) {
    let environment = LoaderEnvironment(trace: trace)
    let pipeline = Self.ownPipeline(source, LoadPipeline.Configuration(), environment)
    try pipeline.check(rules)
    self.init(list, pipeline, rules, configuration, environment)
  }

  /// Makes a loader for a list that shares its loads with others, and whose rows need the originals
  /// of their blobs.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`. The loader follows its changes.
  ///   - pipeline: The loads, workers and cache that the lists share, over the store of the list.
  ///   - configuration: The limits.
  ///   - trace: Records what the loader does. The default is no trace.
  public convenience init(
    list: any RowList,
    pipeline: LoadPipeline,
    configuration: Configuration = Configuration(),
    trace: LoaderTrace? = nil
  ) {
    self.init(list, pipeline, .originals, configuration, LoaderEnvironment(trace: trace))
  }

  /// Makes a loader for a list that shares its loads with others.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`. The loader follows its changes.
  ///   - pipeline: The loads, workers and cache that the lists share, over the store of the list.
  ///   - rules: Decide which recipes the rows need. Their processors serve all lists of the
  ///     pipeline; if two have the same recipe, the first one is used.
  ///   - configuration: The limits.
  ///   - trace: Records what the loader does. The default is no trace.
  /// - Throws: ``LoadError/Code/recipeUnavailable`` when rows need a recipe that neither a source of
  ///   the pipeline nor a processor makes. A retry does not help.
  public convenience init(
    list: any RowList,
    pipeline: LoadPipeline,
    rules: RecipeRules,
    configuration: Configuration = Configuration(),
    trace: LoaderTrace? = nil
  ) throws(LoadError) {
    try pipeline.check(rules)
    self.init(list, pipeline, rules, configuration, LoaderEnvironment(trace: trace))
  }

  /// Makes a loader with its own pipeline, and with other threads, turns of the main actor or
  /// another clock than the system's.
  package convenience init(
    list: any RowList,
    source: any BlobSource,
    rules: RecipeRules = .originals,
    configuration: Configuration = Configuration(),
    limits: LoadPipeline.Configuration = LoadPipeline.Configuration(),
    environment: LoaderEnvironment
  ) {
    let pipeline = Self.ownPipeline(source, limits, environment)
    self.init(list, pipeline, rules, configuration, environment)
  }

  /// Makes a pipeline that ends with its only list.
  private static func ownPipeline(
    _ source: any BlobSource,
    _ limits: LoadPipeline.Configuration,
    _ environment: LoaderEnvironment
  ) -> LoadPipeline {
    LoadPipeline(
      BlobSources(blocking: source, asynchronous: nil),
      configuration: limits,
      environment: environment,
      endsWithLastList: true
    )
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
    trace = environment.recorder
    mailbox = MainMailbox(
      scheduler: environment.scheduler,
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
      environment.rowExecutor,
      mailbox,
      trace
    )
    binder = CellBinder(rules, graph, list: id, pipeline, screen, trace)
    pressureObservation = environment.pressure.observePressure { [mailbox] pressure in
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
    counters.staleDropped = binder.staleDropped
    counters.wrongDeliveries = binder.wrongDeliveryCount
    counters.cellsCreated = pool.createdCount
    counters.cellsReused = pool.reusedCount
    return counters
  }

  /// Cancels all loads until the viewport moves.
  ///
  /// Waiting loads never start, and running ones stop at their next piece. Cells stay bound and
  /// keep their content. The next ``viewportDidChange(_:speed:)`` loads what they wait for.
  public func cancelAll() {
    trace?.record(.allCancelled)
    interrupt()
    settleIfPossible()
  }

  /// Cancels all loads and starts none until ``resume()``, while the list is off screen.
  ///
  /// A cell bound during that time shows its row, and its blob if that is in memory.
  public func suspend() {
    guard !isClosed else { return }
    screen.isSuspended = true
    trace?.record(.suspended)
    interrupt()
    settleIfPossible()
  }

  /// Loads the screen again after ``suspend()``.
  public func resume() {
    guard isSuspended, !isClosed else { return }
    screen.isSuspended = false
    trace?.record(.resumed)
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
    trace?.record(.closed)
    binder.close()
    screen.rest()
    screen.leave()
    reader.close()
    binder.forgetNewRows()
    pressureObservation = nil
    pool.removeAll()
    pipeline.leave(id)
    settleIfPossible()
  }
}

extension SnippetLoader: EditObserver {
  func editorDidChange(_ id: SnippetID) {
    binder.refresh(id)
    settleIfPossible()
  }
}
