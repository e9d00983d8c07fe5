import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct DerivativeTests {
  private let small = Recipe("small")
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test(arguments: StorePlace.allCases)
  func `what was computed is kept for its blob and recipe`(_ place: StorePlace) async throws {
    let store = try place.open()
    let blobs = try await blobs(2, in: store)
    let large = Recipe("large", version: 3)
    let saved = [
      Derivative(blobID: blobs[0], recipe: small, data: Samples.bytes(20_000)),
      Derivative(blobID: blobs[0], recipe: large, data: Data()),
      Derivative(blobID: blobs[1], recipe: small, data: Data("b".utf8)),
    ]

    #expect(try await store.saveDerivatives(saved) == 3)

    for derivative in saved {
      let data = try await store.derivative(of: derivative.blobID, by: derivative.recipe)
      #expect(data == derivative.data)
    }
    #expect(try await store.derivative(of: blobs[1], by: large) == nil)
    #expect(try await store.derivative(of: BlobID(rawValue: 99), by: small) == nil)
    // They are no data.
    #expect(try await store.information().blobByteCount == 10_000)
  }

  @Test func `another version replaces the one before, which is not found`() async throws {
    let store = try TemporaryStore.open()
    let blob = try await blobs(1, in: store)[0]
    try await store.saveDerivatives([.init(blobID: blob, recipe: small, data: Data("1".utf8))])
    let next = Recipe("small", version: 2)
    #expect(try await store.derivative(of: blob, by: next) == nil)

    try await store.saveDerivatives([.init(blobID: blob, recipe: next, data: Data("22".utf8))])

    #expect(try await store.derivative(of: blob, by: next) == Data("22".utf8))
    #expect(try await store.derivative(of: blob, by: small) == nil)
    #expect(try total(of: store) == 2)
  }

  @Test func `derivatives go with their blob, and none is kept of one that is gone`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(Samples.image(Samples.bytes(300)))
    let blob = try #require(row.blobID)
    try await store.saveDerivatives([.init(blobID: blob, recipe: small, data: Data("1".utf8))])

    try await store.delete([row.id])

    #expect(try await store.derivative(of: blob, by: small) == nil)
    #expect(try total(of: store) == 0)
    #expect(
      try await store.saveDerivatives([.init(blobID: blob, recipe: small, data: Data("1".utf8))])
        == 0
    )
  }

  @Test func `those that were not used for longest make room`() async throws {
    let clock = Lock(Samples.date)
    let store = try TemporaryStore.open {
      $0.now = { clock.withLock { $0 } }
      $0.derivativeByteLimit = 3500
    }
    let blobs = try await blobs(5, in: store)
    func save(_ index: Int) async throws {
      clock.withLock { $0 += 3600 }
      try await store.saveDerivatives([
        .init(blobID: blobs[index], recipe: small, data: Samples.bytes(1000))
      ])
    }
    for index in 0..<3 { try await save(index) }
    clock.withLock { $0 += 3600 }
    // Used again, the first one outlives the second.
    #expect(try await store.derivative(of: blobs[0], by: small) != nil)

    try await save(3)
    try await save(4)

    let kept = try await blobs.asyncMap { try await store.derivative(of: $0, by: small) != nil }
    #expect(kept == [true, false, false, true, true])
    #expect(try total(of: store) == 3000)
  }

  @Test func `the budget holds after every save, and nothing larger is kept`() async throws {
    let store = try TemporaryStore.open { $0.derivativeByteLimit = 10_000 }
    let blobs = try await blobs(20, in: store)
    var random = SeededGenerator()
    for _ in 0..<30 {
      let derivatives = (0..<random.below(10)).map { _ in
        Derivative(
          blobID: random.element(of: blobs),
          recipe: Recipe(random.element(of: ["a", "b"])),
          data: Samples.bytes(random.below(4000))
        )
      }
      try await store.saveDerivatives(derivatives)
      #expect(try total(of: store) <= 10_000)
      #expect(try total(of: store) == countedTotal(of: store))
    }
    let tooLarge = Derivative(blobID: blobs[0], recipe: small, data: Samples.bytes(10_001))
    #expect(try await store.saveDerivatives([tooLarge]) == 0)
    #expect(try total(of: store) > 0)
  }

  @Test func `a read writes nothing, and its use is written with the next save`() async throws {
    let clock = Lock(Samples.date)
    let store = try TemporaryStore.open { $0.now = { clock.withLock { $0 } } }
    let blobs = try await blobs(2, in: store)
    try await store.saveDerivatives([.init(blobID: blobs[0], recipe: small, data: Data("1".utf8))])
    clock.withLock { $0 += 3600 }
    let before = try await FileSystem.hashes()

    for _ in 0..<100 { #expect(try await store.derivative(of: blobs[0], by: small) != nil) }

    #expect(try await FileSystem.hashes() == before)
    try await store.saveDerivatives([.init(blobID: blobs[1], recipe: small, data: Data("2".utf8))])
    let dates = try await Shell.sqlite3(file, "SELECT used FROM derivatives ORDER BY blob_id")
    #expect(
      dates.standardOutput == "2026-01-01T01:00:00.000Z\n2026-01-01T01:00:00.000Z\n"
    )
  }

  @Test func `what was used is written when the store is closed`() async throws {
    let clock = Lock(Samples.date)
    let store = try TemporaryStore.open { $0.now = { clock.withLock { $0 } } }
    let blobs = try await blobs(1, in: store)
    try await store.saveDerivatives([.init(blobID: blobs[0], recipe: small, data: Data("1".utf8))])
    clock.withLock { $0 += 3600 }
    _ = try await store.derivative(of: blobs[0], by: small)

    try await store.close()

    let dates = try await Shell.sqlite3(file, "SELECT used FROM derivatives")
    #expect(dates.standardOutput == "2026-01-01T01:00:00.000Z\n")
  }

  @Test(arguments: [nil, "small", "none"] as [String?])
  func `derivatives can be deleted at any time, all or those of a recipe`(
    name: String?
  ) async throws {
    let store = try TemporaryStore.open()
    let blobs = try await blobs(40, in: store)
    for recipe in [small, Recipe("large")] {
      try await store.saveDerivatives(
        blobs.map { Derivative(blobID: $0, recipe: recipe, data: Data("1".utf8)) }
      )
    }

    let count = try await store.deleteDerivatives(by: name.map { Recipe($0) })

    #expect(count == (name == nil ? 80 : name == "small" ? 40 : 0))
    #expect(try total(of: store) == Int64(80 - count))
    #expect(try await store.check().isSound)
  }

  @Test func `a backup leaves derivatives out, and the room that they take`() async throws {
    let store = try TemporaryStore.open()
    let blobs = try await blobs(10, in: store)
    let backup = TemporaryDirectory.file("backup.sqlite")
    try await store.backUp(to: backup)
    let size = try FileSystem.byteCount(of: backup)
    try await store.saveDerivatives(
      blobs.map { Derivative(blobID: $0, recipe: small, data: Samples.bytes(100_000)) }
    )
    let marked = Derivative(
      blobID: blobs[0],
      recipe: Recipe("marked"),
      data: Data("a derivative in a backup".utf8)
    )
    try await store.saveDerivatives([marked])

    let report = try await store.backUp(to: backup, replacesExisting: true)

    #expect(report.isSound && report.derivativeCount == 0)
    #expect(try FileSystem.byteCount(of: backup) <= size + 8192)
    let found = try await Shell.run("grep", ["-ac", "a derivative in a backup", backup.path])
    #expect(found.standardOutput == "0\n")
    #expect(try await store.derivative(of: blobs[0], by: marked.recipe) != nil)
  }

  @Test func `a derivative that has lost its blob is named by the check`() async throws {
    let store = try SnippetStore(at: file)
    let blobs = try await blobs(1, in: store)
    try await store.saveDerivatives([.init(blobID: blobs[0], recipe: small, data: Data("1".utf8))])
    try store.runWithoutTriggers(
      "UPDATE derivative SET blob_id = 77; UPDATE derivative_total SET byte_count = 5"
    )

    let report = try await store.check()

    #expect(
      report.problems.map(\.description) == [
        "derivative 1 refers to a row of blob that is not there",
        "the derivatives count for 5 bytes and have another size",
      ]
    )
    try await store.collectGarbage()
    #expect(try await store.check().isSound)
    try await store.close()
  }

  // The schema lets the shell set any date from year 1 to 9999.
  @Test(arguments: [-62_135_596_800_000, -1, 0, 253_402_300_799_999] as [Int64])
  func `a date of use that cannot be is one like others`(date: Int64) async throws {
    let store = try TemporaryStore.open()
    let blobs = try await blobs(2, in: store)
    try await store.saveDerivatives([.init(blobID: blobs[0], recipe: small, data: Data("1".utf8))])
    _ = try await Shell.sqlite3(file, "UPDATE derivative SET used_at = \(date)")

    #expect(try await store.derivative(of: blobs[0], by: small) == Data("1".utf8))
    try await store.saveDerivatives([.init(blobID: blobs[1], recipe: small, data: Data("2".utf8))])

    let dates = try await Shell.sqlite3(file, "SELECT used_at FROM derivative WHERE id = 1")
    #expect((dates.standardOutput == "\(date)\n") == (date == 253_402_300_799_999))
  }

  @Test func `a total that is lost is named by the check, and counted anew`() async throws {
    let store = try SnippetStore(at: file)
    let blobs = try await blobs(1, in: store)
    try await store.saveDerivatives([.init(blobID: blobs[0], recipe: small, data: Data("12".utf8))])
    _ = try await Shell.sqlite3(file, "DELETE FROM derivative_total")

    let report = try await store.check()

    #expect(
      report.problems.map(\.description)
        == ["the total size of the derivatives is missing"]
    )
    #expect(report.isGarbageOnly)
    try await store.collectGarbage()
    #expect(try await store.check().isSound)
    #expect(try total(of: store) == 2)
    try await store.close()
  }

  // A store that is opened with a smaller budget may have a hundred thousand too many.
  @Test func `what is beyond a smaller budget goes in steps`() async throws {
    var store = try TemporaryStore.open()
    let blobs = try await blobs(4, in: store)
    try await store.saveDerivatives(
      (0..<4000).map { number in
        Derivative(
          blobID: blobs[number % 4],
          recipe: Recipe("\(number)"),
          data: Samples.bytes(2000)
        )
      }
    )
    try await store.close()
    store = try TemporaryStore.open { $0.derivativeByteLimit = 0 }
    var asked = 0
    var collection = GarbageCollection(
      connections: store.connections,
      derivativeUses: store.derivativeUses,
      operation: "collect garbage",
      check: {
        // What is beyond the budget is the last of what is looked for.
        asked += 1
        if asked > 12 { throw CancellationError() }
      },
      report: { _ in }
    )

    #expect(throws: CancellationError.self) { try collection.run(derivativeByteLimit: 0) }

    let left = try total(of: store)
    #expect(left > 0 && left < 8_000_000)
    try await store.collectGarbage()
    #expect(try total(of: store) == 0)
  }

  private func blobs(_ count: Int, in store: SnippetStore) async throws -> [BlobID] {
    var blobs: [BlobID] = []
    for seed in 0..<UInt64(count) {
      let row = try await store.save(Samples.image(Samples.bytes(5000, seed: seed)))
      blobs.append(try #require(row.blobID))
    }
    return blobs
  }

  private func total(of store: SnippetStore) throws -> Int64 {
    try store.connections.read(.scans, to: "test") { try DerivativeWriter.total(in: $0) }
  }

  private func countedTotal(of store: SnippetStore) throws -> Int64 {
    try store.connections.read(.scans, to: "test") { db in
      try Int64.fetchOne(db, sql: "SELECT coalesce(sum(length(data)), 0) FROM derivative") ?? 0
    }
  }
}
