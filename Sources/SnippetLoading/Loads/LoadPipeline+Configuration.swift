extension LoadPipeline {
  /// The limits of a pipeline.
  ///
  /// The defaults suit lists of pictures on a phone.
  public struct Configuration: Hashable, Sendable {
    /// The most loads that run on workers at the same time.
    ///
    /// The default is 4, the least is 1.
    public var workerCount: Int {
      didSet { workerCount = max(1, workerCount) }
    }

    /// The number of workers that take only visible loads, so that a preload never makes one wait.
    ///
    /// The default is 1. At least one worker is always left for preloads.
    public var reservedVisibleWorkers: Int {
      get { min(reservedWorkers, workerCount - 1) }
      set { reservedWorkers = max(0, newValue) }
    }

    /// The most loads that run on an ``AsyncBlobSource`` at the same time.
    ///
    /// The default is 8, the least is 1. A quarter of them are for visible loads only.
    public var asyncLoadCount: Int {
      didSet { asyncLoadCount = max(1, asyncLoadCount) }
    }

    /// The most memory that blobs take in the cache, in bytes, counting 128 for each blob.
    ///
    /// The default is 64 MiB; with 0, no blobs are kept and nothing is loaded ahead.
    public var cacheByteLimit: Int {
      didSet { cacheByteLimit = max(0, cacheByteLimit) }
    }

    /// The largest blob that is loaded whole, in bytes.
    ///
    /// The default is 64 MiB. A larger blob fails with ``LoadError/Code/tooLarge`` at the first
    /// piece beyond the limit.
    public var maximumBlobByteCount: Int {
      didSet { maximumBlobByteCount = max(0, maximumBlobByteCount) }
    }

    /// The rules for retrying failed loads.
    public var retries: RetryPolicy

    /// Whether a load that has started goes on, into the cache, when its cell is reused.
    ///
    /// The default is no: it stops at its next piece and frees its worker for visible loads.
    public var finishesStartedLoads: Bool

    /// The longest time for a load.
    ///
    /// After that it fails with ``LoadError/Code/timedOut``, and is retried under ``retries``.
    ///
    /// The default is no limit. The time counts while the load runs. A source that hangs keeps its
    /// worker until it checks for cancellation, so set this for sources that wait for a network.
    public var loadTimeout: Duration?

    private var reservedWorkers: Int

    /// Makes a configuration with every limit at its default.
    public init() {
      workerCount = 4
      reservedWorkers = 1
      asyncLoadCount = 8
      cacheByteLimit = 64 << 20
      maximumBlobByteCount = 64 << 20
      retries = RetryPolicy()
      finishesStartedLoads = false
    }

    /// The most loads in a lane.
    func limits(of lane: LoadLane) -> LoadLane.Limits {
      switch lane {
      case .worker: .init(count: workerCount, reservedForVisible: reservedVisibleWorkers)
      case .asynchronous: .init(count: asyncLoadCount, reservedForVisible: asyncLoadCount / 4)
      }
    }
  }
}
