import Foundation
import GRDB
import SnippetRecognition
import SnippetStorage

extension Pull {
  /// The most bytes of blobs to fetch before they are written.
  private static let blobByteLimit: Int64 = 32 << 20
  /// The most entries to merge in one transaction.
  private static let entryLimit = 500

  /// The entries of one transaction, with the blobs that the store lacks for them.
  struct Batch: Sendable {
    var uuids: ArraySlice<UUID> = []
    var entries: [ReceivedEntry] = []
    /// The blobs that have come from the repository.
    var fetched: [Data: PreparedBlob] = [:]
    /// The blobs of the store that it may drop while it merges.
    var kept: [Data: PreparedBlob] = [:]
    /// The entries that this version does not understand.
    var malformed: [UnreadEntry] = []
    /// The entries whose blobs could not be read, and the reasons; they wait on.
    var unreadable: [(entry: UnreadEntry, error: SyncError)] = []
    /// The snippets of the following transactions.
    var rest: ArraySlice<UUID>
  }

  /// The entries of a snippet, with the blobs that must be at hand to merge them.
  struct Group: Sendable {
    var entries: [ReceivedEntry]
    var blobs: [WantedBlob] = []
  }

  struct WantedBlob: Sendable {
    let sha256: Data
    let byteCount: Int64
    /// The one of the store, where only snippets have it that the same synchronization may change; `nil`
    /// if the store lacks it.
    let stored: StoredBlob?
  }

  enum FoundBlob: Sendable {
    case fetched(PreparedBlob)
    case kept(PreparedBlob)
    /// It is not in the repository yet.
    case absent
    case unreadable(SyncError)
  }

  func nextBatch(
    of uuids: ArraySlice<UUID>,
    behind former: Batch? = nil
  ) async -> Result<Batch?, SyncError> {
    guard !uuids.isEmpty else { return .success(nil) }
    do throws(SyncError) {
      return .success(try await fetchBatch(of: uuids, behind: former))
    } catch {
      return .failure(error)
    }
  }

  /// Reads the entries of the next transaction, and fetches the blobs that the store lacks for them.
  ///
  /// Entries whose blobs are not there yet are left out, and those of other devices go on. Blobs of the
  /// transaction before, which may not be over, are not fetched again.
  func fetchBatch(
    of uuids: ArraySlice<UUID>,
    behind former: Batch? = nil
  ) async throws(SyncError) -> Batch {
    let coming = former?.fetched ?? [:]
    var (batch, groups) = try await records.read { db in try Self.read(uuids, in: db) }
    var found: [Data: FoundBlob] = [:]
    while !groups.isEmpty {
      var wanted: [Data: WantedBlob] = [:]
      for blob in groups.flatMap(\.blobs) where found[blob.sha256] == nil {
        wanted[blob.sha256] = blob
      }
      let blobs = Array(wanted.values)
      let results = try await Transfers.map(blobs, limit: repository.carrier.transferLimit) {
        blob async throws(SyncError) -> FoundBlob in
        if let bytes = coming[blob.sha256] { return FoundBlob.kept(bytes) }
        return try await find(blob)
      }
      for (blob, result) in zip(blobs, results) { found[blob.sha256] = result }
      let reduced = groups.compactMap { batch.add($0, found) }
      if reduced.isEmpty { break }
      // Of what remains another version may be the last, with another blob.
      groups = try await records.read { db in try Self.wanting(reduced, in: db) }
    }
    return batch
  }

  /// Reads the entries of some snippets, as many as fit into one transaction, and finds the blobs that
  /// must be at hand to merge them.
  private static func read(
    _ uuids: ArraySlice<UUID>,
    in db: Database
  ) throws -> (batch: Batch, groups: [Group]) {
    var batch = Batch(rest: uuids)
    var groups: [Group] = []
    guard let state = try SyncState(in: db) else { return (Batch(rest: []), []) }
    let replica = try StoreReplica(state.device, now: 0, in: db)
    var (entryCount, lineByteCount, blobByteCount) = (0, 0, Int64(0))
    while let uuid = batch.rest.first, entryCount < entryLimit,
      lineByteCount < LogFile.entryLimit, blobByteCount < blobByteLimit
    {
      batch.rest.removeFirst()
      var group = Group(entries: [])
      for unread in try UnreadEntry.waiting(of: uuid, in: db) {
        lineByteCount += unread.line.count
        if let entry = try? unread.decoded() {
          group.entries.append(ReceivedEntry(entry: entry, source: unread))
        } else {
          batch.malformed.append(unread)
        }
      }
      group.blobs = try blobs(of: group.entries.map(\.entry), replica, in: db)
      for blob in group.blobs { blobByteCount += blob.byteCount }
      entryCount += group.entries.count
      groups.append(group)
    }
    batch.uuids = uuids[..<batch.rest.startIndex]
    return (batch, groups)
  }

  private static func wanting(_ groups: [Group], in db: Database) throws -> [Group] {
    guard let state = try SyncState(in: db) else { return [] }
    let replica = try StoreReplica(state.device, now: 0, in: db)
    return try groups.map { group in
      let blobs = try blobs(of: group.entries.map(\.entry), replica, in: db)
      return Group(entries: group.entries, blobs: blobs)
    }
  }

  /// Finds the blobs that the entries of a snippet need where they are merged, and that the store has
  /// not for certain: of those of the last version and of versions that become conflict copies.
  private static func blobs(
    of entries: [Entry],
    _ replica: StoreReplica,
    in db: Database
  ) throws -> [WantedBlob] {
    guard let uuid = entries.first?.uuid else { return [] }
    let known = try replica.known(uuid)?.entry
    // A version that is not shown here may be shown then.
    let all = [known].compactMap(\.self) + entries
    guard all.contains(where: { !$0.content.blobHashes.isEmpty }) else { return [] }
    let (merged, copies) = Entry.merged(all)
    var blobs: [Data: WantedBlob] = [:]
    for entry in [merged] + copies {
      guard let content = entry.content.shown, let hash = content.blobHash else { continue }
      let stored = try RepositoryBlobs.stored(hash, in: db)
      // The snippet itself keeps what it has.
      let isOwn = entry.uuid == uuid && known?.content.shown?.blobHash == hash
      if let stored, isOwn || stored.isSafe { continue }
      blobs[hash] = WantedBlob(sha256: hash, byteCount: content.byteCount, stored: stored?.blob)
    }
    return Array(blobs.values)
  }

  /// Finds the blobs of the repository that entries wait for.
  static func awaitedBlobs(in db: Database) throws -> [Data: NeededBlob] {
    guard let state = try SyncState(in: db) else { return [:] }
    let replica = try StoreReplica(state.device, now: 0, in: db)
    var awaited: [Data: NeededBlob] = [:]
    for uuid in try UnreadEntry.waiting(in: db) {
      let entries = try UnreadEntry.waiting(of: uuid, in: db).compactMap { try? $0.decoded() }
      for blob in try blobs(of: entries, replica, in: db) where blob.stored == nil {
        awaited[blob.sha256] = NeededBlob(byteCount: blob.byteCount)
      }
    }
    return awaited
  }

  // MARK: - Blobs

  /// Finds a blob, in the store if it has it.
  private func find(_ blob: WantedBlob) async throws(SyncError) -> FoundBlob {
    do throws(SyncError) {
      if let stored = blob.stored, let kept = try await read(stored) { return .kept(kept) }
      return try await fetch(blob.sha256, blob.byteCount).map { .fetched($0) } ?? .absent
    } catch {
      // A blob that cannot be read keeps no other snippet back.
      guard error.isOfOneObject else { throw error }
      return .unreadable(error)
    }
  }

  /// Reads a blob of the store; `nil` if it is damaged or has gone.
  private func read(_ blob: StoredBlob) async throws(SyncError) -> PreparedBlob? {
    let spool = BlobSpool(byteCount: blob.byteCount)
    for part in 0..<Repository.partCount(of: blob.byteCount) {
      guard let bytes = try await records.part(part, of: blob) else { return nil }
      try spool.append(bytes)
    }
    return try? spool.finish(blob.sha256)
  }

  /// Fetches a blob; `nil` if a part is not there yet.
  private func fetch(_ hash: Data, _ byteCount: Int64) async throws(SyncError) -> PreparedBlob? {
    let spool = BlobSpool(byteCount: byteCount)
    for part in 0..<Repository.partCount(of: byteCount) {
      guard let bytes = try await repository.part(part, of: hash) else { return nil }
      try spool.append(bytes)
    }
    return try spool.finish(hash)
  }
}

extension Pull.Batch {
  /// Adds the entries of a snippet, with their blobs.
  ///
  /// - Returns: The entries that do not need a blob that is missing, where others do; `nil` if there
  ///   are none, or all were added.
  fileprivate mutating func add(_ group: Pull.Group, _ found: [Data: Pull.FoundBlob]) -> Pull.Group?
  {
    var missing: Set<Data> = []
    var (fetched, kept) = (fetched, kept)
    for blob in group.blobs {
      let reason: SyncError
      switch found[blob.sha256] {
      case .fetched(let bytes):
        fetched[blob.sha256] = bytes
        continue
      case .kept(let bytes):
        kept[blob.sha256] = bytes
        continue
      case .absent, nil: reason = .lateBlob
      case .unreadable(let error): reason = error
      }
      missing.insert(blob.sha256)
      // One that no entry names is of a version here, and keeps all back.
      let entry =
        group.entries.first { $0.entry.content.blobHashes.contains(blob.sha256) }
        ?? group.entries.first
      if let entry { unreadable.append((entry.source, reason)) }
    }
    guard !missing.isEmpty else {
      (self.fetched, self.kept) = (fetched, kept)
      entries += group.entries
      return nil
    }
    let rest = group.entries.filter { missing.isDisjoint(with: $0.entry.content.blobHashes) }
    // A blob that no entry names is one of a version here that has gone.
    let isReduced = !rest.isEmpty && rest.count < group.entries.count
    return isReduced ? Pull.Group(entries: rest) : nil
  }
}

extension SyncError {
  fileprivate static let lateBlob = SyncError(
    .damaged,
    "receive a snippet",
    because: "its blob is not in the repository"
  )
}

extension ContentVersions {
  /// The hashes of the blobs of all versions.
  var blobHashes: [Data] { versions.values.compactMap(\.blobHash) }
}

extension SyncedContent {
  /// The hash of the blob; `nil` for a short text.
  var blobHash: Data? {
    if case .blob(let hash, _) = body { hash } else { nil }
  }
}
