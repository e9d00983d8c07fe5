import SnippetBase

/// Keeps the work scheduled for the main actor until a test lets it run.
public final class ManualScheduler: Sendable {
  private struct State {
    var works: [@MainActor @Sendable () -> Void] = []
    var waiting: [CheckedContinuation<Void, Never>] = []
    var scheduledCount = 0
  }

  private let state = Lock(State())

  /// Makes a scheduler without any work.
  public init() {}

  /// The number of pieces of work waiting to be run.
  public var pendingCount: Int { state.withLock(\.works.count) }

  /// The number of pieces of work scheduled so far.
  public var scheduledCount: Int { state.withLock(\.scheduledCount) }

  package func schedule(_ work: @escaping @MainActor @Sendable () -> Void) {
    let waiting = state.withLock { state in
      state.works.append(work)
      state.scheduledCount += 1
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until there is work to run.
  public func untilPending() async {
    await withCheckedContinuation { continuation in
      let isPending = state.withLock { state in
        if state.works.isEmpty { state.waiting.append(continuation) }
        return !state.works.isEmpty
      }
      if isPending { continuation.resume() }
    }
  }

  /// Runs the work that has waited longest.
  ///
  /// - Returns: Whether there was any.
  @MainActor
  @discardableResult
  public func runNext() -> Bool {
    let work = state.withLock { $0.works.isEmpty ? nil : $0.works.removeFirst() }
    work?()
    return work != nil
  }

  /// Runs all work, and the work that it causes.
  @MainActor
  public func runAll() {
    while runNext() {}
  }
}
