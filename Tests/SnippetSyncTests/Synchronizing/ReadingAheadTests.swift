import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetSync

/// Stores that meet in a folder, from which several objects are read at once.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ReadingAheadTests {
  private let folder = TemporaryDirectory.file("meeting")

  private func join(_ name: String, key: String? = nil) async throws -> (SnippetStore, StoreSync) {
    let store = try TemporaryStore.open("\(name).sqlite")
    let carrier = FolderCarrier(folder)
    return (store, try await StoreSync.join(store, by: carrier, at: "folder", as: name, key: key))
  }

  private func texts(of store: SnippetStore) throws -> Set<String> {
    let list = store.list()
    return Set(
      try list.page(0..<list.count).rows.map { "\($0.uuid) \($0.byteCount) \($0.preview)" }
    )
  }

  @Test func `log files and blobs that are read ahead arrive whole, up to a damaged one`()
    async throws
  {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (laptop, sync) = try await join("laptop")
    for number in 0..<150 {
      let text = String(repeating: "text \(number) ", count: 6_000)
      _ = try await laptop.save(SnippetDraft(.text(String(text.prefix(60_000)))))
    }
    for seed in 0..<5 as Range<UInt64> {
      _ = try await laptop.save(Samples.image(Samples.bytes(9_000_000, seed: seed)))
    }
    #expect(try await sync.synchronize().sentCount == 155)
    let logs = try #require(FileManager.default.enumerator(atPath: folder.path)?.allObjects)
      .compactMap { $0 as? String }
      // The folder of a device may end with 3 too.
      .filter { $0.split(separator: "/").count == 3 && $0.hasPrefix("log/") && $0.hasSuffix("3") }
    let last = folder.appendingPathComponent(try #require(logs.first))
    let bytes = try Data(contentsOf: last)
    let (phone, phoneSync) = try await join("phone", key: sync.key)

    try Data("damaged".utf8).write(to: last)
    let first = try await phoneSync.synchronize()
    try bytes.write(to: last)
    let second = try await phoneSync.synchronize()

    #expect(first.held.count == 1)
    #expect(first.receivedCount > 0 && second.receivedCount > 0)
    #expect(first.receivedCount + second.receivedCount == 155)
    #expect(first.receivedBlobCount + second.receivedBlobCount == 5)
    #expect(try texts(of: phone) == texts(of: laptop))
    #expect(try await phone.check().isSound)
    #expect(try await phoneSync.synchronize().isEmpty)
  }

  @Test func `log files behind the first are sent at once, and none counts before all are there`()
    async throws
  {
    let place = MemoryPlace()
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    for number in 100..<300 {
      let text = String(repeating: "text \(number) ", count: 6_000)
      _ = try await laptop.store.save(SnippetDraft(.text(text)))
    }
    let failing = LosingSecondLog(carrier: place.carrier("laptop"))
    let sync = try await StoreSync(laptop.store, by: failing, key: laptop.sync.key)

    let error = await #expect(throws: SyncError.self) { try await sync.synchronize() }

    #expect(error?.code == .unreachable)
    let logs = place.objects.keys.filter { $0.hasPrefix("log/") }.map { $0.suffix(1) }
    #expect(logs.sorted() == ["1", "3"])
    #expect(try await phone.sync.synchronize().receivedCount == 0)
    let before = place.objects
    try await laptop.sync.synchronize()
    #expect(before.allSatisfy { name, object in place.objects[name] == object })
    #expect(try await phone.sync.synchronize().receivedCount == 200)
    #expect(try await laptop.sync.synchronize().isEmpty)
  }

  @Test func `what was sealed and could not be sent counts as unsent until it is`() async throws {
    let place = MemoryPlace()
    let laptop = try await SyncedStore("laptop", place)
    for number in 1...2 {
      let failing = LosingSecondLog(carrier: place.carrier("laptop"))
      let sync = try await StoreSync(laptop.store, by: failing, key: laptop.sync.key)
      _ = try await laptop.store.save(SnippetDraft(.text("note \(number)")))
      if number == 1 {
        try await sync.synchronize()
      } else {
        let error = await #expect(throws: SyncError.self) { try await sync.synchronize() }
        #expect(error?.code == .unreachable)
      }
    }

    let unsent = try await StoreSync.status(of: laptop.store)
    try await laptop.sync.synchronize()
    let sent = try await StoreSync.status(of: laptop.store)

    for (status, count) in [(unsent, 1), (sent, 0)] {
      #expect(status?.unsentCount == count)
      #expect(status?.unsentFileCount == count)
    }
  }

  @Test func `a blob that snippets of several transactions have is fetched once`()
    async throws
  {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (laptop, sync) = try await join("laptop")
    let bytes = Samples.bytes(17_000_000)
    for number in 1...5 {
      _ = try await laptop.save(Samples.voice(bytes, title: "recording \(number)"))
    }
    #expect(try await sync.synchronize().sentBlobCount == 1)
    let (phone, phoneSync) = try await join("phone", key: sync.key)

    let report = try await phoneSync.synchronize()

    #expect(report.receivedCount == 5)
    #expect(report.receivedBlobCount == 1)
    #expect(report.receivedByteCount == 17_000_000)
    #expect(try texts(of: phone) == texts(of: laptop))
    #expect(try await phone.check().isSound)
  }

  @Test func `small blobs are sent while many changes are captured`() async throws {
    let place = MemoryPlace()
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    let store = laptop.store
    _ = try await store.save(Samples.image(Samples.bytes(50_000)))
    _ = try await store.save(Samples.image(Samples.bytes(3_000_000, seed: 2)))
    try store.seam.write(to: "leave a gap") { db in
      try db.run("UPDATE sqlite_sequence SET seq = seq + 20000 WHERE name = 'change'", [])
    }
    let carrier = NoticingCarrier(carrier: place.carrier("laptop"))
    let sync = try await StoreSync(store, by: carrier, key: laptop.sync.key)
    let isHeld = Gate()
    // As long as another writer has the store, nothing is captured.
    let holding = Task {
      await OwnThreads.run {
        try? store.seam.write(to: "hold") { _ in
          isHeld.open()
          return carrier.hasBlob.wait(timeout: .now() + 60) == .success
        }
      }
    }
    await isHeld.untilOpen()

    let report = try await sync.synchronize()

    #expect(await holding.value == true)
    #expect((report.sentCount, report.sentBlobCount, report.unreadBlobCount) == (2, 2, 0))
    #expect(try await phone.sync.synchronize().receivedBlobCount == 2)
    #expect(try await phone.contents() == laptop.contents())
  }
}

/// A carrier of several transfers that tells when a blob has come.
private struct NoticingCarrier: PassingCarrier {
  let carrier: MemoryCarrier
  let transferLimit = 4
  let hasBlob = DispatchSemaphore(value: 0)

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    try await carrier.write(data, as: name, isNew: isNew)
    if name.hasPrefix("blob/") { hasBlob.signal() }
  }
}

/// A carrier of several transfers that cannot write the second log file.
private struct LosingSecondLog: PassingCarrier {
  let carrier: MemoryCarrier
  let transferLimit = 4

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    guard !name.hasPrefix("log/") || !name.hasSuffix("2") else {
      throw SyncError(.unreachable, "write \(name)", because: "the place fails")
    }
    try await carrier.write(data, as: name, isNew: isNew)
  }
}
