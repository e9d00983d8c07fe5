import Dispatch
import GRDB

/// Brings what commits have changed to those who observe a store.
///
/// While nobody observes there is no ``CommitWatch``, and a commit costs two looks at a lock.
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
    var watch: CommitWatch?
    var isDelivering = false
    var isClosed = false

    /// What is to be told to a subscriber, who then has been told.
    mutating func nextCall(of id: Int) -> (Handler, StoreChange)? {
      guard let index = subscribers.firstIndex(where: { $0.id == id }),
        let change = subscribers[index].pending
      else { return nil }
      subscribers[index].pending = nil
      return (subscribers[index].handler, change)
    }
  }

  /// Where handlers are called and other programs' commits are looked for.
  let queue = DispatchQueue(
    label: "SnippetStore.changes",
    qos: .userInitiated,
    autoreleaseFrequency: .workItem
  )

  private let state = Lock(State())
  private let makeWatch: @Sendable (DispatchQueue, @escaping Handler) -> CommitWatch

  /// Observes nothing yet.
  ///
  /// - Parameter makeWatch: Makes what watches for commits, given the queue to do so on and whom to
  ///   tell.
  init(makeWatch: @escaping @Sendable (DispatchQueue, @escaping Handler) -> CommitWatch) {
    self.makeWatch = makeWatch
  }

  /// What watches for commits, while somebody observes.
  var watch: CommitWatch? { state.withLock(\.watch) }

  // MARK: - Observing

  func observe(_ handler: @escaping Handler) -> ChangeObservation {
    let (id, needsWatch) = state.withLock { state in
      let id = state.nextID
      guard !state.isClosed else { return (id, false) }
      state.nextID += 1
      state.subscribers.append(Subscriber(id: id, handler: handler))
      return (id, state.watch == nil)
    }
    if needsWatch { install(makeWatch(queue, { [weak self] in self?.report($0) })) }
    return ChangeObservation { [weak self] in self?.remove(id) }
  }

  /// Uses a new watch, unless another thread was quicker or nobody needs it any more.
  private func install(_ watch: CommitWatch) {
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
    let ended = state.withLock { state -> (subscriber: Subscriber?, watch: CommitWatch?) in
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
      defer { state = State(isDelivering: state.isDelivering, isClosed: true) }
      return state
    }
    try ended.watch?.end()
  }

  // MARK: - Own transactions

  /// Runs a transaction of this store on the writer's queue, so that whoever observes is told.
  func recording<Result>(_ db: Database, _ transaction: () throws -> Result) throws -> Result {
    let watch = watch
    try watch?.prepare(db)
    let result = try transaction()
    // Who began to observe meanwhile has missed a part, and may have read the state before.
    if let latest = self.watch, latest !== watch { report(.unknown) }
    return result
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
