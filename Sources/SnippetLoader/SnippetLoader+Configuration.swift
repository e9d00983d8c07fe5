extension SnippetLoader {
  /// The limits of a loader.
  ///
  /// The defaults suit a list of pictures on a phone.
  public struct Configuration: Hashable, Sendable {
    /// The most loads that run at the same time.
    ///
    /// The default is 4, the least is 1.
    public var workerCount: Int {
      didSet { workerCount = max(1, workerCount) }
    }

    /// How many workers take visible loads only, so that a preload never makes one wait.
    ///
    /// The default is 1; with one worker alone nothing is reserved, and otherwise one worker at
    /// least is left for preloads.
    public var reservedVisibleWorkers: Int {
      get { min(reservedWorkers, workerCount - 1) }
      set { reservedWorkers = max(0, newValue) }
    }

    /// The most memory that blobs take in the cache, in bytes, counting 128 for each blob.
    ///
    /// The default is 64 MiB; 0 keeps none, and nothing is loaded ahead then.
    public var cacheByteLimit: Int {
      didSet { cacheByteLimit = max(0, cacheByteLimit) }
    }

    /// The largest blob that is loaded whole, in bytes.
    ///
    /// The default is 64 MiB; a larger one fails with ``LoadError/Code/tooLarge`` at the first
    /// piece that goes beyond.
    public var maximumBlobByteCount: Int {
      didSet { maximumBlobByteCount = max(0, maximumBlobByteCount) }
    }

    /// The most rows considered around the viewport.
    ///
    /// The default is 1,000; a longer visible range is cut there.
    public var maximumRowCount: Int {
      didSet { maximumRowCount = max(1, maximumRowCount) }
    }

    /// How far beyond the viewport blobs are loaded ahead.
    public var ranges: RangeTuning

    /// How long a delivery to cells may keep the main actor in one turn.
    ///
    /// The default is 2 ms.
    public var deliveryBudget: Duration

    /// When a load that failed is tried again by itself.
    public var retries: RetryPolicy

    /// Whether a load that was started goes on to its end, and into the cache, when its cell is used
    /// for something else.
    ///
    /// The default is no: it stops at its next piece, and its worker is free for what is visible.
    public var finishesStartedLoads: Bool

    private var reservedWorkers: Int

    /// Makes a configuration with every limit at its default.
    public init() {
      workerCount = 4
      reservedWorkers = 1
      cacheByteLimit = 64 << 20
      maximumBlobByteCount = 64 << 20
      maximumRowCount = 1_000
      ranges = RangeTuning()
      deliveryBudget = .milliseconds(2)
      retries = RetryPolicy()
      finishesStartedLoads = false
    }
  }

  /// How far beyond the viewport blobs are loaded ahead, in viewports.
  ///
  /// What is not a number, or not between 0 and 100, is brought there.
  public struct RangeTuning: Hashable, Sendable {
    /// How far ahead in the direction of the movement a blob is about to be visible, and so comes
    /// before other preloads.
    ///
    /// The default is 0.5.
    public var imminent: Double { didSet { imminent = Self.bounded(imminent) } }
    /// How far ahead in the direction of the movement, the imminent part included.
    ///
    /// The default is 1.5.
    public var leading: Double { didSet { leading = Self.bounded(leading) } }
    /// How far on the side the movement comes from.
    ///
    /// The default is 0.5.
    public var trailing: Double { didSet { trailing = Self.bounded(trailing) } }

    /// Makes a tuning.
    ///
    /// - Parameters:
    ///   - imminent: How far ahead a blob is about to be visible. The default is 0.5.
    ///   - leading: How far ahead in the direction of the movement. The default is 1.5.
    ///   - trailing: How far on the other side. The default is 0.5.
    public init(imminent: Double = 0.5, leading: Double = 1.5, trailing: Double = 0.5) {
      self.imminent = Self.bounded(imminent)
      self.leading = Self.bounded(leading)
      self.trailing = Self.bounded(trailing)
    }

    /// Nothing is loaded ahead.
    public static let none = Self(imminent: 0, leading: 0, trailing: 0)

    private static func bounded(_ value: Double) -> Double {
      value.isNaN ? 0 : min(max(0, value), 100)
    }
  }

  /// What a loader takes from its surroundings: threads, turns of the main actor, the time.
  ///
  /// The defaults are a dispatch queue for each loader, the main dispatch queue and the clock of
  /// the system.
  public struct Environment: Sendable {
    /// Runs the loads.
    public var executor: any LoadExecutor
    /// Runs the reads of rows ahead of the movement, one at a time.
    public var rowExecutor: any LoadExecutor
    /// Brings deliveries to the main actor.
    public var scheduler: any MainScheduler
    /// Wakes the loader for another attempt.
    public var timer: any LoadTimer
    /// Reads the clock by which delays and ``Configuration/deliveryBudget`` are measured.
    public var now: @Sendable () -> ContinuousClock.Instant
    /// The seed of the chance by which delays are shortened.
    ///
    /// The default is another one for each environment.
    public var randomSeed = UInt64.random(in: .min ... .max)
    /// Records what the loader does.
    ///
    /// The default is that nothing is recorded.
    public var trace: LoaderTrace?

    /// Makes an environment.
    ///
    /// - Parameters:
    ///   - executor: Runs the loads. The default has threads of its own.
    ///   - rowExecutor: Runs the reads of rows. The default has a thread of its own.
    ///   - scheduler: Brings deliveries to the main actor. The default is the main dispatch queue.
    ///   - timer: Wakes the loader for another attempt. The default is the system's.
    ///   - now: Reads the clock. The default is the clock of the system.
    ///   - trace: Records what the loader does. The default is that nothing is recorded.
    public init(
      executor: any LoadExecutor = DispatchLoadExecutor(),
      rowExecutor: any LoadExecutor = DispatchLoadExecutor(label: "SnippetLoader.rows"),
      scheduler: any MainScheduler = MainQueueScheduler(),
      timer: any LoadTimer = DispatchLoadTimer(),
      now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
      trace: LoaderTrace? = nil
    ) {
      self.executor = executor
      self.rowExecutor = rowExecutor
      self.scheduler = scheduler
      self.timer = timer
      self.now = now
      self.trace = trace
    }
  }
}
