import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

import struct SystemPackage.Errno

@testable import SnippetSync

/// Blobs that one snippet loses and another one gets in the same synchronization.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BlobMeetingTests {
  private let place = MemoryPlace()

  /// Two identities, the first of them before or after the second.
  private static let orders = [
    [identity(1), identity(2)], [identity(2), identity(1)],
  ]

  private static func identity(_ number: Int) -> UUID {
    UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)") ?? UUID()
  }

  private func text(_ number: Int) -> String {
    String(repeating: "text \(number) ", count: 20_000)
  }

  private func picture(_ bytes: Data, _ uuid: UUID? = nil) -> SnippetDraft {
    SnippetDraft(.bytes(bytes), kind: .image, mediaType: "image/x-sample", uuid: uuid)
  }

  /// Removes all blobs from the repository, so that only the stores have them.
  private func loseBlobs() {
    for name in place.objects.keys where name.hasPrefix("blob/") { place.put(nil, as: name) }
  }

  @Test(arguments: orders, [true, false])
  func `a picture that was deleted for good and added again arrives`(
    uuids: [UUID],
    isLost: Bool
  ) async throws {
    let pair = try await SyncedPair(place)
    let bytes = Samples.bytes(200_000)
    let (row, _) = try await pair.share(picture(bytes, uuids[0]))
    _ = try await pair.laptop.store.delete([row.id])
    try await pair.laptop.synchronize()
    _ = try await pair.laptop.store.save(picture(bytes, uuids[1]))
    try await pair.laptop.synchronize()
    if isLost { loseBlobs() }

    let report = try await pair.phone.synchronize()

    #expect(report.receivedBlobCount == 0)
    #expect(try pair.phone.rows().map(\.uuid) == [uuids[1]])
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test(arguments: orders)
  func `texts that two snippets exchanged arrive`(uuids: [UUID]) async throws {
    let pair = try await SyncedPair(place)
    var rows: [SnippetRow] = []
    for (number, uuid) in uuids.enumerated() {
      rows.append(try await pair.share(SnippetDraft(.text(text(number)), uuid: uuid)).onLaptop)
    }
    for (number, row) in rows.enumerated() {
      _ = try await pair.laptop.store.apply(SnippetEdit(text: text(1 - number)), to: row)
    }
    try await pair.laptop.synchronize()
    loseBlobs()

    try await pair.phone.synchronize()

    #expect(try await pair.phone.contents() == pair.laptop.contents())
    #expect(try await pair.phone.synchronize().receivedCount == 0)
  }

  @Test(arguments: orders)
  func `a former text that became a snippet of its own arrives`(uuids: [UUID]) async throws {
    let pair = try await SyncedPair(place)
    let (row, _) = try await pair.share(SnippetDraft(.text(text(1)), uuid: uuids[0]))
    _ = try await pair.laptop.store.apply(SnippetEdit(text: text(2)), to: row)
    try await pair.laptop.synchronize()
    _ = try await pair.laptop.store.save(SnippetDraft(.text(text(1)), uuid: uuids[1]))
    try await pair.laptop.synchronize()

    try await pair.phone.synchronize()

    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `a blob that the place lost is sent by the device that waited and added it itself`()
    async throws
  {
    let pair = try await SyncedPair(place)
    let bytes = Samples.bytes(200_000)
    _ = try await pair.laptop.store.save(picture(bytes))
    try await pair.laptop.synchronize()
    loseBlobs()
    #expect(try await pair.phone.synchronize().waitingCount == 1)
    _ = try await pair.phone.store.save(picture(bytes))

    let report = try await pair.phone.synchronize()

    #expect((report.waitingCount, report.sentBlobCount) == (0, 1))
    let tablet = try await SyncedStore("tablet", place, key: pair.laptop.sync.key)
    #expect(try await tablet.synchronize().held.isEmpty)
    try await pair.meet()
    try await tablet.synchronize()
    #expect(try await pair.phone.contents() == pair.laptop.contents())
    #expect(try await tablet.contents() == pair.laptop.contents())
    #expect(try await pair.laptop.sync.check(readingAll: true).isIntact)
  }

  @Test func `a blob of two devices is not sent again where entries waited for something else`()
    async throws
  {
    let pair = try await SyncedPair(place)
    var rows: [SnippetRow] = []
    for number in 0..<60 {
      rows.append(try await pair.laptop.store.save(SnippetDraft(.text("text \(number)"))))
    }
    try await pair.meet()
    let bytes = Samples.bytes(200_000)
    for device in [pair.laptop, pair.phone] { _ = try await device.store.save(picture(bytes)) }
    _ = try await pair.laptop.store.moveToTrash(rows.map(\.id))
    #expect(try await pair.laptop.synchronize().sentBlobCount == 1)
    let error = await #expect(throws: SyncError.self) { try await pair.phone.sync.synchronize() }
    #expect(error?.code == .manyRemovals)

    #expect(try await pair.phone.synchronize().sentBlobCount == 0)

    try await pair.meet()
    #expect(try await pair.phone.contents() == pair.laptop.contents())
    #expect(try await pair.laptop.sync.check(readingAll: true).isIntact)
  }

  @Test func `an entry is not sent before the blobs of all its versions`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key) { Date() + 60 }
    let row = try await laptop.store.save(SnippetDraft(.text(text(1))))
    for device in [laptop, phone] { try await device.synchronize() }
    let there = try #require(try phone.row(row.uuid))
    _ = try await phone.store.apply(SnippetEdit(text: text(2)), to: there)
    try await phone.synchronize()
    _ = try await laptop.store.apply(SnippetEdit(text: text(3)), to: row)
    let logs = place.objects.keys.filter { $0.hasPrefix("log/") }.sorted()

    let failing = try await StoreSync(
      laptop.store,
      by: BlobRefusingCarrier(carrier: place.carrier("laptop")),
      key: laptop.sync.key
    )
    _ = await #expect(throws: SyncError.self) { try await failing.synchronize() }

    // It shows the version of the phone, whose blob is there.
    #expect(try await laptop.store.text(of: row.id) == text(2))
    #expect(place.objects.keys.filter { $0.hasPrefix("log/") }.sorted() == logs)
    for device in [laptop, phone, laptop, phone] { try await device.synchronize() }
    #expect(try phone.rows().count == 2)
    #expect(try await phone.contents() == laptop.contents())
    #expect(try await phone.sync.check(readingAll: true).isIntact)
  }

  @Test func `two versions of a long text both stay`() async throws {
    let pair = try await SyncedPair(place)
    // The copy has an identity that comes before or after.
    for uuid in ["0", "F"].map({ $0 + "0000000-0000-4000-8000-000000000000" }) {
      let identity = try #require(UUID(uuidString: uuid))
      let (row, there) = try await pair.share(SnippetDraft(.text(text(1)), uuid: identity))
      _ = try await pair.phone.store.apply(SnippetEdit(text: text(2)), to: try #require(there))
      _ = try await pair.laptop.store.apply(SnippetEdit(text: text(3)), to: row)

      for device in [pair.phone, pair.laptop, pair.phone] { try await device.synchronize() }
      try await pair.meet()

      #expect(try await pair.phone.contents() == pair.laptop.contents())
      for device in [pair.laptop, pair.phone] {
        var texts: Set<String> = []
        for row in try device.rows() { texts.insert(try await device.store.text(of: row.id)) }
        #expect(texts == [text(2), text(3)])
      }
      for row in try pair.laptop.rows() { _ = try await pair.laptop.store.delete([row.id]) }
      try await pair.meet()
    }
  }

  @Test func `a blob whose last snippet is deleted while another one comes is fetched`()
    async throws
  {
    let pair = try await SyncedPair(place)
    let (shared, other) = (Samples.bytes(200_000), Samples.bytes(100_000, seed: 2))
    let here = try await pair.phone.store.save(picture(shared))
    _ = try await pair.laptop.store.save(picture(shared))
    _ = try await pair.laptop.store.save(picture(other))
    try await pair.laptop.synchronize()
    let phone = pair.phone
    let carrier = InterruptedCarrier(carrier: place.carrier("phone")) {
      _ = try? await phone.store.delete([here.id])
    }
    let sync = try await StoreSync(phone.store, by: carrier, key: phone.sync.key)

    let report = try await sync.synchronize()

    #expect(report.receivedCount == 2)
    #expect(report.receivedBlobCount == 2)
    try await pair.meet()
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test(arguments: [nil, Data("damaged".utf8)])
  func `a blob of a version that was known here and has gone keeps its snippet waiting`(
    damage: Data?
  ) async throws {
    let pair = try await SyncedPair(place)
    let (row, onPhone) = try await pair.share(SnippetDraft(.text("short")))
    let there = try #require(onPhone)
    _ = try await pair.phone.store.apply(SnippetEdit(text: text(1)), to: there.id)
    try await pair.phone.sync.records.captureAll()
    // The version that was captured loses its blob.
    _ = try await pair.phone.store.apply(SnippetEdit(text: "short again"), to: there.id)
    _ = try await pair.laptop.store.apply(SnippetEdit(text: text(2)), to: row)
    try await pair.laptop.synchronize()
    let blob = RepositoryKey(try AgeIdentity(pair.laptop.sync.key))
      .blobName(sha256: ContentHash.of(Data(text(1).utf8)), generation: 1, part: 0)
    place.put(damage, as: blob.rawValue)

    let report = try await pair.phone.synchronize()

    #expect(report.held.map(\.name) == ["laptop"])
    #expect(report.waitingCount == 1)
    #expect(try await StoreSync.status(of: pair.phone.store)?.waitingCount == 1)
    try await pair.meet()
    #expect(try pair.phone.rows().count == 2)
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test(arguments: [true, false])
  func `a blob that is missing keeps back no edit of another device`(
    isReadFirst: Bool
  ) async throws {
    let pair = try await SyncedPair(place)
    let tablet = try await SyncedStore("tablet", place, key: pair.laptop.sync.key)
    let (row, _) = try await pair.share(SnippetDraft(.text("short"), title: "first"))
    try await tablet.synchronize()
    // Devices are read in the order of their identities, which are random.
    let isLaptopFirst = try await deviceID(of: pair.laptop) < deviceID(of: tablet)
    let (losing, other) =
      isLaptopFirst == isReadFirst ? (pair.laptop, tablet) : (tablet, pair.laptop)
    let onLosing = try #require(try losing.row(row.uuid))
    _ = try await losing.store.apply(SnippetEdit(text: text(1)), to: onLosing.id)
    let onOther = try #require(try other.row(row.uuid))
    _ = try await other.store.apply(SnippetEdit(title: "second", addedTags: ["tag"]), to: onOther)
    try await other.synchronize()
    try await losing.synchronize()
    let blob = try #require(place.objects.keys.first { $0.hasPrefix("blob/") })
    let bytes = place.objects[blob]
    place.put(nil, as: blob)

    try await pair.phone.synchronize()

    let there = try #require(try pair.phone.row(row.uuid))
    #expect((there.title, there.tags) == ("second", ["tag"]))
    #expect(try await pair.phone.store.text(of: there.id) == "short")
    place.put(bytes, as: blob)
    for device in [pair.phone, pair.laptop, tablet, pair.phone] { try await device.synchronize() }
    #expect(try await pair.phone.store.text(of: there.id) == text(1))
    #expect(try await pair.phone.contents() == pair.laptop.contents())
    #expect(try await tablet.contents() == pair.laptop.contents())
    #expect(try pair.phone.rows().count == 1)
  }

  @Test(arguments: [Errno.permissionDenied, .ioError])
  func `a blob that the folder does not give keeps back only its snippet`(
    cause: Errno
  ) async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.laptop.store.save(picture(Samples.bytes(200_000)))
    _ = try await pair.laptop.store.save(SnippetDraft(.text("milk")))
    try await pair.laptop.synchronize()
    _ = try await pair.phone.store.save(SnippetDraft(.text("eggs")))
    let phone = try await StoreSync(
      pair.phone.store,
      by: ClosedBlobs(carrier: place.carrier("phone"), cause: cause),
      key: pair.phone.sync.key
    )

    let report = try await phone.synchronize()

    #expect(report.held.map(\.name) == ["laptop"])
    // To mend the blob elsewhere would not help.
    #expect(report.held.first?.reason.contains("--repair") == false)
    #expect((report.receivedCount, report.sentCount, report.waitingCount) == (1, 1, 1))
    let check = try await phone.check(readingAll: true)
    #expect(check.faults.count == 1)
    #expect(check.entryCount == 3)
    try await pair.meet()
    #expect(try await pair.phone.contents() == pair.laptop.contents())
    #expect(try pair.phone.rows().count == 3)
  }

  @Test func `a blob that is deleted before it is sent counts as no damaged one`() async throws {
    let pair = try await SyncedPair(place)
    let laptop = pair.laptop
    let older = try await laptop.store.save(picture(Samples.bytes(20_000)))
    _ = try await laptop.store.save(picture(Samples.bytes(20_000, seed: 2)))
    let carrier = InterruptedCarrier(carrier: place.carrier("laptop")) {
      _ = try? await laptop.store.delete([older.id])
    }
    let sync = try await StoreSync(laptop.store, by: carrier, key: laptop.sync.key)

    let report = try await sync.synchronize()

    #expect((report.sentBlobCount, report.unreadBlobCount) == (1, 0))
    #expect(try laptop.rows().count == 1)
  }

  @Test func `an entry goes once its blob has settled`() async throws {
    let pair = try await SyncedPair(place)
    try await pair.meet()
    let logs = place.objects.keys.filter { $0.hasPrefix("log/") }
    let bytes = Samples.bytes(200_000)
    let row = try await pair.laptop.store.save(picture(bytes))
    let carrier = SettlingCarrier(carrier: place.carrier("laptop"))
    let sync = try await StoreSync(pair.laptop.store, by: carrier, key: pair.laptop.sync.key)

    carrier.isBroken.withLock { $0 = true }
    let error = await #expect(throws: SyncError.self) { try await sync.synchronize() }

    #expect(error?.code == .unreachable)
    #expect(carrier.calls.withLock(\.self) == ["blob", "settle", "settle"])
    carrier.calls.withLock { $0 = [] }
    #expect(Set(place.objects.keys.filter { $0.hasPrefix("log/") }) == Set(logs))
    #expect(try await StoreSync.status(of: pair.laptop.store)?.unsentBlobCount == 1)
    carrier.isBroken.withLock { $0 = false }
    #expect(try await sync.synchronize().sentBlobCount == 1)
    #expect(carrier.calls.withLock(\.self) == ["blob", "settle", "log", "device"])
    try await pair.meet()
    #expect(try pair.phone.row(row.uuid) != nil)
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `a carrier need not hold what has not settled once a synchronization fails`()
    async throws
  {
    let pair = try await SyncedPair(place)
    try await pair.meet()
    for seed in [1, 2] as [UInt64] {
      _ = try await pair.laptop.store.save(picture(Samples.bytes(200_000, seed: seed)))
    }
    let carrier = SettlingCarrier(carrier: place.carrier("laptop"))
    carrier.limit.withLock { $0 = 1 }
    let sync = try await StoreSync(pair.laptop.store, by: carrier, key: pair.laptop.sync.key)

    await #expect(throws: SyncError.self) { try await sync.synchronize() }

    #expect(carrier.calls.withLock(\.self) == ["blob", "blob", "settle"])
    #expect(try await StoreSync.status(of: pair.laptop.store)?.unsentBlobCount == 2)
    carrier.limit.withLock { $0 = .max }
    try await sync.synchronize()
    try await pair.meet()
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  private func deviceID(of device: SyncedStore) async throws -> DeviceID {
    try #require(try await device.sync.records.state()).device
  }
}

/// A folder whose blobs cannot be read.
private struct ClosedBlobs: PassingCarrier {
  let carrier: MemoryCarrier
  let cause: Errno

  func read(_ name: String) async throws(SyncError) -> Data? {
    guard !name.hasPrefix("blob/") else {
      throw SyncError(FileError("/place/\(name)", cause), "read \(name)", in: "/place")
    }
    return try await carrier.read(name)
  }
}

/// A carrier whose blobs settle later, or never do.
private final class SettlingCarrier: PassingCarrier {
  let carrier: MemoryCarrier
  let isBroken = Lock(false)
  /// The number of blobs that the place has room for.
  let limit = Lock(Int.max)
  let calls = Lock<[String]>([])

  init(carrier: MemoryCarrier) {
    self.carrier = carrier
  }

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    note(name)
    try await carrier.write(data, as: name, isNew: isNew)
  }

  func writeUnsettled(_ data: Data, as name: String) async throws(SyncError) -> Bool {
    note(name)
    let hasRoom = limit.withLock { limit in
      limit -= 1
      return limit >= 0
    }
    guard hasRoom else { throw SyncError(.failed, "write \(name)", because: "the disk is full") }
    try await carrier.write(data, as: name, isNew: false)
    return false
  }

  func settle() async throws(SyncError) {
    note("settle")
    guard isBroken.withLock(\.self) else { return }
    throw SyncError(.unreachable, "settle", because: "the test says so")
  }

  private func note(_ name: String) {
    calls.withLock { $0.append(String(name.prefix { $0 != "/" })) }
  }
}

/// A carrier before whose first blob something happens.
private final class InterruptedCarrier: PassingCarrier {
  let carrier: MemoryCarrier
  private let happen: @Sendable () async -> Void
  private let isOver = Lock(false)

  init(carrier: MemoryCarrier, _ happen: @escaping @Sendable () async -> Void) {
    (self.carrier, self.happen) = (carrier, happen)
  }

  func read(_ name: String) async throws(SyncError) -> Data? {
    await interrupt(at: name)
    return try await carrier.read(name)
  }

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    await interrupt(at: name)
    try await carrier.write(data, as: name, isNew: isNew)
  }

  private func interrupt(at name: String) async {
    if name.hasPrefix("blob/"), !isOver.withLock({ over in (over, over = true).0 }) {
      await happen()
    }
  }
}

/// A carrier that fails to write blobs.
private struct BlobRefusingCarrier: PassingCarrier {
  let carrier: MemoryCarrier

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    guard !name.hasPrefix("blob/") else {
      throw SyncError(.unreachable, "write \(name)", because: "the place fails")
    }
    try await carrier.write(data, as: name, isNew: isNew)
  }
}
