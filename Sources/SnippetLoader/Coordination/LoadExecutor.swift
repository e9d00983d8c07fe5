import Dispatch

/// Gives the loader's blocking reads a thread.
///
/// The loader never has more than ``SnippetLoader/Configuration/workerCount`` reads going, so an
/// executor needs no limit of its own. It must not run the work on the main thread, nor on one of
/// Swift's cooperative threads, for which blocking is forbidden.
public protocol LoadExecutor: Sendable {
  /// Runs a piece of work soon, outside of this call, at the same time as others.
  ///
  /// - Parameter work: A read; it may block.
  func execute(_ work: @escaping @Sendable () -> Void)
}

/// Runs reads on a concurrent dispatch queue of its own.
public struct DispatchLoadExecutor: LoadExecutor {
  private let queue: DispatchQueue

  /// Makes a queue.
  ///
  /// - Parameter label: The name of the queue in a debugger. The default is `SnippetLoader.loads`.
  public init(label: String = "SnippetLoader.loads") {
    queue = DispatchQueue(
      label: label,
      qos: .userInitiated,
      attributes: .concurrent,
      autoreleaseFrequency: .workItem
    )
  }

  /// Runs a piece of work on a thread of the queue.
  ///
  /// - Parameter work: A read; it may block.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}
