import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SystemPackage

/// A check of the objects of a repository against the heads in it and the blobs of a store.
///
/// A device puts an object before the one that names it: blobs before entries, log files before the
/// head. So the check reads heads before it lists log files, and entries before it lists blobs.
struct RepositoryCheck {
  let repository: Repository
  let records: SyncRecords
  /// Whether to open log files and blobs, not only to look for them.
  let readsAll: Bool
  let onProgress: @Sendable (_ completed: Int, _ total: Int) -> Void

  private(set) var losses = RepositoryLosses()
  var result = SyncCheck()
  private var names: [DeviceID: String] = [:]
  /// The number of the last log file of each device that has come here.
  private var received: [DeviceID: Int64] = [:]
  /// The devices whose entries wait here.
  private var waiting: Set<DeviceID> = []
  /// When each device wrote its head.
  private var wroteAt: [DeviceID: Int64] = [:]
  /// The log files of each device that others had received when they wrote their heads.
  private var receivers: [DeviceID: [(receiver: DeviceID, last: Int64)]] = [:]
  /// Whether the store is where it joined; otherwise another one may write under its name.
  private var isInPlace = false
  /// Whether the key has opened an object, and the error of one that was not opened.
  private var hasOpened = false
  private var unopened: SyncError?
  private var readCount = 0
  private var readTotal = 0

  init(
    repository: Repository,
    records: SyncRecords,
    readsAll: Bool,
    onProgress: @escaping @Sendable (_ completed: Int, _ total: Int) -> Void
  ) {
    self.repository = repository
    self.records = records
    self.readsAll = readsAll
    self.onProgress = onProgress
  }

  /// Looks at all objects.
  ///
  /// - Throws: ``SyncError`` if the place cannot be read or the key is another one; missing and
  ///   damaged objects are in ``result``.
  mutating func run() async throws(SyncError) {
    guard let state = try await records.state() else { throw .notJoined }
    isInPlace = try await records.isInPlace()
    if readsAll { result.entryCount = 0 }
    let known = try await records.devices()
    for device in known {
      names[device.device] = device.name
      received[device.device] = device.applied
    }
    waiting = try await records.read { db in try UnreadEntry.authors(in: db) }
    var needed = try await records.read { db in
      try RepositoryBlobs.sent(in: db).merging(Pull.awaitedBlobs(in: db)) { one, _ in one }
    }
    let heads = try await checkHeads(known, own: state)
    try await requireKey(own: state.device)
    try await checkLogs(heads, own: state, needing: &needed)
    try await requireKey(own: state.device)
    try await checkBlobs(needed)
    for mark in try await list("thumb/", by: Self.blobFolders).marks { count(mark) }
    if hasOpened { result.faults = result.faults.map(\.withRightKey) }
    result.lostLogs = lostLogs()
    result.faults.sort { $0.operation < $1.operation }
  }

  // MARK: - Heads and logs

  /// Reads all heads, and returns how far each log goes.
  private mutating func checkHeads(
    _ known: [KnownDevice],
    own: SyncState
  ) async throws(SyncError) -> [DeviceID: Int64] {
    var ends: [DeviceID: Int64] = [:]
    let marks = try await repository.carrier.list("device/")
    for (device, mark) in Repository.heads(among: marks) {
      count(mark)
      let end =
        device == own.device ? own.sent : known.first { $0.device == device }?.applied ?? 0
      do throws(SyncError) {
        guard let file = try await repository.file(.head(device)) else { continue }
        hasOpened = true
        noteReader(file.header, device, own: own.device)
        let number = file.header.head?.number ?? 0
        ends[device] = max(number, end)
        // As after it was brought back from a copy of the folder.
        guard number >= end else {
          throw .damaged(
            ObjectName.head(device).rawValue,
            because: "its log ends with number \(number) there, and went on to number \(end)"
          )
        }
      } catch {
        try note(error, .head(device), own: own.device)
        // Its log is checked as far as it is known.
        ends[device] = end
      }
    }
    for mark in marks {
      if let name = ObjectName(rawValue: mark.name), case .notice = name {
        count(mark)
        try await readNotice(name, own: own.device)
      }
    }
    result.deviceCount = ends.count
    for device in known where ends[device.device] == nil {
      let end = device.device == own.device ? own.sent : device.applied
      // A device that has sent nothing has no head.
      guard end > 0 || device.wroteAt != nil else { continue }
      let name = ObjectName.head(device.device)
      try note(try await obstacle(name) ?? missing(name), name, own: own.device)
      ends[device.device] = end
    }
    return ends
  }

  /// Opens a notice: the devices that a damaged one names would never send anew.
  private mutating func readNotice(_ name: ObjectName, own: DeviceID) async throws(SyncError) {
    do throws(SyncError) {
      if try await repository.file(name) != nil { hasOpened = true }
    } catch {
      try note(error, name, own: own)
    }
  }

  /// Notes what the head of a device tells of it and of the logs of others.
  private mutating func noteReader(_ header: LogHeader, _ device: DeviceID, own: DeviceID) {
    names[device] = header.name
    wroteAt[device] = header.wrote
    guard device != own, header.head?.left != true else { return }
    for (other, last) in zip(header.devices, header.knows) where other != device {
      receivers[other, default: []].append((device, last))
    }
  }

  private mutating func checkLogs(
    _ ends: [DeviceID: Int64],
    own: SyncState,
    needing needed: inout [Data: NeededBlob]
  ) async throws(SyncError) {
    let lengths = try await records.read { db in try Self.keptLengths(in: db) }
    var found: [DeviceID: [Int64: Int64]] = [:]
    let (marks, closed) = try await list("log/", by: ends.keys.map(\.rawValue).sorted())
    for mark in marks {
      guard case .log(let device, let number)? = ObjectName(rawValue: mark.name) else { continue }
      count(mark)
      found[device, default: [:]][number] = mark.byteCount
    }
    result.logFileCount = found.values.reduce(0) { $0 + $1.count }
    let logs = ends.sorted { $0.key < $1.key }.map { device, end in
      let files = found[device, default: [:]].filter { $0.key <= end }
      return (device: device, end: end, files: files.sorted { $0.key < $1.key })
    }
    if readsAll { readTotal += logs.reduce(0) { $0 + $1.files.count } }
    for (device, end, files) in logs {
      guard !closed.contains(device.rawValue) else {
        countUnread(end)
        continue
      }
      // A head may name any number, so the steps are from file to file.
      var last: Int64 = 0
      for (number, size) in files {
        if last + 1 < number {
          try await noteUnlisted(last + 1...number - 1, of: device, own: own)
        }
        last = number
        let name = ObjectName.log(device, number: number)
        let least = device == own.device ? lengths[number] : nil
        let fault = Self.fault(of: name, size, least: least ?? AgeFile.leastLength(ofContent: 1))
        if let fault, try await !isReplaced(name) {
          try note(fault, name, own: own.device)
        } else if readsAll {
          try await read(name, own: own.device, needing: &needed)
        }
        if readsAll { countRead() }
      }
      if last < end { try await noteUnlisted(last + 1...end, of: device, own: own) }
    }
  }

  /// The lengths of the log files of this device that the store still has, by their numbers.
  static func keptLengths(in db: Database) throws -> [Int64: Int64] {
    let lengths = try db.values(
      "SELECT number, length(file) FROM sync_outbox WHERE length(file) > ?",
      [DroppedFile.byteCount.databaseValue]
    ) { row in (try row.number(0), try row.number(1)) }
    return Dictionary(lengths) { one, _ in one }
  }

  /// Finds the fault of an object that is shorter than it can be.
  private static func fault(of name: ObjectName, _ size: Int64, least: Int64) -> SyncError? {
    guard size < least else { return nil }
    return .damaged(name.rawValue, because: "it has \(size) of \(least) bytes")
  }

  /// Whether a log file is whole, but has no entries: another device has put it in place of a lost one.
  private func isReplaced(_ name: ObjectName) async throws(SyncError) -> Bool {
    do {
      return try await repository.file(name)?.entries.isEmpty ?? false
    } catch {
      guard error.isOfOneObject else { throw error }
      return false
    }
  }

  /// Opens a log file, and adds the blobs that its entries need.
  private mutating func read(
    _ name: ObjectName,
    own: DeviceID,
    needing needed: inout [Data: NeededBlob]
  ) async throws(SyncError) {
    do throws(SyncError) {
      guard let file = try await repository.file(name) else { throw missing(name) }
      hasOpened = true
      let coding = EntryCoding(devices: DeviceTable(file.header.devices))
      // An entry that only a later version understands is no damage: its code is right.
      let entries = file.entries.compactMap { try? coding.decode($0) }
        .filter { entry in entry.content.blobHashes.contains { needed[$0] == nil } }
      for content in try await unreplaced(entries) {
        guard let hash = content.blobHash, needed[hash] == nil else { continue }
        needed[hash] = NeededBlob(byteCount: content.byteCount)
      }
      result.entryCount = (result.entryCount ?? 0) + file.entries.count
    } catch {
      try note(error, name, own: own)
    }
  }

  /// Finds the versions that were not replaced or deleted, as far as this store knows: of others no device
  /// fetches the blobs, and none may have them any more.
  private func unreplaced(_ entries: [Entry]) async throws(SyncError) -> [SyncedContent] {
    guard !entries.isEmpty else { return [] }
    return try await records.read { db in
      guard let state = try SyncState(in: db) else {
        return entries.flatMap { $0.content.versions.map(\.value) }
      }
      let replica = try StoreReplica(state.device, now: 0, in: db)
      return try entries.flatMap { entry in
        let known = try replica.known(entry.uuid)?.entry.content ?? ContentVersions()
        return entry.content.versions
          .filter { known.versions[$0.key] != nil || !known.known.knows($0.key) }
          .map(\.value)
      }
    }
  }

  // MARK: - Blobs

  private mutating func checkBlobs(_ needed: [Data: NeededBlob]) async throws(SyncError) {
    var sizes: [ObjectName: Int64] = [:]
    let (marks, closed) = try await list("blob/", by: Self.blobFolders)
    for mark in marks {
      guard let name = ObjectName(rawValue: mark.name) else { continue }
      count(mark)
      sizes[name] = mark.byteCount
    }
    if readsAll { readTotal += needed.count }
    for (hash, blob) in needed.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let name = repository.key.blobName(sha256: hash, generation: 1, part: 0).rawValue
      guard !closed.contains(where: { name.hasPrefix("blob/\($0)/") }) else {
        countUnread(1)
        if readsAll { countRead() }
        continue
      }
      var fault = try await faultOfParts(hash, blob.byteCount, sizes)
      if fault == nil, readsAll { fault = try await faultOfBytes(hash, blob.byteCount) }
      if readsAll { countRead() }
      if let fault {
        result.faults.append(blob.snippet.map { fault.naming("of snippet \($0)") } ?? fault)
        losses.blobs.append(hash)
      } else {
        result.blobCount += 1
      }
    }
  }

  private mutating func faultOfParts(
    _ hash: Data,
    _ byteCount: Int64,
    _ sizes: [ObjectName: Int64]
  ) async throws(SyncError) -> SyncError? {
    for part in 0..<Repository.partCount(of: byteCount) {
      let name = repository.key.blobName(sha256: hash, generation: 1, part: part)
      guard let size = sizes[name] else {
        guard losses.blobs.count < Self.obstacleLimit, let obstacle = try await obstacle(name)
        else { return missing(name) }
        countUnread(1)
        return obstacle
      }
      let start = part * Repository.partSize
      let content = Int(max(0, min(Repository.partSize, byteCount - start)))
      let least = AgeFile.leastLength(ofContent: content)
      if let fault = Self.fault(of: name, size, least: least) { return fault }
    }
    return nil
  }

  // Each is a request. Where many blobs are missing, no folders are in their places.
  private static let obstacleLimit = 100

  private mutating func faultOfBytes(
    _ hash: Data,
    _ byteCount: Int64
  ) async throws(SyncError) -> SyncError? {
    var content = ContentHash()
    let first = repository.key.blobName(sha256: hash, generation: 1, part: 0)
    do throws(SyncError) {
      for part in 0..<Repository.partCount(of: byteCount) {
        guard let bytes = try await repository.part(part, of: hash) else {
          throw missing(repository.key.blobName(sha256: hash, generation: 1, part: part))
        }
        bytes.withUnsafeBytes { content.update($0) }
      }
      guard content.finish() == hash else {
        throw .damaged(first.rawValue, because: "its bytes are those of another blob")
      }
      return nil
    } catch {
      guard error.isOfOneObject else { throw error }
      if error.isOfOneFile { countUnread(1) }
      return error
    }
  }

  /// The folders of blobs and thumbnails: the first byte of each name.
  private static let blobFolders = (UInt8.min...UInt8.max).map { Data([$0]).hexadecimal }

  // MARK: - Folders

  /// Lists objects; where a folder of theirs cannot be read, those of the others.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the names.
  ///   - folders: The folders there.
  /// - Returns: The objects, and the folders that cannot be read.
  /// - Throws: ``SyncError`` if the place cannot be read.
  private mutating func list(
    _ prefix: String,
    by folders: [String]
  ) async throws(SyncError) -> (marks: [ObjectMark], closed: Set<String>) {
    let whole: SyncError
    do throws(SyncError) {
      return (try await repository.carrier.list(prefix), [])
    } catch {
      guard error.isOfOneFile else { throw error }
      whole = error
    }
    var marks: [ObjectMark] = []
    var (closed, faults): (Set<String>, [SyncError]) = ([], [])
    for folder in folders {
      do throws(SyncError) {
        marks += try await repository.carrier.list("\(prefix)\(folder)/")
      } catch {
        guard error.isOfOneFile else { throw error }
        closed.insert(folder)
        faults.append(error)
      }
    }
    result.faults += closed.count < folders.count && !faults.isEmpty ? faults : [whole]
    return (marks, closed)
  }

  // MARK: - Faults

  /// Notes a fault of a device's object; other errors end the check.
  private mutating func note(
    _ error: SyncError,
    _ name: ObjectName,
    own: DeviceID
  ) throws(SyncError) {
    guard error.isOfOneObject else { throw error }
    if error.code != .damaged { unopened = error }
    if error.isOfOneFile { countUnread(1) }
    result.faults.append(named(told(error, name), name))
    switch name {
    case .head(own): losses.isHeadLost = true
    case .head(let device) where isInPlace && !error.isOfOneFile:
      losses.headsOfOthers.append(device)
    // A copy or a restored store has not all that its original wrote there.
    case .log(own, let number) where isInPlace: losses.logs.append(number...number)
    case .log(let device, let number) where device != own && !error.isOfOneFile:
      noteLost(number...number, of: device)
    case .notice where !error.isOfOneFile: losses.notices.append(name)
    default: break
    }
  }

  /// Refuses a key that has opened nothing: a repair would replace whole objects by some of that key.
  private mutating func requireKey(own: DeviceID) async throws(SyncError) {
    guard !hasOpened, let unopened else { return }
    guard try await repository.opensAnother(than: own) else { throw unopened }
    hasOpened = true
  }

  /// Notes log files that are not listed, or what is in the place of the first.
  private mutating func noteUnlisted(
    _ numbers: ClosedRange<Int64>,
    of device: DeviceID,
    own: SyncState
  ) async throws(SyncError) {
    let name = ObjectName.log(device, number: numbers.lowerBound)
    guard let obstacle = try await obstacle(name) else {
      return noteMissing(numbers, of: device, own: own)
    }
    try note(obstacle, name, own: own.device)
    guard numbers.count > 1 else { return }
    let rest = numbers.lowerBound + 1...numbers.upperBound
    if (obstacle.underlyingError as? FileError)?.code == .isDirectory {
      noteMissing(rest, of: device, own: own)
    } else {
      // It is in the place of the folder of all.
      countUnread(Int64(rest.count))
    }
  }

  /// Notes log files as one fault; this store writes again only those that it has sent.
  private mutating func noteMissing(
    _ numbers: ClosedRange<Int64>,
    of device: DeviceID,
    own: SyncState
  ) {
    let name = ObjectName.log(device, number: numbers.lowerBound)
    let fault =
      numbers.count == 1
      ? missing(name)
      : .damaged(
        name.rawValue,
        because: "it and the log files after it, up to number \(numbers.upperBound), are missing"
      )
    result.faults.append(
      named(told(fault, .log(device, number: numbers.upperBound)), name)
    )
    guard device == own.device else { return noteLost(numbers, of: device) }
    guard numbers.lowerBound <= own.sent else { return }
    losses.logs.append(numbers.clamped(to: 1...own.sent))
  }

  /// Adds to the fault of a log file that it has come here, where entries of its device still wait:
  /// until they are merged, no repair here replaces it.
  private func told(_ error: SyncError, _ name: ObjectName) -> SyncError {
    guard case .log(let device, let number) = name, isInPlace, !error.isOfOneFile,
      waiting.contains(device), number <= received[device] ?? 0
    else { return error }
    return SyncError(
      error.code,
      error.operation,
      because: """
        \(error.reason); it has come here, but snippets of that device still wait for a blob or for a \
        newer version
        """,
      do: error.recoverySuggestion,
      underlying: error.underlyingError
    )
  }

  /// Notes lost log files of another device.
  private mutating func noteLost(_ numbers: ClosedRange<Int64>, of device: DeviceID) {
    guard isInPlace else { return }
    losses.logsOfOthers.append(
      RepositoryLosses.LogsOfOther(
        device: device,
        name: names[device] ?? "",
        numbers: numbers,
        receivedNumber: received[device] ?? 0
      )
    )
  }

  /// Finds the devices whose lost log files can be given up.
  private func lostLogs() -> [SyncCheck.LostLogs] {
    let lost = Dictionary(grouping: losses.logsOfOthers.filter(\.canBeGivenUp), by: \.device)
    return lost.sorted { $0.key < $1.key }.map { device, logs in
      let first = logs.map(\.numbers.lowerBound).min() ?? 0
      let readers = receivers[device, default: []].filter { $0.last >= first }
      return SyncCheck.LostLogs(
        name: names[device] ?? "",
        count: logs.reduce(0) { $0 + $1.numbers.count },
        sentAt: wroteAt[device].map { Date(timeIntervalSince1970: Double($0) / 1000) },
        receivers: readers.compactMap { names[$0.receiver] }.filter { !$0.isEmpty }.sorted()
      )
    }
  }

  /// Finds the error of something in the place of an object that is not listed.
  private func obstacle(_ name: ObjectName) async throws(SyncError) -> SyncError? {
    do {
      _ = try await repository.file(name)
      return nil
    } catch {
      guard error.isOfOneObject else { throw error }
      return error.isOfOneFile ? error : nil
    }
  }

  private func missing(_ name: ObjectName) -> SyncError {
    .damaged(name.rawValue, because: "it is missing")
  }

  /// Adds the name of the device to an error, since names of objects tell people nothing.
  private func named(_ error: SyncError, _ name: ObjectName) -> SyncError {
    let device: DeviceID
    switch name {
    case .head(let id), .notice(let id), .log(let id, _): device = id
    default: return error
    }
    guard let person = names[device], !person.isEmpty else { return error }
    return error.naming("of “\(person)”")
  }

  /// Counts the bytes of an object, whose size a place may tell wrongly.
  private mutating func count(_ object: ObjectMark) {
    let (sum, isTooGreat) = result.byteCount.addingReportingOverflow(object.byteCount)
    result.byteCount = isTooGreat ? .max : sum
  }

  /// Counts objects that cannot be read; a head may name any number of log files.
  private mutating func countUnread(_ count: Int64) {
    let (sum, isTooGreat) = result.unreadCount.addingReportingOverflow(Int(clamping: count))
    result.unreadCount = isTooGreat ? .max : sum
  }

  private mutating func countRead() {
    readCount += 1
    onProgress(readCount, readTotal)
  }
}

extension SyncError {
  /// Returns the error with more words for its object.
  fileprivate func naming(_ owner: String) -> SyncError {
    SyncError(
      code,
      "\(operation) \(owner)",
      because: reason,
      do: recoverySuggestion,
      underlying: underlyingError
    )
  }
}
