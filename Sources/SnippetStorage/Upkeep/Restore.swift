import Foundation
import GRDB
import Migrations
import SnippetBase

/// Puts the content of a backup in the place of a store's.
struct Restore {
  let backup: URL
  let store: URL
  let busyTimeout: Duration
  let operation: String
  let check: () throws -> Void
  let report: (SnippetStore.Progress) -> Void

  func run() throws -> SnippetStore.RestoreReport {
    let (source, found) = try openBackup()
    let file = StoreFile(store, operation: operation)
    guard try file.presence() == .present else { return try replaceFile(by: source, found) }
    let target: SnippetStore
    do {
      try file.verifiedVersion()
      target = try SnippetStore(at: store, configuration: configuration)
    } catch let error where error.code == .damaged {
      return try replaceFile(by: source, found)
    }
    defer {
      // What was restored is committed; a failure to close would change nothing.
      try? target.blockingClose()
    }
    try replaceContent(of: target, by: source)
    return SnippetStore.RestoreReport(check: found, damagedFile: nil)
  }

  private var configuration: SnippetStore.Configuration {
    var configuration = SnippetStore.Configuration(access: .readWrite)
    configuration.busyTimeout = busyTimeout
    return configuration
  }

  // MARK: - The backup

  /// Opens the backup and checks it.
  private func openBackup() throws -> (DatabaseQueue, SnippetStore.CheckReport) {
    let file = StoreFile(backup, operation: operation)
    switch try file.presence() {
    case .present: break
    case .empty: throw empty()
    case .missing:
      throw SnippetStoreError(
        .noSuchFile,
        operation,
        because: "there is no backup at \(backup.path)",
        do: "Check the path. Nothing was changed."
      )
    }
    guard FileIdentity(path: backup.path) != FileIdentity(path: store.path) else {
      throw SnippetStoreError(
        .invalidInput,
        operation,
        because: "the backup is the store itself",
        do: "Give the path of a backup."
      )
    }
    guard try file.verifiedVersion() > 0 else { throw empty() }
    let source = try openForReading(backup.path, busyTimeout: .seconds(10)) { _ in }
    var storeCheck = StoreCheck(check: check)
    let found = try storeCheck.run(on: try checker(of: source))
    guard found.isSound else {
      throw SnippetStoreError(
        .damaged,
        operation,
        because: "the backup does not pass the check: \(found.problems[0].description)",
        do: "Nothing was changed. Use another backup."
      )
    }
    return (source, found)
  }

  /// The connection to check the backup on: one that sees the CHECK rules, unless only to close it
  /// could alter the file.
  private func checker(of source: DatabaseQueue) throws -> DatabaseQueue {
    let mode = try source.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
    if mode == "wal" { return source }
    return try openForChecking(backup.path, busyTimeout: .seconds(10)) { _ in }
  }

  private func empty() -> SnippetStoreError {
    SnippetStoreError(
      .foreignFile,
      operation,
      because: "\(backup.path) is empty",
      do: "Give the path of a backup. Nothing was changed."
    )
  }

  // MARK: - The store

  /// Puts a copy of the backup where there is no store, or one too damaged to be opened.
  private func replaceFile(
    by source: DatabaseQueue,
    _ found: SnippetStore.CheckReport
  ) throws -> SnippetStore.RestoreReport {
    var damagedFile: URL?
    _ = try copy(to: store).make(from: source) { damagedFile = try putAside() }
    return SnippetStore.RestoreReport(check: found, damagedFile: damagedFile)
  }

  /// Replaces all pages in one transaction, so that others see the old content or the new one.
  private func replaceContent(of target: SnippetStore, by source: DatabaseQueue) throws {
    let writer = try target.connections.writer(for: operation)
    let pageSize = try writer.read(Self.pageSize)
    let (version, sourcePageSize) = try source.read { db in
      (try Int.fetchOne(db, sql: "PRAGMA user_version"), try Self.pageSize(db))
    }
    if version == Migrations.latestVersion, sourcePageSize == pageSize {
      try transfer(from: source, to: writer)
    } else {
      // Nobody must see an older schema, and pages of another size cannot be taken over, so the
      // backup is made like the store before.
      let like = URL(fileURLWithPath: "\(store.path).partial-\(UUID().uuidString)")
      defer { FileSystem.remove(like.path) }
      _ = try copy(to: like).make(from: source, pageSize: pageSize)
      try transfer(
        from: try openForReading(like.path, busyTimeout: .seconds(10)) { _ in },
        to: writer
      )
    }
    target.connections.checkpointIfDue()
  }

  private func transfer(from source: DatabaseQueue, to writer: DatabaseQueue) throws {
    try source.snapshot { sourceDB in
      _ = try Int.fetchOne(sourceDB, sql: "SELECT count(*) FROM sqlite_schema")
      try writer.writeWithoutTransaction { db in
        // The shell can write anything into this table, also numbers that leave none.
        let sequences = try Row.fetchAll(
          db,
          sql: """
            SELECT name, seq FROM sqlite_sequence
            WHERE typeof(name) = 'text' AND typeof(seq) = 'integer' AND seq
              <= CASE name WHEN 'blob' THEN \(StoreCheck.highestBlobID) ELSE \(StoreCheck.highestID) END
            """
        )
        try copy(to: store).transfer(from: sourceDB, to: db)
        // A number that the store has given must never find something else, so it goes on from
        // there.
        try db.inTransaction(.immediate) {
          for sequence in sequences {
            try db.execute(
              sql: "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1",
              arguments: [sequence[0] as String?, sequence[1] as Int64?]
            )
            if db.changesCount > 0 { continue }
            try db.execute(
              sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
              arguments: [sequence[0] as String?, sequence[1] as Int64?]
            )
          }
          // The number that this leaves out tells those who follow the changes that they have to
          // read everything again.
          try db.execute(
            sql: """
              UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'change' AND seq < \(Int64.max);
              INSERT INTO sqlite_sequence (name, seq) SELECT 'change', 1
              WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'change')
              """
          )
          return .commit
        }
      }
    }
  }

  private static func pageSize(_ db: Database) throws -> Int? {
    try Int.fetchOne(db, sql: "PRAGMA page_size")
  }

  private func copy(to destination: URL) -> StoreCopy {
    StoreCopy(
      destination: destination,
      replacesExisting: true,
      operation: operation,
      check: check,
      report: report
    )
  }

  /// Renames a damaged file and the logs beside it, to names that nothing has.
  ///
  /// - Returns: Where the first of them is now; `nil` when there were none.
  private func putAside() throws -> URL? {
    let suffixes = ["", "-wal", "-shm", "-journal"]
    // An empty file holds nothing, and is replaced.
    let found = suffixes.filter { suffix in
      FileStatus.exists(store.path + suffix)
        && (!suffix.isEmpty || FileStatus.byteCount(of: store.path) > 0)
    }
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withYear, .withMonth, .withDay, .withTime, .withTimeZone]
    let name = "\(store.path).damaged-\(formatter.string(from: Date()))"
    var path = name
    var number = 1
    while suffixes.contains(where: { FileStatus.exists(path + $0) }) {
      number += 1
      path = "\(name)-\(number)"
    }
    // The database last: SQLite would delete a log that it finds alone.
    for suffix in found.reversed() {
      try FileSystem.rename(store.path + suffix, to: path + suffix)
    }
    return found.first.map { URL(fileURLWithPath: path + $0) }
  }
}
