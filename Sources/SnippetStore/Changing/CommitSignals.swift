/// Wakes a task after commits, any number of them at once.
struct CommitSignals {
  private let observation: ChangeObservation
  private var signals: AsyncStream<Void>.Iterator

  /// Begins to observe.
  init(_ feed: ChangeFeed) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let end = End(continuation: continuation)
    observation = feed.observe { _ in end.continuation.yield() }
    signals = stream.makeAsyncIterator()
  }

  /// Waits for a commit since the last time.
  ///
  /// - Returns: Whether there was one; otherwise the task was cancelled or the store closed.
  mutating func next(isolation actor: isolated (any Actor)?) async -> Bool {
    await signals.next(isolation: actor) != nil
  }

  /// Ends the waiting when the store lets go of the handler.
  private final class End: Sendable {
    let continuation: AsyncStream<Void>.Continuation

    init(continuation: AsyncStream<Void>.Continuation) {
      self.continuation = continuation
    }

    deinit {
      continuation.finish()
    }
  }
}
