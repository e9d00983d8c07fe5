import Foundation
import GRDB
import Migrations
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory)
struct InformationTests {
  @Test(arguments: StorePlace.allCases)
  func `a store tells how much it holds`(_ place: StorePlace) async throws {
    let store = try place.open()
    _ = try await store.save(SnippetDraft(.text("text"), tags: ["a", "b"]))
    _ = try await store.save(SnippetDraft(.text(Samples.longText()), tags: ["b"]))
    _ = try await store.save(Samples.image(Samples.bytes(1000)))
    for _ in 0..<2 { _ = try await store.save(Samples.voice(Samples.bytes(300_000))) }

    let information = try await store.information()

    #expect(information.url == store.url)
    #expect(information.schemaVersion == Migrations.latestVersion)
    #expect(information.snippetCounts == [.text: 2, .image: 1, .voice: 2])
    #expect(information.tagCount == 2)
    #expect(information.blobCount == 3)
    #expect(information.blobByteCount == Int64(Samples.longText().utf8.count) + 301_000)
    #expect(information.fileByteCount > information.blobByteCount)
    #expect((information.logByteCount > 0) == (place != .memory))
    #expect(information.freeByteCount == 0)
  }

  @Test(arguments: StorePlace.allCases)
  func `an empty store tells that it is`(_ place: StorePlace) async throws {
    let information = try await place.open().information()

    #expect(information.snippetCounts == [.text: 0, .image: 0, .voice: 0])
    #expect(information.tagCount == 0)
    #expect(information.blobCount == 0)
    #expect(information.blobByteCount == 0)
  }

  @Test func `what was deleted is free for new content`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(Samples.image(Samples.bytes(1 << 20)))
    let before = try await store.information()
    try await store.delete([row.id])

    let after = try await store.information()

    #expect(after.freeByteCount >= 1 << 20)
    #expect(after.fileByteCount == before.fileByteCount)
    _ = try await store.save(Samples.image(Samples.bytes(1 << 20, seed: 2)))
    #expect(try await store.information().fileByteCount == before.fileByteCount)
  }

  @Test func `sizes are those of the files`() async throws {
    let store = try TemporaryStore.open()
    _ = try await store.save(Samples.image(Samples.bytes(1 << 20)))
    let information = try await store.information()
    func size(_ suffix: String) throws -> Int64? {
      let path = TemporaryDirectory.file("store.sqlite").path + suffix
      return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
    }
    #expect(try size("-wal") == information.logByteCount)

    try await store.close()

    #expect(try size("") == information.fileByteCount)
  }

  @Test func `the version of SQLite is that of the library in use`() async throws {
    let store = try TemporaryStore.inMemory()
    let row = try #require(try store.rows(of: "SELECT sqlite_version()").first)

    #expect(try await store.information().sqliteVersion == row[0] as String)
  }

  @Test(
    arguments: [
      ("3.7.0", true), ("3.40.1", true), ("3.44.5", true), ("3.44.6", false), ("3.44.10", false),
      ("3.45.0", true), ("3.50.6", true), ("3.50.7", false), ("3.51.0", true), ("3.51.2", true),
      ("3.51.3", false), ("3.52.0", false), ("4.0.0", false), ("", true), ("unknown", true),
    ]
  )
  func `which versions have the log-reset bug`(_ version: String, _ hasBug: Bool) {
    #expect(StoreInformation.hasLogResetBug(version) == hasBug)
  }
}
