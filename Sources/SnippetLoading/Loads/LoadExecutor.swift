import SnippetBase
internal import SnippetStorage

/// Gives the loader's blocking reads a thread.
///
/// The loader never has more than ``LoadPipeline/Configuration/workerCount`` reads going, so an
/// executor needs no limit of its own. It must not run the work on the main thread, nor on one of
/// Swift's cooperative threads, for which blocking is forbidden. Several loaders may share one.
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
