import Foundation
import GRDB
import SnippetBase
import SnippetStorage

/// The objects of a repository that are lost and that this store may have.
struct RepositoryLosses: Sendable {
  /// The hashes of blobs.
  var blobs: [Data] = []
  /// The numbers of log files of this device, those of each fault together.
  var logs: [ClosedRange<Int64>] = []
  /// Whether the head of this device is lost.
  var isHeadLost = false

  /// The most log files to write again: a device that sends 1,000 a day has as many after three years.
  private static let logLimit = 1_000_000

  /// Whether this store has anything of what is lost.
  func canBeMended(from records: SyncRecords) async throws(SyncError) -> Bool {
    if isHeadLost || !logs.isEmpty { return true }
    let blobs = blobs
    return try await records.read { db in
      try blobs.contains { try RepositoryBlobs.stored($0, in: db) != nil }
    }
  }

  /// Writes the log files, the blobs and the head again.
  ///
  /// Blobs go at once: a check would not miss those that are only noted as unsent.
  ///
  /// - Returns: The number of faults whose objects this store has.
  /// - Throws: ``SyncError``; also where the store tells of more log files than a device ever sends,
  ///   before it writes the first.
  func mend(_ repository: Repository, from records: SyncRecords) async throws(SyncError) -> Int {
    let logs = logs
    let logCount = logs.reduce(0) { $0 + $1.count }
    guard logCount <= Self.logLimit else {
      throw SyncError(
        of: SnippetStoreError(
          .damaged,
          "repair the repository",
          because: "\(logCount) log files of this device are missing, more than one ever sends",
          do: """
            The store has a wrong number of them. Leave the repository (snip sync leave --forget) and \
            join it again.
            """
        )
      )
    }
    try await records.write { db in
      let kept = Set(try db.numbers("SELECT number FROM sync_outbox"))
      guard logs.joined().contains(where: { !kept.contains($0) }) else { return }
      try db.run("UPDATE sync_row SET pending = 1", [])
      try db.run("UPDATE sync_absent SET pending = 1", [])
    }
    for number in logs.joined() { try await writeLog(number, repository, records) }
    let blobCount = try await sendBlobs(repository, records)
    let headCount = isHeadLost ? try await writeHead(repository, records) : 0
    return logs.count + blobCount + headCount
  }

  /// Sends the blobs that this store has, and returns their number.
  private func sendBlobs(
    _ repository: Repository,
    _ records: SyncRecords
  ) async throws(SyncError) -> Int {
    let blobs = blobs
    let stored = try await records.read { db in
      try blobs.compactMap { try RepositoryBlobs.stored($0, in: db)?.blob }
    }
    let push = Push(repository: repository, records: records, onProgress: { _ in })
    let areSent = try await Transfers.map(stored, limit: repository.carrier.transferLimit) {
      blob async throws(SyncError) in try await push.send(blob)
    }
    return areSent.count(where: { $0 })
  }

  /// Writes the head, and returns the number of faults that this mends.
  private func writeHead(
    _ repository: Repository,
    _ records: SyncRecords
  ) async throws(SyncError) -> Int {
    // A copy has the name of its original, and a restored store does not know how far its log goes.
    guard try await records.isInPlace(), let state = try await records.state() else { return 0 }
    try await Push(repository: repository, records: records, onProgress: { _ in })
      .writeHead(state, try await records.devices(), upTo: state.sent)
    return 1
  }

  /// Writes a log file with the same bytes as long as the outbox has them.
  ///
  /// Later it stands there without entries, so that others can read on. All entries are sent again once
  /// it does, and each is the whole state of its snippet: so nothing is missing then.
  private func writeLog(
    _ number: Int64,
    _ repository: Repository,
    _ records: SyncRecords
  ) async throws(SyncError) {
    let (key, now) = (repository.key, records.now())
    let log = try await records.read { db -> (name: ObjectName, file: Data)? in
      guard let state = try SyncState(in: db) else { return nil }
      let name = ObjectName.log(state.device, number: number)
      let kept = try db.value(
        "SELECT file FROM sync_outbox WHERE number = ?",
        [number.databaseValue]
      ) { try $0.bytes(0) }
      if let kept, DroppedFile(kept) == nil { return (name, kept) }
      let header = Push.header(name, state, try KnownDevice.all(in: db), now: now)
      return (name, try LogFile(header: header, entries: []).sealed(with: key))
    }
    guard let log else { return }
    try await repository.carrier.write(log.file, as: log.name.rawValue, isNew: false)
  }
}
