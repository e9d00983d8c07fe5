import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// Log files that are lost before all devices have received them, and that a person gives up.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct GivenUpLogTests {
  private let place = MemoryPlace()

  /// Saves texts on a device, sends each, and returns the names of their log files.
  private func send(_ texts: [String], from device: SyncedStore) async throws -> [String] {
    let state = try #require(try await device.sync.records.state())
    for text in texts {
      _ = try await device.store.save(SnippetDraft(.text(text)))
      try await device.synchronize()
    }
    return (1...texts.count).map { number in
      ObjectName.log(state.device, number: state.sealed + Int64(number)).rawValue
    }
  }

  private func requireAgreement(of devices: [SyncedStore]) async throws {
    for _ in 0..<2 {
      for device in devices { try await device.synchronize() }
    }
    let contents = try await devices.asyncMap { try await $0.contents() }
    #expect(Set(contents).count == 1)
    let objects = place.objects
    for device in devices {
      #expect(try await device.synchronize().isEmpty)
      let check = try await device.sync.check(readingAll: true)
      #expect(check.isIntact, "\(check.faults)")
    }
    #expect(place.objects == objects)
  }

  @Test(arguments: [false, true])
  func `a log that no device received is given up, and sent anew once its device comes back`(
    hasSentSince: Bool
  ) async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("milk")))
    let names = try await send(hasSentSince ? ["bread", "tea"] : ["bread"], from: pair.laptop)
    place.put(nil, as: names[0])
    #expect(try await pair.phone.synchronize().held.map(\.name) == ["laptop"])
    let objects = place.objects

    let found = try await pair.phone.sync.check(repairing: true)

    #expect((found.mendedCount, found.lostLogCount) == (0, 1))
    #expect(found.lostLogs.map(\.name) == ["laptop"])
    #expect(found.lostLogs.first?.sentAt != nil)
    #expect(found.lostLogs.first?.receivers == [])
    #expect(place.objects == objects)

    let given = try await pair.phone.sync.check(repairing: true, acceptingLoss: true)

    #expect((given.faults.count, given.mendedCount, given.lostLogCount) == (1, 1, 0))
    #expect(try await pair.phone.synchronize().held.isEmpty)
    let intact = try await pair.phone.sync.check(readingAll: true)
    #expect(intact.isIntact)
    #expect(place.objects.keys.contains { $0.hasSuffix(".given") })
    let size = place.objects.filter { $0.key != "format" }.values.reduce(0) { $0 + $1.count }
    #expect(intact.byteCount == Int64(size))
    let tablet = try await SyncedStore("tablet", place, key: pair.phone.sync.key)
    try await requireAgreement(of: [tablet, pair.phone])
    #expect(try tablet.rows().count == (hasSentSince ? 2 : 1))
    #expect(try await pair.laptop.synchronize().sentCount == (hasSentSince ? 3 : 2))
    try await requireAgreement(of: [pair.phone, tablet, pair.laptop])
    #expect(try tablet.rows().count == (hasSentSince ? 3 : 2))
  }

  @Test func `a store that was copied or joins again sends what was given up of its log`()
    async throws
  {
    for joinsAgain in [false, true] {
      let place = MemoryPlace()
      var laptop = try await SyncedStore("laptop \(joinsAgain)", place)
      let phone = try await SyncedStore("phone \(joinsAgain)", place, key: laptop.sync.key)
      let row = try await laptop.store.save(SnippetDraft(.text("bread")))
      try await laptop.synchronize()
      let name = try #require(place.objects.keys.first { $0.hasPrefix("log/") })
      place.put(nil, as: name)
      #expect(
        try await phone.sync.check(repairing: true, acceptingLoss: true).mendedCount == 1
      )
      try await phone.synchronize()

      if joinsAgain {
        try await StoreSync.leave(laptop.store)
        try await laptop.joinAgain()
        try await laptop.synchronize()
      } else {
        let copy = try await SyncedStore(copying: laptop, as: "copy")
        try await copy.synchronize()
      }

      try await phone.synchronize()
      #expect(try phone.row(row.uuid) != nil)
    }
  }

  @Test func `a device sends what was given up of its log, though the notice has gone`()
    async throws
  {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("milk")))
    let names = try await send(["bread"], from: pair.laptop)
    let log = place.objects[names[0]]
    place.put(nil, as: names[0])
    _ = try await pair.phone.sync.check(repairing: true, acceptingLoss: true)
    try await pair.phone.synchronize()
    place.put(nil, as: try #require(place.objects.keys.first { $0.hasSuffix(".given") }))

    // As a process does that has just begun.
    let sync = try await StoreSync(
      pair.laptop.store,
      by: place.carrier("laptop"),
      key: pair.laptop.sync.key
    )

    #expect(try await sync.synchronize().sentCount == 2)
    #expect(place.objects[names[0]] == log)
    try await requireAgreement(of: [pair.phone, pair.laptop])
    #expect(try pair.phone.rows().count == 2)
  }

  @Test func `a device that has received the log is named`() async throws {
    let pair = try await SyncedPair(place)
    let tablet = try await SyncedStore("tablet", place, key: pair.phone.sync.key)
    for device in [tablet, pair.laptop, pair.phone] { try await device.synchronize() }
    let names = try await send(["bread"], from: pair.laptop)
    _ = try await pair.phone.store.save(SnippetDraft(.text("tea")))
    try await pair.phone.synchronize()
    place.put(nil, as: names[0])

    let found = try await tablet.sync.check(repairing: true)

    #expect(found.lostLogs.map(\.receivers) == [["phone"]])
    #expect(try await pair.phone.sync.check(repairing: true, acceptingLoss: true).mendedCount == 1)
    #expect(!place.objects.keys.contains { $0.hasSuffix(".given") })
    try await requireAgreement(of: [pair.phone, tablet, pair.laptop])
    #expect(try tablet.rows().count == 2)
  }

  @Test func `another device that had received a log which is given up sends it`() async throws {
    let pair = try await SyncedPair(place)
    let tablet = try await SyncedStore("tablet", place, key: pair.phone.sync.key)
    for device in [tablet, pair.laptop, pair.phone] { try await device.synchronize() }
    let names = try await send(["bread"], from: pair.laptop)
    try await pair.phone.synchronize()
    place.put(nil, as: names[0])
    // The phone has sent nothing that tells it.
    #expect(try await tablet.sync.check(repairing: true, acceptingLoss: true).mendedCount == 1)
    try await tablet.synchronize()
    #expect(try tablet.rows().isEmpty)

    #expect(try await pair.phone.synchronize().sentCount == 1)

    try await tablet.synchronize()
    #expect(try tablet.rows().count == 1)
    try await requireAgreement(of: [pair.laptop, pair.phone, tablet])
  }

  @Test func `what had come of a log before it was given up is sent, though it was not merged`()
    async throws
  {
    let pair = try await SyncedPair(place)
    let tablet = try await SyncedStore("tablet", place, key: pair.phone.sync.key)
    for device in [tablet, pair.laptop, pair.phone] { try await device.synchronize() }
    let row = try await pair.laptop.store.save(SnippetDraft(.bytes(Samples.png)))
    try await pair.laptop.synchronize()
    let phone = try await StoreSync(
      pair.phone.store,
      by: UnreachableBlobs(carrier: place.carrier("phone")),
      key: pair.phone.sync.key
    )
    let error = await #expect(throws: SyncError.self) { try await phone.synchronize() }
    #expect(error?.code == .unreachable)
    let state = try #require(try await pair.laptop.sync.records.state())
    place.put(nil, as: ObjectName.log(state.device, number: state.sealed).rawValue)
    #expect(try await tablet.sync.check(repairing: true, acceptingLoss: true).mendedCount == 1)
    try await tablet.synchronize()
    #expect(try tablet.rows().isEmpty)

    try await pair.phone.synchronize()

    try await tablet.synchronize()
    #expect(try tablet.row(row.uuid) != nil)
    try await requireAgreement(of: [pair.laptop, pair.phone, tablet])
  }

  @Test func `what had come of several log files that are given up together is sent`() async throws
  {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("milk")))
    var names = try await send(["bread"], from: pair.laptop)
    try await pair.phone.synchronize()
    names += try await send(["tea"], from: pair.laptop)
    for name in names { place.put(nil, as: name) }

    let given = try await pair.phone.sync.check(repairing: true, acceptingLoss: true)

    #expect((given.faults.count, given.mendedCount) == (1, 1))
    let tablet = try await SyncedStore("tablet", place, key: pair.phone.sync.key)
    try await requireAgreement(of: [pair.phone, tablet])
    #expect(try tablet.rows().count == 2)
    try await requireAgreement(of: [pair.laptop, pair.phone, tablet])
    #expect(try tablet.rows().count == 3)
  }

  @Test(arguments: [false, true])
  func `a notice asks all, though a device answers an earlier one in the same moment`(
    answersFirst: Bool
  ) async throws {
    let pair = try await SyncedPair(place)
    let tablet = try await SyncedStore("tablet", place, key: pair.phone.sync.key)
    for device in [tablet, pair.laptop, pair.phone] { try await device.synchronize() }
    let (laptopID, tabletID) = (try await id(of: pair.laptop), try await id(of: tablet))
    let notice = ObjectName.notice(laptopID)
    func asked() throws -> [DeviceID] {
      let object = try #require(place.objects[notice.rawValue])
      let key = RepositoryKey(try AgeIdentity(tablet.sync.key))
      return try LogFile(object, named: notice, key: key).header.devices
    }
    place.put(nil, as: try await send(["bread"], from: pair.laptop)[0])
    _ = try await pair.phone.sync.check(repairing: true, acceptingLoss: true)
    let first = try #require(place.objects[notice.rawValue])
    #expect(try asked() == [laptopID, tabletID].sorted())
    try await tablet.synchronize()
    #expect(try asked() == [laptopID])

    if answersFirst {
      // The laptop answers, and the phone has just asked all again.
      let carrier = WritingOver(carrier: place.carrier("laptop"), name: notice, object: first)
      try await StoreSync(pair.laptop.store, by: carrier, key: tablet.sync.key).synchronize()
      #expect(try asked() == [tabletID])
    } else {
      let answer = try #require(place.objects[notice.rawValue])
      try await pair.laptop.synchronize()
      place.put(nil, as: try await send(["tea"], from: pair.laptop)[0])
      var carrier = WritingOver(carrier: place.carrier("phone"), name: notice, object: answer)
      // The check reads the notice first.
      carrier.waitsForWriting = true
      _ = try await StoreSync(pair.phone.store, by: carrier, key: tablet.sync.key)
        .check(repairing: true, acceptingLoss: true)
      #expect(try asked() == [laptopID, tabletID].sorted())
    }

    for device in [tablet, pair.laptop] { try await device.synchronize() }
    #expect(try asked().isEmpty)
    try await requireAgreement(of: [pair.phone, tablet, pair.laptop])
  }

  private func id(of device: SyncedStore) async throws -> DeviceID {
    try #require(try await device.sync.records.state()).device
  }

  @Test func `a notice that is damaged is a fault, and a repair writes it again for all`()
    async throws
  {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("milk")))
    let names = try await send(["bread"], from: pair.laptop)
    place.put(nil, as: names[0])
    _ = try await pair.phone.sync.check(repairing: true, acceptingLoss: true)
    try await pair.phone.synchronize()
    let notice = try #require(place.objects.keys.first { $0.hasSuffix(".given") })
    place.put(Data("damage".utf8), as: notice)
    #expect(try await pair.laptop.synchronize().sentCount == 0)

    let found = try await pair.phone.sync.check()
    let mended = try await pair.phone.sync.check(repairing: true)

    #expect(found.faults.map(\.operation) == ["read \(notice) of “laptop”"])
    #expect(found.isMendable)
    #expect((mended.faults.count, mended.mendedCount) == (1, 1))
    #expect(try await pair.laptop.synchronize().sentCount == 2)
    try await requireAgreement(of: [pair.phone, pair.laptop])
    #expect(try pair.phone.rows().count == 2)
  }

  @Test func `a log that has arrived by then is not replaced`() async throws {
    let pair = try await SyncedPair(place)
    let names = try await send(["bread"], from: pair.laptop)
    let log = try #require(place.objects[names[0]])
    place.put(nil, as: names[0])
    let phone = try await StoreSync(
      pair.phone.store,
      by: LateObject(carrier: place.carrier("phone"), name: names[0], object: log),
      key: pair.phone.sync.key
    )

    #expect(try await phone.check(repairing: true, acceptingLoss: true).mendedCount == 0)

    #expect(place.objects[names[0]] == log)
    #expect(!place.objects.keys.contains { $0.hasSuffix(".given") })
  }
}

/// A place where an object arrives after the listing, once it is read.
private struct LateObject: PassingCarrier {
  let carrier: MemoryCarrier
  let name: String
  let object: Data

  func read(_ name: String) async throws(SyncError) -> Data? {
    if name == self.name { carrier.place.put(object, as: name) }
    return try await carrier.read(name)
  }
}

/// A place from which no blob comes.
private struct UnreachableBlobs: PassingCarrier {
  let carrier: MemoryCarrier

  func read(_ name: String) async throws(SyncError) -> Data? {
    guard name.hasPrefix("blob/") else { return try await carrier.read(name) }
    throw SyncError(.unreachable, "read \(name)", because: "the test says so")
  }
}

/// A place where another device writes over an object soon after it was read or written.
private struct WritingOver: PassingCarrier {
  let carrier: MemoryCarrier
  let name: ObjectName
  let object: Data
  /// Whether it does not matter who reads the object.
  var waitsForWriting = false
  private let state = Lock(State.waiting)

  private enum State {
    case waiting, due, over
  }

  init(carrier: MemoryCarrier, name: ObjectName, object: Data) {
    (self.carrier, self.name, self.object) = (carrier, name, object)
  }

  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    note(prefix)
    return try await carrier.list(prefix)
  }

  func read(_ name: String) async throws(SyncError) -> Data? {
    if !waitsForWriting { note(name) }
    return try await carrier.read(name)
  }

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    note(name)
    try await carrier.write(data, as: name, isNew: isNew)
  }

  /// Waits for the next look at the log files, or for the next one that is written.
  private func note(_ call: String) {
    let isDue = state.withLock { state in
      switch state {
      case .waiting where call == name.rawValue:
        state = .due
        return false
      case .due where call.hasPrefix("log/"):
        state = .over
        return true
      case .waiting, .due, .over: return false
      }
    }
    if isDue { carrier.place.put(object, as: name.rawValue) }
  }
}
