import Foundation
import GRDB
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// A store that joins, or fails to.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct JoiningTests {
  private let place = MemoryPlace()

  @Test func `stores in memory meet as files do`() async throws {
    var devices: [SyncedStore] = []
    for name in ["laptop", "phone"] {
      let store = try TemporaryStore.inMemory()
      let sync = try await StoreSync.join(
        store,
        by: place.carrier(name),
        at: "memory",
        as: name,
        key: devices.first?.sync.key
      )
      devices.append(SyncedStore(name, place, store, sync))
    }
    let (laptop, phone) = (devices[0], devices[1])
    let row = try await laptop.store.save(SnippetDraft(.text("a text")))
    // The larger one is written in steps.
    for byteCount in [300_000, 5 << 20] {
      _ = try await phone.store.save(Samples.image(Samples.bytes(byteCount)))
    }
    for device in [laptop, phone, laptop] { try await device.synchronize() }
    let there = try #require(try phone.row(row.uuid))
    _ = try await laptop.store.apply(SnippetEdit(text: "of the laptop"), to: row.id)
    _ = try await phone.store.apply(SnippetEdit(text: "of the phone"), to: there.id)

    for device in [laptop, phone, laptop, phone] { try await device.synchronize() }

    #expect(try laptop.rows().count == 4)
    #expect(try await laptop.contents() == phone.contents())
    for device in devices { #expect(try await device.synchronize().isEmpty) }
  }

  /// The carrier reads and lists, then writes the mark, and the store commits.
  @Test(arguments: 1...4, CrashPoint.Moment.allCases)
  func `a join that ended at any step goes on with the key that it kept`(
    step: Int,
    moment: CrashPoint.Moment
  ) async throws {
    let crash = CrashPoint()
    let carrier = CrashingCarrier(carrier: place.carrier("laptop"), crash: crash)
    let store = try TemporaryStore.open("laptop.sqlite")
    try store.seam.write(to: "watch commits") { db in
      db.add(transactionObserver: crash, extent: .databaseLifetime)
    }
    var keys: [String: String] = [:]
    crash.arm(at: step, moment)
    crash.count(true)
    var sync = try? await StoreSync.join(store, by: carrier, at: "memory", as: "laptop") {
      keys[$1] = $0
    }
    // A read or a commit ends no process after it.
    #expect((sync == nil) == (moment == .before || step == 3))
    crash.disarm()

    if sync == nil {
      let repository = try await StoreSync.repository(by: carrier)
      #expect((repository == nil) == (step < 3 || (step == 3 && moment == .before)))
      var key: String?
      if let repository { key = keys[repository] }
      sync = try await StoreSync.join(store, by: carrier, at: "memory", as: "laptop", key: key)
    }

    let joined = try #require(sync)
    _ = try await store.save(SnippetDraft(.text("a text")))
    #expect(try await joined.synchronize().sentCount == 1)
    let phone = try await SyncedStore("phone", place, key: joined.key)
    #expect(try await phone.synchronize().receivedCount == 1)
  }

  @Test(arguments: ["\u{1B}[2Jtop", "lap\rtop", "lap\u{2028}top", "\u{2067}top", "lap\u{7F}"])
  func `a name that controls a terminal or the direction of a text is refused`(
    name: String
  ) async throws {
    let store = try TemporaryStore.open("laptop.sqlite")

    let error = await #expect(throws: SyncError.self) {
      try await StoreSync.join(store, by: place.carrier("laptop"), at: "memory", as: name)
    }

    #expect(error?.code == .invalidInput)
    #expect(place.objects.isEmpty)
  }

  @Test(arguments: ["Ida’s 👩‍💻", "نام‌ها", "laptop 2"])
  func `a name in any script is a name`(name: String) async throws {
    let laptop = try await SyncedStore(name, place)

    #expect(try await StoreSync.status(of: laptop.store)?.deviceName == name)
  }

  @Test func `a join whose key cannot be kept changes nothing`() async throws {
    let store = try TemporaryStore.open("laptop.sqlite")
    let carrier = place.carrier("laptop")

    let error = await #expect(throws: SyncError.self) {
      _ = try await StoreSync.join(store, by: carrier, at: "memory", as: "laptop") { _, _ in
        throw CocoaError(.fileWriteNoPermission)
      }
    }

    #expect(error?.code == .failed)
    #expect(error?.underlyingError is CocoaError)
    #expect(place.objects.isEmpty)
    #expect(try await StoreSync.status(of: store) == nil)
    let laptop = try await SyncedStore("other", place)
    let other = await #expect(throws: SyncError.self) {
      _ = try await StoreSync.join(
        store,
        by: carrier,
        at: "memory",
        as: "laptop",
        key: laptop.sync.key
      ) { _, _ in throw CocoaError(.fileWriteNoPermission) }
    }
    #expect(other?.code == .failed)
    #expect(try await StoreSync.status(of: store) == nil)
  }
}
