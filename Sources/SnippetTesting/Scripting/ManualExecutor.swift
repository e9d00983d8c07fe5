import SnippetBase

/// Keeps reads until a test runs them, one at a time, on its own thread.
public final class ManualExecutor: Sendable {
  private let works = Lock<[@Sendable () -> Void]>([])

  /// Makes an executor without any work.
  public init() {}

  /// The number of reads waiting to be run.
  public var pendingCount: Int { works.withLock(\.count) }

  package func execute(_ work: @escaping @Sendable () -> Void) {
    works.withLock { $0.append(work) }
  }

  /// Runs a read to its end.
  ///
  /// - Parameter index: The index among the waiting reads. The default is the one that has waited
  ///   longest.
  /// - Returns: Whether there was a read to run.
  @discardableResult
  public func runNext(at index: Int = 0) -> Bool {
    let work = works.withLock { $0.indices.contains(index) ? $0.remove(at: index) : nil }
    work?()
    return work != nil
  }

  /// Runs all reads, and those that they cause.
  public func runAll() {
    while runNext() {}
  }

  /// Drops all reads; otherwise they and the loads that they belong to keep each other in memory.
  package func dropAll() {
    works.withLock { $0 = [] }
  }
}
