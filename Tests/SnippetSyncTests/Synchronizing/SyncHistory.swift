import Foundation
import GRDB
import SnippetStorage
import SnippetTestSupport

@testable import SnippetSync

/// Real stores that edit and synchronize, and a record of what was done on each.
///
/// An edit of a snippet that a store does not have is left out: what has arrived depends on what
/// went wrong before.
struct SyncHistory {
  let place: MemoryPlace
  private(set) var devices: [SyncedStore] = []
  private(set) var oracle = SyncOracle()
  private var textCount = 0
  private var backups: [Int: (file: URL, unsent: SyncOracle.Deeds)] = [:]
  private var newer: NewerDevice?
  private var drawings: Set<UUID> = []
  /// The devices that have left the place.
  private var away: Set<Int> = []

  init(_ place: MemoryPlace) {
    self.place = place
  }

  /// Adds a device that joins the place.
  mutating func join(
    as name: String,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) async throws {
    devices.append(
      try await SyncedStore(
        name,
        place,
        key: devices.first?.sync.key,
        isCheckedAtEnd: false,
        clock: clock
      )
    )
  }

  // MARK: - Other devices

  /// Adds a device that begins as a copy of another one.
  mutating func copy(_ index: Int, as name: String) async throws {
    devices.append(try await SyncedStore(copying: devices[index], as: name))
    if away.contains(index) { away.insert(devices.count - 1) }
    oracle[unsentOf: devices.count - 1] = oracle[unsentOf: index]
    try await noteUncaptured(devices.count - 1)
  }

  /// Notes the texts that another device than their author's will capture.
  private mutating func noteUncaptured(_ index: Int) async throws {
    for row in try devices[index].rows() + devices[index].rows(inTrash: true) {
      let isCaptured = try await devices[index].store.seam.read(to: "test") { db in
        try db.number(
          "SELECT 1 FROM sync_row WHERE snippet_id = ? AND revision = ? AND pending = 0",
          [row.id.rawValue.databaseValue, row.revision.databaseValue]
        )
      }
      if isCaptured == nil { oracle.bringBack(row.uuid, try await text(of: row, on: index)) }
    }
  }

  /// Has a device leave the place, or join it again.
  mutating func leaveOrJoin(_ index: Int) async throws {
    if away.contains(index) { return try await joinAgain(index) }
    try await StoreSync.leave(devices[index].store)
    away.insert(index)
  }

  private mutating func joinAgain(_ index: Int) async throws {
    do {
      try await devices[index].joinAgain()
    } catch let error as SyncError {
      guard [.unreachable, .damaged, .noRepository, .wrongKey].contains(error.code) else {
        throw error
      }
      // The place fails: it stays away.
      return
    }
    away.remove(index)
  }

  /// Has a device of a newer version send a snippet of a kind that the others do not know.
  mutating func sendDrawing() async throws {
    var device = newer ?? NewerDevice(place, key: devices[0].sync.key)
    let uuid = UUID()
    try await device.send([try device.drawing(uuid)])
    drawings.insert(uuid)
    newer = device
  }

  /// Backs a device up, or restores the backup that was made last.
  mutating func backUpOrRestore(_ index: Int) async throws {
    guard !away.contains(index) else { return }
    guard let backup = backups.removeValue(forKey: index) else {
      let file = TemporaryDirectory.file("\(devices[index].name)-backup.sqlite")
      _ = try await devices[index].store.backUp(to: file, replacesExisting: true)
      return backups[index] = (file, oracle[unsentOf: index])
    }
    try await devices[index].restart(restoring: backup.file)
    oracle.goBack(of: index, to: backup.unsent)
    try await noteUncaptured(index)
    try await devices[index].sync.settleRestore(keepingBackup: false)
  }

  // MARK: - Edits

  /// Adds a text, or a picture of as many bytes as are given.
  @discardableResult
  mutating func add(
    _ text: String? = nil,
    imageOf byteCount: Int? = nil,
    title: String = "",
    tags: [String] = [],
    on index: Int
  ) async throws -> UUID {
    textCount += 1
    // Another device may have added a text that is given, and they become one.
    let isAlone = text == nil
    let text = text ?? "text \(textCount)"
    var draft = SnippetDraft(.text(text), title: title, tags: tags)
    if let byteCount {
      let bytes = Data(text.utf8) + Data(count: max(0, byteCount - text.utf8.count))
      draft = SnippetDraft(.bytes(bytes), kind: .image, mediaType: "image/x-made-up", title: title)
    }
    let row = try await devices[index].store.save(draft)
    oracle.edit(text, from: nil, of: isAlone ? row.uuid : nil, on: index)
    return row.uuid
  }

  mutating func edit(_ uuid: UUID, on index: Int) async throws {
    guard let row = try devices[index].row(uuid), row.deletedAt == nil, row.kind == .text else {
      return
    }
    textCount += 1
    let text = "text \(textCount)"
    let former = try await self.text(of: row, on: index)
    oracle.edit(text, from: former, of: uuid, among: try await texts(on: index), on: index)
    _ = try await devices[index].store.apply(SnippetEdit(text: text), to: row.id)
  }

  mutating func change(_ uuid: UUID, _ edit: SnippetEdit, on index: Int) async throws {
    guard let row = try devices[index].row(uuid), row.deletedAt == nil else { return }
    _ = try await devices[index].store.apply(edit, to: row.id)
  }

  mutating func trash(_ uuid: UUID, on index: Int) async throws {
    guard let row = try devices[index].row(uuid), row.deletedAt == nil else { return }
    oracle.trash(row.uuid, among: try await texts(on: index), on: index)
    _ = try await devices[index].store.moveToTrash([row.id])
  }

  mutating func bringBack(_ uuid: UUID, on index: Int) async throws {
    guard let row = try devices[index].row(uuid), row.deletedAt != nil else { return }
    _ = try await devices[index].store.undelete([row.id])
  }

  mutating func delete(_ uuid: UUID, on index: Int) async throws {
    guard let row = try devices[index].row(uuid) else { return }
    let known = try await devices[index].store.seam.read(to: "test") { db in
      try db.number(
        "SELECT published FROM sync_row WHERE snippet_id = ?",
        [row.id.rawValue.databaseValue]
      )
    }
    oracle.delete(
      row.uuid,
      try await text(of: row, on: index),
      among: try await texts(on: index),
      isKnown: known == 1,
      on: index
    )
    _ = try await devices[index].store.delete([row.id])
  }

  /// All texts of a device.
  private func texts(on index: Int) async throws -> Set<String> {
    var texts: Set<String> = []
    for row in try devices[index].rows() + devices[index].rows(inTrash: true) {
      texts.insert(try await text(of: row, on: index))
    }
    return texts
  }

  /// The text of a snippet, or that by which its picture was made.
  func text(of row: SnippetRow, on index: Int) async throws -> String {
    let bytes = try await devices[index].store.content(of: row.id)
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  // MARK: - Exchange

  /// Synchronizes; a process that ends is started again.
  ///
  /// - Returns: The work that was done; `nil` if it was not finished.
  @discardableResult
  mutating func synchronize(_ index: Int) async throws -> SyncReport? {
    if away.contains(index) { return nil }
    do {
      let report = try await devices[index].synchronize()
      oracle.send(of: index)
      return report
    } catch {
      // Whatever was not sent stays to be sent.
      if devices[index].crash.isDead {
        try await devices[index].restart()
      } else if ![.unreachable, .damaged, .noRepository, .wrongKey].contains(error.code) {
        throw error
      }
      return nil
    }
  }

  /// Lets all see everything, and synchronizes until there is no more to send.
  ///
  /// - Returns: The problems.
  mutating func settle() async throws -> [String] {
    place.set(.none)
    place.settle()
    for index in away.sorted() { try await joinAgain(index) }
    for round in 0..<12 {
      var isQuiet = true
      for index in devices.indices {
        let report = try await synchronize(index)
        isQuiet = isQuiet && report?.isEmpty == true
      }
      if round > 0, isQuiet { return try await problems() }
    }
    return ["they never stop sending"]
  }

  private func problems() async throws -> [String] {
    let objects = place.objects
    let first = try await devices[0].contents()
    for device in devices {
      let other = try await device.contents()
      if other != first {
        return ["diverged: \(Set(first).symmetricDifference(other).sorted())"]
      }
      let check = try await device.store.check()
      if !check.isSound { return ["\(check)"] }
      device.crash.disarm()
      try await device.synchronize()
    }
    for device in devices {
      let kept = try await device.store.seam.read(to: "test") { db in
        try db.values("SELECT uuid FROM sync_unread") { try $0.uuid(0) }
      }
      if Set(kept) != drawings { return ["\(kept.count) of \(drawings.count) drawings are kept"] }
    }
    var problems = place.objects == objects ? [] : ["a further synchronization writes"]
    var rows: [(uuid: UUID, text: String, isInTrash: Bool)] = []
    for row in try devices[0].rows() + devices[0].rows(inTrash: true) {
      rows.append((row.uuid, try await text(of: row, on: 0), row.deletedAt != nil))
    }
    problems += oracle.problems(rows)
    return problems
  }

  /// Closes the stores, and removes their files.
  func close() async throws {
    for device in devices {
      try await device.store.close()
      try FileManager.default.removeItem(at: device.file)
    }
    for backup in backups.values { try FileManager.default.removeItem(at: backup.file) }
  }
}
