import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage

extension Pull {
  /// The most bytes of blobs to fetch before they are written.
  private static let blobByteLimit: Int64 = 32 << 20
  /// The most entries to merge in one transaction.
  private static let entryLimit = 500

  /// Merges the entries that wait, those of the oldest snippets first.
  ///
  /// All entries of a snippet are merged together, whichever devices sent them. In turn, a version
  /// that was replaced long ago would meet the one here as if nothing had replaced it.
  func mergeWaiting(into report: inout SyncReport) async throws(SyncError) {
    let waiting = try await records.read { db in try UnreadEntry.waiting(in: db) }
    var next = await nextBatch(of: waiting[...])
    while let batch = try next.get() {
      next = try await readingAhead {
        await nextBatch(of: batch.rest)
      } during: { () async throws(SyncError) in
        try await note(batch.unreadable, in: &report)
        report.receivedBlobCount += batch.blobs.count
        report.receivedByteCount += batch.blobs.values.reduce(0) { $0 + $1.source.byteCount }
        report.malformedCount += batch.malformed.count
        try await merge(batch, into: &report)
      }
    }
  }

  /// The entries of one transaction, with the blobs that the store lacks for them.
  private struct Batch: Sendable {
    var entries: [ReceivedEntry] = []
    var blobs: [Data: PreparedBlob] = [:]
    /// The entries that this version does not understand.
    var malformed: [UnreadEntry] = []
    /// The entries whose blobs could not be read, and the reasons; they wait on.
    var unreadable: [(entry: UnreadEntry, error: SyncError)] = []
    /// The snippets of the following transactions.
    var rest: ArraySlice<UUID>
  }

  /// The entries of a snippet, with the blobs that the store lacks for them.
  private struct Group: Sendable {
    var entries: [ReceivedEntry]
    var missing: [Data] = []
  }

  private func nextBatch(of uuids: ArraySlice<UUID>) async -> Result<Batch?, SyncError> {
    guard !uuids.isEmpty else { return .success(nil) }
    do throws(SyncError) {
      return .success(try await fetchBatch(of: uuids))
    } catch {
      return .failure(error)
    }
  }

  /// Reads the entries of the next transaction, and fetches the blobs that the store lacks for them.
  ///
  /// Entries whose blobs are not there yet are left out.
  private func fetchBatch(of uuids: ArraySlice<UUID>) async throws(SyncError) -> Batch {
    let (read, groups, missing) = try await records.read { db in try Self.read(uuids, in: db) }
    var batch = read
    let fetched = try await Transfers.map(missing, limit: repository.carrier.transferLimit) {
      blob async throws(SyncError) -> Result<PreparedBlob?, SyncError> in
      do throws(SyncError) {
        return .success(try await fetch(blob.sha256, blob.byteCount))
      } catch {
        // A blob that cannot be read keeps no other snippet back.
        guard [.damaged, .wrongKey].contains(error.code) else { throw error }
        return .failure(error)
      }
    }
    let results = Dictionary(uniqueKeysWithValues: zip(missing.map(\.sha256), fetched))
    for group in groups {
      var blobs: [Data: PreparedBlob] = [:]
      for hash in group.missing {
        switch results[hash] {
        case .success(let blob?): blobs[hash] = blob
        case .failure(let error):
          let entry = group.entries.first { $0.entry.content.content?.blobHash == hash }
          if let entry { batch.unreadable.append((entry.source, error)) }
        default: break
        }
      }
      guard blobs.count == group.missing.count else { continue }
      batch.blobs.merge(blobs) { one, _ in one }
      batch.entries += group.entries
    }
    return batch
  }

  /// Reads the entries of some snippets, as many as fit into one transaction, and finds the blobs that
  /// the store lacks for them.
  private static func read(
    _ uuids: ArraySlice<UUID>,
    in db: Database
  ) throws -> (batch: Batch, groups: [Group], missing: [(sha256: Data, byteCount: Int64)]) {
    var batch = Batch(rest: uuids)
    var groups: [Group] = []
    var missing: [(sha256: Data, byteCount: Int64)] = []
    guard let state = try SyncState(in: db) else { return (Batch(rest: []), [], []) }
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
      for blob in try blobs(of: group.entries.map(\.entry), replica)
      where try !RepositoryBlobs.isStored(blob.sha256, in: db) {
        group.missing.append(blob.sha256)
        guard !missing.contains(where: { $0.sha256 == blob.sha256 }) else { continue }
        missing.append(blob)
        blobByteCount += blob.byteCount
      }
      entryCount += group.entries.count
      groups.append(group)
    }
    return (batch, groups, missing)
  }

  /// The blobs that the entries of a snippet need where they are merged: those of the last version, and
  /// of versions that become conflict copies.
  private static func blobs(
    of entries: [Entry],
    _ replica: StoreReplica
  ) throws -> [(sha256: Data, byteCount: Int64)] {
    guard let uuid = entries.first?.uuid,
      entries.contains(where: { $0.content.content?.blobHash != nil })
    else { return [] }
    let known = try replica.known(uuid)?.entry
    let (entry, copies) = Entry.merged([known].compactMap(\.self) + entries)
    var blobs: [Data: Int64] = [:]
    for entry in [entry] + copies where !entry.isDeleted {
      guard let content = entry.content.content, let hash = content.blobHash else { continue }
      blobs[hash] = content.byteCount
    }
    return blobs.map { (sha256: $0.key, byteCount: $0.value) }
  }

  /// Notes the devices that sent what could not be read, each once.
  private func note(
    _ unreadable: [(entry: UnreadEntry, error: SyncError)],
    in report: inout SyncReport
  ) async throws(SyncError) {
    guard !unreadable.isEmpty else { return }
    let devices = try await records.devices()
    for (entry, error) in unreadable {
      let name = devices.first { $0.device == entry.author }?.name ?? ""
      guard !report.held.contains(where: { $0.name == name }) else { continue }
      report.held.append(SyncReport.HeldDevice(name: name, reason: "\(error)"))
    }
  }

  /// Merges entries in one transaction, after which they wait no more.
  private func merge(_ batch: Batch, into report: inout SyncReport) async throws(SyncError) {
    guard !batch.entries.isEmpty || !batch.malformed.isEmpty else { return }
    // The transaction captures only few, so that other writers need not wait.
    try await records.captureAll()
    let now = records.now()
    let outcome = try await records.run { seam, check in
      try seam.withStagedBlobs(Array(batch.blobs.values), to: "synchronize", check: check) {
        staged in
        let sources = Dictionary(staged.map { ($0.sha256, $0) }) { one, _ in one }
        func write(leavingOutRefused: Bool) throws(SnippetStoreError) -> MergeOutcome {
          try seam.write(to: "synchronize", keeping: .inMemory) { db in
            guard var state = try SyncState(in: db) else { return MergeOutcome() }
            let replica = try StoreReplica(state.device, now: now, blobs: sources, in: db)
            // What was edited since; each snippet that is merged is captured first anyway.
            let recent = try ChangedSnippets.recorded(
              after: state.changeNumber,
              upTo: ChangedSnippets.lastChange(in: db),
              limit: SyncRecords.captureLimit,
              in: db
            )
            if let recent { try replica.capture(recent) }
            try replica.mergeAll(
              batch.entries.map(\.entry),
              leavingOutRefused: leavingOutRefused
            )
            if recent != nil { state.changeNumber = try ChangedSnippets.lastChange(in: db) }
            try state.write(in: db)
            for hash in batch.entries.compactMap(\.entry.content.content?.blobHash) {
              try RepositoryBlobs.insert(hash, in: db)
            }
            for unread in batch.malformed { try unread.keep(in: db) }
            try UnreadEntry.note(batch.entries, refused: replica.outcome.refused, in: db)
            return replica.outcome
          }
        }
        do {
          return try write(leavingOutRefused: false)
        } catch let error as SnippetStoreError
          where (error.underlyingError as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
        {
          // Few are refused, and it takes much longer to be ready for that.
          return try write(leavingOutRefused: true)
        }
      }
    }
    report.add(outcome)
    onProgress(report)
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

extension SyncedContent {
  /// The hash of the blob; `nil` for a short text.
  var blobHash: Data? {
    if case .blob(let hash, _) = body { hash } else { nil }
  }
}
