import GRDB

/// Gives the free pages of the file back to the file system, in steps.
struct PageReturn {
  private let connections: Connections
  private let report: (StoreProgress) -> Void
  private var steps: WriteSteps

  /// As many pages as a step takes at most, so that they fit into the cache: SQLite writes pages
  /// that do not fit into the log, even those that the file is about to lose.
  private static let maximumPageCount = 1000

  /// So many where room is short: a page can take two in the log, for what is moved into its place
  /// and for what points to that.
  private static let pageCountOnFullDisk = 16

  /// The longest that a step has held the write lock.
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

  /// Returns all free pages; the file is shorter as soon as no reader needs its old state.
  ///
  /// - Returns: How many bytes there were in them.
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
      // The cache that SQLite has by default; a connection that is closed has none.
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
        // Each of its results is one page.
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
