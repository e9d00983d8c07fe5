import SnippetBase
import SnippetStorage

/// An event of a synchronization that runs on.
public enum SyncEvent: Sendable {
  /// Both directions are done.
  case synchronized(SyncReport)
  /// It failed, and is tried again after a while, or as soon as the store changes.
  case failed(SyncError, retryAfter: Duration)
  /// It failed, and a person must decide: nothing comes after this.
  case ended(SyncError)
}

extension StoreSync {
  /// Synchronizes on and on, until the task is cancelled, or until a person must decide: what counts in a
  /// restored store, or whether much may go.
  ///
  /// An edit in the store is sent after two seconds in which no other follows, and after 30 at the
  /// latest. The repository is asked every 15 seconds while there is news, and less and less often
  /// after that, up to every 5 minutes. A failure is tried again after a while that doubles, up to
  /// 5 minutes. Start it in a task of the app, and cancel that to stop:
  ///
  /// ```swift
  /// let task = Task {
  ///   await sync.run { event in print(event) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - allowsManyRemovals: Whether much may go in the first synchronization that succeeds; never in a
  ///     later one, which a person has not seen coming. The default is `false`.
  ///   - report: Receives each end of a synchronization.
  public func run(
    allowingManyRemovals allowsManyRemovals: Bool = false,
    _ report: @Sendable (SyncEvent) -> Void
  ) async {
    var allowsManyRemovals = allowsManyRemovals
    var interval = Duration.seconds(15)
    var failureCount = 0
    while !Task.isCancelled {
      var captured: ChangeNumber?
      do {
        let done = try await synchronize(allowingManyRemovals: allowsManyRemovals)
        allowsManyRemovals = false
        captured = await lastCaptured()
        failureCount = 0
        interval = Self.interval(after: done, interval)
        report(.synchronized(done))
      } catch {
        guard error.code != .cancelled else { return }
        guard ![.restored, .manyRemovals].contains(error.code) else { return report(.ended(error)) }
        failureCount += 1
        interval = min(.seconds(1 << min(failureCount, 8)), .seconds(300))
        report(.failed(error, retryAfter: interval))
      }
      await waitForNews(within: interval, after: captured)
    }
  }

  /// Returns the time until the repository is asked again.
  static func interval(after report: SyncReport, _ former: Duration) -> Duration {
    report.hasNews ? .seconds(15) : min(former * 1.5, .seconds(300))
  }

  /// Reads the last change that was captured: edits that come while a synchronization ends are later
  /// ones.
  func lastCaptured() async -> ChangeNumber? {
    let state = try? await records.state()
    return state.map { ChangeNumber(rawValue: $0.changeNumber) }
  }

  /// Waits until the store has changed and rests again, or for a while.
  private func waitForNews(within interval: Duration, after captured: ChangeNumber?) async {
    let store = store
    await Self.wait(atMost: interval) {
      await Self.changeAndRest(of: store, after: captured)
    }
  }

  /// Waits until `event` returns, or for a while.
  static func wait(
    atMost limit: Duration,
    for event: @escaping @Sendable () async -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: limit) }
      group.addTask { await event() }
      await group.next()
      group.cancelAll()
    }
  }

  /// Waits until a store has changed and rests again.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - captured: The last change that is known; `nil` for the last one now.
  static func changeAndRest(of store: SnippetStore, after captured: ChangeNumber?) async {
    var start = captured
    if start == nil { start = try? await store.lastChange }
    guard let last = start else { return await untilCancelled() }
    let latest = ContinuousClock.now + .seconds(30)
    var known = last
    do {
      for try await _ in store.changeBatches(after: last) { break }
      repeat {
        known = try await store.lastChange
        try await Task.sleep(for: .seconds(2))
      } while try await store.lastChange != known && ContinuousClock.now < latest
    } catch {
      // The next synchronization throws the error of a store that cannot be read.
      await untilCancelled()
    }
  }

  private static func untilCancelled() async {
    try? await Task.sleep(for: .seconds(300))
  }
}
