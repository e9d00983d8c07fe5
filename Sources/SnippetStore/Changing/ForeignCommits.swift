import Dispatch
import GRDB

/// Looks whether anybody but this store has committed to its file.
///
/// `PRAGMA data_version` moves on a connection when another one has committed, and tells neither who
/// nor how often. Here it is asked on a connection that never writes, which disturbs nobody; but
/// there it moves for the store's own commits as well. Two things tell them apart.
///
/// - If no own commit can have become visible between two looks, it was somebody else. Each commit
///   is counted before it can be visible and again when it is; a look takes the second number
///   before it asks, and the first one after. So one that the count of the last look has missed, and
///   that of this look too, was visible to the last look already.
/// - Otherwise the writer is asked: on its connection the number does not move for its own commits.
///
/// The writer is asked second because it may be busy for as long as it waits for another program.
/// Its number is taken before the first own commit, and again after each foreign one that a look
/// found: on its queue, where no own commit is under way. Then this connection looks once more, and
/// whatever was committed since its last look is taken for a foreign commit. So each foreign commit
/// comes either before a look that tells of it or between two numbers of the writer: none is missed.
/// What was no foreign commit, or was told of already, is told of as one only where the store
/// is committing as it begins to be observed, or commits just after another program.
final class ForeignCommits: Sendable {
  private struct State {
    /// `nil` when it could not be opened.
    var connection: DatabaseQueue?
    /// What the last look found.
    var version: Int64 = 0
    /// How many own commits were visible by then.
    var visibleCount = 0
    /// What the writer said last; `nil` if it has not been asked, or could not tell.
    var writerVersion: Int64?
    var hasEnded = false
  }

  private enum Finding {
    case nothing, foreignCommit, someCommit
  }

  private let queue: DispatchQueue
  private let interval: DispatchTimeInterval
  private let writer: DatabaseQueue?
  private let ownCommits: @Sendable () -> CommitRecorder.Counts
  private let report: @Sendable () -> Void
  private let open: @Sendable () throws -> DatabaseQueue
  private let state = Lock(State())

  /// Opens the connection; what is committed after this is found.
  init(
    queue: DispatchQueue,
    interval: Duration,
    writer: DatabaseQueue?,
    ownCommits: @escaping @Sendable () -> CommitRecorder.Counts,
    report: @escaping @Sendable () -> Void,
    open: @escaping @Sendable () throws -> DatabaseQueue
  ) {
    self.queue = queue
    let seconds = min(max(interval.seconds, 0.001), 86_400)
    self.interval = .microseconds(Int(seconds * 1_000_000))
    self.writer = writer
    self.ownCommits = ownCommits
    self.report = report
    self.open = open
    // What fails here is tried again at the first look.
    _ = try? connect()
  }

  /// Looks at every interval from now on.
  func start() {
    queue.asyncAfter(deadline: .now() + interval) { [weak self] in
      guard let self, !state.withLock(\.hasEnded) else { return }
      look()
      start()
    }
  }

  /// Looks once, and tells of what others have committed since the last time.
  func look() {
    // A look that fails, as when the file cannot be read for a moment, is made up for by the next.
    let finding = try? state.withLock(\.connection) == nil ? connect() : find()
    switch finding {
    case .foreignCommit:
      report()
      askWriter { $0.takeOver(from: $1) }
    case .someCommit:
      askWriter { $0.compare(with: $1) }
    case .nothing, nil: break
    }
  }

  /// Takes the writer's number, on the writer's queue, where no own commit is under way.
  func takeOver(from db: Database) {
    let version = try? db.requireForeignVersion()
    let finding = try? find()
    // Without both, the writer's next number cannot be compared, and is taken for a change.
    state.withLock { $0.writerVersion = finding == nil ? nil : version }
    if let finding, finding != .nothing { report() }
  }

  /// Closes the connection.
  func end() throws {
    let connection = state.withLock { state in
      defer { state = State(hasEnded: true) }
      return state.connection
    }
    try connection?.close()
  }

  // MARK: - Finding

  /// Opens the connection.
  ///
  /// - Returns: A foreign commit, for there may have been one before.
  private func connect() throws -> Finding {
    let connection = try open()
    let version = try connection.unsafeRead { try $0.foreignVersion() }
    let isUsed = state.withLock { state in
      guard !state.hasEnded, state.connection == nil else { return false }
      state.connection = connection
      state.version = version
      return true
    }
    if !isUsed { try connection.close() }
    return .foreignCommit
  }

  private func find() throws -> Finding {
    guard let connection = state.withLock(\.connection) else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE)
    }
    // The queue of the connection keeps two looks apart.
    return try connection.unsafeRead { db in
      try db.requireOpen()
      let visibleCount = ownCommits().ended
      let version = try db.foreignVersion()
      let begunCount = ownCommits().begun
      return state.withLock { state in
        defer { (state.version, state.visibleCount) = (version, visibleCount) }
        if version == state.version { return .nothing }
        return begunCount == state.visibleCount ? .foreignCommit : .someCommit
      }
    }
  }

  // MARK: - Asking the writer

  private func askWriter(_ body: @escaping @Sendable (ForeignCommits, Database) -> Void) {
    writer?.asyncUnsafeRead { [weak self] access in
      // GRDB hands out the connection of a queue without fail.
      if let self, let db = try? access.get() { body(self, db) }
    }
  }

  /// Tells of what others have committed since the writer was last asked.
  private func compare(with db: Database) {
    let version = try? db.requireForeignVersion()
    let isSame = state.withLock { state in
      defer { state.writerVersion = version }
      return version != nil && version == state.writerVersion
    }
    if !isSame { report() }
  }
}

extension Database {
  fileprivate func requireForeignVersion() throws -> Int64 {
    try requireOpen()
    return try foreignVersion()
  }
}
