public import SnippetLoading

/// A loader over made-up rows and blobs, whose threads, turns and clock a test controls by hand.
///
/// ```swift
/// let stage = ScriptedLoader()
/// let cell = stage.boundCell(to: 3)
/// stage.executor.runAll()  // the blob is read
/// stage.scheduler.runAll()  // and delivered
/// #expect(cell.state == .loaded(stage.source.blob(of: stage.key(at: 3))))
/// ```
@MainActor
public final class ScriptedLoader {
  /// The list.
  public let rows: ScriptedRows
  /// The blobs.
  public let source: ScriptedSource
  /// Runs the loads.
  public let executor: ManualExecutor
  /// Runs the reads of rows ahead.
  public let rowExecutor = ManualExecutor()
  /// Brings deliveries to the main actor.
  public let scheduler: ManualScheduler
  /// The time.
  public let clock: ManualClock
  /// Wakes the loader for another attempt.
  public let timer: ManualTimer
  /// The loader under test.
  public let loader: SnippetLoader

  /// The limits of a list and those of its loads in one value.
  @dynamicMemberLookup
  public struct Limits: Sendable {
    /// The limits of the list.
    public var list = SnippetLoader.Configuration()
    /// The limits of its loads.
    public var loads = LoadPipeline.Configuration()

    /// Makes a configuration with the defaults.
    public init() {}

    /// A limit of the list.
    ///
    /// - Parameter limit: The limit.
    public subscript<Value>(
      dynamicMember limit: WritableKeyPath<SnippetLoader.Configuration, Value>
    ) -> Value {
      get { list[keyPath: limit] }
      set { list[keyPath: limit] = newValue }
    }

    /// A limit of its loads.
    ///
    /// - Parameter limit: The limit.
    public subscript<Value>(
      dynamicMember limit: WritableKeyPath<LoadPipeline.Configuration, Value>
    ) -> Value {
      get { loads[keyPath: limit] }
      set { loads[keyPath: limit] = newValue }
    }
  }

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - rows: The list. The default is 1,000 pictures of 1,000 bytes.
  ///   - source: The blobs.
  ///   - rules: The recipes that rows need. The default is the original.
  ///   - isThreaded: Whether reads run on threads, as they do in an app, instead of by hand.
  ///   - configure: Changes the default limits of the list and of its loads; by default there are
  ///     no retries.
  public convenience init(
    rows: ScriptedRows? = nil,
    source: ScriptedSource = ScriptedSource(),
    rules: RecipeRules = .originals,
    isThreaded: Bool = false,
    configure: (inout Limits) -> Void = { _ in }
  ) {
    self.init(
      rows: rows,
      source: source,
      rules: rules,
      isThreaded: isThreaded,
      onEvent: nil,
      configure: configure
    )
  }

  /// Makes a loader that tells of each step of its work.
  package init(
    rows: ScriptedRows? = nil,
    source: ScriptedSource = ScriptedSource(),
    rules: RecipeRules = .originals,
    isThreaded: Bool = false,
    onEvent: (@Sendable (LoaderEvent) -> Void)?,
    configure: (inout Limits) -> Void = { _ in }
  ) {
    var limits = Limits()
    limits.retries = .none
    configure(&limits)
    let executor = ManualExecutor()
    self.executor = executor
    scheduler = ManualScheduler()
    let clock = ManualClock()
    self.clock = clock
    timer = ManualTimer(clock: clock)
    let list = rows ?? ScriptedRows(count: 1_000)
    self.rows = list
    self.source = source
    var environment = LoaderEnvironment(
      executor: isThreaded ? nil : executor,
      rowExecutor: isThreaded ? nil : rowExecutor,
      scheduler: scheduler,
      timer: timer,
      clock: clock
    )
    environment.onEvent = onEvent
    loader = SnippetLoader(
      list: list,
      source: source,
      rules: rules,
      configuration: limits.list,
      limits: limits.loads,
      environment: environment
    )
  }

  /// Makes a loader of another list that shares the loads of one, and with them its blobs, threads,
  /// turns and clock.
  ///
  /// - Parameters:
  ///   - other: The loader whose pipeline it shares.
  ///   - rows: The list. The default is 1,000 pictures of 1,000 bytes, the same as the default of
  ///     the other.
  ///   - rules: The recipes that rows need. The default is the original.
  ///   - configuration: The limits of the list.
  public init(
    sharing other: ScriptedLoader,
    rows: ScriptedRows? = nil,
    rules: RecipeRules = .originals,
    configuration: SnippetLoader.Configuration = .init()
  ) {
    (executor, scheduler, source) = (other.executor, other.scheduler, other.source)
    (clock, timer) = (other.clock, other.timer)
    let list = rows ?? ScriptedRows(count: 1_000)
    self.rows = list
    loader = SnippetLoader(
      list,
      other.loader.pipeline,
      rules,
      configuration,
      .init(
        executor: executor,
        rowExecutor: rowExecutor,
        scheduler: scheduler,
        timer: timer,
        clock: clock
      )
    )
  }

  /// Runs all reads and deliveries until nothing is left to do.
  public func settle() {
    repeat {
      rowExecutor.runAll()
      executor.runAll()
      scheduler.runAll()
    } while rowExecutor.pendingCount + executor.pendingCount + scheduler.pendingCount > 0
  }

  /// Runs all reads, deliveries and retries until nothing is left to do, however much time that
  /// takes on the clock.
  public func settleWithRetries() {
    repeat {
      settle()
      timer.runAll()
    } while rowExecutor.pendingCount + executor.pendingCount + scheduler.pendingCount > 0
  }

  /// Makes deliveries as they arrive from threads, until every bound cell has its content.
  public func deliverAll() async {
    while !loader.isSettled || scheduler.pendingCount > 0 {
      timer.runAll()
      await scheduler.untilPending()
      scheduler.runAll()
    }
  }

  /// Makes a cell and binds it.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The cell.
  public func boundCell(to position: Int) -> RecordingCell {
    let cell = RecordingCell()
    loader.bind(cell, to: position)
    return cell
  }

  /// The key of the picture at a position of the default list.
  ///
  /// - Parameter position: The position.
  /// - Returns: The key.
  public func key(at position: Int) -> LoadKey {
    LoadKey(blob: Int64(position) + 1)
  }

  /// The state of a cell that has the picture at a position of the default list.
  ///
  /// - Parameter position: The position.
  /// - Returns: The state.
  public func bytes(at position: Int) -> LoadState<LoadedBlob> {
    .loaded(source.blob(of: key(at: position)))
  }
}
