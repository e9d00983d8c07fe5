import SnippetBase
public import SnippetLoading

/// Keeps reads until a test runs them, one at a time, on its own thread.
public final class ManualExecutor: LoadExecutor {
  private let works = Lock<[@Sendable () -> Void]>([])

  /// Makes an executor without any work.
  public init() {}

  /// How many reads wait to be run.
  public var pendingCount: Int { works.withLock(\.count) }

  package func execute(_ work: @escaping @Sendable () -> Void) {
    works.withLock { $0.append(work) }
  }

  /// Runs a read to its end.
  ///
  /// - Parameter index: Which of those that wait. The default is the one that has waited longest.
  /// - Returns: Whether there was one.
  @discardableResult
  public func runNext(at index: Int = 0) -> Bool {
    let work = works.withLock { $0.indices.contains(index) ? $0.remove(at: index) : nil }
    work?()
    return work != nil
  }

  /// Runs all reads, and those that they lead to.
  public func runAll() {
    while runNext() {}
  }
}
