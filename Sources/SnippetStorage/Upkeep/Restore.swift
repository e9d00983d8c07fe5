public import Foundation
import GRDB
import Migrations
import SnippetBase

/// Replaces the content of a store with that of a backup.
struct Restore {
  let backup: URL
  let store: URL
  let busyTimeout: Duration
  let operation: String
  let check: () throws -> Void
  let report: (StoreProgress) -> Void

  func run() throws -> RestoreReport {
    let place = OutputPlace(store.path)
    try place.requireNoStore(besides: [backup.path], writing: .sameStore, during: operation)
    // Before the store is opened, whose journal would stay, too.
    try place.requireRemovals(during: operation)
    let source: DatabaseQueue
    do {
      source = try openBackup()
    } catch {
      throw ofBackup(error)
    }
    let target = try openTarget()
    defer {
      // The restored content is committed, and a failure to close would change nothing.
      try? target?.close()
    }
    // Asked again when others can no longer write.
    if let target { try requireNoCaptureInProgress(in: target.writer) }
    let pageSize = try SystemFailure.told(ofWriting: store.path) {
      try target?.writer.snapshot { try Int.fetchOne($0, sql: "PRAGMA page_size") }
    }
    var isCopied = false
    // A copy, so that it can take over the numbers that the store has used before it becomes
    // visible. An older schema must never be visible, and pages of another size cannot be copied
    // over.
    do {
      return try copy.withCompleteCopy(of: source, pageSize: pageSize) { path, found in
        isCopied = true
        return try replaceStore(target, byCopy: path, found)
      }
    } catch  where !isCopied {
      throw ofBackup(error)
    }
  }

  /// Gives the store the content of a complete copy of the backup; `nil` if it does not exist or is
  /// too damaged to be opened.
  private func replaceStore(
    _ target: Connections.Writing?,
    byCopy path: String,
    _ found: CheckReport
  ) throws -> RestoreReport {
    guard found.isSound else { throw unsound(found) }
    guard let target else {
      // All that can fail on a full disk comes before the store leaves its name.
      try openExisting(path, busyTimeout: .zero) { _ in }
        .writeWithoutTransaction { try leavePlace(in: $0) }
      let damagedFile = try putAside { try copy.publish(path) }
      // A backup is a single file in another journal mode, which opening a store unaltered could
      // only read. The restore has succeeded, whether or not this works now.
      try? Connections.Writing(path: store.path, busyTimeout: busyTimeout, .full).close()
      return RestoreReport(
        check: found,
        damagedFile: damagedFile,
        removedTables: []
      )
    }
    let removed = tablesBeside(in: target)
    try replaceContent(of: target, byCopy: path)
    return RestoreReport(check: found, damagedFile: nil, removedTables: removed)
  }

  private var copy: StoreCopy {
    StoreCopy(
      destination: store,
      replacesExisting: true,
      keepsWhatIsBeside: false,
      operation: operation,
      check: check,
      report: report
    )
  }

  // MARK: - The backup

  /// Opens the backup, or throws if it is not one.
  private func openBackup() throws -> DatabaseQueue {
    let file = StoreFile(backup.path, operation: operation)
    switch try file.presence() {
    case .present: break
    case .empty: throw empty()
    case .missing:
      throw SnippetStoreError(
        .noSuchFile,
        operation,
        because: "there is no backup at \(backup.path)",
        keeping: "Nothing was changed.",
        do: "Check the path."
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
    return try openForReading(backup.path, busyTimeout: .seconds(10)) { _ in }
  }

  /// Returns an error of reading the backup, which says of damage that it is not the store's.
  private func ofBackup(_ error: any Error) -> any Error {
    let told = SnippetStoreError(error, during: operation)
    guard told.code == .damaged else { return error }
    let message = (told.underlyingError as? DatabaseError)?.message ?? told.reason
    return SnippetStoreError(
      .damaged,
      operation,
      because: "the backup looks damaged (\(message))",
      keeping: "Nothing was changed.",
      do: "Use another backup."
    )
  }

  private func unsound(_ found: CheckReport) -> SnippetStoreError {
    SnippetStoreError(
      .damaged,
      operation,
      because: "the backup does not pass the check: \(found.problems[0].description)",
      keeping: "Nothing was changed.",
      do: "Use another backup."
    )
  }

  private func empty() -> SnippetStoreError {
    SnippetStoreError(
      .foreignFile,
      operation,
      because: "\(backup.path) is empty",
      keeping: "Nothing was changed.",
      do: "Give the path of a backup."
    )
  }

  // MARK: - The store

  /// Opens the store for writing; `nil` if it does not exist or is too damaged to be opened.
  private func openTarget() throws -> Connections.Writing? {
    let file = StoreFile(store.path, operation: operation)
    guard try file.presence() == .present else { return nil }
    try file.requireOneName()
    func open() throws(SnippetStoreError) -> Connections.Writing {
      try file.verifiedVersion()
      return try SnippetStoreError.converting(during: operation) {
        try SystemFailure.told(ofWriting: store.path) {
          try Connections.Writing(path: store.path, busyTimeout: busyTimeout, .full)
        }
      }
    }
    do {
      return try open()
    } catch  where error.code == .damaged {
      // One failed read is not damage, and a healthy store must not be moved: another program may
      // be writing to it.
      do {
        return try open()
      } catch  where error.code == .damaged {
        return nil
      }
    }
  }

  /// Returns the tables of other programs in the store, which will be lost.
  ///
  /// The result is empty if they cannot be read; that is no reason to give up the restore.
  private func tablesBeside(in target: Connections.Writing) -> [String] {
    do {
      return try target.writer.snapshot { db in
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        return try SchemaComparison(db, version: version).beside
          .filter { $0.type == "table" && !$0.name.hasPrefix("sqlite_") }.map(\.name)
      }
    } catch {
      return []
    }
  }

  /// Replaces all pages in one transaction, so that others see either the old or the new content.
  private func replaceContent(of target: Connections.Writing, byCopy path: String) throws {
    // If the copy were gone, another one would be made, and its emptiness restored.
    let source = try openExisting(path, busyTimeout: .zero) { _ in }
    try source.writeWithoutTransaction { sourceDB in
      try target.writer.writeWithoutTransaction { targetDB in
        var isFirstStep = true
        try SystemFailure.told(ofWriting: store.path) {
          try copy.transfer(from: sourceDB, to: targetDB) {
            guard isFirstStep else { return }
            isFirstStep = false
            // Others can no longer write to the store, so its numbers and captures are final.
            let present = try openForReading(store.path, busyTimeout: busyTimeout) { _ in }
            defer { try? present.close() }
            try takeOver(from: present, into: sourceDB)
          }
        }
      }
    }
    try source.close()
    target.checkpointer.runIfDue(holding: target.writer)
  }

  /// Makes a copy continue after the numbers that the store has used, gives it the captures that
  /// are left in the store, and tells followers of the changes to read everything again.
  private func takeOver(from present: DatabaseQueue, into copy: Database) throws {
    try requireNoCaptureInProgress(in: present)
    try copy.inTransaction(.immediate) {
      try NumberSpace.goOn(from: numbersGiven(in: present), in: copy)
      for capture in try captures(in: present) {
        try unlessDamaged {
          try present.snapshot { store in
            let transfer = CaptureTransfer(store: store, copy: copy, check: check)
            try copy.savepoint { try transfer.takeOver(capture) }
          }
        }
      }
      // No process writes the captures of a backup any more.
      try copy.execute(sql: "UPDATE staged_blob SET process = ''")
      try ChangeRecord.leaveGap(in: copy)
      let replaced = try replacedDevice(in: present, for: copy)
      try leavePlace(for: replaced?.mark ?? "", in: copy)
      if let replaced { try keepFormerPlace(of: replaced, in: copy) }
      return .commit
    }
  }

  /// Makes the next synchronization ask whether the backup counts or what other devices have, unless
  /// the backup is of a store that took part in none.
  private func leavePlace(for mark: String = "", in copy: Database) throws {
    try copy.execute(
      sql: """
        UPDATE sync_state SET place = ?
        WHERE place <> 'left' AND place NOT GLOB 'left/*' AND place NOT GLOB 'before/*'
        """,
      arguments: [mark]
    )
  }

  /// Keeps the device whose store is replaced in a backup of a store that took part in no
  /// synchronization, for when that joins again.
  private func keepFormerPlace(of replaced: ReplacedDevice, in copy: Database) throws {
    let former = String(replaced.mark.dropFirst("restored".count))
    try copy.execute(
      sql: """
        UPDATE sync_state
        SET place = CASE WHEN place GLOB 'before/*' THEN 'before' ELSE 'left' END || ?
        WHERE place = 'left' OR place GLOB 'left/*' OR place GLOB 'before/*'
        """,
      arguments: [former]
    )
    guard try Int.fetchOne(copy, sql: "SELECT count(*) FROM sync_state") == 0 else { return }
    // They would be wrong for this repository.
    _ = try SyncLeftovers(db: copy).remove { false }
    // What damage has left in the store must not keep it from being restored.
    try copy.execute(
      sql: """
        INSERT OR IGNORE INTO sync_state (id, repository, address, device, name, place)
        VALUES (1, ?, ?, randomblob(16), ?, 'before' || ?)
        """,
      arguments: [replaced.repository, replaced.address, replaced.name, former]
    )
  }

  /// The device whose store is replaced, with what that store knew of it.
  private struct ReplacedDevice {
    var repository: Data
    var address: String
    var name: String
    /// The device, the time of its last head and its place.
    var mark: String
  }

  /// Finds the device whose store is replaced; `nil` if it has sent nothing, or is of another repository
  /// than the backup.
  ///
  /// That device is no more: SnippetSync tells the others that it has left.
  private func replacedDevice(
    in present: DatabaseQueue,
    for copy: Database
  ) throws -> ReplacedDevice? {
    let repository = try Data.fetchOne(copy, sql: "SELECT repository FROM sync_state")
    let found = try unlessDamaged {
      try present.snapshot { db -> ReplacedDevice? in
        let row = try Row.fetchOne(
          db,
          sql: """
            SELECT repository, address, sync_state.name AS name, CASE
              WHEN place GLOB 'restored/*' THEN place
              WHEN place GLOB 'backup/*' THEN 'restored' || substr(place, 7)
              WHEN place GLOB 'left/*' THEN 'restored' || substr(place, 5)
              WHEN place GLOB 'before/*' THEN 'restored' || substr(place, 7)
              WHEN place IN ('', 'backup', 'left') THEN NULL
              ELSE 'restored/' || lower(hex(sync_state.device)) || '/' || wrote_at || '/' || place
            END AS mark
            FROM sync_state LEFT JOIN sync_device ON sync_device.device = sync_state.device
            WHERE repository = coalesce(?, repository) AND typeof(repository) = 'blob'
              AND typeof(address) = 'text' AND typeof(sync_state.name) = 'text'
              AND typeof(place) = 'text'
            """,
          arguments: [repository]
        )
        guard let row, let mark: String = row["mark"] else { return nil }
        return ReplacedDevice(
          repository: row["repository"],
          address: row["address"],
          name: row["name"],
          mark: mark
        )
      }
    }
    return found ?? nil
  }

  /// Returns the highest numbers that the store has used.
  private func numbersGiven(in present: DatabaseQueue) throws -> [(table: String, number: Int64)] {
    try unlessDamaged {
      try present.snapshot { db -> [(table: String, number: Int64)] in
        // The shell can write anything into this table, even numbers that leave no room.
        try Row.fetchAll(
          db,
          sql: """
            SELECT name, seq FROM sqlite_sequence
            WHERE typeof(name) = 'text' AND typeof(seq) = 'integer' AND seq <= CASE name
              WHEN 'blob' THEN \(NumberSpace.highestBlobID) ELSE \(NumberSpace.highestID) END
            """
        ).map { ($0[0], $0[1]) }
      }
    } ?? []
  }

  private func captures(in present: DatabaseQueue) throws -> [CaptureRow] {
    try unlessDamaged { try present.snapshot { try CaptureStatements(db: $0).rows() } } ?? []
  }

  /// Refuses to replace a store into which a running program captures, which would lose its bytes.
  private func requireNoCaptureInProgress(in present: DatabaseQueue) throws {
    guard let capture = try captures(in: present).first(where: \.isInProgress) else { return }
    throw SnippetStoreError(
      .busy,
      operation,
      because: "capture \(capture.id) is in progress",
      keeping: "Nothing was changed.",
      do: "Finish it, or end the program that captures, then try again."
    )
  }

  /// Reads the content that is replaced; `nil` if that is damaged, which a restore is there to
  /// mend.
  @discardableResult
  private func unlessDamaged<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode)
    {
      return nil
    }
  }

  /// Gives a damaged file and the logs beside it unused names while `publish` puts the copy in their
  /// place, and returns the first; `nil` if there were none.
  ///
  /// If that fails they get their names again.
  private func putAside(while publish: () throws -> Void) throws -> URL? {
    let suffixes = [""] + OutputPlace.logSuffixes
    // An empty file holds nothing and can be replaced.
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
    var moved: [String] = []
    do {
      // The database last: SQLite would delete a log without its database.
      for suffix in found.reversed() {
        try FileSystem.rename(store.path + suffix, to: path + suffix)
        moved.append(suffix)
      }
      try publish()
    } catch {
      // The copy may be in place although the disk did not confirm it; no log belongs beside that.
      if moved.count < found.count || FileStatus.byteCount(of: store.path) == 0 {
        putBack(moved.reversed(), of: path)
      }
      throw error
    }
    return found.first.map { URL(fileURLWithPath: path + $0) }
  }

  /// Gives files their names again, the database first.
  private func putBack(_ suffixes: [String], of path: String) {
    for suffix in suffixes {
      do {
        try FileSystem.rename(path + suffix, toNew: store.path + suffix)
      } catch {
        // Another store stands there by now.
        return
      }
    }
  }
}

/// The outcome of a restore.
public struct RestoreReport: Sendable, Hashable {
  /// The check of the backup, made before it was used.
  public var check: CheckReport
  /// The new location of a damaged file, or of the log of a missing store; `nil` if there was
  /// none.
  public var damagedFile: URL?
  /// The tables of other programs that were in the store, and that were removed with its old
  /// content.
  public var removedTables: [String]
}
