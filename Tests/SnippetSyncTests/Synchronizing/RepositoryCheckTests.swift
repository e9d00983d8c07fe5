import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetSync

/// A repository of two stores that loses objects.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct RepositoryCheckTests {
  private let place = MemoryPlace()

  /// Two stores with texts, a picture and a long recording, of which the repository has all.
  private func pair() async throws -> (laptop: SyncedStore, phone: SyncedStore) {
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    for text in ["milk", "eggs"] { _ = try await laptop.store.save(SnippetDraft(.text(text))) }
    _ = try await laptop.store.save(Samples.image(Samples.bytes(70_000)))
    try await laptop.sync.synchronize()
    _ = try await phone.store.save(Samples.voice(Samples.bytes(9_000_000)))
    for device in [phone, laptop, phone] { try await device.sync.synchronize() }
    return (laptop, phone)
  }

  private func names(_ prefix: String) -> [String] {
    place.objects.keys.filter { $0.hasPrefix(prefix) }.sorted()
  }

  @Test(arguments: [false, true])
  func `a complete repository is intact, and is not changed`(readsAll: Bool) async throws {
    let (laptop, phone) = try await pair()
    let objects = place.objects

    for device in [laptop, phone] {
      let check = try await device.sync.check(readingAll: readsAll, repairing: true)
      #expect(check.isIntact)
      #expect(check.deviceCount == 2)
      #expect(check.logFileCount == names("log/").count)
      #expect(check.blobCount == 2)
      #expect(check.entryCount == (readsAll ? 4 : nil))
      let size = objects.filter { $0.key != "format" }.values.reduce(0) { $0 + $1.count }
      #expect(check.byteCount == Int64(size))
    }
    #expect(place.objects == objects)
  }

  @Test(arguments: [false, true])
  func `a repair with another key changes nothing`(readsAll: Bool) async throws {
    let (laptop, phone) = try await pair()
    let objects = place.objects
    let sync = try await StoreSync(
      laptop.store,
      by: place.carrier("laptop"),
      key: AgeIdentity().text
    )

    let error = await #expect(throws: SyncError.self) {
      _ = try await sync.check(readingAll: readsAll, repairing: true)
    }

    #expect(error?.code == .wrongKey)
    #expect(place.objects == objects)
    #expect(try await StoreSync.status(of: laptop.store)?.unsentCount == 0)
    #expect(try await StoreSync.status(of: laptop.store)?.unsentBlobCount == 0)
    // One head that the key does not open is a fault, as long as it opens another one.
    let device = try #require(try await SyncRecords(store: phone.store).state()?.device)
    let name = ObjectName.head(device).rawValue
    place.put(AgeFile.seal(Data("a head".utf8), to: AgeIdentity().recipient), as: name)
    let faults = try await laptop.sync.check(readingAll: readsAll).faults
    #expect(faults.map(\.code) == [.damaged], "\(faults)")
    #expect(faults.first?.reason.hasPrefix("its beginning was altered, or ") == true)
  }

  @Test func `each object that is missing is named`() async throws {
    let (laptop, _) = try await pair()
    for (name, object) in place.objects where name != "format" {
      place.put(nil, as: name)
      let faults = try await laptop.sync.check().faults
      #expect(faults.count == 1, "\(name): \(faults)")
      #expect(faults.first?.operation.contains(name) == true)
      #expect(faults.first?.reason == "it is missing")
      place.put(object, as: name)
    }
    #expect(try await laptop.sync.check().isIntact)
  }

  @Test func `each object with a flipped bit is found by reading it`() async throws {
    let (laptop, _) = try await pair()
    for (name, object) in place.objects where name != "format" {
      var damaged = object
      damaged[damaged.startIndex + object.count / 2] ^= 4
      place.put(damaged, as: name)
      let check = try await laptop.sync.check(readingAll: true)
      #expect(check.faults.map { $0.operation.contains(name) } == [true], "\(name)")
      place.put(object, as: name)
    }
  }

  @Test func `a blob that is cut short is found without reading it`() async throws {
    let (laptop, _) = try await pair()
    for name in names("blob/") {
      let object = try #require(place.objects[name])
      place.put(object.dropLast(), as: name)
      #expect(try await laptop.sync.check().faults.count == 1)
      place.put(object, as: name)
    }
  }

  @Test func `a log file that is empty or cut short is found and mended without reading it`()
    async throws
  {
    let (laptop, phone) = try await pair()
    let device = try #require(try await laptop.sync.records.state()).device
    for name in names("log/") {
      let object = try #require(place.objects[name])
      let isOwn = name.contains(device.rawValue)
      place.put(Data(), as: name)
      #expect(try await laptop.sync.check().faults.count == 1)
      place.put(object, as: name)
      // The length of another device's file is not known here.
      let last = try #require(try await laptop.sync.records.state()).sealed
      guard isOwn, name == ObjectName.log(device, number: last).rawValue else { continue }
      place.put(object.dropLast(), as: name)
      #expect(try await phone.sync.check().isIntact)
      #expect(try await laptop.sync.check(repairing: true).mendedCount == 1)
      #expect(place.objects[name] == object)
    }
    #expect(try await laptop.sync.check(readingAll: true).isIntact)
  }

  @Test func `an object whose header was altered is damaged, as long as the key opens others`()
    async throws
  {
    let (laptop, _) = try await pair()
    for name in place.objects.keys.sorted() where name != "format" {
      let object = try alterHeader(of: name)

      let faults = try await laptop.sync.check(readingAll: true).faults

      #expect(faults.map(\.code) == [.damaged], "\(name): \(faults)")
      place.put(object, as: name)
    }
  }

  @Test func `an altered head of the only device is damaged, and is sent again`()
    async throws
  {
    let laptop = try await SyncedStore("laptop", place)
    _ = try await laptop.store.save(SnippetDraft(.text("milk")))
    try await laptop.sync.synchronize()
    let name = try #require(names("device/").first)
    _ = try alterHeader(of: name)
    // As a process does that has just begun, and has not seen that the key is right.
    let sync = try await StoreSync(laptop.store, by: place.carrier("laptop"), key: laptop.sync.key)
    #expect(try await sync.check().faults.map(\.code) == [.damaged])
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    #expect(try await phone.sync.synchronize().held.count == 1)

    try await sync.synchronize()

    #expect(try await sync.check(readingAll: true).isIntact)
    #expect(try await phone.sync.synchronize().receivedCount == 1)
    #expect(try await phone.contents() == laptop.contents())
  }

  /// Alters a letter of the key that is sealed in the header of an object, and returns what it was.
  private func alterHeader(of name: String) throws -> Data {
    let object = try #require(place.objects[name])
    var altered = object
    let index = altered.startIndex + 90
    altered[index] = altered[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    place.put(altered, as: name)
    return object
  }

  @Test func `blobs that have changed places are found`() async throws {
    let (laptop, _) = try await pair()
    let parts = names("blob/")
    let objects = place.objects
    // The two parts of the recording are neighbours, before the picture or after it.
    try #require(parts.count == 3)
    var counts: [Int] = []
    for pair in [parts.prefix(2), parts.suffix(2)] {
      let (one, other) = (pair[pair.startIndex], pair[pair.startIndex + 1])
      place.put(objects[one], as: other)
      place.put(objects[other], as: one)

      let blobs = Set(pair.map { $0.split(separator: ".")[0] })
      #expect(try await laptop.sync.check(readingAll: true).faults.count == blobs.count)
      counts.append(blobs.count)
      for name in pair { place.put(objects[name], as: name) }
    }
    #expect(counts.sorted() == [1, 2])
  }

  /// All but the mark is lost, and each device sends what it has.
  @Test func `a repair of each device brings back all`() async throws {
    let (laptop, phone) = try await pair()
    for name in place.objects.keys where name != "format" { place.put(nil, as: name) }

    for (device, isFirst) in [(laptop, true), (phone, false)] {
      let check = try await device.sync.check(repairing: true)
      // The first one sends what stood in the log of the other, too.
      #expect(check.isIntact == !isFirst)
      #expect((check.mendedCount > 0) == isFirst)
      try await device.sync.synchronize()
    }

    #expect(try await laptop.sync.check(readingAll: true).isIntact)
    let new = try await SyncedStore("tablet", place, key: laptop.sync.key)
    for device in [new, laptop, phone, new] { try await device.sync.synchronize() }
    #expect(try await new.contents() == laptop.contents())
    #expect(try await phone.contents() == laptop.contents())
    #expect(try await laptop.sync.check(readingAll: true).isIntact)
  }

  @Test func `a blob that a repair could not send stays missing until a repair sends it`()
    async throws
  {
    let (laptop, _) = try await pair()
    for name in names("blob/") { place.put(nil, as: name) }
    let closed = try await StoreSync(
      laptop.store,
      by: ClosedBlobs(carrier: place.carrier("laptop")),
      key: laptop.sync.key
    )

    let error = await #expect(throws: SyncError.self) { try await closed.check(repairing: true) }

    #expect(error?.code == .accessDenied)
    let broken = try await laptop.sync.check()
    #expect(broken.faults.count == 2)
    #expect(broken.isMendable)
    #expect(try await StoreSync.status(of: laptop.store)?.unsentBlobCount == 0)
    #expect(try await laptop.sync.check(repairing: true).mendedCount == 2)
    #expect(try await laptop.sync.check(readingAll: true).isIntact)
  }

  @Test func `the blob of a snippet that was deleted for good is not missed`() async throws {
    let (laptop, phone) = try await pair()
    let picture = try #require(try laptop.rows().first { $0.kind == .image })
    _ = try await laptop.store.delete([picture.id])
    for device in [laptop, phone] { try await device.sync.synchronize() }
    for name in names("blob/") { place.put(nil, as: name) }

    for device in [laptop, phone] {
      let check = try await device.sync.check(readingAll: true)
      // That of the recording.
      #expect(check.faults.count == 1)
    }
    #expect(try await phone.sync.check(readingAll: true, repairing: true).mendedCount == 1)
    #expect(try await laptop.sync.check(readingAll: true).isIntact)
  }

  /// A filer of a cluster was down while an object came, and never learns of it.
  @Test func `an object that one gateway lacks is sent again through it`() async throws {
    let (laptop, phone) = try await pair()
    let lacking = MemoryPlace()
    for (name, object) in place.objects { lacking.put(object, as: name) }
    let devices = try await [laptop, phone].asyncMap { device in
      try await StoreSync(
        device.store,
        by: Gateway(of: lacking, besides: place, device.name),
        key: laptop.sync.key
      )
    }
    for name in place.objects.keys.sorted() where name != "format" {
      lacking.put(nil, as: name)
      let check = try await devices[0].check()
      #expect(check.faults.map { $0.operation.contains(name) } == [true], "\(name)")
      // Reading finds it at the other gateway, so nothing waits for the repair.
      for device in devices { #expect(try await device.synchronize().held.isEmpty) }

      for device in devices {
        _ = try await device.check(repairing: true)
        try await device.synchronize()
      }

      #expect(lacking.objects[name] != nil, "\(name)")
      #expect(try await devices[0].check(readingAll: true).isIntact, "\(name)")
      for device in [laptop, phone] { try await device.sync.synchronize() }
      #expect(try await laptop.sync.check(readingAll: true).isIntact, "\(name)")
    }
    let tablet = try await SyncedStore("tablet", lacking, key: laptop.sync.key)
    try await tablet.sync.synchronize()
    #expect(try await tablet.contents() == laptop.contents())
    #expect(try await tablet.contents() == phone.contents())
  }

  @Test func `a damaged log file is sent again, and others read on`() async throws {
    let (laptop, _) = try await pair()
    for name in names("log/") { place.put(Data("damage".utf8), as: name) }
    let tablet = try await SyncedStore("tablet", place, key: laptop.sync.key)
    let first = try await tablet.sync.synchronize()
    #expect(first.held.count == 2)
    #expect(try tablet.rows().isEmpty)

    // Shorter than any log file.
    #expect(try await laptop.sync.check(repairing: false).faults.count == 3)
    let check = try await laptop.sync.check(readingAll: true, repairing: true)
    // The laptop sent its picture after its texts, and it knows the recording of the phone, too.
    #expect(check.faults.count == 3)
    #expect(check.mendedCount == 3)
    try await laptop.sync.synchronize()

    let second = try await tablet.sync.synchronize()
    #expect(second.held.isEmpty)
    #expect(try await tablet.contents() == laptop.contents())
  }

  @Test func `a repair sends what stood in a lost log of a device that is gone`() async throws {
    let (laptop, phone) = try await pair()
    let gone = try #require(try await laptop.sync.records.state()).device.rawValue
    for name in names("log/\(gone)/") { place.put(nil, as: name) }
    let tablet = try await SyncedStore("tablet", place, key: phone.sync.key)
    #expect(try await tablet.sync.synchronize().held.map(\.name) == ["laptop"])
    #expect(try await phone.sync.check().isMendable)
    #expect(try await !tablet.sync.check().isMendable)

    let check = try await phone.sync.check(repairing: true)

    #expect(check.faults.count == 1)
    #expect(check.mendedCount == 1)
    #expect(try await phone.sync.check(readingAll: true).isIntact)
    #expect(try await tablet.sync.synchronize().held.isEmpty)
    #expect(try await tablet.contents() == phone.contents())
    // Once all know, nothing is sent again.
    let count = names("log/").count
    for device in [laptop, phone, tablet] { #expect(try await device.synchronize().held.isEmpty) }
    #expect(names("log/").count == count)
    #expect(try await laptop.contents() == phone.contents())
  }

  @Test func `a repair writes the lost head of a device that is gone, which may come back`()
    async throws
  {
    let (laptop, phone) = try await pair()
    let device = try #require(try await laptop.sync.records.state()).device
    let head = ObjectName.head(device).rawValue
    place.put(nil, as: head)
    #expect(try await phone.sync.check().isMendable)

    let check = try await phone.sync.check(repairing: true)

    #expect((check.faults.count, check.mendedCount) == (1, 1))
    #expect(try await phone.sync.check(readingAll: true).isIntact)
    let tablet = try await SyncedStore("tablet", place, key: phone.sync.key)
    try await tablet.sync.synchronize()
    #expect(try await tablet.contents() == phone.contents())
    // It had sent more than the phone knew, and has the same name afterwards.
    let row = try await laptop.store.save(SnippetDraft(.text("bread")))
    try await laptop.sync.synchronize()
    place.put(Data(), as: head)
    #expect(try await phone.sync.check(repairing: true).mendedCount == 1)
    for device in [laptop, phone, tablet] { try await device.sync.synchronize() }
    #expect(try phone.row(row.uuid) != nil)
    #expect(try await tablet.contents() == laptop.contents())
    #expect(try await laptop.sync.records.state()?.device == device)
    #expect(try await laptop.sync.check(readingAll: true).isIntact)
  }

  @Test func `a repair writes the damaged head of a device from which nothing has come`()
    async throws
  {
    let (laptop, phone) = try await pair()
    let tablet = try await SyncedStore("tablet", place, key: laptop.sync.key)
    let row = try await tablet.store.save(SnippetDraft(.text("bread")))
    try await tablet.sync.synchronize()
    let device = try #require(try await tablet.sync.records.state()).device
    place.put(Data("damage".utf8), as: ObjectName.head(device).rawValue)
    #expect(try await phone.sync.synchronize().held.count == 1)
    #expect(try await phone.sync.check().isMendable)

    let check = try await phone.sync.check(repairing: true)

    #expect((check.faults.count, check.mendedCount) == (1, 1))
    #expect(try await phone.sync.synchronize().held.isEmpty)
    #expect(try phone.row(row.uuid) != nil)
    for store in [tablet, laptop, phone, tablet] { try await store.sync.synchronize() }
    #expect(try await tablet.contents() == phone.contents())
    #expect(try await tablet.sync.records.state()?.device == device)
    #expect(try await laptop.sync.check(readingAll: true).isIntact)
  }

  @Test func `a repair replaces no log of another device that has not come, or was not merged`()
    async throws
  {
    let (laptop, phone) = try await pair()
    let device = try #require(try await laptop.sync.records.state()).device.rawValue
    _ = try await laptop.store.save(SnippetDraft(.text("bread")))
    try await laptop.sync.synchronize()
    let name = try #require(names("log/\(device)/").last)
    let log = place.objects[name]
    place.put(nil, as: name)
    let objects = place.objects

    let early = try await phone.sync.check(repairing: true)

    #expect((early.faults.count, early.mendedCount, early.lostLogCount) == (1, 0, 1))
    #expect(place.objects == objects)
    place.put(log, as: name)
    try await phone.sync.synchronize()
    // As one that only a later version understands.
    try phone.store.seam.write(to: "keep an entry") { db in
      try db.run(
        """
        INSERT INTO sync_unread (uuid, device, version, devices, entry)
        SELECT randomblob(16), id, 99, x'', '{}' FROM sync_device
        """,
        []
      )
    }
    place.put(nil, as: name)
    let unread = try await phone.sync.check(repairing: true)
    #expect((unread.faults.count, unread.mendedCount) == (1, 0))
    #expect(
      unread.faults.first?.reason == """
        it is missing; it has come here, but snippets of that device still wait for a blob or for a \
        newer version
        """
    )
    #expect(try await !phone.sync.check().isMendable)
    #expect(place.objects[name] == nil)
  }

  @Test func `a log file that is mended with its own bytes leaves nothing to send`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    _ = try await laptop.store.save(SnippetDraft(.text("milk")))
    try await laptop.sync.synchronize()
    let name = try #require(names("log/").first)
    let object = place.objects[name]
    place.put(nil, as: name)

    #expect(try await laptop.sync.check(repairing: true).mendedCount == 1)

    #expect(place.objects[name] == object)
    #expect(try await laptop.sync.synchronize().isEmpty)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    try await phone.sync.synchronize()
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `all entries are marked once, however many log files are lost`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    for number in 1...4 {
      _ = try await laptop.store.save(SnippetDraft(.text("note \(number)")))
      try await laptop.sync.synchronize()
    }
    for device in [phone, laptop] { try await device.sync.synchronize() }
    for name in names("log/") { place.put(nil, as: name) }
    let count = Lock(0)
    try laptop.store.seam.write(to: "trace") { db in
      db.trace { event in
        if "\(event)".hasPrefix("UPDATE sync_row SET pending = 1") { count.withLock { $0 += 1 } }
      }
    }

    #expect(try await laptop.sync.check(repairing: true).mendedCount == 1)

    try laptop.store.seam.write(to: "trace") { db in db.trace(nil) }
    #expect(count.withLock(\.self) == 1)
    #expect(names("log/").count == 4)
    #expect(try await laptop.sync.synchronize().sentCount == 4)
    let tablet = try await SyncedStore("tablet", place, key: laptop.sync.key)
    try await tablet.sync.synchronize()
    #expect(try await tablet.contents() == laptop.contents())
  }

  @Test func `log files that only a head names are one fault, and are not written`()
    async throws
  {
    let (laptop, phone) = try await pair()
    let key = RepositoryKey(try AgeIdentity(laptop.sync.key))
    for device in [laptop, phone] {
      let name = ObjectName.head(try #require(try await device.sync.records.state()).device)
      let object = try #require(place.objects[name.rawValue])
      var head = try LogFile(object, named: name, key: key)
      head.header.head?.number = 1 << 62
      place.put(try head.sealed(with: key), as: name.rawValue)
      let objects = place.objects

      let check = try await laptop.sync.check(
        readingAll: true,
        repairing: true,
        acceptingLoss: true
      )

      #expect(check.faults.count == 1)
      #expect(
        check.faults.first?.reason
          == "it and the log files after it, up to number 4611686018427387904, are missing"
      )
      #expect(check.mendedCount == 0)
      #expect(place.objects == objects)
      place.put(object, as: name.rawValue)
    }
  }

  @Test func `sizes that no number holds together are the greatest number`() async throws {
    let (laptop, _) = try await pair()
    let huge = try await StoreSync(
      laptop.store,
      by: HugeObjects(carrier: place.carrier("laptop")),
      key: laptop.sync.key
    )

    let check = try await huge.check()

    #expect(check.isIntact)
    #expect(check.byteCount == .max)
  }

  @Test func `a check of another place, or without it, fails`() async throws {
    let (laptop, _) = try await pair()
    place.put(nil, as: "format")
    let error = await #expect(throws: SyncError.self) { try await laptop.sync.check() }
    #expect(error?.code == .noRepository)
    place.script(.failure)
    let other = await #expect(throws: SyncError.self) { try await laptop.sync.check() }
    #expect(other?.code == .unreachable)
  }

  @Test(arguments: [nil, "", "{\"snippets\":1,\"rep"] as [String?])
  func `a mark that is lost is written again by a repair`(object: String?) async throws {
    let (laptop, phone) = try await pair()
    let mark = try #require(place.objects["format"])
    place.put(object.map { Data($0.utf8) }, as: "format")
    let error = await #expect(throws: SyncError.self) { try await phone.synchronize() }
    #expect(error?.code == .noRepository)

    let check = try await laptop.sync.check(repairing: true)

    #expect(check.faults.count == 1)
    #expect(check.mendedCount == 1)
    #expect(place.objects["format"] == mark)
    try await phone.synchronize()
    #expect(try await phone.sync.check(readingAll: true).isIntact)
  }

  @Test func `a repair writes no mark of another repository, or where nothing is of this one`()
    async throws
  {
    let (laptop, _) = try await pair()
    let other = RepositoryFormat().object
    place.put(other, as: "format")
    _ = await #expect(throws: SyncError.self) { try await laptop.sync.check(repairing: true) }
    #expect(place.objects["format"] == other)

    place.put(nil, as: "format")
    for name in names("device/") { place.put(nil, as: name) }
    _ = await #expect(throws: SyncError.self) { try await laptop.sync.check(repairing: true) }
    #expect(place.objects["format"] == nil)
  }
}

/// One of two gateways of a cluster: what is written through it reaches both, and what it lacks is read
/// through the other one.
private struct Gateway: SyncCarrier {
  private let own: MemoryCarrier
  private let other: MemoryCarrier

  init(of place: MemoryPlace, besides other: MemoryPlace, _ device: String) {
    (own, self.other) = (place.carrier(device), other.carrier(device))
  }

  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    try await own.list(prefix)
  }

  func read(_ name: String) async throws(SyncError) -> Data? {
    if let object = try await own.read(name) { return object }
    return try await other.read(name)
  }

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    try await own.write(data, as: name, isNew: isNew)
    try await other.write(data, as: name, isNew: isNew)
  }

  func remove(_ name: String) async throws(SyncError) {
    try await own.remove(name)
    try await other.remove(name)
  }
}

/// A place that takes no blobs.
private struct ClosedBlobs: PassingCarrier {
  let carrier: MemoryCarrier

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    guard !name.hasPrefix("blob/") else {
      throw SyncError(.accessDenied, "write \(name)", because: "the test says so")
    }
    try await carrier.write(data, as: name, isNew: isNew)
  }
}

/// A place that lists all objects with a size which none can have.
private struct HugeObjects: PassingCarrier {
  let carrier: MemoryCarrier

  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    try await carrier.list(prefix).map { mark in
      ObjectMark(name: mark.name, byteCount: .max, tag: mark.tag)
    }
  }
}
