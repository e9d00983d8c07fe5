extension SnippetLoader {
  /// The limits of one list; those of what lists share are ``LoadPipeline/Configuration``.
  ///
  /// The defaults suit a list of pictures on a phone.
  public struct Configuration: Hashable, Sendable {
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

    /// Makes a configuration with every limit at its default.
    public init() {
      maximumRowCount = 1_000
      ranges = RangeTuning()
      deliveryBudget = .milliseconds(2)
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
