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
/// All calls are synchronous, from the main actor. They read memory only, except for rows: of the
/// first screen, after a jump, far from the viewport, and in ``rowsDidChange()``. All other rows are
/// read ahead of the movement on a thread of the loader. Blobs are read by the workers of a
/// ``LoadPipeline``, what is visible first. Each blob is read once, however many cells of however
/// many lists wait for it, and stays in a cache bounded in bytes.
///
/// A cell is known by its binding, never by its position: a delivery for a binding that is over is
/// dropped and counted. Cells are held weakly.
@MainActor
public final class SnippetLoader {
  /// The limits, as given.
  public let configuration: Configuration
  /// The cache, the loads and the workers, which other lists may share.
  public nonisolated let pipeline: LoadPipeline
  /// How much is loaded around the viewport.
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

  /// Called when rows came, went or moved, or a row now takes another kind of cell.
  ///
  /// The change says which rows, by their positions, or that all must be laid out again; and how far
  /// to scroll so that what is on screen stays there, whatever was inserted and deleted above it,
  /// unless that is the start of the list. ``count`` and the rows are of the new state from this
  /// call on, and were of the former one until then. The rows around the viewport are in memory.
  ///
  /// Lay out the cells again, say what is visible, and bind them. It is not called for changes to
  /// what a row shows: bound cells have those already. With it, a long list is on screen before it
  /// has been counted, and this is called once it has been; without it, the list is counted first.
  /// So set it before anything is asked of the loader.
  public var listChangeHandler: (@MainActor (ListChange) -> Void)? {
    didSet { reader.mayBeUncounted = listChangeHandler != nil }
  }

  /// Shows the commands that are under way in the cells.
  ///
  /// The default is none: cells show rows as the list has them.
  public var editor: SnippetEditor? {
    get { binder.editor }
    set {
      binder.editor = newValue
      newValue?.add(self)
    }
  }

  /// Why the list could not be read the last time; `nil` once it has been read again.
  ///
  /// ``count`` is what is known of the list all the same: 0 when it was never read.
  public var listError: LoadError? { reader.error }
  /// Called when the list cannot be read, with the reason, and with `nil` when it can again.
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

  /// What this list is to the pipeline.
  let id: ListID
  /// The rows in memory, and what the host knows of the list.
  let reader: RowReader
  /// What is visible, and so how urgent loads are.
  let screen: ListScreen
  /// The cells, and what each is bound to.
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
  ///   - rules: Which recipes the rows need, and what computes them.
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
  ///   - pipeline: What the lists share, over the store of the list.
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
  ///   - pipeline: What the lists share, over the store of the list.
  ///   - rules: Which recipes the rows need. What computes them serves all lists of the pipeline;
  ///     of two processors with the same recipe, the one that came first.
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

  /// Makes a loader with other threads, turns of the main actor or another clock than the system's,
  /// and a pipeline of its own.
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

  /// Makes a pipeline that ends with its one list.
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
    pressureObservation = MemoryPressure.observe { [mailbox] pressure in
      mailbox.post(.pressure(pressure))
    }
    mailbox.open(for: self)
  }

  deinit {
    pipeline.leave(id)
  }

  /// What the loader has done so far and holds now; its loads and its cache are those of all lists
  /// of its pipeline.
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
  /// keep what they show. The next ``viewportDidChange(_:speed:)`` loads what they wait for.
  public func cancelAll() {
    trace?.record(.allCancelled)
    interrupt()
    settleIfPossible()
  }

  /// Cancels all loads and starts none until ``resume()``, while the list is off screen.
  ///
  /// A cell that is bound meanwhile shows its row, and its blob if that is in memory.
  public func suspend() {
    guard !isClosed else { return }
    screen.isSuspended = true
    trace?.record(.suspended)
    interrupt()
    settleIfPossible()
  }

  /// Loads what is needed again: the list is back on screen.
  public func resume() {
    guard isSuspended, !isClosed else { return }
    screen.isSuspended = false
    trace?.record(.resumed)
    screen.follow()
    followViewport()
    // Without a viewport nobody else looks at them.
    binder.resume()
    settleIfPossible()
  }

  private func interrupt() {
    screen.rest()
    binder.interrupt()
    pipeline.withdraw(id)
  }

  /// Ends the loader: cancels all its loads, unbinds all cells, forgets all rows, and all blobs
  /// unless it was made with a pipeline of the app's.
  ///
  /// Nothing is delivered any more. Later calls do nothing, and a bind fails with
  /// ``LoadError/Code/cancelled``. Without it a loader ends with its last reference.
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
