import SnippetBase

/// Keeps the loads of ours until the schedule has them run.
final class TrialExecutor: Sendable {
  private let works = Lock<[@Sendable () -> Void]>([])

  func execute(_ work: @escaping @Sendable () -> Void) {
    works.withLock { $0.append(work) }
  }

  /// What was handed over since the last call, in its order.
  func takeAll() -> [@Sendable () -> Void] {
    works.withLock { works in
      defer { works = [] }
      return works
    }
  }
}
