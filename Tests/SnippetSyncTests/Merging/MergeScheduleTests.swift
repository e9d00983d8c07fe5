import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// Devices that edit, send and receive in random order, with clocks that are off, files that come
/// again and backups that are restored.
@Suite(.seeded, .timeLimit(.minutes(60)))
struct MergeScheduleTests {
  /// The histories that once ended wrong.
  private static let pitfalls: [UInt64] = [
    1_040_626_166_513_578_371, 424_002_439_126_004_383, 17_215_848_972_084_197_955,
  ]

  @Test func `whatever devices do, they agree, and nothing is lost or undead`() throws {
    let count = LongTests.isOn ? 100_000 : 2_000
    for seed in Self.pitfalls + (0..<count).map({ SeededGenerator.runSeed &+ UInt64($0) }) {
      var schedule = Schedule(seed: seed)
      let problems = try schedule.run()
      guard problems.isEmpty else {
        Issue.record("seed \(seed): \(problems.prefix(5).joined(separator: "; "))")
        return
      }
    }
  }
}

/// One random history of a few devices.
private struct Schedule {
  private var random: SeededGenerator
  private var devices: [ModelDevice] = []
  private var backups: [Int: (device: ModelDevice, unsent: SyncOracle.Deeds)] = [:]
  private var logs: [DeviceID: [[Entry]]] = [:]
  private var oracle = SyncOracle()
  private var time: Int64 = 1_700_000_000_000
  private var textCount = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for _ in 0..<(2 + random.below(4)) {
      // Off by far more than the history takes.
      let clockError = random.chance(0.5) ? 0 : Int64(random.below(2_000_000)) - 1_000_000
      devices.append(ModelDevice(newDevice(), clockError: clockError))
    }
  }

  mutating func run() throws -> [String] {
    for _ in 0..<(12 + random.below(90)) { try step() }
    return try settle()
  }

  private mutating func step() throws {
    let index = random.below(devices.count)
    time += Int64(random.below(2_000))
    devices[index].time = time
    let row =
      random.chance(0.9)
      ? devices[index].rows.values.sorted(by: order).randomElement(using: &random) : nil
    switch random.below(20) {
    case 0...1: add(on: index)
    case 2: importFile(on: index)
    case 3...6: if let row, row.deletedAt == nil { edit(row, on: index) }
    case 7:
      change(row, on: index) { row, random in row.title = "title \(random.below(5))" }
    case 8:
      change(row, on: index) { row, random in
        let tag = random.element(of: ["red", "Red", "green", "conflict"])
        if let place = row.tags.firstIndex(where: { Entry.folded($0) == Entry.folded(tag) }) {
          row.tags.remove(at: place)
        } else {
          row.tags.append(tag)
        }
      }
    case 9: change(row, on: index) { row, _ in row.isPinned.toggle() }
    case 10: if let row { moveToTrashOrBack(row, on: index) }
    case 11: if let row { delete(row, on: index) }
    case 12...14: try seal(index)
    case 15...16: try pull(index, isAgain: false)
    case 17: try devices[index].receive(logs)
    case 18: try pull(index, isAgain: true)
    default: try backUpOrRestore(index)
    }
  }

  private func order(_ one: CapturedRow, _ other: CapturedRow) -> Bool {
    one.uuid.uuidString < other.uuid.uuidString
  }

  private mutating func newDevice() -> DeviceID {
    // Drawn by the seed, since stamps of one moment go by it.
    let bytes = Data((0..<16).map { _ in UInt8(random.below(256)) })
    let device = DeviceID(rawValue: bytes.hexadecimal) ?? DeviceID()
    logs[device] = []
    return device
  }

  private mutating func newUUID() -> UUID {
    let bytes = (0..<16).map { _ in UInt8(random.below(256)) }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  // MARK: - Edits

  private mutating func add(on index: Int) {
    textCount += 1
    insert("text \(textCount)", file: nil, on: index)
  }

  /// Imports one of three files, unless it has been imported here.
  private mutating func importFile(on index: Int) {
    let file = "file \(random.below(3))"
    if devices[index].rows.values.contains(where: { $0.content.file == file }) { return }
    insert("of \(file)", file: file, on: index)
  }

  private mutating func insert(_ text: String, file: String?, on index: Int) {
    let uuid = newUUID()
    let now = devices[index].now
    devices[index].rows[uuid] = CapturedRow(
      uuid: uuid,
      content: .text(text, file: file),
      title: text,
      isPinned: false,
      createdAt: now,
      modifiedAt: now,
      tags: []
    )
    oracle.edit(text, from: nil, of: file == nil ? uuid : nil, on: index)
  }

  private mutating func edit(_ row: CapturedRow, on index: Int) {
    textCount += 1
    let text = "text \(textCount)"
    noteEnd(ofCopy: row, on: index)
    var row = row
    oracle.edit(text, from: row.text, of: row.uuid, among: texts(of: index), on: index)
    row.content = .text(text, file: row.content.file)
    row.modifiedAt = devices[index].now
    devices[index].rows[row.uuid] = row
  }

  private mutating func change(
    _ row: CapturedRow?,
    on index: Int,
    _ change: (inout CapturedRow, inout SeededGenerator) -> Void
  ) {
    guard var row, row.deletedAt == nil else { return }
    change(&row, &random)
    row.modifiedAt = devices[index].now
    devices[index].rows[row.uuid] = row
  }

  private mutating func moveToTrashOrBack(_ row: CapturedRow, on index: Int) {
    var row = row
    if row.deletedAt == nil {
      row.deletedAt = devices[index].now
      oracle.trash(row.uuid, among: texts(of: index), on: index)
    } else {
      row.deletedAt = nil
    }
    devices[index].rows[row.uuid] = row
  }

  private mutating func delete(_ row: CapturedRow, on index: Int) {
    // Of what no other device knows nothing is sent.
    let isKnown = devices[index].known(row.uuid)?.isPublished ?? false
    noteEnd(ofCopy: row, on: index)
    oracle.delete(row.uuid, row.text, among: texts(of: index), isKnown: isKnown, on: index)
    devices[index].rows[row.uuid] = nil
  }

  /// Notes that the text of a snippet counts as new where its conflict copy ends and had that text, too:
  /// who edits or deletes the copy does not mean the snippet, and a deletion elsewhere did not know that.
  private mutating func noteEnd(ofCopy row: CapturedRow, on index: Int) {
    guard let copied = devices[index].known(row.uuid)?.entry.copied,
      let original = devices[index].rows[copied.uuid], original.text == row.text
    else { return }
    oracle.bringBack(original.uuid, original.text)
  }

  private func texts(of index: Int) -> Set<String> { Set(devices[index].rows.values.map(\.text)) }

  // MARK: - Exchange

  private mutating func seal(_ index: Int) throws {
    let entries = try devices[index].seal()
    oracle.send(of: index)
    if !entries.isEmpty { logs[devices[index].device]?.append(entries) }
  }

  private mutating func pull(_ index: Int, isAgain: Bool) throws {
    let others = logs.keys.filter { $0 != devices[index].device }.sorted()
    guard let device = others.randomElement(using: &random), let log = logs[device] else { return }
    let applied = devices[index].applied[device] ?? 0
    let start = isAgain ? random.below(applied + 1) : applied
    guard start < log.count else { return }
    let end = start + 1 + random.below(log.count - start)
    try devices[index].pull(Array(log[start..<end]), of: device, from: start)
  }

  private mutating func backUpOrRestore(_ index: Int) throws {
    guard let backup = backups[index], random.chance(0.3) else {
      return backups[index] = (devices[index], oracle[unsentOf: index])
    }
    for row in backup.device.rows.values
    where backup.device.known(row.uuid)?.entry.content.shown?.hasBytes(of: row.content) != true {
      oracle.bringBack(row.uuid, row.text)
    }
    try devices[index].restore(backup.device, as: newDevice())
    // What was done since and not sent is undone, as a person means it.
    oracle[unsentOf: index] = backup.unsent
    backups[index] = nil
  }

  /// Lets all send and receive everything until there is no more to send.
  private mutating func settle() throws -> [String] {
    for round in 0..<12 {
      time += 1_000
      var sent = 0
      for index in devices.indices {
        devices[index].time = time
        let before = logs[devices[index].device]?.count ?? 0
        try seal(index)
        sent += (logs[devices[index].device]?.count ?? 0) - before
      }
      if round > 0, sent == 0 { return problems() }
      for index in devices.indices.shuffled(using: &random) {
        if random.chance(0.5) { try devices[index].receive(logs) }
        for device in logs.keys.sorted().shuffled(using: &random)
        where device != devices[index].device {
          let start = devices[index].applied[device] ?? 0
          let files = Array((logs[device] ?? []).dropFirst(start))
          if !files.isEmpty { try devices[index].pull(files, of: device, from: start) }
        }
      }
    }
    return ["they never stop sending"]
  }

  private func problems() -> [String] {
    let first = devices[0].rows.values.map(\.seen).sorted()
    let diverged = devices.filter { $0.rows.values.map(\.seen).sorted() != first }
    guard diverged.isEmpty else {
      return ["diverged: \(first) and \(diverged[0].rows.values.map(\.seen).sorted())"]
    }
    return oracle.problems(
      devices[0].rows.values.map { ($0.uuid, $0.text, $0.deletedAt != nil) }
    ) + twins() + logs.values.flatMap(falsehoods)
  }

  /// The entries of a log that the next one of their snippet does not stand for.
  private func falsehoods(of log: [[Entry]]) -> [String] {
    var last: [UUID: Entry] = [:]
    return log.joined().compactMap { entry in
      guard let former = last.updateValue(entry, forKey: entry.uuid) else { return nil }
      guard Entry.merged([former, entry]).entry != entry else { return nil }
      return "not all of \(former) is in \(entry)"
    }
  }

  /// The files that are there twice, though no device imported one twice.
  private func twins() -> [String] {
    let files = devices[0].rows.values.filter { row in
      row.deletedAt == nil && row.content.file.map { row.text == "of \($0)" } == true
        && devices[0].known(row.uuid)?.entry.isConflictCopy == false
    }
    return Dictionary(grouping: files, by: \.text).filter { $0.value.count > 1 }
      .map { "\($0.value.count) of one file: \($0.key)" }
  }
}

extension CapturedRow {
  fileprivate var text: String {
    if case .text(let text) = content.body { text } else { "" }
  }

  /// All that devices agree on; spellings of tags are each device's own.
  fileprivate var seen: String {
    let tags = tags.map(Entry.folded).sorted()
    return
      "\(uuid) \(text) \(title) \(isPinned) \(createdAt) \(modifiedAt) \(String(describing: deletedAt)) \(tags)"
  }
}
