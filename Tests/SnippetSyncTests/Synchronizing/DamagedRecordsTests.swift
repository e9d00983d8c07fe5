import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// A store whose records of the synchronization hold what only damage can have written.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct DamagedRecordsTests {
  private let place = MemoryPlace()

  /// A store with a text and a picture that has sent both, and then was damaged.
  private func store(damagedBy sql: String) async throws -> SyncedStore {
    let laptop = try await SyncedStore("laptop", place, isCheckedAtEnd: false)
    _ = try await laptop.store.save(SnippetDraft(.text("milk")))
    _ = try await laptop.store.save(Samples.image(Samples.bytes(70_000)))
    try await laptop.sync.synchronize()
    try laptop.store.seam.write(to: "damage") { db in
      try db.execute(
        sql: """
          PRAGMA ignore_check_constraints = ON; \(sql); PRAGMA ignore_check_constraints = OFF;
          """
      )
    }
    return laptop
  }

  @Test(arguments: [
    "DELETE FROM sync_device; UPDATE sync_row SET pending = 1",
    "UPDATE sync_device SET id = 9223372036854775807; UPDATE sync_row SET pending = 1",
    "UPDATE sync_state SET sealed = 9223372036854775807; UPDATE sync_row SET pending = 1",
    "INSERT INTO sync_unread VALUES (zeroblob(16), 1, 0, x'0102', '{}')",
  ])
  func `a synchronization of damaged records fails`(sql: String) async throws {
    let laptop = try await store(damagedBy: sql)
    // From its head the device would be known again.
    if sql.hasPrefix("DELETE") {
      for name in place.objects.keys where name.hasPrefix("device/") { place.put(nil, as: name) }
    }

    let error = await #expect(throws: SyncError.self) { try await laptop.sync.synchronize() }

    #expect(error?.code == .store)
    #expect(error?.description.contains("damaged") == true, "\(String(describing: error))")
  }

  @Test func `a blob of a negative size is not sent, and all else is`() async throws {
    let laptop = try await store(
      damagedBy: """
        DROP TRIGGER blob_on_update; UPDATE blob SET byte_count = -1;
        CREATE TRIGGER blob_on_update BEFORE UPDATE ON blob
        BEGIN
          SELECT RAISE(ABORT, 'a blob never changes: save the new bytes as another blob');
        END;
        DELETE FROM sync_blob; UPDATE sync_row SET pending = 1
        """
    )

    let report = try await laptop.sync.synchronize()

    #expect(report.unreadBlobCount == 1)
    #expect(report.sentCount == 1)
    #expect(try await laptop.sync.check().faults.isEmpty)
  }

  @Test func `more log files than a device ever sends are not written again`() async throws {
    let laptop = try await store(
      damagedBy: "UPDATE sync_state SET sealed = 9223372036854775807, sent = 9223372036854775807"
    )
    let objects = place.objects

    let error = await #expect(throws: SyncError.self) {
      try await laptop.sync.check(repairing: true)
    }

    #expect(error?.code == .store)
    #expect(error?.reason.contains("log files of this device are missing") == true)
    #expect(error?.recoverySuggestion?.contains("leave --forget") == true)
    #expect(place.objects == objects)
  }

  @Test func `a last change with a number that none has is taken for a lost record`() throws {
    let store = try TemporaryStore.open("alone.sqlite")
    try store.seam.write(to: "look") { db in
      for (number, last) in [(5, .min), (.min, 5), (.max, .min), (-1, .max)] as [(Int64, Int64)] {
        let found = try ChangedSnippets.recorded(after: number, upTo: last, limit: 9, in: db)
        #expect(found == nil)
      }
    }
  }
}
