import Foundation
import GRDB
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// A purge of a store that synchronizes.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct PurgeMeetingTests {
  private let place = MemoryPlace()

  /// Deletes for good, forgets and purges.
  private func purge(_ rows: [SnippetRow], on device: SyncedStore) async throws -> Int? {
    _ = try await device.store.delete(rows.map(\.id))
    let count = try await StoreSync.forgetDeleted(in: device.store)
    _ = try await device.store.purge()
    return count
  }

  /// Whether the file of a store has a text; another process looks, which drops no locks.
  private func hasTrace(of text: String, on device: SyncedStore) async throws -> Bool {
    let path = device.file.path
    let output = try await Shell.run("grep", ["-c", text, path, "\(path)-wal"])
    try #require(output.status < 2)
    return output.status == 0
  }

  @Test(arguments: [true, false])
  func `no text of a deleted or changed snippet is left, joined or not`(isJoined: Bool) async throws
  {
    let pair = try await SyncedPair(place)
    let deleted = try await pair.laptop.store.save(
      SnippetDraft(.text("secret text"), title: "secret title")
    )
    let edited = try await pair.laptop.store.save(SnippetDraft(.text("secret text, too")))
    try await pair.meet()
    if !isJoined { try await StoreSync.leave(pair.laptop.store) }
    _ = try await pair.laptop.store.apply(SnippetEdit(text: "harmless"), to: edited.id)

    #expect(try await purge([deleted], on: pair.laptop) == 1)

    #expect(try await !hasTrace(of: "secret", on: pair.laptop))
    #expect(try await hasTrace(of: "harmless", on: pair.laptop))
    if !isJoined {
      _ = try await StoreSync.join(
        pair.laptop.store,
        by: place.carrier("laptop"),
        at: "memory",
        as: "laptop",
        key: pair.laptop.sync.key
      )
    }
    try await pair.meet()
    #expect(try await pair.phone.contents() == pair.laptop.contents())
    #expect(try pair.phone.rows().map(\.preview) == ["harmless"])
  }

  @Test(arguments: [true, false])
  func `a purge of a copied store replaces no edit of the store that it was copied from`(
    isJoined: Bool
  ) async throws {
    let pair = try await SyncedPair(place)
    let (row, _) = try await pair.share(SnippetDraft(.text("of both")))
    if !isJoined { try await StoreSync.leave(pair.laptop.store) }
    var copy = try await SyncedStore(copying: pair.laptop, as: "copy")
    _ = try await pair.laptop.store.apply(SnippetEdit(text: "of the laptop"), to: row.id)
    _ = try await copy.store.apply(SnippetEdit(text: "of the copy"), to: row.id)

    for device in [pair.laptop, copy] { #expect(try await purge([], on: device) == 0) }

    if !isJoined {
      var laptop = pair.laptop
      try await laptop.joinAgain()
      try await copy.joinAgain()
    }
    for _ in 0..<2 {
      try await pair.meet()
      try await copy.synchronize()
    }
    #expect(try pair.phone.rows().map(\.preview).sorted() == ["of the copy", "of the laptop"])
    #expect(try await copy.contents() == pair.phone.contents())
    #expect(try await StoreSync.devices(of: pair.phone.store).allSatisfy { !$0.name.isEmpty })
  }

  @Test func `no text is left of snippets whose entries came and were not merged`() async throws {
    let pair = try await SyncedPair(place)
    var rows: [SnippetRow] = []
    for number in 0..<60 {
      let draft = SnippetDraft(.text("secret text \(number)"))
      rows.append(try await pair.laptop.store.save(draft))
    }
    try await pair.meet()
    let kept = try #require(try pair.phone.row(rows[59].uuid))
    _ = try await pair.laptop.store.moveToTrash(rows.map(\.id))
    try await pair.laptop.synchronize()
    let error = await #expect(throws: SyncError.self) { try await pair.phone.sync.synchronize() }
    #expect(error?.code == .manyRemovals)
    _ = try await pair.phone.store.apply(SnippetEdit(text: "harmless"), to: kept.id)

    let deleted = try pair.phone.rows().filter { $0.uuid != kept.uuid }
    #expect(try await purge(deleted, on: pair.phone) == 59)

    #expect(try await !hasTrace(of: "secret", on: pair.phone))
    try await pair.meet()
    #expect(try await pair.phone.contents() == pair.laptop.contents())
    #expect(try pair.laptop.rows().map(\.preview) == ["harmless"])
  }

  @Test func `a purge while entries wait keeps how far the log of another device has come`()
    async throws
  {
    let pair = try await SyncedPair(place)
    let (laptop, phone) = (pair.laptop, pair.phone)
    _ = try await pair.share(SnippetDraft(.text("milk")))
    let picture = try await laptop.store.save(SnippetDraft(.bytes(Samples.png), note: "secret"))
    try await laptop.synchronize()
    let blob = try #require(place.objects.keys.first { $0.hasPrefix("blob/") })
    let bytes = place.objects[blob]
    place.put(nil, as: blob)
    #expect(try await phone.synchronize().waitingCount == 1)

    _ = try await purge([], on: phone)

    #expect(try await !hasTrace(of: "secret", on: phone))
    // The laptop is gone, and the place loses its first log file.
    let gone = try #require(try await laptop.sync.records.state()).device.rawValue
    let log = try #require(place.objects.keys.filter { $0.hasPrefix("log/\(gone)/") }.min())
    place.put(nil, as: log)
    #expect(try await phone.sync.check(repairing: true).mendedCount == 0, "an entry waits")
    place.put(bytes, as: blob)
    #expect(try await phone.synchronize().held.isEmpty)
    #expect(try phone.row(picture.uuid) != nil)
    #expect(try await phone.sync.check(repairing: true).mendedCount == 1)
    #expect(try await phone.sync.check(readingAll: true).isIntact)
    let tablet = try await SyncedStore("tablet", place, key: phone.sync.key)
    #expect(try await tablet.synchronize().held.isEmpty)
    #expect(try await tablet.contents() == phone.contents())
    #expect(try await laptop.contents() == phone.contents())
  }

  @Test func `a blob that the place lost is sent by the device that waited for it before a purge`()
    async throws
  {
    let pair = try await SyncedPair(place)
    let row = try await pair.laptop.store.save(SnippetDraft(.bytes(Samples.png)))
    try await pair.laptop.synchronize()
    let blob = try #require(place.objects.keys.first { $0.hasPrefix("blob/") })
    place.put(nil, as: blob)
    try await pair.phone.synchronize()
    _ = try await purge([], on: pair.phone)
    _ = try await pair.phone.store.save(SnippetDraft(.bytes(Samples.png)))

    try await pair.phone.synchronize()

    #expect(place.objects[blob] != nil)
    #expect(try pair.phone.rows().map(\.uuid) == [row.uuid])
  }

  @Test func `no note is left that came for a picture which was deleted here`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key) {
      Date().addingTimeInterval(-3_600)
    }
    let date = Date().addingTimeInterval(-86_400)
    let row = try await laptop.store.save(SnippetDraft(.bytes(Samples.png), createdAt: date))
    for device in [laptop, phone] { try await device.synchronize() }
    let there = try #require(try phone.row(row.uuid))
    try await phone.store.apply(SnippetEdit(note: "secret note"), to: there.id)
    try await laptop.store.apply(SnippetEdit(note: "a later one"), to: row.id)
    try await laptop.synchronize()
    _ = try await laptop.store.delete([row.id])
    for device in [laptop, phone, laptop] { try await device.synchronize() }
    let back = try laptop.rows()
    #expect(back.map(\.uuid) == [row.uuid])

    #expect(try await purge(back, on: laptop) == 1)

    #expect(try await !hasTrace(of: "secret", on: laptop))
    for device in [laptop, phone] { try await device.synchronize() }
    #expect(try await phone.contents() == laptop.contents())
    #expect(try phone.rows().isEmpty)
  }

  @Test func `no note is left that had no room, once its copy is purged`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key) {
      Date().addingTimeInterval(3_600)
    }
    let row = try await laptop.store.save(SnippetDraft(.bytes(Samples.png)))
    for device in [laptop, phone] { try await device.synchronize() }
    let there = try #require(try phone.row(row.uuid))
    // Few characters of many bytes.
    let notes = ["", "secret "].map { $0 + String(repeating: "é", count: 20_000) }
    try await laptop.store.apply(SnippetEdit(note: notes[0]), to: row.id)
    try await phone.store.apply(SnippetEdit(note: notes[1]), to: there.id)
    for device in [laptop, phone, laptop] { try await device.synchronize() }
    let copies = try laptop.rows().filter { $0.uuid != row.uuid }
    #expect(copies.map(\.tags) == [["conflict"]])

    #expect(try await purge(copies, on: laptop) == 1)

    #expect(try await !hasTrace(of: "secret", on: laptop))
    #expect(try await laptop.store.note(of: row.id) == notes[0])
    for device in [laptop, phone, laptop, phone] { try await device.synchronize() }
    #expect(try await phone.contents() == laptop.contents())
    #expect(try phone.rows().count == 1)
    for device in [laptop, phone] { #expect(try await device.synchronize().isEmpty) }
  }

  @Test(arguments: [true, false], [1, 20_000])
  func `no text is left of a version whose copy was deleted or edited`(
    isDeleted: Bool,
    length: Int
  ) async throws {
    let devices = try await UnknownEdit("secret text", length)
    try await devices.tablet.synchronize()
    let copy = try #require(try devices.tablet.rows().first { $0.tags == ["conflict"] })
    if !isDeleted {
      _ = try await devices.tablet.store.apply(SnippetEdit(text: "harmless"), to: copy.id)
    }

    #expect(try await purge(isDeleted ? [copy] : [], on: devices.tablet) == (isDeleted ? 1 : 0))

    #expect(try await !hasTrace(of: "secret", on: devices.tablet))
    try await devices.delete()
    try await devices.settle()
    for device in devices.all {
      #expect(try device.rows().map(\.preview) == (isDeleted ? [] : ["harmless"]))
      #expect(try await device.contents() == devices.tablet.contents())
    }
  }

  @Test func `what was never sent is not in the repository`() async throws {
    let pair = try await SyncedPair(place)
    let row = try await pair.laptop.store.save(SnippetDraft(.text("secret")))
    let objects = place.objects

    #expect(try await purge([row], on: pair.laptop) == 0)

    #expect(try await pair.laptop.synchronize().sentCount == 0)
    #expect(place.objects.filter { $0.key.hasPrefix("log/") }.isEmpty)
    #expect(objects.count <= place.objects.count)
    #expect(try await StoreSync.forgetDeleted(in: try TemporaryStore.open("other.sqlite")) == nil)
  }

  @Test(arguments: [false, true])
  func `a log file that could not be sent is not sent with a purged text`(
    hasArrived: Bool
  ) async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("shared")))
    try await pair.meet()
    let row = try await pair.phone.store.save(SnippetDraft(.text("secret")))
    let kept = try await pair.phone.store.save(SnippetDraft(.text("kept")))
    let carrier = FailingCarrier(carrier: place.carrier("phone"), writesFirst: hasArrived)
    let failing = try await StoreSync(pair.phone.store, by: carrier, key: pair.phone.sync.key)
    _ = await #expect(throws: SyncError.self) { try await failing.synchronize() }
    let number = try #require(try await outbox(of: pair.phone).last)

    #expect(try await purge([row], on: pair.phone) == 1)

    #expect(try await outbox(of: pair.phone) == [number])
    let mark = try await pair.phone.store.seam.read(to: "test") { db in
      try db.number("SELECT length(file) FROM sync_outbox WHERE number = ?", [number.databaseValue])
    }
    #expect(mark == Int64(DroppedFile.byteCount))
    try await pair.meet()
    try await pair.meet()
    #expect(try await pair.phone.contents() == pair.laptop.contents())
    #expect(try pair.laptop.row(kept.uuid) != nil)
    #expect(try pair.laptop.row(row.uuid) == nil)
    // The file that had come is replaced.
    #expect(try !sentTexts(pair).contains("secret"))
    #expect(try await StoreSync.devices(of: pair.laptop.store).count == 2)
  }

  @Test(arguments: CrashPoint.Moment.allCases)
  func `a purge after a synchronization that ended at any step makes no other device`(
    moment: CrashPoint.Moment
  ) async throws {
    let pair = try await SyncedPair(place)
    let phone = pair.phone
    _ = try await pair.share(SnippetDraft(.text("shared")))
    for step in 1...20 {
      let row = try await phone.store.save(SnippetDraft(.text("secret \(step)")))
      _ = try await phone.store.save(SnippetDraft(.text("kept \(step)")))
      // The second one also ends while it replaces what the first purge dropped.
      for _ in 0..<2 {
        phone.crash.arm(at: phone.crash.count + step, moment)
        _ = try? await phone.synchronize()
        phone.crash.disarm()
        _ = try await StoreSync.forgetDeleted(in: phone.store)
      }
      _ = try await purge([row], on: phone)
      try await pair.meet()
    }

    for device in [pair.laptop, phone] {
      #expect(try await StoreSync.devices(of: device.store).count == 2)
      #expect(try device.rows().count == 21)
      #expect(try await device.synchronize().isEmpty)
    }
    #expect(try await phone.contents() == pair.laptop.contents())
    #expect(try await pair.laptop.sync.check(readingAll: true).isIntact)
  }

  /// All that the log files have, decrypted.
  private func sentTexts(_ pair: SyncedPair) throws -> String {
    let key = RepositoryKey(try AgeIdentity(pair.laptop.sync.key))
    return try place.objects.map { name, object in
      guard let name = ObjectName(rawValue: name), case .log = name else { return "" }
      return try LogFile(object, named: name, key: key).entries
        .map { String(decoding: $0, as: UTF8.self) }.joined()
    }
    .joined()
  }

  private func outbox(of device: SyncedStore) async throws -> [Int64] {
    try await device.store.seam.read(to: "test") { db in
      try db.numbers(
        "SELECT number FROM sync_outbox WHERE number > (SELECT sent FROM sync_state)",
        []
      )
    }
  }
}

/// A carrier that fails to write log files, or has written them when it fails.
private struct FailingCarrier: PassingCarrier {
  let carrier: MemoryCarrier
  let writesFirst: Bool

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    if writesFirst { try await carrier.write(data, as: name, isNew: isNew) }
    throw SyncError(.unreachable, "write \(name)", because: "the place fails")
  }
}
