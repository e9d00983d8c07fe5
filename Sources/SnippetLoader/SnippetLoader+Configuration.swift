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

    /// How far beyond the viewport blobs are loaded ahead, in each ``RangeMode``.
    public var ranges: RangeTuning

    /// How long a delivery to cells may keep the main actor in one turn.
    ///
    /// The default is 2 ms.
    public var deliveryBudget: Duration

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
    }
  }

  /// What a loader takes from its surroundings: threads, turns of the main actor, the time.
  ///
  /// The defaults are a dispatch queue for each loader, the main dispatch queue and the clock of
  /// the system.
  public struct Environment: Sendable {
    /// Runs the reads.
    public var executor: any LoadExecutor
    /// Brings deliveries to the main actor.
    public var scheduler: any MainScheduler
    /// Reads the clock by which ``Configuration/deliveryBudget``, the speed of the viewport and the
    /// time that loads take are measured.
    public var now: @Sendable () -> ContinuousClock.Instant

    /// Makes an environment.
    ///
    /// - Parameters:
    ///   - executor: Runs the reads. The default is a dispatch queue of its own.
    ///   - scheduler: Brings deliveries to the main actor. The default is the main dispatch queue.
    ///   - now: Reads the clock. The default is the clock of the system.
    public init(
      executor: any LoadExecutor = DispatchLoadExecutor(),
      scheduler: any MainScheduler = MainQueueScheduler(),
      now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
      self.executor = executor
      self.scheduler = scheduler
      self.now = now
    }
  }
}
