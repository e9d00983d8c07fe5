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

    /// How many workers take only visible loads, so that a preload never makes one wait.
    ///
    /// The default is 1. At least one worker is always left for preloads.
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
      didSet { maximumRowCount = min(max(1, maximumRowCount), 1 << 32) }
    }

    /// How far beyond the viewport blobs are loaded ahead, in each ``RangeMode``.
    public var ranges: RangeTuning

    /// How long deliveries to cells may take of one turn of the main actor.
    ///
    /// The default is 2 ms.
    public var deliveryBudget: Duration

    /// When a failed load is retried.
    public var retries: RetryPolicy

    /// Whether a load that was started goes on, into the cache, when its cell is reused.
    ///
    /// The default is no: it stops at its next piece and frees its worker for what is visible.
    public var finishesStartedLoads: Bool

    /// How long a load may take before it fails with ``LoadError/Code/timedOut``, to be retried
    /// under ``retries``.
    ///
    /// The default is no limit. The time runs while a worker has the load. A source that hangs
    /// keeps its worker until it checks for cancellation, so set this for sources that wait for a
    /// network.
    public var loadTimeout: Duration?

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

  /// What a loader takes from its surroundings: threads, turns of the main actor, the time.
  ///
  /// The defaults are a dispatch queue for each loader, the main dispatch queue and the clock of
  /// the system.
  package struct Environment: Sendable {
    /// Runs the loads.
    package var executor: any LoadExecutor
    /// Runs the reads of rows ahead of the movement, as a rule one at a time.
    package var rowExecutor: any LoadExecutor
    /// Brings deliveries to the main actor.
    package var scheduler: any MainScheduler
    /// Wakes the loader for another attempt.
    package var timer: any LoadTimer
    /// Tells when memory becomes short.
    package var pressure: any MemoryPressureFeed
    /// Reads the clock by which delays, ``Configuration/deliveryBudget``, the speed of the viewport
    /// and the time that loads take are measured.
    package var now: @Sendable () -> ContinuousClock.Instant
    /// The seed of the chance by which delays are shortened.
    ///
    /// The default is another one for each environment.
    package var randomSeed = UInt64.random(in: .min ... .max)
    /// Records what the loader does.
    ///
    /// The default is that nothing is recorded.
    package var trace: LoaderTrace?

    /// Makes an environment.
    ///
    /// - Parameters:
    ///   - executor: Runs the loads. The default has threads of its own.
    ///   - rowExecutor: Runs the reads of rows. The default has a thread of its own.
    ///   - scheduler: Brings deliveries to the main actor. The default is the main dispatch queue.
    ///   - timer: Wakes the loader for another attempt. The default is the system's.
    ///   - pressure: Tells when memory becomes short. The default is the system, where it does.
    ///   - now: Reads the clock. The default is the clock of the system.
    ///   - trace: Records what the loader does. The default is no trace.
    package init(
      executor: any LoadExecutor = ThreadLoadExecutor(),
      rowExecutor: any LoadExecutor = ThreadLoadExecutor(),
      scheduler: any MainScheduler = MainQueueScheduler(),
      timer: any LoadTimer = DispatchLoadTimer(),
      pressure: any MemoryPressureFeed = SystemMemoryPressure(),
      now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
      trace: LoaderTrace? = nil
    ) {
      self.executor = executor
      self.rowExecutor = rowExecutor
      self.scheduler = scheduler
      self.timer = timer
      self.pressure = pressure
      self.now = now
      self.trace = trace
    }
  }
}

extension SnippetLoader.Configuration {
  /// The limits of loads and of blobs in memory.
  var coordinatorLimits: LoadCoordinator.Limits {
    LoadCoordinator.Limits(
      loads: LoadTable.Limits(
        workerCount: workerCount,
        reservedForVisible: reservedVisibleWorkers,
        finishesStartedLoads: finishesStartedLoads,
        retries: retries
      ),
      cacheByteLimit: cacheByteLimit,
      maximumBlobByteCount: maximumBlobByteCount,
      loadTimeout: loadTimeout
    )
  }
}
