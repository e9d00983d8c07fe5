import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

import struct SystemPackage.Errno

@testable import SnippetSync

/// A folder some of whose files and folders cannot be read.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct UnreadableObjectTests {
  private let place = MemoryPlace()

  private func deviceID(of device: SyncedStore) async throws -> DeviceID {
    try #require(try await device.sync.records.state()).device
  }

  /// Opens the synchronization of a device that cannot read what has one of these beginnings.
  private func sync(
    _ device: SyncedStore,
    without closed: [String],
    because cause: Errno = .permissionDenied,
    key: String? = nil
  ) async throws -> StoreSync {
    try await StoreSync(
      device.store,
      by: ClosedObjects(carrier: place.carrier(device.name), closed: closed, cause: cause),
      key: key ?? device.sync.key
    )
  }

  @Test func `a device whose first log file is damaged is listed by its name`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    _ = try await laptop.store.save(SnippetDraft(.text("milk")))
    try await laptop.synchronize()
    let log = try #require(place.objects.keys.first { $0.hasPrefix("log/") })
    place.put(Data("damaged".utf8), as: log)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)

    let report = try await phone.synchronize()

    #expect(report.held.map(\.name) == ["laptop"])
    let devices = try await StoreSync.devices(of: phone.store)
    #expect(devices.map(\.name).sorted() == ["laptop", "phone"])
  }

  @Test(arguments: [Errno.permissionDenied, .ioError], [true, false])
  func `a head or log that cannot be read holds only its device`(
    cause: Errno,
    isHead: Bool
  ) async throws {
    let pair = try await SyncedPair(place)
    let tablet = try await SyncedStore("tablet", place, key: pair.laptop.sync.key)
    try await pair.meet()
    for device in [tablet, pair.phone] { try await device.synchronize() }
    for device in [pair.laptop, tablet, pair.phone] {
      _ = try await device.store.save(SnippetDraft(.text(device.name)))
    }
    for device in [pair.laptop, tablet] { try await device.synchronize() }
    let laptop = try await deviceID(of: pair.laptop).rawValue
    let phone = try await sync(
      pair.phone,
      without: [isHead ? "device/\(laptop)" : "log/\(laptop)/"],
      because: cause
    )

    let report = try await phone.synchronize()

    #expect(report.held.map(\.name) == ["laptop"])
    #expect(report.held.first?.reason.hasPrefix("Could not read ") == true)
    #expect(report.held.first?.reason.contains("--repair") == false)
    #expect((report.receivedCount, report.sentCount) == (1, 1))
    #expect(StoreSync.interval(after: report, .seconds(200)) == .seconds(15))
    // What stays so is asked for less and less often.
    let again = try await phone.synchronize()
    #expect(again.held.map(\.name) == ["laptop"])
    #expect(StoreSync.interval(after: again, .seconds(100)) == .seconds(150))
    #expect(StoreSync.interval(after: again, .seconds(250)) == .seconds(300))
    #expect(try Set(pair.phone.rows().map(\.preview)) == ["phone", "tablet"])
    for device in [pair.phone, pair.laptop, tablet, pair.phone] { try await device.synchronize() }
    #expect(try pair.phone.rows().count == 3)
    #expect(try await pair.phone.contents() == pair.laptop.contents())
    #expect(try await tablet.contents() == pair.laptop.contents())
  }

  @Test(arguments: [true, false])
  func `a choice of the backup waits for a head or log that cannot be read`(
    isHead: Bool
  ) async throws {
    var pair = try await SyncedPair(place)
    let (row, _) = try await pair.share(SnippetDraft(.text("in the backup")))
    let backup = TemporaryDirectory.file("backup.sqlite")
    _ = try await pair.phone.store.backUp(to: backup)
    _ = try await pair.laptop.store.apply(SnippetEdit(text: "since then"), to: row.id)
    _ = try await pair.laptop.store.save(SnippetDraft(.text("made since then")))
    try await pair.meet()
    try await pair.phone.restart(restoring: backup)
    try await pair.phone.sync.settleRestore(keepingBackup: true)
    let laptop = try await deviceID(of: pair.laptop).rawValue
    let closed = try await sync(
      pair.phone,
      without: [isHead ? "device/\(laptop)" : "log/\(laptop)/"]
    )

    let error = await #expect(throws: SyncError.self) { try await closed.synchronize() }

    #expect(error?.code == .accessDenied)
    for device in [pair.phone, pair.laptop, pair.phone] { try await device.synchronize() }
    #expect(try pair.laptop.rows().map(\.preview) == ["in the backup"])
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `a device sends although its own head and log cannot be read`() async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("milk")))
    let own = try await deviceID(of: pair.laptop).rawValue
    // Its head is new, so that it is read.
    _ = try await pair.laptop.store.save(SnippetDraft(.text("eggs")))
    try await pair.laptop.synchronize()
    _ = try await pair.laptop.store.save(SnippetDraft(.text("bread")))
    let laptop = try await sync(pair.laptop, without: ["device/\(own)", "log/\(own)/0"])

    #expect(try await laptop.synchronize().sentCount == 1)

    #expect(try await pair.phone.synchronize().receivedCount == 2)
    #expect(try await pair.laptop.synchronize().isEmpty)
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `a key that opens nothing is refused where the own head cannot be read`()
    async throws
  {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("milk")))
    let own = try await deviceID(of: pair.laptop).rawValue
    _ = try await pair.laptop.store.save(SnippetDraft(.text("eggs")))
    let objects = place.objects
    let other = try await sync(
      pair.laptop,
      without: ["device/\(own)"],
      key: AgeIdentity().text
    )

    await #expect(throws: SyncError.self) { try await other.synchronize() }
    await #expect(throws: SyncError.self) { try await other.check(repairing: true) }

    #expect(place.objects == objects)
  }

  @Test func `a check goes on past what it cannot read, and counts it`() async throws {
    let pair = try await SyncedPair(place)
    for seed in [UInt64(1), 2, 3] {
      _ = try await pair.laptop.store.save(Samples.image(Samples.bytes(5_000, seed: seed)))
    }
    _ = try await pair.laptop.store.save(SnippetDraft(.text("milk")))
    try await pair.meet()
    let objects = place.objects
    let whole = try await pair.phone.sync.check(readingAll: true)
    let laptop = try await deviceID(of: pair.laptop).rawValue
    let blob = try #require(objects.keys.filter { $0.hasPrefix("blob/") }.min())
    let folder = String(blob.prefix(8))
    let blobCount = Set(objects.keys.filter { $0.hasPrefix(folder) }).count
    let logs = objects.keys.filter { $0.hasPrefix("log/\(laptop)/") }

    let noBlobs = try await sync(pair.phone, without: [folder]).check(repairing: true)
    let noHead = try await sync(pair.phone, without: ["device/\(laptop)"]).check()
    let noLogs = try await sync(pair.phone, without: ["log/\(laptop)/"]).check(readingAll: true)
    let nothing = try await sync(pair.phone, without: ["blob/", "log/\(laptop)/"]).check()

    #expect(whole.isIntact)
    #expect(whole.unreadCount == 0)
    #expect(noBlobs.faults.map(\.operation) == ["list \(folder)"], "\(noBlobs.faults)")
    #expect(noBlobs.unreadCount == blobCount)
    #expect(noBlobs.blobCount == 3 - blobCount)
    #expect(noBlobs.mendedCount == 0)
    #expect(noHead.faults.map(\.code) == [.accessDenied])
    #expect((noHead.unreadCount, noHead.blobCount) == (1, 3))
    #expect(noLogs.faults.map(\.operation) == ["list log/\(laptop)/"], "\(noLogs.faults)")
    #expect((noLogs.unreadCount, noLogs.blobCount) == (logs.count, 3))
    #expect(nothing.faults.map(\.operation) == ["list blob/", "list log/\(laptop)/"])
    #expect((nothing.unreadCount, nothing.blobCount) == (logs.count + 3, 0))
    #expect(place.objects == objects)
  }

  @Test(arguments: [true, false])
  func `a folder in the place of a head or a log holds only its device`(isHead: Bool) async throws {
    let folder = TemporaryDirectory.file("folder")
    let manager = FileManager.default
    try manager.createDirectory(at: folder, withIntermediateDirectories: false)
    let stores = try ["laptop", "phone"].map { try TemporaryStore.open("\($0).sqlite") }
    let laptop = try await StoreSync.join(
      stores[0],
      by: FolderCarrier(folder),
      at: folder.path,
      as: "laptop"
    )
    let phone = try await StoreSync.join(
      stores[1],
      by: FolderCarrier(folder),
      at: folder.path,
      as: "phone",
      key: laptop.key
    )
    _ = try await stores[0].save(SnippetDraft(.text("milk")))
    for sync in [laptop, phone, laptop, phone] { try await sync.synchronize() }
    _ = try await stores[0].save(SnippetDraft(.text("eggs")))
    try await laptop.synchronize()
    let device = try #require(try await SyncRecords(store: stores[0]).state()).device
    let name = isHead ? ObjectName.head(device) : ObjectName.log(device, number: 2)
    let object = folder.appendingPathComponent(name.rawValue)
    let away = TemporaryDirectory.file("away")
    try manager.moveItem(at: object, to: away)
    try manager.createDirectory(at: object, withIntermediateDirectories: false)
    _ = try await stores[1].save(SnippetDraft(.text("bread")))

    let report = try await phone.synchronize()
    let check = try await phone.check(repairing: true)

    #expect(report.held.map(\.name) == ["laptop"])
    let reason = try #require(report.held.first).reason
    #expect(reason.hasSuffix(": a folder is at \(object.path). Move it away."), "\(reason)")
    #expect(report.sentCount == 1)
    #expect(check.mendedCount == 0)
    #expect(check.faults.map(\.reason) == ["a folder is at \(object.path)"])
    #expect((check.unreadCount, check.lostLogCount) == (1, 0))
    try manager.removeItem(at: object)
    try manager.moveItem(at: away, to: object)
    #expect(try await phone.synchronize().held.isEmpty)
    #expect(try await phone.check(readingAll: true).isIntact)
    #expect(try stores[1].list(SnippetFilter()).count == 3)
  }

  @Test func `a check tells what is in the place of a blob, or of the folder of a log`()
    async throws
  {
    let folder = TemporaryDirectory.file("folder")
    let manager = FileManager.default
    try manager.createDirectory(at: folder, withIntermediateDirectories: false)
    let store = try TemporaryStore.open("laptop.sqlite")
    let laptop = try await StoreSync.join(
      store,
      by: FolderCarrier(folder),
      at: folder.path,
      as: "laptop"
    )
    _ = try await store.save(Samples.image(Samples.bytes(5_000)))
    try await laptop.synchronize()
    _ = try await store.save(SnippetDraft(.text("milk")))
    try await laptop.synchronize()
    let device = try #require(try await SyncRecords(store: store).state()).device
    let names = manager.subpaths(atPath: folder.path) ?? []
    let blob = folder.appendingPathComponent(
      try #require(names.first { $0.hasPrefix("blob/") && $0.hasSuffix("-0") })
    )
    let log = folder.appendingPathComponent("log/\(device.rawValue)")
    try manager.removeItem(at: blob)
    try manager.createDirectory(at: blob, withIntermediateDirectories: false)
    try manager.removeItem(at: log)
    try Data().write(to: log)

    let check = try await laptop.check()

    let reasons = ["a folder is at \(blob.path)", "\(log.path) is no folder"]
    #expect(check.faults.map(\.reason) == reasons)
    #expect(check.unreadCount == 3)
    for obstacle in [blob, log] {
      await #expect(throws: SyncError.self) { try await laptop.check(repairing: true) }
      try manager.removeItem(at: obstacle)
    }
    #expect(try await laptop.check(repairing: true).mendedCount > 0)
    #expect(try await laptop.check(readingAll: true).isIntact)
  }

  @Test func `a copy replaces no log of its original that it cannot read`() async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("milk")))
    let copy = try await SyncedStore(copying: pair.laptop, as: "copy")
    let own = try await deviceID(of: pair.laptop).rawValue
    let closed = try await sync(copy, without: ["log/\(own)/0"])
    let objects = place.objects

    let check = try await closed.check(readingAll: true, repairing: true)

    #expect(Set(check.faults.map(\.code)) == [.accessDenied])
    #expect(check.mendedCount == 0)
    #expect(place.objects == objects)
  }

  @Test func `a device joins past a head that cannot be read, if it can read another`()
    async throws
  {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("milk")))
    _ = try await pair.phone.store.save(SnippetDraft(.text("eggs")))
    try await pair.meet()
    let laptop = try await deviceID(of: pair.laptop).rawValue
    func join(_ name: String, without closed: [String]) async throws -> StoreSync {
      try await StoreSync.join(
        TemporaryStore.open("\(name).sqlite"),
        by: ClosedObjects(carrier: place.carrier(name), closed: closed, cause: .permissionDenied),
        at: "memory",
        as: name,
        key: pair.laptop.sync.key
      )
    }

    await #expect(throws: SyncError.self) { try await join("tablet", without: ["device/"]) }
    let desk = try await join("desk", without: ["device/\(laptop)"])

    #expect(try await desk.synchronize().receivedCount > 0)
  }
}

/// A folder in which what has one of some beginnings can be seen and written, but not read.
private struct ClosedObjects: PassingCarrier {
  let carrier: MemoryCarrier
  let closed: [String]
  let cause: Errno

  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    for beginning in closed where beginning.hasSuffix("/") && beginning != "device/" {
      // A listing walks the folders below it.
      guard !beginning.hasPrefix(prefix), !prefix.hasPrefix(beginning) else {
        throw SyncError(FileError("/place/\(beginning)", cause), "list \(prefix)", in: "/place")
      }
    }
    return try await carrier.list(prefix)
  }

  func read(_ name: String) async throws(SyncError) -> Data? {
    guard !closed.contains(where: { name.hasPrefix($0) }) else {
      throw SyncError(FileError("/place/\(name)", cause), "read \(name)", in: "/place")
    }
    return try await carrier.read(name)
  }
}
