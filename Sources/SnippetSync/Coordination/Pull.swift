import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage

/// Brings what other devices sent into the store.
struct Pull: Sendable {
  let repository: Repository
  let records: SyncRecords
  /// Whether many snippets may go, as a person has allowed.
  let allowsManyRemovals: Bool
  /// Whether entries are only kept, and the snippets stay as they are.
  var readsEntriesOnly = false
  let onProgress: @Sendable (SyncReport) -> Void

  /// The most bytes of blobs to fetch before they are written.
  private static let blobByteLimit: Int64 = 64 << 20
  /// The most entries to merge in one transaction.
  private static let entryLimit = 500

  /// A log file that has come.
  private struct Arrival: Sendable {
    let device: DeviceID
    let number: Int64
    let devices: [DeviceID]
    var entries: [ReceivedEntry] = []
    /// The entries that this version does not understand.
    var unread: [UnreadEntry] = []
    /// The number of lines that are no entries.
    var malformedCount = 0
  }

  /// Merges all that has come.
  ///
  /// - Parameters:
  ///   - state: The state of the store.
  ///   - report: Gets what was done.
  /// - Throws: ``SyncError``; what was merged before stays.
  func run(_ state: SyncState, into report: inout SyncReport) async throws(SyncError) {
    var devices: [DeviceID: KnownDevice] = [:]
    for device in try await records.devices() { devices[device.device] = device }
    let heads = try await repository.heads()
    try await addDevices(heads.map(\.device), to: &devices)
    // Before anything is captured: two stores of one name would give equal stamps.
    if !readsEntriesOnly, let own = devices[state.device],
      let mark = heads.first(where: { $0.device == own.device })?.mark,
      own.headTag != mark.tag
    {
      try await lookAtOwnHead(own, mark, state)
    }
    do {
      if !readsEntriesOnly { try await mergeUnread(into: &report) }
    } catch {
      // A blob of one keeps the others' logs back as little as a log does.
      guard error.code == .damaged else { throw error }
    }
    for (device, mark) in heads.sorted(by: { $0.device < $1.device }) {
      guard device != state.device || readsEntriesOnly, var known = devices[device],
        known.headTag != mark.tag
      else { continue }
      do {
        try await pull(&known, mark, state, into: &report)
      } catch {
        guard [.damaged, .wrongKey].contains(error.code) else { throw error }
        // The others go on.
        report.held.append(SyncReport.HeldDevice(name: known.name, reason: "\(error)"))
      }
    }
  }

  /// Notices that another store writes under the name of this one, or that a head was lost.
  private func lookAtOwnHead(
    _ own: KnownDevice,
    _ mark: ObjectMark,
    _ state: SyncState
  ) async throws(SyncError) {
    let header: LogHeader?
    do {
      header = try await repository.file(.head(own.device))?.header
    } catch {
      guard error.code == .damaged else { throw error }
      // Written anew, it is whole again.
      return try await records.write { db in try KnownDevice.noteLostHead(of: own.device, in: db) }
    }
    guard let header, let head = header.head else { return }
    guard head.number <= state.sealed else { throw .cloned }
    if header.wrote != own.wroteAt {
      guard try await isOwnFile(head.number, of: own.device) else { return }
    }
    try await records.write { db in
      var own = own
      own.headTag = mark.tag
      try own.write(in: db)
      guard head.number < state.sent, var state = try SyncState(in: db) else { return }
      state.sent = head.number
      try state.write(in: db)
    }
  }

  /// Looks at a log file that a head of this device names, and that another store may have written.
  ///
  /// - Returns: Whether it is known; a file that is not whole tells nothing yet.
  /// - Throws: ``SyncError/cloned`` if it is not the one of this store.
  private func isOwnFile(_ number: Int64, of device: DeviceID) async throws(SyncError) -> Bool {
    let file = try await records.read { db in
      try db.value("SELECT file FROM sync_outbox WHERE number = ?", [number.databaseValue]) {
        try $0.bytes(0)
      }
    }
    guard let file else { return true }
    let name = ObjectName.log(device, number: number)
    guard let object = try await repository.carrier.read(name.rawValue) else { return false }
    if object == file { return true }
    do {
      _ = try LogFile(object, named: name, key: repository.key)
    } catch {
      guard error.code == .damaged else { throw error }
      return false
    }
    throw .cloned
  }

  private func addDevices(
    _ found: [DeviceID],
    to devices: inout [DeviceID: KnownDevice]
  ) async throws(SyncError) {
    let new = found.filter { devices[$0] == nil }
    guard !new.isEmpty else { return }
    let all = try await records.write { db in
      for device in new { try KnownDevice.add(device, in: db) }
      return try KnownDevice.all(in: db)
    }
    for device in all { devices[device.device] = device }
  }

  /// Merges the new log files of a device.
  private func pull(
    _ known: inout KnownDevice,
    _ mark: ObjectMark,
    _ state: SyncState,
    into report: inout SyncReport
  ) async throws(SyncError) {
    guard let file = try await repository.file(.head(known.device)), let head = file.header.head
    else { return }
    known.name = file.header.name
    known.wroteAt = file.header.wrote
    if let place = file.header.devices.firstIndex(of: state.device) {
      known.knows = max(known.knows, file.header.knows[place])
    }
    report.noteClock(of: known, now: records.now())
    var isComplete = true
    while known.applied < head.number {
      guard let arrival = try await arrival(known.device, known.applied + 1) else {
        // A folder that another program synchronizes may bring the head first.
        isComplete = false
        break
      }
      guard try await merge(arrival, into: &report) else {
        isComplete = false
        break
      }
      known.applied = arrival.number
    }
    if isComplete { known.headTag = mark.tag }
    let result = known
    try await records.write { db in
      try result.write(in: db)
      // What another device has needs no second copy here, but the last one tells a store that was
      // cloned from its clone.
      try db.run(
        """
        DELETE FROM sync_outbox WHERE number <= ? AND number < (SELECT sealed FROM sync_state)
        """,
        [result.knows.databaseValue]
      )
    }
  }

  private func arrival(_ device: DeviceID, _ number: Int64) async throws(SyncError) -> Arrival? {
    guard let file = try await repository.file(.log(device, number: number)) else { return nil }
    let coding = EntryCoding(devices: DeviceTable(file.header.devices))
    let devices = file.header.devices
    var arrival = Arrival(device: device, number: number, devices: devices)
    for line in file.entries {
      func source(_ uuid: UUID) -> UnreadEntry {
        UnreadEntry(uuid: uuid, author: device, devices: devices, line: line)
      }
      if let entry = try? coding.decode(line) {
        arrival.entries.append(ReceivedEntry(entry: entry, source: source(entry.uuid)))
      } else {
        arrival.malformedCount += 1
        if let uuid = EntryCoding.identity(of: line) { arrival.unread.append(source(uuid)) }
      }
    }
    return arrival
  }

  /// Merges a log file; returns whether all its blobs were there.
  private func merge(
    _ arrival: Arrival,
    into report: inout SyncReport
  ) async throws(SyncError) -> Bool {
    report.malformedCount += arrival.malformedCount
    if readsEntriesOnly {
      try await records.keep(
        arrival.entries.map(\.entry),
        arrival.unread,
        endingFile: arrival.number,
        of: arrival.device
      )
      return true
    }
    try await requireFewRemovals(by: arrival, after: report.removedCount)
    return try await merge(arrival.entries, of: arrival, into: &report)
  }

  /// Merges entries that an older version has kept, since this one may understand them.
  private func mergeUnread(into report: inout SyncReport) async throws(SyncError) {
    while true {
      let kept = try await records.read { db in
        try UnreadEntry.outdated(limit: Self.entryLimit, in: db)
      }
      guard !kept.isEmpty else { return }
      let entries = kept.compactMap { unread in
        (try? unread.decoded()).map { ReceivedEntry(entry: $0, source: unread) }
      }
      guard try await merge(entries, of: nil, into: &report) else { return }
      try await records.write { db in
        for unread in kept { try unread.noteVersion(in: db) }
      }
    }
  }

  /// Merges entries, of a log file where there is one; returns whether all their blobs were there.
  private func merge(
    _ entries: [ReceivedEntry],
    of arrival: Arrival?,
    into report: inout SyncReport
  ) async throws(SyncError) -> Bool {
    var rest = entries[...]
    repeat {
      let (batch, missing) = try await nextBatch(of: &rest)
      let fetched = try await Transfers.map(missing, limit: repository.carrier.transferLimit) {
        blob async throws(SyncError) in try await fetch(blob.sha256, blob.byteCount)
      }
      var blobs: [Data: PreparedBlob] = [:]
      for (blob, prepared) in zip(missing, fetched) {
        guard let prepared else { return false }
        blobs[blob.sha256] = prepared
        report.receivedBlobCount += 1
        report.receivedByteCount += blob.byteCount
      }
      try await merge(batch, blobs, ending: rest.isEmpty ? arrival : nil, into: &report)
    } while !rest.isEmpty
    return true
  }

  /// Takes the entries of the next transaction, and returns the blobs that the store lacks for them.
  private func nextBatch(
    of rest: inout ArraySlice<ReceivedEntry>
  ) async throws(SyncError) -> (
    batch: [ReceivedEntry], missing: [(sha256: Data, byteCount: Int64)]
  ) {
    var batch: [ReceivedEntry] = []
    var missing: [(sha256: Data, byteCount: Int64)] = []
    var byteCount: Int64 = 0
    while let received = rest.first, batch.count < Self.entryLimit,
      byteCount < Self.blobByteLimit
    {
      let entry = received.entry
      if let hash = try await missingBlob(of: entry),
        !missing.contains(where: { $0.sha256 == hash })
      {
        let size = entry.content.content?.byteCount ?? 0
        missing.append((hash, size))
        byteCount += size
      }
      batch.append(received)
      rest.removeFirst()
    }
    return (batch, missing)
  }

  /// Merges entries of a log file in one transaction, which notes the file with its last ones.
  private func merge(
    _ batch: [ReceivedEntry],
    _ blobs: [Data: PreparedBlob],
    ending arrival: Arrival?,
    into report: inout SyncReport
  ) async throws(SyncError) {
    // The transaction captures only few, so that other writers need not wait.
    try await records.captureAll()
    let now = records.now()
    let outcome = try await records.run { seam, check in
      try seam.withStagedBlobs(Array(blobs.values), to: "synchronize", check: check) { staged in
        let sources = Dictionary(staged.map { ($0.sha256, $0) }) { one, _ in one }
        return try seam.write(to: "synchronize") { db in
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
          try replica.mergeAll(batch.map(\.entry))
          if recent != nil { state.changeNumber = try ChangedSnippets.lastChange(in: db) }
          try state.write(in: db)
          for hash in batch.compactMap(\.entry.content.content?.blobHash) {
            try RepositoryBlobs.insert(hash, in: db)
          }
          try UnreadEntry.note(batch, refused: replica.outcome.refused, in: db)
          if let arrival {
            for unread in arrival.unread { try unread.keep(in: db) }
            try KnownDevice.noteApplied(arrival.number, of: arrival.device, in: db)
          }
          return replica.outcome
        }
      }
    }
    report.add(outcome)
    onProgress(report)
  }

  /// The hash of the blob that an entry needs and the store lacks.
  private func missingBlob(of entry: Entry) async throws(SyncError) -> Data? {
    guard !entry.isDeleted, let hash = entry.content.content?.blobHash else { return nil }
    return try await records.read { db in
      try RepositoryBlobs.isStored(hash, in: db) ? nil : hash
    }
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

  // MARK: - The guard

  /// Refuses a log file by which, with those before it, much of what was here would go.
  private func requireFewRemovals(
    by arrival: Arrival,
    after removedCount: Int
  ) async throws(SyncError) {
    let gone = arrival.entries.map(\.entry).filter { $0.isDeleted || $0.deletedAt != nil }
      .map(\.uuid)
    guard !allowsManyRemovals, !gone.isEmpty,
      gone.count + removedCount > Self.uncheckedRemovals
    else { return }
    let (living, going) = try await records.read { db in
      let living = try db.number("SELECT count(*) FROM snippet WHERE deleted_at IS NULL") ?? 0
      let going = try gone.filter { uuid in
        try db.number(
          "SELECT 1 FROM snippet WHERE uuid = ? AND deleted_at IS NULL",
          [uuid.bytes.databaseValue]
        ) != nil
      }
      return (living + Int64(removedCount), going.count + removedCount)
    }
    guard going > Self.uncheckedRemovals, Int64(going) * 5 > living else { return }
    throw SyncError(
      .manyRemovals,
      "synchronize",
      because: "\(going) of \(living) snippets would be deleted or moved to the trash",
      do: "If that is meant, allow it (snip sync --yes)."
    )
  }

  private static let uncheckedRemovals = 50
}

extension SyncedContent {
  /// The hash of the blob; `nil` for a short text.
  var blobHash: Data? {
    if case .blob(let hash, _) = body { hash } else { nil }
  }
}
