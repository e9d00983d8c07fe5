import Dispatch
import GRDB
import SnippetBase

/// Follows the record of changes while a store is observed.
///
/// The record lists all changes by any program, and `PRAGMA data_version` is a cheap way to learn
/// whether there was a commit. It is read after each commit of the store, and at intervals for
/// those of others.
final class RecordWatch: Sendable {
  private struct State {
    /// `nil` before the first look, and while it cannot be opened.
    var connection: DatabaseQueue?
    /// The version that the last look found; `nil` before the first.
    var version: DataVersion?
    /// The end of the record at the last look, or at the beginning; `nil` if it could not be read.
    var mark: ChangeMark?
    /// Whether the file was found to be moved or deleted.
    var isDisplaced = false
    /// Whether the last look failed.
    var isFailing = false
    var hasEnded = false
  }

  private let queue: DispatchQueue
  private let interval: DispatchTimeInterval
  private let report: ChangeFeed.Handler
  private let connection: @Sendable () throws -> DatabaseQueue
  private let events: StoreEvents
  /// `nil` if there is no listener.
  private let foreignCommits: ForeignCommits?
  private let file: OpenStoreFile
  private let state = Lock(State())

  /// Watches a file from the state on in which its record ends with a mark.
  ///
  /// `connection` gives the connection with which it looks, on the queue, for commits of others at
  /// each `interval`; others may use it too. ``ForeignCommits`` are given if there is a listener for
  /// them.
  init(
    of file: OpenStoreFile,
    queue: DispatchQueue,
    interval: Duration,
    report: @escaping ChangeFeed.Handler,
    events: StoreEvents,
    foreignCommits: ForeignCommits?,
    mark: ChangeMark?,
    connection: @escaping @Sendable () throws -> DatabaseQueue
  ) {
    self.events = events
    self.foreignCommits = foreignCommits
    self.queue = queue
    let seconds = min(max(interval.seconds, 0.001), 86_400)
    self.interval = .microseconds(Int(seconds * 1_000_000))
    self.report = report
    self.connection = connection
    self.file = file
    state.withLock { $0.mark = mark }
  }

  /// Looks at every interval.
  ///
  /// The first look opens the connection; at once it would take a processor from the first list.
  func start() {
    queue.asyncAfter(deadline: .now() + interval) { [weak self] in self?.lookAndStart() }
  }

  private func lookAndStart() {
    guard !state.withLock(\.hasEnded) else { return }
    lookForFile()
    look()
    start()
  }

  /// Makes observers read again, once, when the file was moved or replaced.
  ///
  /// The open file will see no further foreign commits, and the next read reports the reason.
  func lookForFile() {
    guard (try? file.displaced()) != nil else { return }
    let isNew = state.withLock { state in
      defer { state.isDisplaced = true }
      return !state.isDisplaced
    }
    if isNew {
      events.tell(.fileDisplaced)
      report()
    }
  }

  /// Looks once, on the queue, and reports if there were changes since the last look.
  func look() {
    // The next look makes up for one that fails, for example if the file is briefly unreadable.
    do {
      let hasChanged = try state.withLock(\.connection) == nil ? connect() : find()
      noteLook(failedWith: nil)
      guard hasChanged else { return }
      report()
      foreignCommits?.look()
    } catch {
      noteLook(failedWith: error)
    }
  }

  /// Reports the first look that fails, and the first that succeeds again.
  private func noteLook(failedWith error: (any Error)?) {
    let isNews = state.withLock { state in
      guard !state.hasEnded, state.isFailing != (error != nil) else { return false }
      state.isFailing.toggle()
      return true
    }
    guard isNews else { return }
    if let error {
      events.tell(failed: .followingChanges, error)
    } else {
      events.tell(.followingChanges)
    }
  }

  /// Stops looking.
  func end() {
    state.withLock { $0 = State(hasEnded: true) }
  }

  /// Takes the connection, and returns whether anything may have changed since the mark.
  private func connect() throws -> Bool {
    let connection = try connection()
    let mark = try connection.snapshot { try ChangeMark(knownEndIn: $0) }
    return state.withLock { state in
      guard !state.hasEnded, state.connection == nil else { return false }
      defer { (state.connection, state.mark) = (connection, mark) }
      return mark != state.mark || mark == .unknown
    }
  }

  /// Returns whether anything was committed since the last look that changed a snippet.
  private func find() throws -> Bool {
    let found = state.withLock { $0 }
    return try found.connection?.unsafeRead { db in
      try db.requireOpen()
      // Read the version first: a commit in between is found again by the next look, without any
      // effect.
      let current = try DataVersion(db)
      guard current != found.version else { return false }
      let mark = try db.snapshot { try ChangeMark(knownEndIn: $0) }
      state.withLock { state in
        guard !state.hasEnded else { return }
        (state.version, state.mark) = (current, mark)
      }
      return mark != found.mark || mark == .unknown
    } ?? false
  }
}
