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
  /// The devices whose heads are lost, apart from this one.
  var headsOfOthers: [DeviceID] = []
  /// The log files of other devices, those of each fault together.
  var logsOfOthers: [LogsOfOther] = []
  /// The notices that are damaged.
  var notices: [ObjectName] = []

  /// Lost log files of another device.
  struct LogsOfOther: Sendable {
    let device: DeviceID
    /// The name of the device; empty if it has not told one.
    let name: String
    let numbers: ClosedRange<Int64>
    /// The number of its last log file that has come here.
    let receivedNumber: Int64

    /// Whether all have come here, so that this store can send what they held.
    var areReceived: Bool { numbers.upperBound <= receivedNumber }
    /// Whether they can be given up; a head may name any number of them.
    var canBeGivenUp: Bool { !areReceived && numbers.count <= RepositoryLosses.logLimit }
  }

  /// The most log files to write again: a device that sends 1,000 a day has as many after three years.
  private static let logLimit = 1_000_000

  /// Whether this store has anything of what is lost.
  func canBeMended(
    _ repository: Repository,
    from records: SyncRecords
  ) async throws(SyncError) -> Bool {
    if isHeadLost || !logs.isEmpty || !notices.isEmpty { return true }
    let blobs = blobs
    if try await !mergedLogs(records).isEmpty { return true }
    let hasBlob = try await records.read { db in
      try blobs.contains { try RepositoryBlobs.stored($0, in: db) != nil }
    }
    if hasBlob { return true }
    let known = try await records.devices()
    for device in headsOfOthers {
      let head = try await Self.head(of: device, among: known, repository)
      if head != nil { return true }
    }
    return false
  }

  /// Writes the log files, the blobs and the head again, heads of other devices as they were last known
  /// here, and notices.
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
      try PendingTable.markAll(in: db)
    }
    for number in logs.joined() { try await writeLog(number, repository, records) }
    let blobCount = try await sendBlobs(repository, records)
    let headCount = isHeadLost ? try await writeHead(repository, records) : 0
    let otherCount = try await writeHeadsOfOthers(repository, records)
    let noticeCount = try await writeNotices(repository, records)
    return logs.count + blobCount + headCount + otherCount + noticeCount
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
    let now = records.now()
    let log = try await records.read { db -> (name: ObjectName, file: Data)? in
      guard let state = try SyncState(in: db) else { return nil }
      let name = ObjectName.log(state.device, number: number)
      let kept = try db.value(
        "SELECT file FROM sync_outbox WHERE number = ?",
        [number.databaseValue]
      ) { try $0.bytes(0) }
      if let kept, DroppedFile(kept) == nil { return (name, kept) }
      let header = Push.header(name, state, try KnownDevice.all(in: db), now: now)
      return (name, try repository.fileWithoutEntries(header))
    }
    guard let log else { return }
    try await repository.carrier.write(log.file, as: log.name.rawValue, isNew: false)
  }
}

// MARK: - Other devices

extension RepositoryLosses {
  /// Writes the heads of other devices as they were when all that they named had come here, or as their
  /// logs tell.
  ///
  /// New devices read no log without its head, and the device may be gone. Otherwise it writes its head
  /// again once it sees this one.
  ///
  /// - Returns: The number of heads.
  /// - Throws: ``SyncError``.
  private func writeHeadsOfOthers(
    _ repository: Repository,
    _ records: SyncRecords
  ) async throws(SyncError) -> Int {
    guard !headsOfOthers.isEmpty else { return 0 }
    let known = try await records.devices()
    var count = 0
    for device in headsOfOthers {
      let applied = known.first { $0.device == device }?.applied ?? 0
      guard let header = try await Self.head(of: device, among: known, repository),
        try await Self.isLost(.head(device), endingAt: applied, repository)
      else { continue }
      try await repository.write(LogFile(header: header, entries: []))
      count += 1
    }
    return count
  }

  /// Makes the head of another device as it was last known here, or from its log if nothing of that has
  /// come: without a head no device reads it.
  ///
  /// - Returns: The head; `nil` for an empty log, or if its last file cannot be read.
  /// - Throws: ``SyncError``.
  private static func head(
    of device: DeviceID,
    among known: [KnownDevice],
    _ repository: Repository
  ) async throws(SyncError) -> LogHeader? {
    var header = LogHeader(object: .head(device), devices: [], knows: [], wrote: 0, name: "")
    if let known = known.first(where: { $0.device == device }), known.applied > 0,
      let wroteAt = known.wroteAt
    {
      (header.wrote, header.name) = (wroteAt, known.name)
      header.head = LogHeader.Head(number: known.applied, first: 1)
      if known.leftAt != nil { header.head?.left = true }
      return header
    }
    do throws(SyncError) {
      var last: Int64 = 0
      let marks = try await repository.carrier.list("log/\(device.rawValue)/")
      // The names of the first files sort as their numbers do.
      for mark in marks.sorted(by: { $0.name < $1.name }) {
        let next = ObjectName.log(device, number: last + 1)
        if mark.name == next.rawValue { last += 1 }
      }
      guard last > 0, let file = try await repository.file(.log(device, number: last)) else {
        return nil
      }
      (header.wrote, header.name) = (file.header.wrote, file.header.name)
      header.head = LogHeader.Head(number: last, first: 1)
      return header
    } catch {
      guard error.isOfOneObject else { throw error }
      return nil
    }
  }

  /// Marks all entries as unsent, if they hold what stood in lost log files of other devices.
  ///
  /// - Returns: Whether there are such files; they can be replaced once the entries are sent.
  /// - Throws: ``SyncError``.
  func sendInPlaceOfOthers(
    _ repository: Repository,
    _ records: SyncRecords
  ) async throws(SyncError) -> Bool {
    guard try await !replaceable(repository, records).isEmpty else { return false }
    try await records.markAllUnsent()
    return true
  }

  /// Writes log files without entries in place of lost ones of other devices, so that others read on.
  ///
  /// Nothing is written unless all entries are sent: those of the lost files have gone into them.
  ///
  /// - Returns: The number of faults that this mends.
  /// - Throws: ``SyncError``.
  func replaceLogsOfOthers(
    _ repository: Repository,
    _ records: SyncRecords
  ) async throws(SyncError) -> Int {
    let isAllSent = try await records.read { db in
      guard let state = try SyncState(in: db) else { return false }
      return try state.sent == state.sealed && !PendingTable.isAny(in: db)
    }
    guard isAllSent else { return 0 }
    let lost = try await replaceable(repository, records)
    for (device, numbers) in lost {
      for number in numbers {
        try await Self.writeEmptyLog(number, of: device.device, device.name, repository, records)
      }
    }
    return lost.count
  }

  /// Writes log files without entries in place of lost ones of other devices that have not come here, so
  /// that all read on.
  ///
  /// All devices get a notice first. Those that have what they held send it once more, if they come back.
  ///
  /// - Returns: The number of faults that this mends.
  /// - Throws: ``SyncError``.
  func giveUpLogsOfOthers(
    _ repository: Repository,
    _ records: SyncRecords
  ) async throws(SyncError) -> Int {
    let lost = logsOfOthers.filter(\.canBeGivenUp)
    if lost.contains(where: { $0.numbers.lowerBound <= $0.receivedNumber }) {
      // New devices get from here what stood in the first of them.
      try await records.markAllUnsent()
    }
    guard !lost.isEmpty, let own = try await records.state()?.device else { return 0 }
    let others = Set(try await repository.heads().map(\.device) + lost.map(\.device))
      .subtracting([own])
      .sorted()
    var noticed: Set<DeviceID> = []
    var count = 0
    for logs in lost {
      var isAnyLost = false
      for number in logs.numbers {
        let isLost = try await Self.isLost(.log(logs.device, number: number), repository)
        guard isLost else { continue }
        if noticed.insert(logs.device).inserted {
          let notice = ObjectName.notice(logs.device)
          try await repository.writeNotice(notice, to: others, now: records.now())
        }
        try await Self.writeEmptyLog(number, of: logs.device, logs.name, repository, records)
        isAnyLost = true
      }
      if isAnyLost { count += 1 }
    }
    for device in noticed {
      // A device that answered an earlier notice in the same moment may have written over this one.
      let notice = ObjectName.notice(device)
      guard (try? await repository.file(notice))?.header.devices != others else { continue }
      try await repository.writeNotice(notice, to: others, now: records.now())
    }
    return count
  }

  /// Writes damaged notices again for all devices, since it is not known which had answered.
  ///
  /// - Returns: The number of notices.
  /// - Throws: ``SyncError``.
  private func writeNotices(
    _ repository: Repository,
    _ records: SyncRecords
  ) async throws(SyncError) -> Int {
    guard !notices.isEmpty else { return 0 }
    let devices = try await repository.heads().map(\.device)
    var count = 0
    for name in notices {
      guard case .notice(let device) = name, try await Self.isLost(name, repository) else {
        continue
      }
      let all = Set(devices + [device]).sorted()
      try await repository.writeNotice(name, to: all, now: records.now())
      count += 1
    }
    return count
  }

  private static func writeEmptyLog(
    _ number: Int64,
    of device: DeviceID,
    _ name: String,
    _ repository: Repository,
    _ records: SyncRecords
  ) async throws(SyncError) {
    let header = LogHeader(
      object: .log(device, number: number),
      devices: [],
      knows: [],
      wrote: records.now(),
      name: name
    )
    let file = try repository.fileWithoutEntries(header)
    try await repository.carrier.write(file, as: header.object.rawValue, isNew: false)
  }

  /// Finds the log files of other devices that are still lost, and whose entries are all merged here.
  private func replaceable(
    _ repository: Repository,
    _ records: SyncRecords
  ) async throws(SyncError) -> [(device: KnownDevice, numbers: [Int64])] {
    var found: [(device: KnownDevice, numbers: [Int64])] = []
    for (device, numbers) in try await mergedLogs(records) {
      var lost: [Int64] = []
      for number in numbers {
        let isLost = try await Self.isLost(.log(device.device, number: number), repository)
        if isLost { lost.append(number) }
      }
      if !lost.isEmpty { found.append((device, lost)) }
    }
    return found
  }

  /// Finds the log files of other devices whose entries are all merged here.
  private func mergedLogs(
    _ records: SyncRecords
  ) async throws(SyncError) -> [(device: KnownDevice, numbers: ClosedRange<Int64>)] {
    let received = logsOfOthers.filter { $0.areReceived && $0.numbers.count <= Self.logLimit }
    guard !received.isEmpty else { return [] }
    let devices = try await records.read { db in
      let waiting = try UnreadEntry.authors(in: db)
      return try KnownDevice.all(in: db).filter { !waiting.contains($0.device) }
    }
    return received.compactMap { logs in
      let known = devices.first { device in
        device.device == logs.device && device.applied >= logs.numbers.upperBound
      }
      return known.map { (device: $0, numbers: logs.numbers) }
    }
  }

  /// Whether an object is missing or damaged, or a head ends before a number; one that cannot be read may
  /// be whole.
  private static func isLost(
    _ name: ObjectName,
    endingAt number: Int64 = 0,
    _ repository: Repository
  ) async throws(SyncError) -> Bool {
    do {
      // Another gateway of a cluster may have it, or its device has just mended it.
      guard let file = try await repository.file(name) else { return true }
      return file.header.head.map { $0.number < number } ?? false
    } catch {
      guard error.isOfOneObject else { throw error }
      return !error.isOfOneFile
    }
  }
}
