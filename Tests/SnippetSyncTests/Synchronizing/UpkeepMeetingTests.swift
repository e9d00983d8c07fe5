import Foundation
import SnippetRescue
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// Upkeep of a store that has joined a repository.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct UpkeepMeetingTests {
  private let place = MemoryPlace()

  @Test func `a backup that is opened at another place is a device of its own`() async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("shared")))
    let backup = TemporaryDirectory.file("backup.sqlite")
    _ = try await pair.laptop.store.backUp(to: backup)
    let unsent = try await pair.laptop.store.save(SnippetDraft(.text("after the backup")))
    try await pair.meet()

    try FileManager.default.copyItem(at: backup, to: TemporaryDirectory.file("moved.sqlite"))
    let moved = try TemporaryStore.open("moved.sqlite")
    let sync = try await StoreSync(moved, by: place.carrier("moved"), key: pair.laptop.sync.key)
    let report = try await sync.synchronize()

    // It gets back what its former device has sent since.
    #expect(report.receivedCount == 1)
    #expect(try moved.list().rows(in: 0..<2).map(\.uuid).contains(unsent.uuid))
    try await pair.meet()
    #expect(try await StoreSync.devices(of: pair.phone.store).count == 3)
    #expect(try await sync.synchronize().isEmpty)
  }

  @Test func `a store that was salvaged joins anew, and equal snippets stay one`() async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("a text"), title: "title", tags: ["tag"]))
    _ = try await pair.share(Samples.image(Samples.bytes(30_000)))
    let edited = try await pair.share(SnippetDraft(.text("first"))).onLaptop
    _ = try await pair.laptop.store.apply(SnippetEdit(text: "not sent yet"), to: edited.id)
    let file = try #require(pair.laptop.store.url)
    try await pair.laptop.store.close()
    let report = try await SnippetStore.salvage(
      from: file,
      to: TemporaryDirectory.file("salvaged.sqlite")
    )
    #expect(report.isComplete)

    let salvaged = try await SyncedStore("salvaged", place, key: pair.laptop.sync.key)
    #expect(try salvaged.rows().count == 3)
    for _ in 0..<2 {
      for device in [salvaged, pair.phone] { try await device.synchronize() }
    }

    #expect(try await salvaged.contents() == pair.phone.contents())
    let texts = try await pair.phone.rows().filter { $0.kind == .text }.asyncMap { row in
      try await pair.phone.store.text(of: row.id)
    }
    // A store that was salvaged has forgotten which version it had replaced.
    #expect(Set(texts) == ["a text", "first", "not sent yet"])
    #expect(try pair.phone.rows().filter { $0.kind == .image }.count == 1)
  }

  @Test func `a repair and a check of a synchronized store change nothing for others`()
    async throws
  {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("a text")))
    _ = try await pair.share(Samples.image(Samples.bytes(30_000)))
    let objects = place.objects

    #expect(try await pair.laptop.store.check().isSound)
    try pair.laptop.store.seam.write(to: "damage the store") { db in
      try db.run("DELETE FROM search_index WHERE rowid = 1", [])
    }
    #expect(try await pair.laptop.store.repair().check.isSound)
    #expect(try await pair.laptop.store.collectGarbage().isClean)
    _ = try await pair.laptop.store.purge()

    for device in [pair.laptop, pair.phone] { #expect(try await device.synchronize().isEmpty) }
    #expect(place.objects == objects)
  }

  @Test func `a store whose schema was altered is not synchronized, and says so`() async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("a text")))
    let key = pair.laptop.sync.key
    let file = try #require(pair.laptop.store.url)
    try await pair.laptop.store.close()
    let objects = place.objects
    _ = try await Shell.sqlite3(
      file,
      "CREATE TRIGGER z AFTER INSERT ON snippet BEGIN DELETE FROM snippet; END"
    )
    _ = try await pair.phone.store.save(SnippetDraft(.text("another")))
    try await pair.phone.synchronize()

    let error = await #expect(throws: (any Error).self) {
      try await synchronizeStore(at: file, key: key)
    }

    #expect("\(try #require(error))".contains("trigger z"))
    #expect(place.objects.count > objects.count)
    _ = try await Shell.sqlite3(file, "DROP TRIGGER z")
    #expect(try await synchronizeStore(at: file, key: key).receivedCount == 1)
  }

  private func synchronizeStore(at file: URL, key: String) async throws -> SyncReport {
    let store = try SnippetStore(at: file)
    let result: Result<SyncReport, any Error>
    do {
      let sync = try await StoreSync(store, by: place.carrier("laptop"), key: key)
      result = .success(try await sync.synchronize())
    } catch {
      result = .failure(error)
    }
    try await store.close()
    return try result.get()
  }

  @Test func `an edit with the shell is sent like any other`() async throws {
    let pair = try await SyncedPair(place)
    let (row, _) = try await pair.share(SnippetDraft(.text("a text"), title: "before"))
    let output = try await Shell.sqlite3(
      try #require(pair.laptop.store.url),
      "UPDATE snippet SET title = 'by the shell' WHERE id = \(row.id.rawValue)"
    )
    #expect(output.status == 0)

    try await pair.meet()

    #expect(try pair.phone.row(row.uuid)?.title == "by the shell")
  }
}
