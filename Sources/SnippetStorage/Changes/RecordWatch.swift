import Dispatch
import GRDB
import SnippetBase

/// Follows the record of changes while a store is observed.
///
/// The record lists all changes by any program, and `PRAGMA data_version` is a cheap way to learn
/// whether there was a commit. It is read after each commit of the store; for those of others, when
/// the log was written and at intervals.
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
    /// Whether there has been a look at an interval.
    var hasBegun = false
    /// Exists from that look on, where the system reports writes.
    var log: LogWatch?
    var hasEnded = false
  }

  private let queue: DispatchQueue
  private let interval: Duration
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
    self.interval = min(max(interval, .milliseconds(1)), .seconds(86_400))
    self.report = report
    self.connection = connection
    self.file = file
    state.withLock { $0.mark = mark }
  }

  /// Looks at every interval, and when the log was written.
  ///
  /// The first look opens the connection; at once it would take a processor from the first list.
  func start() {
    queue.asyncAfter(deadline: .now() + pause.seconds) { [weak self] in self?.lookAndStart() }
  }

  /// The time until the next look at an interval.
  ///
  /// Once the system has reported a write, it will report the next.
  var pause: Duration {
    state.withLock(\.log)?.hasReported == true ? max(interval, .milliseconds(250)) : interval
  }

  func lookAndStart() {
    let isFirst = state.withLock { state -> Bool? in
      defer { state.hasBegun = true }
      return state.hasEnded ? nil : !state.hasBegun
    }
    guard let isFirst else { return }
    // Before the look, which finds what is written until then.
    if isFirst, !NetworkFileSystem.holds(file.path) { watchLog() }
    lookForFile()
    look()
    start()
  }

  private func watchLog() {
    let log = LogWatch(path: file.path + "-wal", queue: queue) { [weak self] in
      self?.look() ?? false
    }
    state.withLock { state in
      if !state.hasEnded { state.log = log }
    }
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
  ///
  /// Returns whether there were.
  @discardableResult
  func look() -> Bool {
    // The next look makes up for one that fails, for example if the file is briefly unreadable.
    do {
      let hasChanged = try state.withLock(\.connection) == nil ? connect() : find()
      noteLook(failedWith: nil)
      guard hasChanged else { return false }
      report()
      foreignCommits?.look()
      return true
    } catch {
      noteLook(failedWith: error)
      return false
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
    let log = state.withLock { state in
      defer { state = State(hasEnded: true) }
      return state.log
    }
    log?.cancel()
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
