import Dispatch
import GRDB

/// Watches for commits of anybody while a store is observed.
final class CommitWatch: Sendable {
  private let recorder: CommitRecorder
  /// `nil` for a store in memory.
  private let foreign: ForeignCommits?

  /// Watches a store in memory, which nobody else can write.
  init(report: @escaping @Sendable (StoreChange) -> Void) {
    recorder = CommitRecorder(report: report)
    foreign = nil
  }

  /// Watches a file, from its present state on.
  ///
  /// - Parameters:
  ///   - queue: Where to look for commits of others.
  ///   - interval: How often to look.
  ///   - writer: The connection of the store's own commits, if it makes any.
  ///   - report: Whom to tell.
  ///   - open: Opens a connection to look with.
  init(
    queue: DispatchQueue,
    interval: Duration,
    writer: DatabaseQueue?,
    report: @escaping @Sendable (StoreChange) -> Void,
    open: @escaping @Sendable () throws -> DatabaseQueue
  ) {
    let recorder = CommitRecorder(report: report)
    self.recorder = recorder
    foreign = ForeignCommits(
      queue: queue,
      interval: interval,
      writer: writer,
      ownCommits: { recorder.counts },
      report: { report(.unknown) },
      open: open
    )
  }

  /// Begins to look for commits of others at intervals.
  func start() {
    foreign?.start()
  }

  /// Looks for commits of others now, on the queue.
  func look() {
    foreign?.look()
  }

  /// Gets ready for an own transaction, on the writer's queue.
  func prepare(_ db: Database) throws {
    try db.requireOpen()
    if recorder.prepare(db) { foreign?.takeOver(from: db) }
  }

  /// Ends the looking and closes its connection.
  func end() throws {
    try foreign?.end()
  }
}
