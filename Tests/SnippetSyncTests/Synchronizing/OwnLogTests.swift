import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// A place that has lost what a device sent, or is not the one where it was sent.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct OwnLogTests {
  private let place = MemoryPlace()

  /// Two stores that agree, each of which has sent several log files.
  private func pair() async throws -> SyncedPair {
    let pair = try await SyncedPair(place)
    for number in 1...2 {
      _ = try await pair.phone.store.save(SnippetDraft(.text("of the phone \(number)")))
      try await pair.meet()
      _ = try await pair.share(SnippetDraft(.text("of the laptop \(number)")))
    }
    return pair
  }

  private func replaceObjects(with objects: [String: Data]) {
    for name in place.objects.keys where objects[name] == nil { place.put(nil, as: name) }
    for (name, object) in objects where place.objects[name] != object {
      place.put(object, as: name)
    }
  }

  @Test func `a place without the head of any device that is known is refused`() async throws {
    let pair = try await pair()
    let objects = place.objects
    let arriving = objects.filter { $0.key == "format" }
    replaceObjects(with: arriving)
    let row = try await pair.phone.store.save(SnippetDraft(.text("pending")))

    let error = await #expect(throws: SyncError.self) { try await pair.phone.synchronize() }

    #expect(error?.code == .noRepository)
    #expect(error?.recoverySuggestion?.contains("Is the right disk mounted") == true)
    #expect(place.objects == arriving)
    replaceObjects(with: objects)
    #expect(try await pair.phone.synchronize().sentCount == 1)
    try await pair.laptop.synchronize()
    #expect(try pair.laptop.row(row.uuid) != nil)
  }

  @Test func `what was sent to a copy of the place is sent again to the right one`() async throws {
    let pair = try await pair()
    let phone = try await StoreSync(
      pair.phone.store,
      by: TagsOfContent(carrier: place.carrier("phone")),
      key: pair.phone.sync.key
    )
    try await phone.synchronize()
    let right = place.objects
    let row = try await pair.phone.store.save(SnippetDraft(.text("sent elsewhere")))
    #expect(try await phone.synchronize().sentCount == 1)
    replaceObjects(with: right)

    try await phone.synchronize()
    try await pair.laptop.synchronize()

    #expect(try pair.laptop.row(row.uuid) != nil)
    #expect(try await phone.check(readingAll: true).isIntact)
  }

  @Test(arguments: ["device", "log"])
  func `a place that has lost the head or the logs of a device gets them again`(
    folder: String
  ) async throws {
    let pair = try await pair()
    let device = try #require(try await pair.phone.sync.records.state()).device.rawValue
    let lost = place.objects.keys.filter { $0.hasPrefix("\(folder)/\(device)") }
    #expect(!lost.isEmpty)
    for name in lost { place.put(nil, as: name) }

    let sync = try await StoreSync(
      pair.phone.store,
      by: place.carrier("phone"),
      key: pair.phone.sync.key
    )
    try await sync.synchronize()

    #expect(try await sync.check(readingAll: true).isIntact)
    let tablet = try await SyncedStore("tablet", place, key: sync.key)
    try await tablet.synchronize()
    #expect(try await tablet.contents() == pair.phone.contents())
  }

  @Test(arguments: [false, true])
  func `a device goes on as itself after another one replaced a log that its outbox keeps`(
    isOfClone: Bool
  ) async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("first")))
    let device = try #require(try await pair.laptop.sync.records.state()).device
    _ = try await pair.laptop.store.save(SnippetDraft(.text("second")))
    try await pair.laptop.synchronize()
    try await pair.phone.synchronize()
    let row = try await pair.laptop.store.save(SnippetDraft(.text("third")))
    try await pair.laptop.synchronize()
    let logs = try [Int64](2...3).map { number in
      let name = ObjectName.log(device, number: number)
      return (name: name, file: try #require(place.objects[name.rawValue]))
    }
    for log in logs { place.put(nil, as: log.name.rawValue) }
    place.put(nil, as: ObjectName.head(device).rawValue)
    #expect(try await pair.phone.sync.check(repairing: true).mendedCount == 2)
    let key = RepositoryKey(try AgeIdentity(pair.laptop.sync.key))
    let replacement = try #require(place.objects[logs[0].name.rawValue])
    var file = try LogFile(replacement, named: logs[0].name, key: key)
    #expect(file.entries.isEmpty)
    if isOfClone {
      (file.header.devices, file.header.knows) = ([device], [2])
      place.put(try file.sealed(with: key), as: logs[0].name.rawValue)
    }

    for _ in 0..<2 { try await pair.meet() }

    #expect((try await pair.laptop.sync.records.state()?.device == device) == !isOfClone)
    #expect(try await StoreSync.devices(of: pair.phone.store).count == (isOfClone ? 3 : 2))
    #expect(try pair.phone.row(row.uuid) != nil)
    #expect(try await pair.phone.contents() == pair.laptop.contents())
    guard !isOfClone else { return }
    for log in logs { #expect(place.objects[log.name.rawValue] == log.file) }
    #expect(try await pair.phone.sync.check(readingAll: true).isIntact)
  }

  @Test func `a head that ends before what was sent is a fault, and a repair mends it`()
    async throws
  {
    let pair = try await pair()
    let device = try #require(try await pair.phone.sync.records.state()).device
    let name = ObjectName.head(device).rawValue
    let old = try #require(place.objects[name])
    let row = try await pair.phone.store.save(SnippetDraft(.text("sent since")))
    try await pair.phone.synchronize()
    place.put(old, as: name)

    let check = try await pair.phone.sync.check(repairing: true)

    #expect(
      check.faults.map(\.reason) == ["its log ends with number 2 there, and went on to number 3"]
    )
    #expect(check.mendedCount == 1)
    #expect(try await pair.phone.sync.check().isIntact)
    try await pair.laptop.synchronize()
    #expect(try pair.laptop.row(row.uuid) != nil)
  }
}

/// Lists objects with tags that are equal once the bytes are, as those of a folder that was moved back.
private struct TagsOfContent: PassingCarrier {
  let carrier: MemoryCarrier

  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    let objects = carrier.place.objects
    return try await carrier.list(prefix).map { mark in
      let tag = ContentHash.of(objects[mark.name] ?? Data()).hexadecimal
      return ObjectMark(name: mark.name, byteCount: mark.byteCount, tag: tag)
    }
  }
}
