import Foundation
import GRDB
import SnippetBase
import SnippetStorage

extension Pull {
  /// Refuses a place without a head of any device that is known here, this one among them.
  ///
  /// A folder whose files are still arriving looks like that, and what was sent there might stay there.
  func requireKnownHead(
    among heads: [DeviceID],
    _ devices: [DeviceID: KnownDevice]
  ) throws(SyncError) {
    guard devices.values.contains(where: { $0.wroteAt != nil }),
      !heads.contains(where: { devices[$0] != nil })
    else { return }
    throw SyncError(
      .noRepository,
      "synchronize",
      because: """
        the repository in \(repository.address) has the log of no device that is known here
        """,
      do: """
        Nothing was changed. Is the right disk mounted, and the folder complete? If it is, send again \
        what this store has (snip sync check --repair).
        """
    )
  }

  /// Notices what the place has lost of this device, and that another store writes under its name.
  ///
  /// Log files are written again here, and the head with the next sending.
  ///
  /// - Parameters:
  ///   - own: This device.
  ///   - mark: Its head as the place lists it; `nil` if it does not.
  ///   - state: The state of the store.
  /// - Throws: ``SyncError``: ``SyncError/cloned`` for the head of another store.
  func lookAtOwnLog(
    _ own: KnownDevice,
    _ mark: ObjectMark?,
    _ state: SyncState
  ) async throws(SyncError) {
    var isLost = false
    if let mark {
      if own.headTag != mark.tag { isLost = try await isOwnHeadLost(own, mark, state) }
    } else if own.wroteAt != nil {
      try await noteLostHead(of: own)
      isLost = true
    }
    guard state.sent > 0 else { return }
    if !isLost, looksAtLog { isLost = try await isLastLogLost(of: own.device, upTo: state.sent) }
    guard isLost else { return }
    let logs = try await lostLogs(of: own.device, upTo: state.sent)
    guard !logs.isEmpty else { return }
    _ = try await RepositoryLosses(logs: logs).mend(repository, from: records)
  }

  /// Sends all entries anew, if a device gave up lost log files: those that read on without them note them
  /// as received, and this device may have what they held.
  ///
  /// Where the outbox still has such a file of this device, it is written again as it was.
  ///
  /// - Parameters:
  ///   - device: This device.
  ///   - marks: The listed heads and notices.
  ///   - last: The number of the last log file that was sent.
  /// - Throws: ``SyncError``.
  func answerNotices(
    to device: DeviceID,
    among marks: [ObjectMark],
    upTo last: Int64
  ) async throws(SyncError) {
    guard try await !repository.notices(to: device, among: marks).isEmpty else { return }
    try await sendAnew(of: device, upTo: last)
    // As they are by now: others may have answered, or been asked once more.
    for notice in try await repository.notices(to: device, among: marks) {
      let others = notice.devices.filter { $0 != device }
      try await repository.writeNotice(notice.object, to: others, now: records.now())
    }
  }

  /// Marks all entries as unsent, and writes the log files of this device again in whose place the
  /// repository has others.
  private func sendAnew(of device: DeviceID, upTo last: Int64) async throws(SyncError) {
    try await records.markAllUnsent()
    let lengths = try await records.read { db in try RepositoryCheck.keptLengths(in: db) }
    var replaced: [ClosedRange<Int64>] = []
    for mark in try await repository.carrier.list("log/\(device.rawValue)/") {
      guard case .log(device, let number)? = ObjectName(rawValue: mark.name), number <= last,
        let length = lengths[number], length != mark.byteCount
      else { continue }
      replaced.append(number...number)
    }
    _ = try await RepositoryLosses(logs: replaced).mend(repository, from: records)
  }

  private func noteLostHead(of own: KnownDevice) async throws(SyncError) {
    try await records.write { db in try KnownDevice.noteLostHead(of: own.device, in: db) }
  }

  /// Whether the head of this device is damaged, or names less than was sent.
  private func isOwnHeadLost(
    _ own: KnownDevice,
    _ mark: ObjectMark,
    _ state: SyncState
  ) async throws(SyncError) -> Bool {
    let header: LogHeader?
    do {
      header = try await repository.file(.head(own.device))?.header
    } catch {
      // A key that opens nothing was refused before.
      guard error.isOfOneObject else { throw error }
      // Written anew, it is whole again.
      try await noteLostHead(of: own)
      return true
    }
    guard let header, let head = header.head else { return false }
    guard head.number <= state.sealed else { throw .cloned }
    if header.wrote != own.wroteAt {
      guard try await isOwnFile(head.number, of: own.device, upTo: state.sent) else { return false }
    }
    try await records.write { db in
      var own = own
      own.headTag = mark.tag
      // A copy took this store for one that has gone. The head is written again.
      if head.left == true { own.wroteAt = nil }
      try own.write(in: db)
      guard head.number < state.sent, var state = try SyncState(in: db) else { return }
      state.sent = head.number
      try state.write(in: db)
    }
    return head.number < state.sent
  }

  /// Whether the last log file of this device is not there.
  ///
  /// One that another device put in place of a lost one is written again, also where the notice that
  /// tells of it has gone.
  private func isLastLogLost(
    of device: DeviceID,
    upTo last: Int64
  ) async throws(SyncError) -> Bool {
    guard let object = try await ownLog(last, of: device) else { return true }
    let lengths = try await records.read { db in try RepositoryCheck.keptLengths(in: db) }
    guard let length = lengths[last], length != Int64(object.count) else { return false }
    do {
      _ = try await isOwnFile(last, of: device, upTo: last)
    } catch {
      // A check mends one that is damaged.
      guard error.isOfOneObject else { throw error }
    }
    return false
  }

  /// Looks at a log file that a head of this device names, and that another store may have written.
  ///
  /// One that another device put in place of a lost one is written again as it was.
  ///
  /// - Returns: Whether it is known; a file that is not whole tells nothing yet.
  /// - Throws: ``SyncError/cloned`` if it is not the one of this store.
  private func isOwnFile(
    _ number: Int64,
    of device: DeviceID,
    upTo last: Int64
  ) async throws(SyncError) -> Bool {
    let file = try await records.read { db in
      try db.value("SELECT file FROM sync_outbox WHERE number = ?", [number.databaseValue]) {
        try $0.bytes(0)
      }
    }
    guard let file else { return true }
    let name = ObjectName.log(device, number: number)
    guard let object = try await ownLog(number, of: device) else { return false }
    if object == file { return true }
    let dropped = DroppedFile(file)
    if let dropped, dropped.isHash(of: object) { return true }
    guard try repository.isWithoutEntries(object, name) else { return false }
    // This store replaced the one that a purge dropped, and ended before it noted that.
    if dropped != nil { return true }
    // A device names itself in its own log, so a clone did not write a file that names none.
    let header = try LogFile(object, named: name, key: repository.key).header
    guard header.devices.isEmpty, number <= last else { throw .cloned }
    // On a place that takes any bytes, the lost file may still have been a clone's.
    try await sendAnew(of: device, upTo: last)
    return true
  }

  /// Reads a log file of this device; `nil` if it is not there, or if it cannot be read.
  ///
  /// A check mends the latter: this device can send without it.
  private func ownLog(
    _ number: Int64,
    of device: DeviceID
  ) async throws(SyncError) -> Data? {
    do {
      return try await repository.carrier.read(ObjectName.log(device, number: number).rawValue)
    } catch {
      guard error.isOfOneFile else { throw error }
      return nil
    }
  }

  /// Finds the log files of this device that the place lacks.
  private func lostLogs(
    of device: DeviceID,
    upTo last: Int64
  ) async throws(SyncError) -> [ClosedRange<Int64>] {
    var numbers: Set<Int64> = []
    for mark in try await repository.carrier.list("log/\(device.rawValue)/") {
      guard case .log(device, let number)? = ObjectName(rawValue: mark.name), number <= last else {
        continue
      }
      numbers.insert(number)
    }
    var lost: [ClosedRange<Int64>] = []
    var end: Int64 = 0
    for number in numbers.sorted() {
      if end + 1 < number { lost.append(end + 1...number - 1) }
      end = number
    }
    if end < last { lost.append(end + 1...last) }
    #if canImport(Darwin)
    // A folder of iCloud lists no file that it has evicted. What the outbox keeps is written again as it
    // was, and nothing else.
    let kept = try await records.read { db in
      try db.numbers("SELECT number FROM sync_outbox ORDER BY number")
    }
    lost = kept.filter { number in lost.contains { $0.contains(number) } }
      .map { $0...$0 }
    #endif
    return lost
  }
}
