import Dispatch
import SnippetBase

/// The surroundings of a loader: threads, turns of the main actor, the time.
///
/// The defaults are those of the system.
package struct LoaderEnvironment: Sendable {
  /// Runs a piece of work soon, outside of this call, at the same time as others.
  package typealias Execute = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void
  /// Runs a piece of work on the main actor soon, outside of this call.
  package typealias Schedule = @Sendable (_ work: @escaping @MainActor @Sendable () -> Void) -> Void
  /// Runs a piece of work once a delay is over, on any thread but not within this call.
  package typealias Wake =
    @Sendable (_ delay: Duration, _ work: @escaping @Sendable () -> Void) ->
    Void

  /// Runs a load, which may block.
  ///
  /// No more than ``LoadPipeline/Configuration/workerCount`` loads run at the same time, so it
  /// needs no limit of its own. It must not run them on the main thread, nor on one of Swift's
  /// cooperative threads, which must not block. The default has threads that nothing else waits
  /// for.
  package var executeLoad: Execute = { OwnThreads.start($0) }
  /// Runs a read of rows ahead of the movement, usually one at a time; in all else as
  /// ``executeLoad``.
  package var executeRowRead: Execute = { OwnThreads.start($0) }
  /// Runs a drain of finished loads.
  ///
  /// A loader schedules at most one at a time, unless its host drains by itself before that one
  /// runs. A host whose main queue does not run, such as a loop that draws its own frames, does
  /// nothing here and calls ``SnippetLoader/drain()`` in every round. The default is the main
  /// dispatch queue.
  package var schedule: Schedule = { work in
    DispatchQueue.main.async {
      MainActor.assumeIsolated { work() }
    }
  }
  /// Wakes the loader for another attempt, which takes a few steps under a lock and does not block.
  ///
  /// The default is a dispatch queue of the system.
  package var wake: Wake = { delay, work in
    // A century is as good as never, and fits.
    let seconds = min(max(0, delay / .seconds(1)), 3e9)
    DispatchQueue.global(qos: .userInitiated)
      .asyncAfter(deadline: .now() + seconds, execute: work)
  }
  /// Reads the clock by which delays, ``SnippetLoader/Configuration/deliveryBudget``, the speed of
  /// the viewport and the time that loads take are measured.
  package var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  /// The seed of the random numbers that shorten delays.
  ///
  /// The default differs for each environment.
  package var randomSeed = UInt64.random(in: .min ... .max)
  /// Called with each step of the loader's work, on the thread that does it.
  ///
  /// The default is none.
  package var onEvent: (@Sendable (LoaderEvent) -> Void)?

  /// Takes the surroundings of the system.
  package init() {}
}
