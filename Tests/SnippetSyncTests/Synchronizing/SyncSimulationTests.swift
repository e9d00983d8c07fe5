import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// Real stores that edit and synchronize in random order, over a place where everything goes wrong.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(60)))
struct SyncSimulationTests {
  @Test func `whatever the place does, stores agree and nothing is lost`() async throws {
    for number in 0..<(LongTests.isOn ? 5_000 : 40) {
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
  private var history: SyncHistory
  private let number: Int

  init(seed: UInt64, number: Int) async throws {
    self.number = number
    random = SeededGenerator(seed: seed)
    history = SyncHistory(MemoryPlace(seed: seed))
    for device in 0..<(2 + random.below(2)) {
      // Right, wrong by a moment, or by a year.
      let error = random.element(of: [0, 0, 2, -2, 31_536_000, -31_536_000])
      try await history.join(as: "\(number)-\(device)") {
        Date().addingTimeInterval(TimeInterval(error))
      }
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
    history.place.set(faults)
  }

  mutating func run() async throws -> [String] {
    for _ in 0..<(10 + random.below(40)) { try await step() }
    let problems = try await history.settle()
    try await history.close()
    return problems
  }

  private mutating func step() async throws {
    let index = random.below(history.devices.count)
    let rows = try history.devices[index].rows(inTrash: random.chance(0.1))
    let row = rows.randomElement(using: &random)?.uuid ?? UUID()
    switch random.below(18) {
    case 0...2: try await history.add(imageOf: random.chance(0.3) ? 0 : nil, on: index)
    case 3...6: try await history.edit(row, on: index)
    case 7:
      let edit = SnippetEdit(title: "title \(random.below(5))", addedTags: ["Red"])
      try await history.change(row, edit, on: index)
    case 8:
      let edit = SnippetEdit(isPinned: random.chance(0.5), removedTags: ["red"])
      try await history.change(row, edit, on: index)
    case 9:
      try await history.bringBack(row, on: index)
      if random.chance(0.7) { try await history.trash(row, on: index) }
    case 10: try await history.delete(row, on: index)
    case 11: try await meetAnother(index)
    case 12, 13:
      let crash = history.devices[index].crash
      crash.arm(at: crash.count + 1 + random.below(15), random.chance(0.5) ? .before : .after)
      try await history.synchronize(index)
      crash.disarm()
    default: try await history.synchronize(index)
    }
  }

  private mutating func meetAnother(_ index: Int) async throws {
    switch random.below(8) {
    case 0 where history.devices.count < 4:
      try await history.copy(index, as: "\(number)-\(history.devices.count)")
    case 1: try await history.sendDrawing()
    case 2, 3: try await history.leaveOrJoin(index)
    default: try await history.backUpOrRestore(index)
    }
  }
}
