import Foundation
import GRDB
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetSync

/// Real stores that edit and synchronize in random order, over a place where everything goes wrong.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(60)))
struct SyncSimulationTests {
  @Test func `whatever the place does, stores agree and nothing is lost`() async throws {
    for number in 0..<(LongTests.isOn ? 400 : 12) {
      let seed = SeededGenerator.runSeed &+ UInt64(number)
      var simulation = try await StoreSimulation(seed: seed, number: number)
      let problems = try await simulation.run()
      guard problems.isEmpty else {
        Issue.record("seed \(seed): \(problems.prefix(5).joined(separator: "; "))")
        return
      }
    }
  }
}

private struct StoreSimulation {
  private var random: SeededGenerator
  private let place: MemoryPlace
  private var devices: [SyncedStore] = []
  private var oracle = SyncOracle()
  private var textCount = 0

  init(seed: UInt64, number: Int) async throws {
    random = SeededGenerator(seed: seed)
    place = MemoryPlace(seed: seed)
    for device in 0..<(2 + random.below(2)) {
      devices.append(
        try await SyncedStore("\(number)-\(device)", place, key: devices.first?.sync.key)
      )
    }
    var faults = MemoryPlace.Faults()
    if random.chance(0.8) {
      faults.failure = 0.05
      faults.lostReply = 0.05
      faults.delay = 0.2
      faults.tornRead = 0.03
      faults.doubledName = 0.05
      faults.reversal = 0.2
      faults.ignoresIsNew = random.chance(0.5)
    }
    place.set(faults)
  }

  mutating func run() async throws -> [String] {
    for _ in 0..<(10 + random.below(40)) { try await step() }
    place.set(.none)
    return try await settle()
  }

  private mutating func step() async throws {
    let index = random.below(devices.count)
    let store = devices[index].store
    let rows = try devices[index].rows(inTrash: random.chance(0.1))
    let row = rows.randomElement(using: &random)
    switch random.below(16) {
    case 0...2: try await add(to: index)
    case 3...6:
      if let row, row.deletedAt == nil, row.kind == .text { try await edit(row, on: index) }
    case 7:
      if let row, row.deletedAt == nil {
        let edit = SnippetEdit(title: "title \(random.below(5))", addedTags: ["Red"])
        _ = try await store.apply(edit, to: row.id)
      }
    case 8:
      if let row, row.deletedAt == nil {
        let edit = SnippetEdit(isPinned: !row.isPinned, removedTags: ["red"])
        _ = try await store.apply(edit, to: row.id)
      }
    case 9:
      if let row, row.deletedAt == nil {
        oracle.trash(row.uuid, try await text(of: row, on: index), on: index)
        _ = try await store.moveToTrash([row.id])
      } else if let row {
        _ = try await store.undelete([row.id])
      }
    case 10: if let row { try await delete(row, on: index) }
    default: try await synchronize(index)
    }
  }

  private mutating func add(to index: Int) async throws {
    textCount += 1
    let text = "text \(textCount)"
    let isImage = random.chance(0.3)
    let draft =
      isImage
      ? SnippetDraft(.bytes(Data(text.utf8)), kind: .image, mediaType: "image/x-made-up")
      : SnippetDraft(.text(text))
    _ = try await devices[index].store.save(draft)
    oracle.edit(text, from: nil, on: index)
  }

  private mutating func edit(_ row: SnippetRow, on index: Int) async throws {
    textCount += 1
    let text = "text \(textCount)"
    oracle.edit(text, from: try await self.text(of: row, on: index), on: index)
    _ = try await devices[index].store.apply(SnippetEdit(text: text), to: row.id)
  }

  private mutating func delete(_ row: SnippetRow, on index: Int) async throws {
    let known = try await devices[index].store.seam.read(to: "test") { db in
      try db.number(
        "SELECT published FROM sync_row WHERE snippet_id = ?",
        [row.id.rawValue.databaseValue]
      )
    }
    oracle.delete(
      row.uuid,
      try await text(of: row, on: index),
      isKnown: known == 1,
      on: index
    )
    _ = try await devices[index].store.delete([row.id])
  }

  private func text(of row: SnippetRow, on index: Int) async throws -> String {
    String(decoding: try await devices[index].store.content(of: row.id), as: UTF8.self)
  }

  private mutating func synchronize(_ index: Int) async throws {
    do {
      try await devices[index].sync.synchronize(allowingManyRemovals: true)
      oracle.send(of: index)
    } catch {
      // Whatever was not sent stays to be sent.
      guard [.unreachable, .damaged, .noRepository, .wrongKey].contains(error.code) else {
        throw error
      }
    }
  }

  private mutating func settle() async throws -> [String] {
    place.settle()
    for round in 0..<12 {
      var isQuiet = true
      for index in devices.indices {
        let report = try await devices[index].sync.synchronize(allowingManyRemovals: true)
        oracle.send(of: index)
        isQuiet = isQuiet && report.isEmpty
      }
      if round > 0, isQuiet { return try await problems() }
    }
    return ["they never stop sending"]
  }

  private func problems() async throws -> [String] {
    let first = try await devices[0].contents()
    for device in devices.dropFirst() {
      let other = try await device.contents()
      if other != first {
        return ["diverged: \(Set(first).symmetricDifference(other).sorted())"]
      }
      let check = try await device.store.check()
      if !check.isSound { return ["\(check)"] }
    }
    var rows: [(uuid: UUID, text: String, isInTrash: Bool)] = []
    for row in try devices[0].rows() + devices[0].rows(inTrash: true) {
      rows.append((row.uuid, try await text(of: row, on: 0), row.deletedAt != nil))
    }
    return oracle.problems(rows)
  }
}
