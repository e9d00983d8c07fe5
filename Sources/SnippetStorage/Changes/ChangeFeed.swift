import Dispatch
import GRDB
import SnippetBase

/// Brings what commits have changed to those who observe a store.
///
/// While nobody observes there is no ``RecordWatch``, and a commit costs a look at a lock.
final class ChangeFeed: Sendable {
  typealias Handler = @Sendable (StoreChange) -> Void

  private struct Subscriber {
    let id: Int
    let handler: Handler
    var pending: StoreChange?

    mutating func add(_ change: StoreChange) {
      if pending == nil { pending = change } else { pending?.merge(change) }
    }
  }

  private struct State {
    var subscribers: [Subscriber] = []
    var nextID = 0
    /// There from the first subscriber to the last.
    var watch: RecordWatch?
    /// Whether a look at what this store has committed is on its way.
    var isLookDue = false
    var isDelivering = false
    var isClosed = false

    /// Takes what a subscriber has still to be told.
    mutating func nextCall(of id: Int) -> (Handler, StoreChange)? {
      guard let index = subscribers.firstIndex(where: { $0.id == id }),
        let change = subscribers[index].pending
      else { return nil }
      subscribers[index].pending = nil
      return (subscribers[index].handler, change)
    }
  }

  /// Where handlers are called and changes are looked for.
  let queue = DispatchQueue(
    label: "SnippetStore.changes",
    qos: .userInitiated,
    autoreleaseFrequency: .workItem
  )

  private let state = Lock(State())
  private let makeWatch:
    @Sendable (DispatchQueue, @escaping Handler, ForeignCommits?) -> RecordWatch
  /// Told of every commit that is found; set before anybody observes.
  private let foreignCommits = Lock<ForeignCommits?>(nil)
  /// How far the record has come; only of a store in memory, where asking for it would wait for
  /// a writer.
  private let end: Lock<ChangeMark>?

  /// Observes nothing yet of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - interval: How often to look for commits of others.
  ///   - events: Whom to tell of looks that fail.
  ///   - open: Opens a connection to look with.
  init(
    of file: OpenStoreFile,
    interval: Duration,
    events: StoreEvents,
    open: @escaping @Sendable () throws -> DatabaseQueue
  ) {
    makeWatch = { queue, report, foreignCommits in
      RecordWatch(
        of: file,
        queue: queue,
        interval: interval,
        report: report,
        events: events,
        foreignCommits: foreignCommits,
        open: open
      )
    }
    end = nil
  }

  /// Observes nothing yet of a store in memory.
  init(inMemory connection: DatabaseQueue) throws {
    let end = Lock(try connection.snapshot { try ChangeMark(endIn: $0) })
    self.end = end
    makeWatch = { queue, report, _ in
      RecordWatch(
        queue: queue,
        connection: connection,
        mark: end.withLock { $0 },
        report: report
      )
    }
  }

  /// What follows the record, while somebody observes.
  var watch: RecordWatch? { state.withLock(\.watch) }

  /// Has commits of others told from now on, whoever begins to observe.
  func tell(_ foreignCommits: ForeignCommits?) {
    self.foreignCommits.withLock { $0 = foreignCommits }
  }

  // MARK: - Observing

  func observe(_ handler: @escaping Handler) -> ChangeObservation {
    let (id, needsWatch) = state.withLock { state in
      let id = state.nextID
      guard !state.isClosed else { return (id, false) }
      state.nextID += 1
      state.subscribers.append(Subscriber(id: id, handler: handler))
      return (id, state.watch == nil)
    }
    if needsWatch {
      let foreignCommits = foreignCommits.withLock { $0 }
      install(makeWatch(queue, { [weak self] in self?.report($0) }, foreignCommits))
    }
    return ChangeObservation { [weak self] in self?.remove(id) }
  }

  /// Uses a new watch, unless another thread was quicker or nobody needs it any more.
  private func install(_ watch: RecordWatch) {
    let isNeeded = state.withLock { state in
      guard state.watch == nil, !state.subscribers.isEmpty else { return false }
      state.watch = watch
      return true
    }
    if isNeeded {
      watch.start()
    } else {
      // Nothing depends on a watch that was never used.
      try? watch.end()
    }
  }

  private func remove(_ id: Int) {
    let ended = state.withLock { state -> (subscriber: Subscriber?, watch: RecordWatch?) in
      guard let index = state.subscribers.firstIndex(where: { $0.id == id }) else {
        return (nil, nil)
      }
      let subscriber = state.subscribers.remove(at: index)
      guard state.subscribers.isEmpty else { return (subscriber, nil) }
      defer { state.watch = nil }
      return (subscriber, state.watch)
    }
    // The watch only reads, so a failure to close it loses nothing. The handler is released here,
    // outside of the lock: what it holds may do anything when it goes.
    try? ended.watch?.end()
  }

  /// Ends every observation; on return no call of a handler begins any more.
  func close() throws {
    let ended = state.withLock { state in
      defer {
        state = State(
          isLookDue: state.isLookDue,
          isDelivering: state.isDelivering,
          isClosed: true
        )
      }
      return state
    }
    try ended.watch?.end()
  }

  // MARK: - Own commits

  /// Looks soon for what was changed; called after each commit of this store, on the queue of the
  /// connection.
  func didCommit(_ db: Database) {
    // In memory, to read one number does not fail.
    if let end, let mark = try? ChangeMark(endIn: db) { end.withLock { $0 = mark } }
    let watch = state.withLock { state -> RecordWatch? in
      guard !state.isLookDue else { return nil }
      state.isLookDue = state.watch != nil
      return state.watch
    }
    guard watch != nil else { return }
    queue.async { [weak self] in
      // Before the look: what is committed during it may need another one.
      let watch = self?.state.withLock { state in
        state.isLookDue = false
        return state.watch
      }
      watch?.look()
    }
  }

  // MARK: - Delivering

  /// Tells everybody soon, on the queue.
  private func report(_ change: StoreChange) {
    let mustBegin = state.withLock { state in
      for index in state.subscribers.indices { state.subscribers[index].add(change) }
      guard !state.subscribers.isEmpty, !state.isDelivering else { return false }
      state.isDelivering = true
      return true
    }
    if mustBegin { deliverSoon() }
  }

  private func deliverSoon() {
    queue.async { [weak self] in self?.deliver() }
  }

  /// Calls each handler once at most, so that one that never rests keeps nobody else waiting.
  private func deliver() {
    let ids = state.withLock { $0.subscribers.map(\.id) }
    for id in ids {
      // Taken one by one: a handler may cancel the next one.
      guard let (handler, change) = state.withLock({ $0.nextCall(of: id) }) else { continue }
      handler(change)
    }
    let isDone = state.withLock { state in
      state.isDelivering = state.subscribers.contains { $0.pending != nil }
      return !state.isDelivering
    }
    if !isDone { deliverSoon() }
  }
}
