public import SnippetLoading
public import SnippetStorage

/// The threads, the turns of the main actor and the clock that a loader under test runs on.
///
/// The defaults are those of the system. ``ScriptedLoader`` replaces them by manual ones; a
/// simulation with a time of its own passes closures.
///
/// ```swift
/// var surroundings = LoaderSurroundings()
/// surroundings.executeLoad = { work in threads.run(work) }
/// surroundings.now = { clock.now }
/// let loader = SnippetLoader(list: rows, source: source, surroundings: surroundings)
/// ```
public struct LoaderSurroundings: Sendable {
  /// Runs a piece of work soon, outside of this call.
  public typealias Execute = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void
  /// Runs a piece of work on the main actor soon, outside of this call.
  public typealias Schedule = @Sendable (_ work: @escaping @MainActor @Sendable () -> Void) -> Void
  /// Runs a piece of work once a delay is over, outside of this call.
  public typealias Wake =
    @Sendable (_ delay: Duration, _ work: @escaping @Sendable () -> Void) ->
    Void

  /// Runs a load, which may block; several at a time.
  public var executeLoad: Execute
  /// Runs a read of rows, which may block.
  public var executeRowRead: Execute
  /// Brings deliveries to the main actor.
  public var schedule: Schedule
  /// Wakes the loader for another attempt.
  public var wake: Wake
  /// Reads the clock.
  public var now: @Sendable () -> ContinuousClock.Instant
  /// The seed of the random numbers that shorten delays.
  public var randomSeed: UInt64

  /// Takes the surroundings of the system.
  public init() {
    let system = LoaderEnvironment()
    executeLoad = system.executeLoad
    executeRowRead = system.executeRowRead
    schedule = system.schedule
    wake = system.wake
    now = system.now
    randomSeed = system.randomSeed
  }

  /// Takes the manual surroundings of a test.
  ///
  /// - Parameters:
  ///   - executor: Runs the loads.
  ///   - rowExecutor: Runs the reads of rows.
  ///   - scheduler: Brings deliveries to the main actor.
  ///   - timer: Wakes the loader for another attempt.
  ///   - clock: Tells the time.
  public init(
    executor: ManualExecutor,
    rowExecutor: ManualExecutor,
    scheduler: ManualScheduler,
    timer: ManualTimer,
    clock: ManualClock
  ) {
    executeLoad = { executor.execute($0) }
    executeRowRead = { rowExecutor.execute($0) }
    schedule = { scheduler.schedule($0) }
    wake = { timer.schedule(after: $0, $1) }
    now = { clock.now }
    randomSeed = 1
  }

  /// The same, as a loader takes it.
  package var environment: LoaderEnvironment {
    var environment = LoaderEnvironment()
    environment.executeLoad = executeLoad
    environment.executeRowRead = executeRowRead
    environment.schedule = schedule
    environment.wake = wake
    environment.now = now
    environment.randomSeed = randomSeed
    return environment
  }
}

extension LoaderEnvironment {
  /// Takes what a test moves by hand, and the rest of the system.
  package init(
    executor: ManualExecutor? = nil,
    rowExecutor: ManualExecutor? = nil,
    scheduler: ManualScheduler? = nil,
    timer: ManualTimer? = nil,
    clock: ManualClock? = nil
  ) {
    self.init()
    if let executor { executeLoad = { executor.execute($0) } }
    if let rowExecutor { executeRowRead = { rowExecutor.execute($0) } }
    if let scheduler { schedule = { scheduler.schedule($0) } }
    if let timer { wake = { timer.schedule(after: $0, $1) } }
    if let clock { now = { clock.now } }
  }
}

extension SnippetLoader {
  /// Makes a loader that runs on the surroundings of a test.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - source: The source of the blobs.
  ///   - rules: The recipes that the rows need. The default is the original.
  ///   - configuration: The limits of the list.
  ///   - limits: The limits of its loads.
  ///   - surroundings: Threads, turns of the main actor and the clock.
  public convenience init(
    list: any RowList,
    source: any BlobSource,
    rules: RecipeRules = .originals,
    configuration: Configuration = Configuration(),
    limits: LoadPipeline.Configuration = LoadPipeline.Configuration(),
    surroundings: LoaderSurroundings
  ) {
    self.init(
      list: list,
      source: source,
      rules: rules,
      configuration: configuration,
      limits: limits,
      environment: surroundings.environment
    )
  }
}
