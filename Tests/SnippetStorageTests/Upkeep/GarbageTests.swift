import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct GarbageTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `what nothing refers to is found and removed, and nothing else`() async throws {
    let store = try TemporaryStore.open()
    let kept = try await store.save(SnippetDraft(.text("kept"), tags: ["kept"]))
    let picture = try await store.save(Samples.image(Samples.bytes(600_000), tags: ["kept"]))
    let trashed = try await store.save(Samples.image(Samples.bytes(1000, seed: 5)))
    try await store.moveToTrash([trashed.id])
    let lost = try await store.save(SnippetDraft(.text("lost"), tags: ["lost", "kept"]))
    let lostPicture = try await store.save(Samples.image(Samples.bytes(900_000, seed: 2)))
    let halfPicture = try await store.save(Samples.image(Samples.bytes(700_000, seed: 3)))
    for row in [picture, lostPicture, halfPicture] {
      let blob = try #require(row.blobID)
      try await store.saveDerivatives([
        Derivative(blobID: blob, recipe: Recipe("small"), data: Data("small".utf8))
      ])
    }
    // A snippet without its text's and tags' knowledge; a snippet without its blob's; and that of a
    // blob without its chunks'.
    try store.runWithoutTriggers(
      """
      DELETE FROM snippet WHERE id IN (\(lost.id), \(lostPicture.id), \(halfPicture.id));
      DELETE FROM blob WHERE id = \(try #require(halfPicture.blobID));
      """
    )
    let before = try await store.check()
    #expect(!before.isSound)

    let report = try await store.collectGarbage()

    #expect(report.textCount == 1)
    #expect(report.tagCount == 2)
    #expect(report.blobCount == 1)
    #expect(report.chunkCount == 3)
    #expect(report.derivativeCount == 1)
    #expect(report.freedByteCount >= 1_600_000)
    #expect(!report.isClean)
    let after = try await store.check()
    #expect(after.problems == [])
    #expect(after.blobCount == 2 && after.derivativeCount == 1)
    #expect(try await store.tags().map(\.name) == ["kept"])
    #expect(try await store.text(of: kept.id) == "kept")
    #expect(try await store.content(of: picture.id) == Samples.bytes(600_000))
    #expect(try await store.collectGarbage().isClean)
  }

  @Test func `a recording in progress is no garbage, and what is left of a discarded one is`()
    async throws
  {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(1_500_000)
    let capture = try await store.startCapture(kind: .voice, mediaType: "audio/x-sample")
    try await capture.append(bytes)
    try await capture.save()
    let discarded = try await store.startCapture(kind: .voice, mediaType: "audio/x-sample")
    try await discarded.append(bytes)
    try await discarded.save()
    let id = try #require(try await store.captures().map(\.id).max { $0.rawValue < $1.rawValue })
    // As a crash leaves it that comes before the first of its chunks is taken away.
    try await store.connections.write(to: "discard") { try CaptureStatements(db: $0).discard(id) }

    let chunkCount = bytes.count / BlobChunks.size
    #expect(try await store.collectGarbage().chunkCount == chunkCount)

    let counts = try await store.connections.read(.scans, to: "count") { db in
      try Row.fetchOne(
        db,
        sql: "SELECT (SELECT count(*) FROM blob_chunk), (SELECT count(*) FROM staged_blob)"
      ).map { [$0[0], $0[1]] as [Int] }
    }
    #expect(counts == [chunkCount, 1])
    let row = try await capture.finish()
    #expect(try await store.content(of: row.id) == bytes)
  }

  // Those of a damaged file can be any number.
  @Test(arguments: [-1, 0, 1 << 20, Int64.max, Int64.min])
  func `chunks of no blob are found wherever they are`(id: Int64) async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(Samples.image(Samples.bytes(600_000)))
    try await store.delete([row.id])
    try await store.save(Samples.image(Samples.bytes(600_000, seed: 2)))
    try store.runWithoutTriggers("INSERT INTO blob_chunk VALUES (\(id), X'00')")

    let report = try await store.collectGarbage()

    #expect(report.chunkCount == 1)
    #expect(try await store.check().isSound)
    #expect(try await store.collectGarbage().chunkCount == 0)
  }

  @Test(arguments: StorePlace.allCases)
  func `free room goes back to the file system`(_ place: StorePlace) async throws {
    let store = try place.open()
    var ids: [SnippetID] = []
    for seed in 0..<30 as Range<UInt64> {
      ids.append(try await store.save(Samples.image(Samples.bytes(1_000_000, seed: seed))).id)
    }
    // Every other one, so that pages have to move.
    try await store.delete(ids.filter { $0.rawValue % 2 == 0 })
    let progress = Lock<[StoreProgress]>([])

    let report = try await store.collectGarbage { step in progress.withLock { $0.append(step) } }

    let information = try await store.information()
    #expect(information.freeByteCount == 0)
    #expect(report.freedByteCount >= 14_900_000)
    #expect(information.fileByteCount < 15_800_000)
    let steps = progress.withLock { $0 }
    #expect(steps.count > 1)
    #expect(steps.map(\.completedByteCount) == steps.map(\.completedByteCount).sorted())
    #expect(steps.last?.completedByteCount == steps.last?.totalByteCount)
    for id in ids where id.rawValue % 2 == 1 {
      let content = try await store.content(of: id)
      #expect(content == Samples.bytes(1_000_000, seed: UInt64(id.rawValue - 1)))
    }
    guard place != .memory else { return }
    #expect(try FileSystem.byteCount(of: file) == information.fileByteCount)
    print("gc: longest step", report.longestStep)
  }

  @Test func `nothing is done to a store that needs nothing`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(Samples.image(Samples.bytes(1000)))
    let known = try await store.lastChange

    let report = try await store.collectGarbage()

    #expect(report.isClean && report.freedByteCount == 0)
    #expect(try await store.lastChange == known)
  }

  @Test func `a cancelled collection ends, and the next one does the rest`() async throws {
    let store = try TemporaryStore.open()
    for seed in 0..<40 as Range<UInt64> {
      try await store.save(Samples.image(Samples.bytes(1_000_000, seed: seed)))
    }
    try await store.delete((1...40).map { SnippetID(rawValue: $0) })
    let canceller = Canceller()

    let code = await errorCode {
      try await canceller.run { try await store.collectGarbage { _ in canceller.cancel() } }
    }

    #expect(code == .cancelled)
    #expect(try await store.information().freeByteCount > 0)
    try await store.collectGarbage()
    #expect(try await store.information().freeByteCount == 0)
    #expect(try await store.information().fileByteCount < 1_000_000)
  }

  // collection             others
  // gives a step back ───▶ save, and read rows
  @Test func `others read and write between the steps`() async throws {
    let store = try TemporaryStore.open()
    let other = try TemporaryStore.open()
    for seed in 0..<20 as Range<UInt64> {
      try await store.save(Samples.image(Samples.bytes(1_000_000, seed: seed)))
    }
    try await store.delete((1...19).map { SnippetID(rawValue: $0) })
    let saved = Lock(0)

    try await store.collectGarbage { _ in
      #expect(throws: Never.self) {
        try Threads.wait { try await other.save(SnippetDraft(.text("meanwhile"))) }
      }
      saved.withLock { $0 += 1 }
    }

    #expect(saved.withLock { $0 } > 0)
    #expect(try store.list().count == 1 + saved.withLock { $0 })
  }
}
