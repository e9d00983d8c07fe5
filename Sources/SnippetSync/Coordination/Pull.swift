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
  private static let blobByteLimit: Int64 = 32 << 20
  /// The most entries to merge in one transaction.
  private static let entryLimit = 500

  /// A log file that has come.
  struct Arrival: Sendable {
    let device: DeviceID
    let number: Int64
    let devices: [DeviceID]
    var entries: [ReceivedEntry] = []
    /// The entries that this version does not understand.
    var unread: [UnreadEntry] = []
    /// The number of lines that are no entries.
    var malformedCount = 0
    var byteCount = 0
  }

  /// The new log files of a device.
  struct News: Sendable {
    var device: KnownDevice
    let mark: ObjectMark
    /// The number of the last one.
    let last: Int64
    /// The number of the last one whose removals were counted; `nil` if they need not be.
    var counted: Int64?
    /// Those that were read for that and kept, by their numbers.
    var arrivals: [Int64: Arrival] = [:]
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
    var news: [News] = []
    for (device, mark) in heads.sorted(by: { $0.device < $1.device }) {
      guard device != state.device || readsEntriesOnly, let known = devices[device],
        known.headTag != mark.tag
      else { continue }
      try await goOn(after: known, in: &report) { report async throws(SyncError) in
        guard let new = try await self.news(of: known, mark, state) else { return }
        report.noteClock(of: new.device, now: records.now())
        news.append(new)
      }
    }
    if !allowsManyRemovals, !readsEntriesOnly { try await requireFewRemovals(by: &news) }
    do {
      if !readsEntriesOnly { try await mergeUnread(into: &report) }
    } catch {
      // A blob of one keeps the others' logs back as little as a log does.
      guard error.code == .damaged else { throw error }
    }
    for var new in news {
      try await goOn(after: new.device, in: &report) { report async throws(SyncError) in
        try await pull(&new, into: &report)
      }
    }
  }

  /// Reads from one device, so that the others go on if its log cannot be read.
  private func goOn(
    after device: KnownDevice,
    in report: inout SyncReport,
    _ body: (inout SyncReport) async throws(SyncError) -> Void
  ) async throws(SyncError) {
    do {
      try await body(&report)
    } catch {
      guard [.damaged, .wrongKey].contains(error.code) else { throw error }
      report.held.append(SyncReport.HeldDevice(name: device.name, reason: "\(error)"))
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

  /// Reads the head of a device; `nil` if it is not there.
  private func news(
    of device: KnownDevice,
    _ mark: ObjectMark,
    _ state: SyncState
  ) async throws(SyncError) -> News? {
    guard let file = try await repository.file(.head(device.device)), let head = file.header.head
    else { return nil }
    var device = device
    device.name = file.header.name
    device.wroteAt = file.header.wrote
    if let place = file.header.devices.firstIndex(of: state.device) {
      device.knows = max(device.knows, file.header.knows[place])
    }
    return News(device: device, mark: mark, last: head.number)
  }

  /// Merges the new log files of a device.
  private func pull(_ new: inout News, into report: inout SyncReport) async throws(SyncError) {
    var next = await nextArrival(of: new, after: new.device.applied)
    // A folder that another program synchronizes may bring the head first, and a file after its
    // removals should have been counted.
    while let arrival = try next.get(), arrival.number <= new.counted ?? arrival.number {
      new.arrivals[arrival.number] = nil
      let known = new
      next = try await readingAhead {
        await nextArrival(of: known, after: arrival.number)
      } during: { () async throws(SyncError) in
        guard try await merge(arrival, into: &report) else { return false }
        new.device.applied = arrival.number
        return true
      }
    }
    if new.device.applied >= new.last { new.device.headTag = new.mark.tag }
    let result = new.device
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

  /// Writes objects into the store while the next ones are read, where the carrier reads several at
  /// once.
  ///
  /// - Parameters:
  ///   - read: Reads the next ones.
  ///   - write: Writes the last ones; returns `false` if none must follow.
  /// - Returns: The next ones; `nil` for none.
  /// - Throws: The error of `write`.
  private func readingAhead<Next: Sendable>(
    _ read: @escaping @Sendable () async -> Result<Next?, SyncError>,
    during write: () async throws(SyncError) -> Bool
  ) async throws(SyncError) -> Result<Next?, SyncError> {
    guard repository.carrier.transferLimit > 1 else {
      return try await write() ? read() : .success(nil)
    }
    async let next = read()
    return try await write() ? next : .success(nil)
  }

  /// Reads the log file after a number; `nil` for none if that was the last, or if it is not there yet.
  private func nextArrival(of new: News, after number: Int64) async -> Result<Arrival?, SyncError> {
    guard number < new.last else { return .success(nil) }
    do throws(SyncError) {
      return .success(try await arrival(number + 1, of: new))
    } catch {
      return .failure(error)
    }
  }

  /// Reads a log file; `nil` if it is not there yet.
  func arrival(_ number: Int64, of new: News) async throws(SyncError) -> Arrival? {
    if let kept = new.arrivals[number] { return kept }
    let device = new.device.device
    guard let file = try await repository.file(.log(device, number: number)) else { return nil }
    let coding = EntryCoding(devices: DeviceTable(file.header.devices))
    let devices = file.header.devices
    var arrival = Arrival(device: device, number: number, devices: devices)
    for line in file.entries {
      arrival.byteCount += line.count
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
    var next = await nextBatch(of: entries[...])
    var isDone = false
    while let batch = try next.get() {
      next = try await readingAhead {
        await batch.rest.isEmpty ? .success(nil) : nextBatch(of: batch.rest)
      } during: { () async throws(SyncError) in
        isDone = batch.rest.isEmpty
        report.receivedBlobCount += batch.blobs.count
        report.receivedByteCount += batch.blobByteCount
        let ended = isDone ? arrival : nil
        try await merge(batch.entries, batch.blobs, ending: ended, into: &report)
        return !isDone
      }
    }
    return isDone
  }

  /// The entries of one transaction, with the blobs that the store lacks for them.
  private struct Batch: Sendable {
    var entries: [ReceivedEntry] = []
    var blobs: [Data: PreparedBlob] = [:]
    var blobByteCount: Int64 = 0
    /// The entries of the following transactions.
    var rest: ArraySlice<ReceivedEntry>
  }

  /// Takes the entries of the next transaction, and fetches the blobs that the store lacks for them;
  /// `nil` for none if one is not there.
  private func nextBatch(
    of rest: ArraySlice<ReceivedEntry>
  ) async -> Result<Batch?, SyncError> {
    do throws(SyncError) {
      return .success(try await fetchBatch(of: rest))
    } catch {
      return .failure(error)
    }
  }

  private func fetchBatch(
    of rest: ArraySlice<ReceivedEntry>
  ) async throws(SyncError) -> Batch? {
    var batch = Batch(rest: rest)
    var missing: [(sha256: Data, byteCount: Int64)] = []
    while let received = batch.rest.first, batch.entries.count < Self.entryLimit,
      batch.blobByteCount < Self.blobByteLimit
    {
      let entry = received.entry
      if let hash = try await missingBlob(of: entry),
        !missing.contains(where: { $0.sha256 == hash })
      {
        let size = entry.content.content?.byteCount ?? 0
        missing.append((hash, size))
        batch.blobByteCount += size
      }
      batch.entries.append(received)
      batch.rest.removeFirst()
    }
    let fetched = try await Transfers.map(missing, limit: repository.carrier.transferLimit) {
      blob async throws(SyncError) in try await fetch(blob.sha256, blob.byteCount)
    }
    for (blob, prepared) in zip(missing, fetched) {
      guard let prepared else { return nil }
      batch.blobs[blob.sha256] = prepared
    }
    return batch
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
            try replica.mergeAll(batch.map(\.entry), leavingOutRefused: leavingOutRefused)
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
}

extension SyncedContent {
  /// The hash of the blob; `nil` for a short text.
  var blobHash: Data? {
    if case .blob(let hash, _) = body { hash } else { nil }
  }
}
