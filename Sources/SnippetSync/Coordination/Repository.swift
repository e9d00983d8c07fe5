import Foundation
import SnippetBase

/// The objects of a repository, sealed and opened with its key.
struct Repository: Sendable {
  let carrier: any SyncCarrier
  let key: RepositoryKey
  /// Where the repository is, as a person gave it.
  let address: String

  // MARK: - The mark

  /// Reads the mark of a place; `nil` if it has no repository.
  static func format(of carrier: any SyncCarrier) async throws(SyncError) -> RepositoryFormat? {
    guard let object = try await carrier.read(ObjectName.format.rawValue) else { return nil }
    return try RepositoryFormat(object)
  }

  // MARK: - Heads and log files

  /// Lists the heads of all devices.
  func heads() async throws(SyncError) -> [(device: DeviceID, mark: ObjectMark)] {
    Self.heads(among: try await carrier.list("device/"))
  }

  /// Finds the heads of all devices in a listing.
  static func heads(among marks: [ObjectMark]) -> [(device: DeviceID, mark: ObjectMark)] {
    marks.compactMap { mark in
      guard case .head(let device)? = ObjectName(rawValue: mark.name) else { return nil }
      return (device, mark)
    }
  }

  /// Reads a head or a log file; `nil` if it is not there.
  func file(_ name: ObjectName) async throws(SyncError) -> LogFile? {
    guard let object = try await carrier.read(name.rawValue) else { return nil }
    return try LogFile(object, named: name, key: key)
  }

  /// Seals a file without entries: a head, a notice, or what takes the place of a log file.
  func fileWithoutEntries(_ header: LogHeader) throws(SyncError) -> Data {
    try LogFile(header: header, entries: []).sealed(with: key)
  }

  /// Whether an object is a log file without entries, which replaced one that a purge dropped; one
  /// that is not whole is none.
  ///
  /// - Throws: ``SyncError/cloned`` for one with entries.
  func isWithoutEntries(_ object: Data, _ name: ObjectName) throws(SyncError) -> Bool {
    do throws(SyncError) {
      let file = try LogFile(object, named: name, key: key)
      guard file.entries.isEmpty else { throw .cloned }
      return true
    } catch {
      guard error.code == .damaged else { throw error }
      return false
    }
  }

  /// Refuses a key that does not open the head of a device: whatever it sealed, others could not
  /// read.
  ///
  /// A head that it does not open is damaged where it opens another object, and one that cannot be read
  /// is no hindrance there.
  func requireKey(of device: DeviceID) async throws(SyncError) {
    do {
      _ = try await file(.head(device))
    } catch {
      if error.code == .damaged { return }
      guard error.code == .wrongKey || error.isOfOneFile,
        try await opensAnother(than: device)
      else { throw error }
    }
  }

  /// Whether the key opens an object besides the head of a device: the head of another one, or any of
  /// some log files of this one.
  func opensAnother(than device: DeviceID) async throws(SyncError) -> Bool {
    if try await opensAnyHead(besides: device) { return true }
    for mark in try await carrier.list("log/\(device.rawValue)/").prefix(8) {
      if let name = ObjectName(rawValue: mark.name), try await opens(name) { return true }
    }
    return false
  }

  /// Whether the key opens the head of any device, or of any besides one.
  func opensAnyHead(besides excluded: DeviceID? = nil) async throws(SyncError) -> Bool {
    for (device, _) in try await heads() where device != excluded {
      let isOpened = try await opens(.head(device))
      if isOpened { return true }
    }
    return false
  }

  private func opens(_ name: ObjectName) async throws(SyncError) -> Bool {
    do {
      return try await file(name) != nil
    } catch {
      guard error.isOfOneObject else { throw error }
      return false
    }
  }

  func write(_ file: LogFile) async throws(SyncError) {
    guard case .head = file.header.object else { return }
    try await carrier.write(
      file.sealed(with: key),
      as: file.header.object.rawValue,
      isNew: false
    )
  }

  // MARK: - Notices

  /// Finds the notices that ask a device to send everything anew; one that is not whole yet is none.
  func notices(
    to device: DeviceID,
    among marks: [ObjectMark]
  ) async throws(SyncError) -> [LogHeader] {
    var notices: [LogHeader] = []
    for mark in marks {
      guard let name = ObjectName(rawValue: mark.name), case .notice = name else { continue }
      do {
        guard let header = try await self.file(name)?.header, header.devices.contains(device) else {
          continue
        }
        notices.append(header)
      } catch {
        guard error.isOfOneObject else { throw error }
      }
    }
    return notices
  }

  /// Writes a notice that log files of a device were given up, for those that shall send everything anew.
  ///
  /// Each that does so writes it again for the others. It is not removed: a place may allow no more than to
  /// write.
  func writeNotice(
    _ name: ObjectName,
    to devices: [DeviceID],
    now: Int64
  ) async throws(SyncError) {
    let header = LogHeader(
      object: name,
      devices: devices,
      knows: devices.map { _ in 0 },
      wrote: now,
      name: ""
    )
    let file = try fileWithoutEntries(header)
    try await carrier.write(file, as: name.rawValue, isNew: false)
  }

  // MARK: - Blobs

  /// The number of parts of a blob.
  static func partCount(of byteCount: Int64) -> Int64 {
    max(1, byteCount / partSize + (byteCount % partSize == 0 ? 0 : 1))
  }

  static let partSize = Int64(RepositoryKey.contentLimit)

  /// Writes a part of a blob.
  ///
  /// - Returns: Whether it is durable; otherwise it is so once the carrier settles.
  func writePart(
    _ part: Int64,
    of sha256: Data,
    _ bytes: Data,
    settlingLater settlesLater: Bool
  ) async throws(SyncError) -> Bool {
    let name = key.blobName(sha256: sha256, generation: 1, part: part)
    let object = try key.seal(bytes, as: name)
    if settlesLater { return try await carrier.writeUnsettled(object, as: name.rawValue) }
    // Sealed anew its bytes differ, so it must not be refused for those that are there.
    try await carrier.write(object, as: name.rawValue, isNew: false)
    return true
  }

  /// Reads a part of a blob; `nil` if it is not there yet.
  func part(_ part: Int64, of sha256: Data) async throws(SyncError) -> Data? {
    let name = key.blobName(sha256: sha256, generation: 1, part: part)
    guard let object = try await carrier.read(name.rawValue) else { return nil }
    return try key.open(object, named: name)
  }
}
