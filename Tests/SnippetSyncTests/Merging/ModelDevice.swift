import Foundation
import SnippetStorage

@testable import SnippetSync

/// A device of the model: rows and entries in memory, and a log that others read.
struct ModelDevice: Replica {
  /// Who this is; a restored backup is another device.
  private(set) var device: DeviceID
  /// By how much the clock is off, in milliseconds.
  let clockError: Int64
  var time: Int64 = 0
  var rows: [UUID: CapturedRow] = [:]
  private(set) var entries: [UUID: KnownEntry] = [:]
  /// The number of files that were applied of each log.
  var applied: [DeviceID: Int] = [:]
  private(set) var outcome = MergeOutcome()
  private var awaited: Set<UUID> = []

  init(_ device: DeviceID, clockError: Int64) {
    self.device = device
    self.clockError = clockError
  }

  var now: Int64 { time + clockError }

  func row(_ uuid: UUID) -> CapturedRow? { rows[uuid] }
  func known(_ uuid: UUID) -> KnownEntry? { entries[uuid] }
  mutating func keep(_ known: KnownEntry) { entries[known.entry.uuid] = known }
  mutating func forget(_ uuid: UUID) { entries[uuid] = nil }

  func isAwaited(_ uuid: UUID) -> Bool { awaited.contains(uuid) }

  func handOverFiles(of gone: UUID, to kept: UUID) {}

  func equals(of entry: Entry) -> [UUID] {
    guard let content = entry.content.shown else { return [] }
    return rows.values.filter { $0.uuid != entry.uuid && $0.content.hasBytes(of: content) }
      .map(\.uuid).sorted { $0.uuidString < $1.uuidString }
  }

  mutating func show(_ entry: Entry) {
    guard let content = entry.content.shown else {
      rows[entry.uuid] = nil
      return
    }
    rows[entry.uuid] = CapturedRow(
      uuid: entry.uuid,
      content: content,
      title: entry.shownTitle,
      note: entry.shownNote,
      isPinned: entry.pin.value == .pinned,
      createdAt: entry.createdAt.value,
      modifiedAt: entry.modifiedAt.value,
      deletedAt: entry.deletedAt,
      tags: entry.shownTags
    )
  }

  private mutating func captureAll() throws {
    let all = Set(rows.keys).union(entries.keys).sorted { $0.uuidString < $1.uuidString }
    for uuid in all { try capture(uuid) }
  }

  /// Captures everything, and returns what must be sent.
  mutating func seal() throws -> [Entry] {
    try captureAll()
    let pending = entries.values.filter(\.isPending)
    for var known in pending {
      (known.isPending, known.isPublished) = (false, true)
      keep(known)
    }
    return pending.map(\.entry).sorted { $0.uuid.uuidString < $1.uuid.uuidString }
  }

  mutating func pull(_ files: [[Entry]], of device: DeviceID, from start: Int) throws {
    try merge(files.joined().bySnippet())
    applied[device] = max(applied[device] ?? 0, start + files.count)
  }

  /// Receives the rest of all logs as a store does: of each device the last entry of a snippet, and those
  /// of one snippet are merged together.
  mutating func receive(_ logs: [DeviceID: [[Entry]]]) throws {
    var last: [UUID: [DeviceID: Entry]] = [:]
    for (device, files) in logs where device != self.device {
      for entry in files.dropFirst(applied[device] ?? 0).joined() {
        last[entry.uuid, default: [:]][device] = entry
      }
      applied[device] = files.count
    }
    try merge(last.values.flatMap(\.values).bySnippet())
  }

  private mutating func merge(_ snippets: [(uuid: UUID, entries: [Entry])]) throws {
    var outcome = outcome
    awaited = Set(snippets.map(\.uuid))
    for (uuid, entries) in snippets {
      awaited.remove(uuid)
      try merge(entries, of: uuid, into: &outcome)
    }
    self.outcome = outcome
  }

  /// Becomes what a backup holds, under a new identity.
  ///
  /// The device may have sent since what the backup does not know to be sent.
  mutating func restore(_ backup: ModelDevice, as device: DeviceID) throws {
    let time = time
    self = backup
    self.device = device
    self.time = time
    try captureAll()
    for uuid in entries.keys { entries[uuid]?.isPublished = true }
  }
}

extension Sequence<Entry> {
  /// The entries of each snippet, in the order of the snippets' identities.
  fileprivate func bySnippet() -> [(uuid: UUID, entries: [Entry])] {
    Dictionary(grouping: self, by: \.uuid).map { (uuid: $0.key, entries: $0.value) }
      .sorted { $0.uuid.uuidString < $1.uuid.uuidString }
  }
}
