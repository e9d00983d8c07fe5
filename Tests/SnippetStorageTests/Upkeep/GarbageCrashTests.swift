import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Adding and deleting at random, killed in the middle of a statement.
///
/// With `SNIP_LONG_TESTS` set, 100,000 steps.
@Suite(.temporaryDirectory, .seeded, .serialized, .timeLimit(.minutes(60)))
struct GarbageCrashTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `whatever crashes, nothing is left behind, and the file is as long as its content`()
    async throws
  {
    let (rounds, steps) = LongTests.isOn ? (100, 1000) : (5, 60)
    var random = SeededGenerator()
    for round in 0..<rounds {
      let seed = random.next()
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = file.path as String, seed = seed as UInt64, steps = steps as Int] in
        var work = try RandomWork(path: path, seed: seed)
        try await work.run(steps)
      }
      let store = try SnippetStore(at: file)
      let report = try await store.check()
      #expect(report.problems == [], "round \(round)")
      if round % 5 == 4 { try await expectFileAsLongAsContent(store) }
      try await store.close()
    }
    let store = try TemporaryStore.open()
    try await expectFileAsLongAsContent(store)
    let rows = try store.list().count
    try await store.delete(try store.list().rows(in: 0..<rows).map(\.id))
    try await store.emptyTrash()
    #expect(try await store.collectGarbage().isClean)
    let information = try await store.information()
    #expect(information.blobCount == 0)
    #expect(information.freeByteCount == 0)
  }

  private func expectFileAsLongAsContent(_ store: SnippetStore) async throws {
    let report = try await store.collectGarbage()
    #expect(report.isClean)
    let copy = TemporaryDirectory.file("copy.sqlite")
    _ = try await Shell.sqlite3(file, "VACUUM INTO '\(copy.path)'")
    let (length, content) = (
      try FileSystem.byteCount(of: file), try FileSystem.byteCount(of: copy)
    )
    #expect(Double(length) <= Double(content) * 1.05, "\(length), \(content)")
    print("garbage: file \(length), content \(content), longest step \(report.longestStep)")
    try FileManager.default.removeItem(at: copy)
  }
}

/// What the process does until it is killed.
private struct RandomWork {
  let store: SnippetStore
  var random: SeededGenerator

  init(path: String, seed: UInt64) throws {
    var configuration = SnippetStore.Configuration()
    configuration.derivativeByteLimit = 200_000
    store = try SnippetStore(at: URL(fileURLWithPath: path), configuration: configuration)
    random = SeededGenerator(seed: seed)
  }

  mutating func run(_ steps: Int) async throws -> Never {
    // Some ten statements a step, those of triggers included.
    killSelf(beforeStatement: 1 + random.below(steps * 14))
    for _ in 0..<steps { try await step() }
    killSelf()
  }

  private mutating func step() async throws {
    let ids = try store.list().rows(in: 0..<80).map(\.id)
    let trash = try store.list(.trash).rows(in: 0..<80).map(\.id)
    func some(_ ids: [SnippetID]) -> [SnippetID] {
      ids.isEmpty ? [] : (0..<1 + random.below(4)).map { _ in random.element(of: ids) }
    }
    switch random.below(ids.count > 60 ? 14 : 10) {
    case 0...4:
      // Some have the same bytes.
      let bytes = Samples.bytes(1 + random.below(400_000), seed: UInt64(random.below(30)))
      let row = try await store.save(Samples.image(bytes, tags: random.chance(0.5) ? ["a"] : []))
      if let blob = row.blobID {
        let recipe = Recipe("small")
        try await store.saveDerivatives([
          Derivative(blobID: blob, recipe: recipe, data: Samples.bytes(random.below(20_000)))
        ])
      }
    case 5: try await store.save(SnippetDraft(.text("a text"), tags: ["b"]))
    case 6: try await store.undelete(some(trash))
    case 7: if random.chance(0.2) { try await store.emptyTrash() }
    case 8: if random.chance(0.1) { try await store.collectGarbage() }
    case 9...11: try await store.moveToTrash(some(ids))
    default: try await store.delete(some(ids + trash))
    }
  }

  /// Ends the process as a crash does, in the middle of whatever transaction is open by then.
  private func killSelf(beforeStatement number: Int) {
    let count = Lock(0)
    try? store.connections.writer(for: "test").unsafeRead { db in
      db.trace(options: .statement) { _ in
        let isDue = count.withLock { count in
          count += 1
          return count == number
        }
        if isDue { kill(getpid(), SIGKILL) }
      }
    }
  }

  private func killSelf() -> Never {
    kill(getpid(), SIGKILL)
    while true { pause() }
  }
}
