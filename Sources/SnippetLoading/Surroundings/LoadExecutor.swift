import SnippetBase
internal import SnippetStorage

/// Gives the loader's blocking reads a thread.
///
/// The loader never has more than ``SnippetLoader/Configuration/workerCount`` reads going, so an
/// executor needs no limit of its own. It must not run the work on the main thread, nor on one of
/// Swift's cooperative threads, for which blocking is forbidden. Several loaders may share one.
package protocol LoadExecutor: Sendable {
  /// Runs a piece of work soon, outside of this call, at the same time as others.
  ///
  /// - Parameter work: A read; it may block.
  func execute(_ work: @escaping @Sendable () -> Void)
}

/// Runs reads on threads of the system's dispatch pool that nothing else waits for.
package struct DispatchLoadExecutor: LoadExecutor {
  private let queues: BlockingQueues

  /// Makes an executor without any thread yet.
  ///
  /// - Parameter label: The name of its queues in a debugger. The default is `SnippetLoader.loads`.
  package init(label: String = "SnippetLoader.loads") {
    queues = BlockingQueues(label: label)
  }

  /// Runs a piece of work on a thread of its own.
  ///
  /// - Parameter work: A read; it may block.
  package func execute(_ work: @escaping @Sendable () -> Void) {
    queues.async(work)
  }
}
