import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// A store whose file was moved, to another disk or on its own.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct MovedStoreTests {
  private let place = MemoryPlace()

  /// Two stores that agree; the first is closed by the test.
  private func pair() async throws -> (laptop: SyncedStore, phone: SyncedStore) {
    let laptop = try await SyncedStore("laptop", place, isCheckedAtEnd: false)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    _ = try await laptop.store.save(SnippetDraft(.text("milk")))
    for device in [laptop, phone, laptop] { try await device.synchronize() }
    return (laptop, phone)
  }

  /// The devices that a store lists after it has synchronized.
  private func devices(of device: SyncedStore) async throws -> [String] {
    try await device.synchronize()
    return try await StoreSync.devices(of: device.store).map { device in
      device.leftAt == nil ? device.name : "\(device.name) (left)"
    }
    .sorted()
  }

  @Test func `a store that was moved to another disk is listed once`() async throws {
    let (laptop, phone) = try await pair()
    let moved = try await SyncedStore(copying: laptop, as: "moved")
    try await laptop.store.close()
    try FileManager.default.removeItem(at: laptop.file)
    _ = try await moved.store.save(SnippetDraft(.text("eggs")))

    try await moved.synchronize()

    for device in [phone, moved] {
      #expect(try await devices(of: device) == ["laptop", "phone"])
    }
    #expect(try await moved.contents() == phone.contents())
    #expect(try phone.rows().count == 2)
  }

  @Test func `a copy is a device of its own beside its original`() async throws {
    let (laptop, phone) = try await pair()
    let copy = try await SyncedStore(copying: laptop, as: "copy")

    try await copy.synchronize()

    #expect(try await devices(of: phone) == ["laptop", "laptop", "phone"])
    try await laptop.store.close()
  }

  @Test func `a store that a copy took for gone is listed again, and loses no edit`() async throws {
    let (laptop, phone) = try await pair()
    let copy = try await SyncedStore(copying: laptop, as: "copy")
    let device = try #require(try await laptop.sync.records.state()).device
    try await laptop.store.close()
    let file = TemporaryDirectory.file("renamed.sqlite")
    try FileManager.default.moveItem(at: laptop.file, to: file)
    _ = try await copy.store.save(SnippetDraft(.text("of the copy")))
    try await copy.synchronize()
    #expect(try await devices(of: phone) == ["laptop", "phone"])
    let store = try TemporaryStore.open("renamed.sqlite")
    let sync = try await StoreSync(store, by: place.carrier("laptop"), key: phone.sync.key)
    _ = try await store.save(SnippetDraft(.text("of the original")))

    try await sync.synchronize()

    let state = try #require(try await SyncRecords(store: store).state())
    #expect(state.device == device)
    #expect(state.place.hasSuffix("/renamed.sqlite"))
    #expect(try await devices(of: phone) == ["laptop", "laptop", "phone"])
    let renamed = SyncedStore("renamed", place, store, sync)
    for device in [copy, renamed, phone] { try await device.synchronize() }
    #expect(try phone.rows().count == 3)
    #expect(try await copy.contents() == phone.contents())
    #expect(try await renamed.contents() == phone.contents())
  }

  @Test func `a store that has sent nothing since a copy took it for gone is listed again`()
    async throws
  {
    let (laptop, phone) = try await pair()
    let copy = try await SyncedStore(copying: laptop, as: "copy")
    try await laptop.store.close()
    let file = TemporaryDirectory.file("renamed.sqlite")
    try FileManager.default.moveItem(at: laptop.file, to: file)
    try await copy.synchronize()
    let store = try TemporaryStore.open("renamed.sqlite")
    let sync = try await StoreSync(store, by: place.carrier("laptop"), key: phone.sync.key)

    #expect(try await sync.synchronize().sentCount == 0)

    #expect(try await devices(of: phone) == ["laptop", "laptop", "phone"])
  }

  @Test func `a file is abandoned where its disk is there without it`() throws {
    let file = TemporaryDirectory.file("store.sqlite")
    try Data("a".utf8).write(to: file)
    let former = StorePlace.of(file.path, on: "host")
    let here = "host 1 1 /elsewhere"
    #expect(StorePlace.areSameFile(former, "\(former) moved"))
    #expect(!StorePlace.areSameFile(former, here))
    #expect(!StorePlace.isAbandoned(former, for: here))

    try FileManager.default.moveItem(at: file, to: TemporaryDirectory.file("moved.sqlite"))

    #expect(StorePlace.isAbandoned(former, for: here))
    #expect(!StorePlace.isAbandoned(former, for: "other 1 1 /elsewhere"))
    #expect(!StorePlace.isAbandoned("host 0 7 \(file.path)", for: here))
    #expect(!StorePlace.isAbandoned("host 0 7 /no/such/disk/store.sqlite", for: here))
    #expect(!StorePlace.isAbandoned("host 0 7", for: here))
    #expect(!StorePlace.isAbandoned("memory", for: "memory"))
    // Another file is there by now.
    try Data("b".utf8).write(to: file)
    #expect(StorePlace.isAbandoned(former, for: here))
  }
}
