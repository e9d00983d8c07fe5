import GRDB

/// Returns the free pages of the file to the file system, in steps.
struct PageReturn {
  private let connections: Connections
  private let report: (StoreProgress) -> Void
  private var steps: WriteSteps

  /// The most pages in a step.
  ///
  /// They fit into the cache: otherwise SQLite would write pages to the log that the file is about
  /// to lose.
  private static let maximumPageCount = 1000

  /// The most pages in a step if room is short.
  ///
  /// A page can take two in the log: one for the page that moves into its place, and one for the
  /// page that points to it.
  private static let pageCountOnFullDisk = 16

  /// The longest time for which a step held the write lock.
  var longest: Duration { steps.longest }

  init(
    connections: Connections,
    steps: WriteSteps,
    report: @escaping (StoreProgress) -> Void = { _ in }
  ) {
    self.connections = connections
    self.steps = steps
    self.report = report
  }

  /// Returns all free pages, and the number of bytes in them.
  ///
  /// The file gets shorter as soon as no reader needs its old state.
  mutating func run() throws -> Int64 {
    let writer = try connections.writer(for: steps.operation)
    let (pageSize, freeCount) = try writer.unsafeRead { db in
      try db.requireOpen()
      return (
        try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0,
        try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
      )
    }
    guard freeCount > 0 else { return 0 }
    try writer.unsafeRead { try $0.execute(sql: "PRAGMA cache_size = -16384") }
    defer {
      // Reset to SQLite's default; a closed connection has no cache.
      try? writer.unsafeRead { db in
        try db.requireOpen()
        try db.execute(sql: "PRAGMA cache_size = -2000")
      }
    }
    let isShort = connections.reserve?.isShort == true
    let mostPages = isShort ? Self.pageCountOnFullDisk : Self.maximumPageCount
    var returned: Int64 = 0
    var isDone = false
    while !isDone {
      if returned > 0 { steps.letOthersWrite() }
      isDone = try steps.take { db, isOver in
        var count = 0
        // Each result is one page.
        var statement = try SteppedStatement("PRAGMA incremental_vacuum", in: db)
        while count < mostPages, !isOver() {
          guard try statement.next() != nil else { return true }
          count += 1
          returned += 1
        }
        return false
      }
      report(
        StoreProgress(
          completedByteCount: min(returned, freeCount) * pageSize,
          totalByteCount: freeCount * pageSize
        )
      )
    }
    try connections.checkpoint(to: steps.operation)
    return returned * pageSize
  }
}
