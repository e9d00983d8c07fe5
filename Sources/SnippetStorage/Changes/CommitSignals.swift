/// Wakes a task after commits; several commits may wake it once.
struct CommitSignals: Sendable {
  private let observation: ChangeObservation
  private let stream: AsyncStream<Void>

  /// Observes a feed until the signals are released.
  init(_ feed: ChangeFeed) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let end = End(continuation: continuation)
    observation = feed.observe { end.continuation.yield() }
    self.stream = stream
  }

  /// Makes an iterator that waits for commits; use only one.
  func makeIterator() -> Iterator {
    Iterator(signals: self, stream: stream.makeAsyncIterator())
  }

  /// Waits for one commit after another.
  struct Iterator {
    private let signals: CommitSignals
    private var stream: AsyncStream<Void>.Iterator

    fileprivate init(signals: CommitSignals, stream: AsyncStream<Void>.Iterator) {
      self.signals = signals
      self.stream = stream
    }

    /// Waits for a commit since the last call; `false` if the task was cancelled or the store
    /// closed.
    mutating func next(isolation actor: isolated (any Actor)?) async -> Bool {
      await stream.next(isolation: actor) != nil
    }
  }

  /// Ends the waiting when the store releases the handler.
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
