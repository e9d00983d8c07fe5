import Dispatch
import SnippetBase
internal import SnippetStorage

/// The surroundings of a loader: threads, turns of the main actor, the time.
///
/// The defaults are a dispatch queue for each loader, the main dispatch queue and the clock of
/// the system.
package struct LoaderEnvironment: Sendable {
  /// Runs the loads.
  package var executor: any LoadExecutor
  /// Runs the reads of rows ahead of the movement, usually one at a time.
  package var rowExecutor: any LoadExecutor
  /// Brings deliveries to the main actor.
  package var scheduler: any MainScheduler
  /// Wakes the loader for another attempt.
  package var timer: any LoadTimer
  /// Reads the clock by which delays, ``SnippetLoader/Configuration/deliveryBudget``, the speed of the viewport
  /// and the time that loads take are measured.
  package var now: @Sendable () -> ContinuousClock.Instant
  /// The seed of the random numbers that shorten delays.
  ///
  /// The default differs for each environment.
  package var randomSeed = UInt64.random(in: .min ... .max)
  /// Called with each step of the loader's work, on the thread that does it.
  ///
  /// The default is none.
  package var onEvent: (@Sendable (LoaderEvent) -> Void)?

  /// Makes an environment.
  ///
  /// - Parameters:
  ///   - executor: Runs the loads. The default has threads of its own.
  ///   - rowExecutor: Runs the reads of rows. The default has a thread of its own.
  ///   - scheduler: Brings deliveries to the main actor. The default is the main dispatch queue.
  ///   - timer: Wakes the loader for another attempt. The default is the system's.
  ///   - now: Reads the clock. The default is the clock of the system.
  ///   - onEvent: Called with each step of the loader's work. The default is none.
  package init(
    executor: any LoadExecutor = ThreadLoadExecutor(),
    rowExecutor: any LoadExecutor = ThreadLoadExecutor(),
    scheduler: any MainScheduler = MainQueueScheduler(),
    timer: any LoadTimer = DispatchLoadTimer(),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
    onEvent: (@Sendable (LoaderEvent) -> Void)? = nil
  ) {
    self.executor = executor
    self.rowExecutor = rowExecutor
    self.scheduler = scheduler
    self.timer = timer
    self.now = now
    self.onEvent = onEvent
  }
}

/// Gives the loader's blocking reads a thread.
///
/// The loader never has more than ``LoadPipeline/Configuration/workerCount`` reads running, so an
/// executor needs no limit of its own. It must not run the work on the main thread, nor on one of
/// Swift's cooperative threads, which must not block. Several loaders may share one executor.
package protocol LoadExecutor: Sendable {
  /// Runs a piece of work soon, outside of this call, at the same time as others.
  ///
  /// - Parameter work: A read; it may block.
  func execute(_ work: @escaping @Sendable () -> Void)
}

/// Runs reads on threads that nothing else waits for.
package struct ThreadLoadExecutor: LoadExecutor {
  package init() {}

  package func execute(_ work: @escaping @Sendable () -> Void) {
    OwnThreads.start(work)
  }
}

/// Brings the loader's deliveries to the main actor.
///
/// A host whose main queue does not run, such as a loop that draws its own frames, passes a
/// scheduler that does nothing and calls ``SnippetLoader/drain()`` in every round.
package protocol MainScheduler: Sendable {
  /// Runs a piece of work on the main actor soon, outside of this call.
  ///
  /// - Parameter work: A drain of finished loads. The loader schedules at most one at a time,
  ///   unless its host drains by itself before that one runs.
  func schedule(_ work: @escaping @MainActor @Sendable () -> Void)
}

/// Runs deliveries on the main dispatch queue.
package struct MainQueueScheduler: MainScheduler {
  /// Makes a scheduler; all of them use the same queue.
  package init() {}

  /// Runs a piece of work in a later turn of the main queue.
  ///
  /// - Parameter work: A drain of finished loads.
  package func schedule(_ work: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async {
      MainActor.assumeIsolated { work() }
    }
  }
}

/// Wakes the loader when a delay is over.
package protocol LoadTimer: Sendable {
  /// Runs a piece of work once a delay is over, on any thread but not within this call.
  ///
  /// - Parameters:
  ///   - delay: The time to wait.
  ///   - work: A few steps under a lock; it does not block.
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void)
}

/// Wakes the loader by the system's dispatch queues.
package struct DispatchLoadTimer: LoadTimer {
  /// Makes a timer; all of them use the same queue.
  package init() {}

  /// Runs a piece of work on a queue of the system once a delay is over.
  ///
  /// - Parameters:
  ///   - delay: The time to wait.
  ///   - work: The work to do then.
  package func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    // A century is as good as never, and fits.
    let seconds = min(max(0, delay / .seconds(1)), 3e9)
    DispatchQueue.global(qos: .userInitiated)
      .asyncAfter(deadline: .now() + seconds, execute: work)
  }
}
