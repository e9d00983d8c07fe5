import GRDB
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetSync

/// Repairs that synchronize to replace lost log files of another device.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct RepairReportTests {
  private let place = MemoryPlace()

  /// Removes the first log file of a device.
  private func loseFirstLog(of device: SyncedStore) async throws {
    let id = try #require(try await device.sync.records.state()).device
    let name = ObjectName.log(id, number: 1).rawValue
    #expect(place.objects[name] != nil)
    place.put(nil, as: name)
  }

  @Test func `a repair reports what it received`() async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("milk")))
    _ = try await pair.laptop.store.save(SnippetDraft(.text("bread")))
    try await pair.laptop.synchronize()
    try await loseFirstLog(of: pair.laptop)

    let check = try await pair.phone.sync.check(repairing: true)

    #expect((check.faults.count, check.mendedCount) == (1, 1))
    #expect(check.report?.receivedCount == 1)
    #expect(check.hindrance == nil)
  }

  @Test func `a repair that would remove much counts what it has mended before`() async throws {
    let pair = try await SyncedPair(place)
    let rows = try await (0..<60).asyncMap { number in
      try await pair.laptop.store.save(SnippetDraft(.text("note \(number)")))
    }
    for device in [pair.laptop, pair.phone] { try await device.synchronize() }
    _ = try await pair.phone.store.save(SnippetDraft(.text("of the phone")))
    try await pair.phone.synchronize()
    _ = try await pair.laptop.store.delete(rows.map(\.id))
    try await pair.laptop.synchronize()
    for device in [pair.laptop, pair.phone] { try await loseFirstLog(of: device) }

    let check = try await pair.phone.sync.check(repairing: true)

    #expect((check.faults.count, check.mendedCount) == (2, 1))
    #expect(check.hindrance?.code == .manyRemovals)
    #expect(check.report == nil)
    #expect(try pair.phone.rows().count == 61)
    try await pair.phone.synchronize()
    let again = try await pair.phone.sync.check(repairing: true)
    #expect((again.faults.count, again.mendedCount) == (1, 1))
    #expect(again.hindrance == nil)
    #expect(try await pair.phone.sync.check(readingAll: true).isIntact)
  }

  @Test func `a repair that cannot read a blob to send says so`() async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("milk")))
    let damaged = try await pair.phone.store.save(Samples.image(Samples.bytes(300_000)))
    let blob = try #require(damaged.blobID)
    try pair.phone.store.seam.write(to: "damage a blob") { db in
      try db.withoutTriggers {
        try db.execute(
          sql: "UPDATE blob_chunk SET data = zeroblob(length(data)) WHERE id = ? << 20",
          arguments: [blob.rawValue]
        )
      }
    }
    try await loseFirstLog(of: pair.laptop)

    let check = try await pair.phone.sync.check(repairing: true)

    #expect((check.faults.count, check.mendedCount) == (1, 0))
    #expect(check.report?.unreadBlobCount == 1)
    #expect(check.hindrance?.reason.contains("this store cannot read 1 blob") == true)
    _ = try await pair.phone.store.delete([damaged.id])
    #expect(try await pair.phone.sync.check(repairing: true).mendedCount == 1)
  }
}
