import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage

extension Pull {
  /// Merges the entries that wait, those of the oldest snippets first.
  ///
  /// All entries of a snippet are merged together, whichever devices sent them. In turn, a version
  /// that was replaced long ago would meet the one here as if nothing had replaced it.
  ///
  /// - Parameters:
  ///   - late: The snippets whose entries have waited for a blob since an earlier synchronization.
  ///   - report: Gets what was done.
  /// - Throws: ``SyncError``; what was merged before stays.
  func mergeWaiting(_ late: Set<UUID>, into report: inout SyncReport) async throws(SyncError) {
    let waiting = try await records.read { db in try UnreadEntry.waiting(in: db) }
    var next = await nextBatch(of: waiting[...])
    while let batch = try next.get() {
      next = try await readingAhead {
        await nextBatch(of: batch.rest, behind: batch)
      } during: { () async throws(SyncError) in
        do throws(SyncError) {
          try await merge(batch, late, into: &report)
        } catch {
          guard error.isMissingBlob else { throw error }
          // The last snippet that had it here was deleted a moment ago.
          var uuids = batch.uuids
          while !uuids.isEmpty {
            let again = try await fetchBatch(of: uuids)
            try await merge(again, late, into: &report)
            uuids = again.rest
          }
        }
      }
    }
  }

  /// Notes the devices that sent what could not be read.
  private func note(
    _ unreadable: [(entry: UnreadEntry, error: SyncError)],
    in report: inout SyncReport
  ) async throws(SyncError) {
    guard !unreadable.isEmpty else { return }
    report.waitingCount += Set(unreadable.map(\.entry.uuid)).count
    let entries = unreadable.map(\.entry)
    try await records.write(waitingForDisk: false) { db in
      for entry in entries { try entry.noteMissingBlob(in: db) }
    }
    let devices = try await records.devices()
    for (entry, error) in unreadable {
      let name = devices.first { $0.device == entry.author }?.name ?? ""
      report.noteHeld(entry.author, name: name, error)
    }
  }

  /// Merges entries in one transaction, after which they wait no more.
  private func merge(
    _ batch: Batch,
    _ late: Set<UUID>,
    into report: inout SyncReport
  ) async throws(SyncError) {
    guard !batch.entries.isEmpty || !batch.malformed.isEmpty else {
      return try await note(batch.unreadable, in: &report)
    }
    let blobs = batch.kept.merging(batch.fetched) { $1 }
    // The transaction captures only few, so that other writers need not wait.
    try await records.captureAll()
    let now = records.now()
    let outcome = try await records.run { seam, check in
      try seam.withStagedBlobs(Array(blobs.values), to: "synchronize", check: check) {
        staged in
        let sources = Dictionary(staged.map { ($0.sha256, $0) }) { one, _ in one }
        func write(leavingOutRefused: Bool) throws(SnippetStoreError) -> MergeOutcome {
          // If the power fails, the entries wait again. The end of a synchronization waits for the
          // disk, and so does a log file that has anything of this.
          try seam.write(to: "synchronize", keeping: .inMemory, waitingForDisk: false) { db in
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
            try replica.mergeAll(batch.entries, leavingOutRefused: leavingOutRefused)
            if recent != nil { state.changeNumber = try ChangedSnippets.lastChange(in: db) }
            try state.write(in: db)
            for entry in batch.entries.map(\.entry) {
              for hash in entry.content.blobHashes {
                // Of versions that were replaced nothing shows that they are still there.
                let isStored = try RepositoryBlobs.stored(hash, in: db) != nil
                // The place lacked what was waited for; a blob that was added here is sent from here.
                let isThere = !late.contains(entry.uuid) || batch.fetched[hash] != nil
                if isStored, isThere { try RepositoryBlobs.insert(hash, in: db) }
              }
            }
            for unread in batch.malformed { try unread.keep(in: db) }
            try UnreadEntry.note(batch.entries, refused: replica.refused, in: db)
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
    try await note(batch.unreadable, in: &report)
    report.receivedBlobCount += batch.fetched.count
    report.receivedByteCount += batch.fetched.values.reduce(0) { $0 + $1.source.byteCount }
    report.malformedCount += batch.malformed.count
    report.add(outcome)
    onProgress(report)
  }
}

extension SyncError {
  /// Whether a blob was missing that the store had before.
  fileprivate var isMissingBlob: Bool {
    (underlyingError as? SnippetStoreError)?.underlyingError is MissingBlob
  }
}
