/// Elements that are read after commits, until the task is cancelled or the store is closed.
struct CommitSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// Reads the next element; `nil` if it takes another commit.
  typealias Read = @Sendable () async throws(SnippetStoreError) -> Element?

  let feed: ChangeFeed
  /// Makes the reading of one iteration.
  let makeRead: @Sendable () -> Read

  func makeAsyncIterator() -> Iterator {
    // Several commits may wake the iterator once.
    let (commits, continuation) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let end = End(continuation: continuation)
    // Observes before the first read, so that no commit is missed.
    let observation = feed.observe { end.continuation.yield() }
    return Iterator(
      observation: observation,
      commits: commits.makeAsyncIterator(),
      read: makeRead()
    )
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let observation: ChangeObservation
    fileprivate var commits: AsyncStream<Void>.Iterator
    fileprivate let read: Read

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(SnippetStoreError) -> Element? {
      while true {
        do {
          if let element = try await read() { return element }
        } catch  where [.closed, .cancelled].contains(error.code) {
          return nil
        }
        guard await commits.next(isolation: actor) != nil else { return nil }
      }
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
