import Dispatch
import GRDB
import SnippetBase

/// Follows the record of changes while a store is observed.
///
/// The record says what anybody has changed, and `PRAGMA data_version` at next to no cost whether
/// anybody has committed. It is asked after each of the store's own commits, and at intervals for
/// those of others.
final class RecordWatch: Sendable {
  private struct State {
    /// `nil` when it could not be opened.
    var connection: DatabaseQueue?
    /// What the last look found; `nil` before the first.
    var version: DataVersion?
    /// How far changes have been reported.
    var mark: ChangeMark?
    /// Whether the file was found to be no longer where it was.
    var isDisplaced = false
    /// Whether the last look failed.
    var isFailing = false
    var hasEnded = false
  }

  private let queue: DispatchQueue
  /// `nil` for a store in memory, which nobody else can write.
  private let interval: DispatchTimeInterval?
  private let report: @Sendable (StoreChange) -> Void
  private let open: @Sendable () throws -> DatabaseQueue
  private let events: StoreEvents
  /// `nil` where nobody listens.
  private let foreignCommits: ForeignCommits?
  /// `nil` for a store in memory.
  private let file: OpenStoreFile?
  private let state: Lock<State>

  /// More records than this are not looked at one by one.
  private static let maximumRecordCount = 4 * StoreChange.maximumCount

  /// Watches a file, from its present state on.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - queue: Where to look.
  ///   - interval: How often to look for commits of others.
  ///   - report: Whom to tell.
  ///   - events: Whom to tell of looks that fail.
  ///   - foreignCommits: Whom to tell of commits, where somebody wants to know of those of others.
  ///   - open: Opens a connection to look with.
  init(
    of file: OpenStoreFile,
    queue: DispatchQueue,
    interval: Duration,
    report: @escaping @Sendable (StoreChange) -> Void,
    events: StoreEvents,
    foreignCommits: ForeignCommits?,
    open: @escaping @Sendable () throws -> DatabaseQueue
  ) {
    self.events = events
    self.foreignCommits = foreignCommits
    self.queue = queue
    let seconds = min(max(interval.seconds, 0.001), 86_400)
    self.interval = .microseconds(Int(seconds * 1_000_000))
    self.report = report
    self.open = open
    self.file = file
    state = Lock(State())
    // What fails here is tried again at the first look, which tells.
    _ = try? connect()
  }

  /// Watches a store in memory, which has a single connection, from a mark on.
  init(
    queue: DispatchQueue,
    connection: DatabaseQueue,
    mark: ChangeMark,
    report: @escaping @Sendable (StoreChange) -> Void
  ) {
    self.queue = queue
    interval = nil
    file = nil
    events = .none
    foreignCommits = nil
    self.report = report
    open = { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
    state = Lock(State(connection: connection, mark: mark))
  }

  /// Looks now and at every interval from now on.
  func start() {
    queue.async { [weak self] in self?.lookAgain() }
  }

  private func lookAgain() {
    guard !state.withLock(\.hasEnded) else { return }
    lookForFile()
    look()
    guard let interval else { return }
    queue.asyncAfter(deadline: .now() + interval) { [weak self] in self?.lookAgain() }
  }

  /// Has those who observe read again, once, when somebody has moved or replaced the file: nobody
  /// commits to what is open any more, and their next read says why.
  func lookForFile() {
    guard let displaced = try? file?.displaced() else { return }
    let isNew = state.withLock { state in
      defer { state.isDisplaced = true }
      return !state.isDisplaced && !displaced.isEmpty
    }
    if isNew {
      events.tell(.fileDisplaced)
      report(.unknown)
    }
  }

  /// Looks once, on the queue, and tells of what was committed since the last time.
  func look() {
    // A look that fails, as when the file cannot be read for a moment, is made up for by the next.
    do {
      let change = try state.withLock(\.connection) == nil ? connect() : find()
      noteLook(failedWith: nil)
      guard let change else { return }
      report(change)
      foreignCommits?.look()
    } catch {
      noteLook(failedWith: error)
    }
  }

  /// Tells of the first look that fails, and of the first that does not any more.
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
      events.tell(.recovered(.followingChanges))
    }
  }

  /// Looks no more, and closes the connection that it has opened.
  func end() throws {
    let connection = state.withLock { state in
      defer { state = State(hasEnded: true) }
      return state.connection
    }
    if interval != nil { try connection?.close() }
  }

  /// Opens the connection.
  ///
  /// - Returns: What may have been changed before.
  private func connect() throws -> StoreChange? {
    let connection = try open()
    let mark = try connection.snapshot { try ChangeMark(knownEndIn: $0) }
    let isUsed = state.withLock { state in
      guard !state.hasEnded, state.connection == nil else { return false }
      state.connection = connection
      state.mark = mark
      return true
    }
    if !isUsed { try connection.close() }
    return .unknown
  }

  private func find() throws -> StoreChange? {
    let found = state.withLock { $0 }
    guard let connection = found.connection, let mark = found.mark else { return nil }
    return try connection.unsafeRead { db in
      try db.requireOpen()
      // Asked first: what is committed in between is found again by the next look, as nothing new.
      let current = try DataVersion(db)
      guard current != found.version else { return nil }
      let (change, end) = try db.snapshot { try Self.change(since: mark, in: $0) }
      state.withLock { state in
        guard !state.hasEnded else { return }
        (state.version, state.mark) = (current, end)
      }
      return change
    }
  }

  private static func change(
    since mark: ChangeMark,
    in db: Database
  ) throws -> (StoreChange?, ChangeMark) {
    do {
      if let records = try mark.changes(limit: maximumRecordCount, in: db) {
        return (StoreChange(records), mark.advanced(by: records))
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // What cannot be read now never can. Who looks at everything again meets what is damaged.
    }
    return (.unknown, try ChangeMark(knownEndIn: db))
  }
}
