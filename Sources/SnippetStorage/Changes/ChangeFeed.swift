import Dispatch
import GRDB
import SnippetBase

/// Tells the observers of a store that something has changed.
///
/// Without observers there is no ``RecordWatch``, and a commit only costs a look at a lock.
final class ChangeFeed: Sendable {
  typealias Handler = @Sendable () -> Void

  private struct Subscriber {
    let id: Int
    let handler: Handler
    var isPending = false
  }

  private struct State {
    var subscribers: [Subscriber] = []
    var nextID = 0
    /// Exists from the first subscriber to the last; never for a store in memory.
    var watch: RecordWatch?
    /// Whether a look at the commits of this store is already scheduled.
    var isLookDue = false
    var isDelivering = false
    var isClosed = false

    /// Takes the pending call of a subscriber.
    mutating func nextCall(of id: Int) -> Handler? {
      guard let index = subscribers.firstIndex(where: { $0.id == id && $0.isPending }) else {
        return nil
      }
      subscribers[index].isPending = false
      return subscribers[index].handler
    }
  }

  private struct Surroundings {
    /// The connection that tells where the record ends when a watch begins.
    var rows: DatabaseQueue?
    /// Receives every commit found.
    var foreignCommits: ForeignCommits?
  }

  /// The queue on which changes are looked for and handlers are called.
  let queue = DispatchQueue(
    label: "SnippetStore.changes",
    qos: .userInitiated,
    autoreleaseFrequency: .workItem
  )

  private let state = Lock(State())
  private let makeWatch:
    (@Sendable (DispatchQueue, @escaping Handler, Surroundings) -> RecordWatch)?
  /// Set before the first observer.
  private let surroundings = Lock(Surroundings())
  /// The end of the record; only for a store in memory, where only the store itself commits.
  private let end: Lock<ChangeMark>?

  /// Makes a feed of a file, without observers yet.
  ///
  /// `connection` gives the connection with which it looks for commits of others at each `interval`.
  init(
    of file: OpenStoreFile,
    interval: Duration,
    events: StoreEvents,
    connection: @escaping @Sendable () throws -> DatabaseQueue
  ) {
    makeWatch = { queue, report, surroundings in
      RecordWatch(
        of: file,
        queue: queue,
        interval: interval,
        report: report,
        events: events,
        foreignCommits: surroundings.foreignCommits,
        // The connection for rows is open, and the other one is opened on the queue: an app that
        // shows its first list does not wait until the schema is parsed once more.
        mark: try? surroundings.rows?.snapshot { try ChangeMark(knownEndIn: $0) },
        connection: connection
      )
    }
    end = nil
  }

  /// Makes a feed of a store in memory, without observers yet.
  init(inMemory connection: DatabaseQueue) throws {
    end = Lock(try connection.snapshot { try ChangeMark(endIn: $0) })
    makeWatch = nil
  }

  /// The watch that follows the record while there are observers.
  var watch: RecordWatch? { state.withLock(\.watch) }

  /// Takes the connection for rows, and the receiver of foreign commits, for all later watches.
  func begin(with rows: DatabaseQueue, telling foreignCommits: ForeignCommits?) {
    surroundings.withLock { $0 = Surroundings(rows: rows, foreignCommits: foreignCommits) }
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
    if needsWatch, let makeWatch {
      let surroundings = surroundings.withLock { $0 }
      install(makeWatch(queue, { [weak self] in self?.report() }, surroundings))
    }
    return ChangeObservation { [weak self] in self?.remove(id) }
  }

  /// Installs a new watch, unless another thread was faster or the last observer has left.
  private func install(_ watch: RecordWatch) {
    let isNeeded = state.withLock { state in
      guard state.watch == nil, !state.subscribers.isEmpty else { return false }
      state.watch = watch
      return true
    }
    if isNeeded {
      watch.start()
    } else {
      // An unused watch can be dropped.
      watch.end()
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
    // The handler is released here, outside the lock, because its release may run any code.
    ended.watch?.end()
  }

  /// Ends every observation; after it returns no further call of a handler begins.
  func close() {
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
    ended.watch?.end()
  }

  // MARK: - Own commits

  /// Schedules a look at the changes, or reports them in a store in memory.
  ///
  /// Called after each commit of this store, on the queue of the connection.
  func didCommit(_ db: Database) {
    if let end {
      // In memory, reading two numbers does not fail.
      let mark = (try? ChangeMark(endIn: db)) ?? .unknown
      let hasChanged = end.withLock { end in
        defer { end = mark }
        return end != mark
      }
      if hasChanged { report() }
      return
    }
    let watch = state.withLock { state -> RecordWatch? in
      guard !state.isLookDue else { return nil }
      state.isLookDue = state.watch != nil
      return state.watch
    }
    guard watch != nil else { return }
    queue.async { [weak self] in
      // Reset before the look: a commit during it may need another one.
      let watch = self?.state.withLock { state in
        state.isLookDue = false
        return state.watch
      }
      watch?.look()
    }
  }

  // MARK: - Delivering

  /// Reports a change to all subscribers soon, on the queue.
  private func report() {
    let mustBegin = state.withLock { state in
      for index in state.subscribers.indices { state.subscribers[index].isPending = true }
      guard !state.subscribers.isEmpty, !state.isDelivering else { return false }
      state.isDelivering = true
      return true
    }
    if mustBegin { deliverSoon() }
  }

  private func deliverSoon() {
    queue.async { [weak self] in self?.deliver() }
  }

  /// Calls each handler at most once, so that a busy one does not hold up the others.
  private func deliver() {
    let ids = state.withLock { $0.subscribers.map(\.id) }
    for id in ids {
      // One at a time: a handler may cancel the next.
      if let handler = state.withLock({ $0.nextCall(of: id) }) { handler() }
    }
    let isDone = state.withLock { state in
      state.isDelivering = state.subscribers.contains(where: \.isPending)
      return !state.isDelivering
    }
    if !isDone { deliverSoon() }
  }
}
