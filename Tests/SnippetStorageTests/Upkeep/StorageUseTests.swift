import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct StorageUseTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `the parts add up to the file, and each is what its pages take`() async throws {
    let store = try await filledStore()

    let use = try await store.storageUse()

    let information = try await store.information()
    #expect(use.isMeasured)
    #expect(use.fileByteCount == information.fileByteCount)
    #expect(use.freeByteCount == information.freeByteCount && use.freeByteCount > 0)
    #expect(use.logByteCount == information.logByteCount)
    let pages = try await Shell.sqlite3(
      file,
      """
      SELECT sum(pgsize) FROM dbstat WHERE name = 'blob_chunk' AND aggregate = TRUE;
      SELECT sum(pgsize) FROM dbstat WHERE name = 'snippet_text' AND aggregate = TRUE;
      SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'search_%' AND aggregate = TRUE
      """
    )
    #expect(
      pages.standardOutput.split(separator: "\n").compactMap { Int64($0) } == [
        use.originalByteCount, use.textByteCount, use.searchIndexByteCount,
      ]
    )
    #expect(use.derivativeByteCount >= 50_000 && use.derivativeByteCount < 100_000)
    #expect(use.indexByteCount > 0 && use.rowByteCount > 0)
  }

  @Test func `where nothing can be measured, the parts add up all the same`() async throws {
    let store = try await filledStore()

    let use = try await store.connections.read(.scans, to: "test") { db in
      try StorageCount(db: db, measures: false).use(logByteCount: 0)
    }

    let information = try await store.information()
    #expect(!use.isMeasured)
    #expect(use.fileByteCount == information.fileByteCount)
    #expect(use.originalByteCount == information.blobByteCount)
    #expect(use.derivativeByteCount == 50_000)
    #expect(use.textByteCount == 16 + 6)
    #expect(use.searchIndexByteCount > 0)
    #expect(use.rowByteCount > 0)
  }

  @Test func `what snippets hold is told by kind, tag and month, the trash apart`() async throws {
    let store = try await filledStore()

    let use = try await store.storageUse()

    func share(_ count: Int, _ bytes: Int64) -> StorageUse.Share {
      var share = StorageUse.Share()
      (share.snippetCount, share.byteCount) = (count, bytes)
      return share
    }
    #expect(
      use.kinds == [.text: share(1, 16), .image: share(2, 400_000), .voice: share(1, 70_000)]
    )
    #expect(use.tags.map(\.name) == ["Home", "sea"])
    #expect(use.tags.map(\.share) == [share(2, 200_016), share(2, 400_000)])
    #expect(use.months.map(\.month) == ["1969-12", "2026-01"])
    #expect(use.months.map(\.share) == [share(1, 70_000), share(3, 400_016)])
    #expect(use.trash == share(1, 6))
    #expect(use.sharedByteCount == 200_000)
  }

  @Test(arguments: StorePlace.allCases)
  func `an empty store has parts too`(_ place: StorePlace) async throws {
    let use = try await place.open().storageUse()

    #expect(use.originalByteCount > 0 && use.originalByteCount <= 16_384)
    #expect(use.tags.isEmpty && use.months.isEmpty)
    #expect(use.sharedByteCount == 0)
  }

  // The shell can give a text without a body any size, if it is told to ignore the rules.
  @Test(arguments: [false, true])
  func `sizes that are too large to be added up count as the largest`(
    isMeasured: Bool
  ) async throws {
    let store = try SnippetStore(at: file)
    _ = try await Shell.sqlite3(
      file,
      """
      PRAGMA ignore_check_constraints = ON;
      INSERT INTO snippet (kind, byte_count) VALUES (1, \(Int64.max)), (1, \(Int64.max));
      INSERT INTO snippet (kind, byte_count, deleted_at)
        VALUES (1, \(Int64.max), 1), (1, \(Int64.max), 1);
      UPDATE derivative_total SET byte_count = \(Int64.max);
      """
    )

    let use = try await store.connections.read(.scans, to: "test") { db in
      try StorageCount(db: db, measures: isMeasured).use(logByteCount: 0)
    }

    #expect(use.kinds[.text]?.byteCount == .max && use.kinds[.text]?.snippetCount == 2)
    #expect(use.trash.byteCount == .max && use.months.first?.share.byteCount == .max)
    #expect(use.fileByteCount > 0 && use.sharedByteCount == 0)
    try await store.close()
  }

  private func filledStore() async throws -> SnippetStore {
    let store = try TemporaryStore.open()
    let picture = Samples.bytes(200_000)
    let row = try await store.save(
      Samples.image(picture, tags: ["sea"], createdAt: Samples.date)
    )
    try await store.save(Samples.image(picture, tags: ["sea", "Home"], createdAt: Samples.date))
    try await store.save(
      Samples.voice(Samples.bytes(70_000), createdAt: Date(timeIntervalSince1970: -1))
    )
    try await store.save(
      SnippetDraft(.text("sixteen letters!"), tags: ["home"], createdAt: Samples.date)
    )
    let trashed = try await store.save(SnippetDraft(.text("gone  "), tags: ["sea"]))
    try await store.moveToTrash([trashed.id])
    let deleted = try await store.save(Samples.image(Samples.bytes(300_000, seed: 9)))
    try await store.saveDerivatives([
      Derivative(
        blobID: try #require(row.blobID),
        recipe: Recipe("small"),
        data: Samples.bytes(50_000)
      )
    ])
    try await store.delete([deleted.id])
    try await store.updateSearchIndex()
    return store
  }
}
