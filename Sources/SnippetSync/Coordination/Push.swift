import Foundation
import GRDB
import SnippetBase
import SnippetStorage

/// Sends what was edited here.
struct Push: Sendable {
  let repository: Repository
  let records: SyncRecords
  let onProgress: @Sendable (SyncReport) -> Void

  /// Sends blobs, then the entries that need them.
  ///
  /// - Parameter report: Gets what was done.
  /// - Throws: ``SyncError``; what was sent before stays, and a retry goes on there.
  func run(into report: inout SyncReport) async throws(SyncError) {
    do throws(SyncError) {
      try await send(into: &report)
    } catch {
      // A folder keeps its disk open for blobs that are to settle, and a watch may wait for minutes.
      try? await repository.carrier.settle()
      throw error
    }
  }

  private func send(into report: inout SyncReport) async throws(SyncError) {
    try await capture(into: &report)
    // Texts go first: a note never waits for a film.
    try await sendEntries(into: &report)
    var last: BlobID?
    var unsettled: [Data] = []
    var lastSending = ContinuousClock.now
    while let oldest = try await sendBlobs(
      before: last,
      atMost: Self.blobsAtATime,
      behind: &unsettled,
      into: &report
    ) {
      last = oldest
      // Looking through all that waits takes a while where much does.
      guard lastSending.duration(to: .now) >= Self.entryInterval else { continue }
      try await sendEntries(into: &report)
      lastSending = .now
    }
    if last != nil { try await sendEntries(into: &report) }
  }

  /// Captures all changes; where they are many, it seals them too, and sends small blobs at the same
  /// time.
  ///
  /// To capture and to seal takes one core, and nothing of the line. No blob begins once that is done, so
  /// that texts wait for a few small ones at most.
  private func capture(into report: inout SyncReport) async throws(SyncError) {
    let limit = repository.carrier.transferLimit
    guard limit > 1, try await records.hasManyChanges() else {
      return try await records.captureAll()
    }
    let isOver = Lock(false)
    async let sealing = captureAndSeal(then: isOver)
    let unreadCount = report.unreadBlobCount
    var last: BlobID?
    var unsettled: [Data] = []
    repeat {
      last = try await sendBlobs(
        before: last,
        atMost: limit,
        ofAtMost: Self.smallByteCount,
        behind: &unsettled,
        into: &report
      )
    } while last != nil && !isOver.withLock(\.self)
    try await settle(unsettled).get()
    // They are looked for once more, with all others.
    report.unreadBlobCount = unreadCount
    report.sentCount += try await sealing.get()
    onProgress(report)
  }

  /// Captures and seals, and returns the number of entries.
  private func captureAndSeal(then isOver: Lock<Bool>) async -> Result<Int, SyncError> {
    defer { isOver.withLock { $0 = true } }
    do throws(SyncError) {
      try await records.captureAll()
      var sealedCount = 0
      try await seal { count in sealedCount += count }
      return .success(sealedCount)
    } catch {
      return .failure(error)
    }
  }

  /// Sends the newest blobs before one that the repository lacks, and returns the oldest of them; `nil` if
  /// there are none.
  ///
  /// Those that the call before wrote settle at the same time: their hashes are `unsettled`, which gets
  /// those of the new ones.
  private func sendBlobs(
    before end: BlobID?,
    atMost limit: Int,
    ofAtMost byteCount: Int64 = .max,
    behind unsettled: inout [Data],
    into report: inout SyncReport
  ) async throws(SyncError) -> BlobID? {
    let blobs = try await records.read { db in
      try RepositoryBlobs.missing(before: end, limit: limit, byteLimit: byteCount, in: db)
    }
    let former = unsettled
    async let settling = settle(former)
    let areSettled = try await Transfers.map(blobs, limit: repository.carrier.transferLimit) {
      blob async throws(SyncError) in try await write(blob, settlingLater: true)
    }
    try await settling.get()
    unsettled = []
    var unread: [Data] = []
    for (blob, isSettled) in zip(blobs, areSettled) {
      if let isSettled {
        if !isSettled { unsettled.append(blob.sha256) }
        report.sentBlobCount += 1
        report.sentByteCount += blob.byteCount
      } else {
        unread.append(blob.sha256)
      }
    }
    report.unreadBlobCount += try await countPresent(unread)
    if !blobs.isEmpty { onProgress(report) }
    return blobs.last?.id
  }

  /// Counts the blobs that the store still has: one whose snippet was deleted a moment ago is no damage.
  private func countPresent(_ blobs: [Data]) async throws(SyncError) -> Int {
    guard !blobs.isEmpty else { return 0 }
    return try await records.read { db in
      try blobs.filter { try RepositoryBlobs.stored($0, in: db) != nil }.count
    }
  }

  /// The most bytes of a blob that may go before texts.
  private static let smallByteCount: Int64 = 2 << 20
  /// The number of blobs to look for at a time.
  private static let blobsAtATime = 40
  /// The time after which the entries are sent whose blobs are there by then.
  private static let entryInterval = Duration.seconds(10)

  /// Sends a blob, or returns `false` if it cannot be read: one that is damaged must not keep the
  /// others.
  func send(_ blob: StoredBlob) async throws(SyncError) -> Bool {
    try await write(blob, settlingLater: false) != nil
  }

  /// Writes a blob, and notes that the repository has it if it is durable.
  ///
  /// - Returns: Whether it is durable, or settles later; `nil` if it cannot be read.
  private func write(
    _ blob: StoredBlob,
    settlingLater settlesLater: Bool
  ) async throws(SyncError) -> Bool? {
    let parts = 0..<Repository.partCount(of: blob.byteCount)
    var (hash, last) = (ContentHash(), Data())
    for part in parts {
      guard let bytes = try await records.part(part, of: blob) else { return nil }
      bytes.withUnsafeBytes { hash.update($0) }
      last = bytes
    }
    // The bytes of a range are not compared with the hash. Wrong ones must not take the place of any part
    // that another device has sent, so all are looked at before the first goes.
    guard hash.finish() == blob.sha256 else { return nil }
    var isSettled = true
    for part in parts {
      let isLast = part + 1 == parts.upperBound
      guard let bytes = try await isLast ? last : records.part(part, of: blob) else { return nil }
      let isPartSettled = try await repository.writePart(
        part,
        of: blob.sha256,
        bytes,
        settlingLater: settlesLater
      )
      if !isPartSettled { isSettled = false }
    }
    if isSettled { try await note([blob.sha256]) }
    return isSettled
  }

  /// Waits until blobs are durable, and notes that the repository has them: only then their entries go.
  private func settle(_ blobs: [Data]) async -> Result<Void, SyncError> {
    guard !blobs.isEmpty else { return .success(()) }
    do throws(SyncError) {
      try await repository.carrier.settle()
      return .success(try await note(blobs))
    } catch {
      return .failure(error)
    }
  }

  private func note(_ blobs: [Data]) async throws(SyncError) {
    // If the power fails, they are sent once more.
    try await records.write(waitingForDisk: false) { db in
      for blob in blobs { try RepositoryBlobs.insert(blob, in: db) }
    }
  }

  // MARK: - Entries

  private func sendEntries(into report: inout SyncReport) async throws(SyncError) {
    try await seal { count in
      report.sentCount += count
      onProgress(report)
    }
    try await sendOutbox()
  }

  /// Seals the entries that can be sent into log files of the outbox.
  ///
  /// - Parameter note: Receives the number of entries of each file.
  /// - Throws: ``SyncError``.
  private func seal(_ note: (Int) -> Void) async throws(SyncError) {
    let (key, now) = (repository.key, records.now())
    while try await records.read({ db in try PendingTable.isAny(in: db) }) {
      let (count, isFull) = try await records.write { db in
        try Self.seal(with: key, now: now, in: db)
      }
      if count > 0 { note(count) }
      // The entries of each few blobs that come by now would make a file.
      guard isFull else { return }
    }
  }

  /// Seals entries that must be sent into a log file of the outbox.
  ///
  /// - Returns: The number of entries, and whether there are more than fit into the file.
  /// - Throws: The error of the database.
  private static func seal(
    with key: RepositoryKey,
    now: Int64,
    in db: Database
  ) throws -> (count: Int, isFull: Bool) {
    guard var state = try SyncState(in: db) else { return (0, false) }
    let known = try KnownDevice.all(in: db)
    let (entries, isFull) = try PendingTable.take(in: db)
    guard !entries.isEmpty else { return (0, false) }
    // The entries name devices by these numbers, and the header counts them from 1.
    guard !known.isEmpty, known.map(\.number).elementsEqual(1...Int64(known.count)) else {
      throw DatabaseError.damage("a device of the repository is missing in the store")
    }
    guard state.sealed < .max else {
      throw DatabaseError.damage("the number of the last log file is none")
    }
    state.sealed += 1
    let header = header(
      .log(state.device, number: state.sealed),
      state,
      known,
      now: now
    )
    let file = try LogFile(header: header, entries: entries).sealed(with: key)
    try db.run(
      "INSERT INTO sync_outbox (number, file) VALUES (?, ?)",
      [state.sealed.databaseValue, file.databaseValue]
    )
    try state.write(in: db)
    return (entries.count, isFull)
  }

  static func header(
    _ name: ObjectName,
    _ state: SyncState,
    _ devices: [KnownDevice],
    now: Int64
  ) -> LogHeader {
    LogHeader(
      object: name,
      devices: devices.map(\.device),
      knows: devices.map { $0.device == state.device ? state.sealed : $0.applied },
      wrote: now,
      name: state.name
    )
  }

  /// Sends the log files of the outbox, then the head that names them.
  private func sendOutbox() async throws(SyncError) {
    guard let state = try await records.state() else { return }
    try await replaceDropped(state)
    let unsent = try await records.read { db in
      try db.numbers(
        "SELECT number FROM sync_outbox WHERE number > ? ORDER BY number",
        [state.sent.databaseValue]
      )
    }
    // The first alone, since it may meet that of a clone. The others in any order: no device reads
    // them before the head names them.
    if let first = unsent.first { try await sendLog(first, of: state.device) }
    let rest = Array(unsent.dropFirst())
    _ = try await Transfers.map(rest, limit: repository.carrier.transferLimit) {
      number async throws(SyncError) in try await sendLog(number, of: state.device)
    }
    let devices = try await records.devices()
    let isThere = devices.contains { $0.device == state.device && $0.wroteAt != nil }
    if state.sent < state.sealed || !isThere {
      try await writeHead(state, devices, upTo: state.sealed)
    }
  }

  /// Reads what the outbox keeps under a number.
  func keptFile(_ number: Int64) async throws(SyncError) -> Data? {
    try await records.read { db in
      try db.value("SELECT file FROM sync_outbox WHERE number = ?", [number.databaseValue]) {
        try $0.bytes(0)
      }
    }
  }

  private func sendLog(_ number: Int64, of device: DeviceID) async throws(SyncError) {
    guard let file = try await keptFile(number), DroppedFile(file) == nil else { return }
    let name = ObjectName.log(device, number: number)
    try await repository.carrier.write(file, as: name.rawValue, isNew: true)
  }

  /// Writes the head; from then on others read the log up to a number.
  func writeHead(
    _ state: SyncState,
    _ devices: [KnownDevice],
    upTo number: Int64
  ) async throws(SyncError) {
    let now = records.now()
    var header = Self.header(.head(state.device), state, devices, now: now)
    header.head = LogHeader.Head(number: number, first: 1)
    try await repository.write(LogFile(header: header, entries: []))
    try await records.write { db in
      guard var current = try SyncState(in: db), current.device == state.device else { return }
      current.sent = max(current.sent, number)
      try current.write(in: db)
      for var own in try KnownDevice.all(in: db) where own.device == state.device {
        // The next look at the place reads it: what takes its place by then may be an older one, with
        // the tag that was seen last.
        (own.name, own.wroteAt, own.headTag) = (state.name, now, "")
        try own.write(in: db)
      }
    }
  }
}
