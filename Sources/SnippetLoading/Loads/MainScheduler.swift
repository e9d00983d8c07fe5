import Dispatch

/// Brings the loader's deliveries to the main actor.
///
/// A host whose main queue does not run, such as a loop that draws its own frames, gives a
/// scheduler that does nothing and calls ``SnippetLoader/drain()`` in every round.
package protocol MainScheduler: Sendable {
  /// Runs a piece of work on the main actor soon, outside of this call.
  ///
  /// - Parameter work: A drain of what has been loaded. The loader has at most one at a time
  ///   scheduled, unless its host drains by itself meanwhile.
  func schedule(_ work: @escaping @MainActor @Sendable () -> Void)
}

/// Runs deliveries on the main dispatch queue.
package struct MainQueueScheduler: MainScheduler {
  /// Makes a scheduler; all of them use the same queue.
  package init() {}

  /// Runs a piece of work in a later turn of the main queue.
  ///
  /// - Parameter work: A drain of what has been loaded.
  package func schedule(_ work: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async {
      MainActor.assumeIsolated { work() }
    }
  }
}
