import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SystemPackage

/// The store's side of a synchronization: its state and its transactions, on threads that may block.
struct SyncRecords: Sendable {
  let store: SnippetStore
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64

  /// Reads the state; `nil` if the store has not joined a repository, or has left it.
  func state() async throws(SyncError) -> SyncState? {
    let state = try await read { db in try SyncState(in: db) }
    return state.flatMap { $0.isJoined ? $0 : nil }
  }

  func devices() async throws(SyncError) -> [KnownDevice] {
    try await read { db in try KnownDevice.all(in: db) }
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(SyncError) -> Result {
    do {
      return try await store.seam.read(to: "synchronize", body)
    } catch {
      throw SyncError(of: error)
    }
  }

  /// Runs blocking work on the store.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable (StoreSeam, _ check: @escaping () throws -> Void) throws -> Result
  ) async throws(SyncError) -> Result {
    do {
      return try await OwnThreads.run(to: "synchronize") { check in try body(store.seam, check) }
    } catch {
      throw SyncError(of: error)
    }
  }

  /// Writes in one transaction, which is durable on return, or with the next one that is.
  func write<Result: Sendable>(
    keeping copies: PageCopies = .inFile,
    waitingForDisk isWaiting: Bool = true,
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(SyncError) -> Result {
    try await run { seam, _ in
      try seam.write(to: "synchronize", keeping: copies, waitingForDisk: isWaiting, body)
    }
  }

  /// Marks all entries as unsent, so that the next log files hold everything.
  func markAllUnsent() async throws(SyncError) {
    try await write { db in try PendingTable.markAll(in: db) }
  }

  /// Reads a part of a blob; `nil` if it is damaged or has gone.
  func part(_ part: Int64, of blob: StoredBlob) async throws(SyncError) -> Data? {
    let start = part * Repository.partSize
    // Only damage gives a blob a size below zero.
    guard start <= blob.byteCount else { return nil }
    do {
      let end =
        blob.byteCount - start > Repository.partSize ? start + Repository.partSize : blob.byteCount
      return try await store.content(of: blob.id, in: start..<end)
    } catch {
      guard ![.notFound, .damaged].contains(error.code) else { return nil }
      throw SyncError(of: error)
    }
  }

  /// Captures all changes, in several transactions if they are many.
  ///
  /// It looks for them in snapshots, and only writes where something has changed.
  ///
  /// - Parameter author: The device that edited; `nil`, the default, for this one.
  /// - Throws: ``SyncError``; what was captured before stays so.
  func captureAll(as author: DeviceID? = nil) async throws(SyncError) {
    try await run { seam, check in
      while let (number, last) = try seam.read(to: "synchronize", Self.uncaptured) {
        let recorded = try seam.read(to: "synchronize") { db in
          try ChangedSnippets.recorded(after: number, upTo: last, limit: Self.recordLimit, in: db)
        }
        if let recorded {
          var rest = recorded[...]
          repeat {
            try check()
            let part = rest.prefix(Self.captureLimit)
            rest = rest.dropFirst(Self.captureLimit)
            try capture(part, as: author, seam, upTo: rest.isEmpty ? last : nil)
          } while !rest.isEmpty
          return
        }
        for find in [ChangedSnippets.differing, ChangedSnippets.gone] {
          var id: Int64 = 0
          while true {
            try check()
            let found = try seam.scan(to: "synchronize") { db in
              try find(id, Self.captureLimit, db)
            }
            guard let end = found.last else { break }
            try capture(found[...], as: author, seam)
            id = end
          }
        }
        try capture([], as: author, seam, upTo: last)
      }
    }
  }

  /// Whether there are more changes to capture than are looked up in the record.
  func hasManyChanges() async throws(SyncError) -> Bool {
    try await read { db in
      guard let (number, last) = try Self.uncaptured(in: db) else { return false }
      // A damaged store may give any number.
      let (count, isTooGreat) = last.subtractingReportingOverflow(number)
      return isTooGreat || count > Self.recordLimit
    }
  }

  /// The number of the last change that was captured, and of the last one, if that is another.
  private static func uncaptured(in db: Database) throws -> (number: Int64, last: Int64)? {
    guard let number = try SyncState(in: db)?.changeNumber else { return nil }
    let last = try ChangedSnippets.lastChange(in: db)
    return number == last ? nil : (number, last)
  }

  /// Captures snippets, and notes the number up to which all changes are captured.
  private func capture(
    _ ids: ArraySlice<Int64>,
    as author: DeviceID?,
    _ seam: StoreSeam,
    upTo number: Int64? = nil
  ) throws {
    // If the power fails, it is captured once more. Before anything of it is sent, a log file is
    // sealed, and that waits for the disk.
    try seam.write(to: "synchronize", keeping: .inMemory, waitingForDisk: false) { db in
      guard var state = try SyncState(in: db) else { return }
      try StoreReplica(author ?? state.device, now: now(), in: db).capture(ids)
      guard let number else { return }
      state.changeNumber = number
      try state.write(in: db)
    }
  }

  /// The most changes that are looked up in the record: for more, all revisions are compared.
  private static let recordLimit = 10_000

  /// The most snippets to capture in one transaction: others wait for it.
  static let captureLimit = 1_000
}

extension SyncError {
  /// A failure of the store, which undoes one transaction of several.
  init(of error: SnippetStoreError) {
    let error = error.keeping(
      "What was received or sent before stays so.",
      during: error.operation
    )
    self.init(
      error.code == .cancelled ? .cancelled : .store,
      error.operation,
      because: error.reason,
      do: error.recoverySuggestion,
      underlying: error
    )
  }
}

// MARK: - Names and places

extension SyncRecords {
  init(store: SnippetStore) {
    self.init(store: store) { Int64((Date().timeIntervalSince1970 * 1000).rounded()) }
  }

  /// The machine, the file and the path of the store.
  func place() async throws(SyncError) -> String {
    guard let url = store.url else { return "memory" }
    let machine = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ""
    return await OwnThreads.run {
      let name = machine.trimmingCharacters(in: .whitespacesAndNewlines)
      let host = name.isEmpty ? ProcessInfo.processInfo.hostName : name
      return StorePlace.of(url.path, on: host)
    }
  }

  /// Whether the store is the file that joined, and not a copy.
  func isInPlace() async throws(SyncError) -> Bool {
    guard let place = try await state()?.place else { return false }
    return StorePlace.areSameFile(place, try await self.place())
  }

  /// Notes the path of a store that was moved, for a copy of it.
  func notePath() async throws(SyncError) {
    let place = try await place()
    guard try await state()?.place != place else { return }
    try await write { db in
      guard var state = try SyncState(in: db), StorePlace.areSameFile(state.place, place) else {
        return
      }
      state.place = place
      try state.write(in: db)
    }
  }

  /// Makes another device of the store.
  ///
  /// - Parameter isCopy: Whether all that the former device sent is known here; otherwise its log is
  ///   read again, and all entries are sent again.
  /// - Throws: ``SyncError``.
  func takeNewName(isCopy: Bool) async throws(SyncError) {
    let place = try await place()
    try await write { db in
      guard var state = try SyncState(in: db) else { return }
      try state.endLog(isKnown: isCopy, in: db)
      try state.beginAnew(at: place, in: db)
    }
  }

  // MARK: - After a restore

  /// Merges the entries of a log file with those here, and leaves the snippets as they are.
  ///
  /// - Returns: The number of entries that this version does not understand.
  func keep(_ arrival: Pull.Arrival) async throws(SyncError) -> Int {
    let now = now()
    return try await write { db in
      guard let state = try SyncState(in: db) else { return 0 }
      var entries: [Entry] = []
      for unread in arrival.entries {
        if let entry = try? unread.decoded() {
          entries.append(entry)
        } else {
          try unread.keep(in: db)
        }
      }
      try StoreReplica(state.device, now: now, in: db).keep(entries)
      try KnownDevice.noteApplied(arrival.number, of: arrival.device, in: db)
      return arrival.entries.count - entries.count
    }
  }

  /// Makes a new device of a store, which takes all that differs from the entries for an edit of now.
  func takeBackupForNew() async throws(SyncError) {
    let (place, now) = (try await place(), now())
    try await write { db in
      guard var state = try SyncState(in: db) else { return }
      // All revisions are compared.
      state.changeNumber = -1
      try db.run("UPDATE sync_row SET revision = 0", [])
      try state.beginAnew(at: place, in: db)
      try StoreReplica(state.device, now: now, in: db).deleteAbsent()
    }
  }

  /// Notes the end of a synchronization, on the disk with all that it merged.
  ///
  /// - Parameter isComplete: Whether nothing is left that could not be read.
  /// - Throws: ``SyncError``.
  func noteEnd(isComplete: Bool) async throws(SyncError) {
    let now = now()
    try await write { db in
      guard var state = try SyncState(in: db) else { return }
      if isComplete { state.syncedAt = now }
      // SQLite writes no row that stays the same, and a commit of nothing waits for nothing.
      try db.run("DELETE FROM sync_state", [])
      try state.write(in: db)
    }
  }

  func status() async throws(SyncError) -> SyncStatus? {
    try await read { db in
      guard let state = try SyncState(in: db), state.isJoined else { return nil }
      let pending = try db.number(
        """
        SELECT (SELECT count(*) FROM sync_row WHERE pending = 1)
          + (SELECT count(*) FROM sync_absent WHERE pending = 1)
          + (
            SELECT count(DISTINCT snippet_id) FROM change
            WHERE number > ? AND NOT EXISTS (
              SELECT 1 FROM sync_row JOIN snippet ON snippet.id = sync_row.snippet_id
              WHERE sync_row.snippet_id = change.snippet_id
                AND (sync_row.revision = snippet.revision OR pending = 1)
            )
          )
        """,
        [state.changeNumber.databaseValue]
      )
      let blobs = try db.number(
        """
        SELECT count(*) FROM blob
        WHERE NOT EXISTS (SELECT 1 FROM sync_blob WHERE sync_blob.sha256 = blob.sha256)
        """
      )
      let files = try db.number(
        "SELECT count(*) FROM sync_outbox WHERE number > ? AND length(file) <> ?",
        [state.sent.databaseValue, DroppedFile.byteCount.databaseValue]
      )
      return SyncStatus(
        address: state.address,
        repository: state.repository,
        deviceName: state.name,
        unsentCount: Int((pending ?? 0) + (files ?? 0)),
        unsentFileCount: Int(files ?? 0),
        unsentBlobCount: Int(blobs ?? 0),
        waitingCount: Int(try UnreadEntry.waitingCount(in: db)),
        isRestored: state.isRestored,
        synchronizedAt: state.syncedAt.map { Date(milliseconds: $0) }
      )
    }
  }
}
