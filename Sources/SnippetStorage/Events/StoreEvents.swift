import SnippetBase

/// Reports events of a store, if there is a listener.
struct StoreEvents: Sendable {
  /// Events without a listener.
  static let none = StoreEvents(nil)

  private let relay: EventRelay<StoreEvent>?

  init(_ handler: (@Sendable (StoreEvent) -> Void)?) {
    relay = handler.map { handler in
      EventRelay(label: "SnippetStore.events") { event, lostCount in
        var event = event
        event.lostCount = lostCount
        handler(event)
      }
    }
  }

  /// Whether there is a listener.
  var areHeard: Bool { relay != nil }

  /// Reports a fact, or that work which had been failing succeeds again.
  func tell(_ subject: StoreEvent.Subject) {
    relay?.send(StoreEvent(subject))
  }

  /// Reports a failure of work whose successes are not reported.
  func tell(failed work: StoreEvent.Subject, _ error: any Error) {
    let error = SnippetStoreError(error, during: work.operation)
    relay?.send(StoreEvent(work, error: error))
  }

  /// Runs work, and reports its failure instead of throwing it.
  func attempt(_ work: StoreEvent.Subject, _ body: () throws -> Void) {
    guard let relay else {
      // The cases of `Subject` describe the consequences.
      try? body()
      return
    }
    let start = ContinuousClock.now
    relay.send(StoreEvent(work, isBeginning: true, at: start))
    let failure: SnippetStoreError?
    do {
      try body()
      failure = nil
    } catch {
      failure = SnippetStoreError(error, during: work.operation)
    }
    let end = ContinuousClock.now
    relay.send(StoreEvent(work, at: end, duration: start.duration(to: end), error: failure))
  }

  /// Runs work, and reports and rethrows its failure.
  func noting<Value, Failure: Error>(
    _ work: StoreEvent.Subject,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    do {
      return try body()
    } catch {
      tell(failed: work, error)
      throw error
    }
  }

  /// Waits until the listener has received all earlier events.
  func flush() async {
    await relay?.flush()
  }
}

extension StoreEvent.Subject {
  /// The operation, as errors name it.
  fileprivate var operation: String {
    switch self {
    case .indexing: "bring the search index up to date"
    case .checkpoint: "fold the log into the file"
    case .followingChanges: "look for changes of others"
    case .tidying: "remove what was left over"
    case .keepingDerivatives: "keep a derivative"
    case .notingUses: "note which derivatives were used"
    case .keepingReserve: "keep room on the disk"
    case .foreignCommit, .fileDisplaced: "look at the file"
    }
  }
}
