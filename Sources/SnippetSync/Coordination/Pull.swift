import Foundation
import GRDB
import SnippetBase
import SnippetStorage

/// Brings what other devices sent into the store.
struct Pull: Sendable {
  let repository: Repository
  let records: SyncRecords
  /// Whether many snippets may go, as a person has allowed.
  let allowsManyRemovals: Bool
  /// Whether entries are only kept, and the snippets stay as they are.
  var readsEntriesOnly = false
  /// Whether to look for the last log file of this device, too.
  var looksAtLog = false
  let onProgress: @Sendable (SyncReport) -> Void

  /// A log file that has come.
  struct Arrival: Sendable {
    let device: DeviceID
    let number: Int64
    var entries: [UnreadEntry] = []
    /// The number of lines that are no entries.
    var malformedCount = 0
  }

  /// The new log files of a device.
  struct News: Sendable {
    var device: KnownDevice
    let mark: ObjectMark
    /// The number of the last one.
    let last: Int64
    /// Whether the head is later than the one that was read before.
    ///
    /// A place may list a new one, and still give the old one.
    let isNewer: Bool
  }

  /// Receives all new log files, then merges their entries.
  ///
  /// - Parameters:
  ///   - state: The state of the store.
  ///   - report: Gets what was done.
  /// - Throws: ``SyncError``; what was received or merged before stays.
  func run(_ state: SyncState, into report: inout SyncReport) async throws(SyncError) {
    var devices: [DeviceID: KnownDevice] = [:]
    for device in try await records.devices() { devices[device.device] = device }
    let marks = try await repository.carrier.list("device/")
    let heads = Repository.heads(among: marks)
    try requireKnownHead(among: heads.map(\.device), devices)
    if readsEntriesOnly { try requireAllHeads(among: heads.map(\.device), devices) }
    try await addDevices(heads.map(\.device), to: &devices)
    // Before anything is captured: two stores of one name would give equal stamps.
    if !readsEntriesOnly, let own = devices[state.device] {
      let mark = heads.first { $0.device == own.device }?.mark
      try await lookAtOwnLog(own, mark, state)
    }
    var late = try await records.read { db in try UnreadEntry.withoutBlobs(in: db) }
    let dropped = try await records.read { db in try UnreadEntry.allDropped(in: db) }
    // They may have waited for a blob, too.
    for snippets in dropped.values { late.formUnion(snippets) }
    for device in heads.map(\.device).sorted() {
      guard let known = devices[device], let snippets = dropped[device] else { continue }
      try await goOn(after: known, in: &report) { _ async throws(SyncError) in
        try await receiveAgain(snippets, of: known)
      }
    }
    for (device, mark) in heads.sorted(by: { $0.device < $1.device }) {
      guard device != state.device || readsEntriesOnly, let known = devices[device],
        known.headTag != mark.tag
      else { continue }
      var news: News?
      try await goOn(after: known, in: &report) { report async throws(SyncError) in
        news = try await self.news(of: known, mark, state)
      }
      guard let news else { continue }
      report.noteClock(of: news.device, now: records.now())
      try await goOn(after: news.device, in: &report) { report async throws(SyncError) in
        try await receive(news, into: &report)
      }
    }
    for known in devices.values.sorted(by: { $0.number < $1.number })
    where known.wroteAt != nil && !heads.contains(where: { $0.device == known.device }) {
      guard known.device != state.device || readsEntriesOnly else { continue }
      try await goOn(after: known, in: &report) { _ async throws(SyncError) in
        // It is missing, or something is in its place.
        _ = try await repository.file(.head(known.device))
      }
    }
    guard !readsEntriesOnly else { return }
    if !allowsManyRemovals { try await requireFewRemovals() }
    try await mergeWaiting(late, into: &report)
    // By now all that came of a log before it was given up is in the entries here.
    try await answerNotices(to: state.device, among: marks, upTo: state.sent)
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
      // A choice of the backup reads each log once, and waits for one that a person can open.
      guard error.isOfOneObject, !readsEntriesOnly || !error.isOfOneFile else { throw error }
      report.noteHeld(device.device, name: device.name, error)
    }
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
    let isNewer =
      device.headTag.isEmpty || head.number > device.applied
      || file.header.wrote > device.wroteAt ?? .min
    var device = device
    device.name = file.header.name
    device.wroteAt = file.header.wrote
    device.leftAt = head.left == true ? file.header.wrote : nil
    if let place = file.header.devices.firstIndex(of: state.device) {
      device.knows = max(device.knows, file.header.knows[place])
    }
    return News(device: device, mark: mark, last: head.number, isNewer: isNewer)
  }

  /// Receives the new log files of a device.
  ///
  /// - Throws: ``SyncError``: ``SyncError/Code/damaged`` where the head names one that is not there yet; those
  ///   before it count. A choice of the backup waits for it: ``SyncError/Code/unreachable``.
  private func receive(_ news: News, into report: inout SyncReport) async throws(SyncError) {
    var device = news.device
    var failure: SyncError?
    do throws(SyncError) {
      var next = await nextArrival(of: news, after: device.applied)
      while let arrival = try next.get() {
        next = try await readingAhead {
          await nextArrival(of: news, after: arrival.number)
        } during: { () async throws(SyncError) in
          report.malformedCount += arrival.malformedCount
          if readsEntriesOnly {
            report.malformedCount += try await records.keep(arrival)
          } else {
            try await receive(arrival)
          }
          device.applied = arrival.number
        }
      }
    } catch {
      // What the head told counts all the same.
      guard error.isOfOneObject else { throw error }
      failure = error
    }
    if device.applied >= news.last, news.isNewer { device.headTag = news.mark.tag }
    let result = device
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
    if let failure { throw failure }
    guard device.applied >= news.last else {
      // As long as another program still copies the folder.
      throw notArrived(device.applied + 1)
    }
  }

  private func notArrived(_ number: Int64) -> SyncError {
    SyncError(
      readsEntriesOnly ? .unreachable : .damaged,
      "receive log file \(number)",
      because: "it has not arrived",
      do: readsEntriesOnly ? Self.adviceOnLateLog : nil
    )
  }

  /// Reads the log of a device again for entries that a purge dropped, the last file first: of each
  /// snippet only the last entry counts.
  ///
  /// - Throws: ``SyncError``, also for a file that is missing, which may have had a later entry.
  private func receiveAgain(
    _ dropped: Set<UUID>,
    of device: KnownDevice
  ) async throws(SyncError) {
    var rest = dropped
    var number = device.applied
    while number > 0, !rest.isEmpty {
      guard let arrival = try await self.arrival(number, of: device.device) else {
        throw notArrived(number)
      }
      var found: [UUID: UnreadEntry] = [:]
      for entry in arrival.entries where rest.contains(entry.uuid) { found[entry.uuid] = entry }
      rest.subtract(found.keys)
      // The log has come as far as before.
      let kept = Arrival(
        device: device.device,
        number: device.applied,
        entries: Array(found.values)
      )
      if readsEntriesOnly {
        _ = try await records.keep(kept)
      } else if !found.isEmpty {
        try await receive(kept)
      }
      number -= 1
    }
    try await records.write { db in try UnreadEntry.forgetDropped(of: device.device, in: db) }
  }

  /// Keeps the entries of a log file, and notes that it has come.
  private func receive(_ arrival: Arrival) async throws(SyncError) {
    // In the order of the table, each of its pages is changed once. The sort is stable, so that of two
    // entries of a snippet the later one stays the later one.
    let entries = arrival.entries.sorted { $0.uuid.words < $1.uuid.words }
    // If the power fails, it is received once more.
    try await records.write(keeping: .inMemory, waitingForDisk: false) { db in
      for entry in entries { try entry.keep(triedBy: UnreadEntry.untried, in: db) }
      try KnownDevice.noteApplied(arrival.number, of: arrival.device, in: db)
    }
  }

  /// Writes objects into the store while the next ones are read, where the carrier reads several at
  /// once.
  ///
  /// - Parameters:
  ///   - read: Reads the next ones.
  ///   - write: Writes the last ones.
  /// - Returns: The next ones; `nil` for none.
  /// - Throws: The error of `write`.
  func readingAhead<Next: Sendable>(
    _ read: @escaping @Sendable () async -> Result<Next?, SyncError>,
    during write: () async throws(SyncError) -> Void
  ) async throws(SyncError) -> Result<Next?, SyncError> {
    guard repository.carrier.transferLimit > 1 else {
      try await write()
      return await read()
    }
    async let next = read()
    try await write()
    return await next
  }

  /// Reads the log file after a number; `nil` for none if that was the last, or if it is not there yet.
  private func nextArrival(
    of news: News,
    after number: Int64
  ) async -> Result<Arrival?, SyncError> {
    guard number < news.last else { return .success(nil) }
    do throws(SyncError) {
      return .success(try await arrival(number + 1, of: news.device.device))
    } catch {
      return .failure(error)
    }
  }

  /// Reads a log file; `nil` if it is not there yet.
  private func arrival(
    _ number: Int64,
    of device: DeviceID
  ) async throws(SyncError) -> Arrival? {
    guard let file = try await repository.file(.log(device, number: number)) else { return nil }
    let devices = file.header.devices
    var arrival = Arrival(device: device, number: number)
    for line in file.entries {
      if let uuid = EntryCoding.identity(of: line) {
        arrival.entries.append(
          UnreadEntry(uuid: uuid, author: device, devices: devices, line: line)
        )
      } else {
        arrival.malformedCount += 1
      }
    }
    return arrival
  }
}
