import Foundation
import GRDB
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// A store that leaves a repository and joins it again.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LeavingTests {
  private let place = MemoryPlace()

  /// Leaves with the phone, edits, and joins again.
  private func pair(
    _ drafts: [SnippetDraft],
    meanwhile edit: (_ pair: SyncedPair, _ rows: [SnippetRow]) async throws -> Void
  ) async throws -> SyncedPair {
    var pair = try await SyncedPair(place)
    let rows = try await drafts.asyncMap { try await pair.laptop.store.save($0) }
    try await pair.meet()
    try await StoreSync.leave(pair.phone.store)
    #expect(try await StoreSync.status(of: pair.phone.store) == nil)
    let error = await #expect(throws: SyncError.self) { try await pair.phone.synchronize() }
    #expect(error?.code == .noRepository)

    try await edit(pair, rows)
    try await pair.laptop.synchronize()
    try await pair.phone.joinAgain()
    return pair
  }

  private func requireAgreement(of pair: SyncedPair) async throws {
    for device in [pair.phone, pair.laptop, pair.phone] { try await device.synchronize() }
    #expect(try await pair.phone.contents() == pair.laptop.contents())
    let objects = place.objects
    for device in [pair.laptop, pair.phone] { #expect(try await device.synchronize().isEmpty) }
    #expect(place.objects == objects)
    for device in [pair.laptop, pair.phone] { #expect(try await device.store.check().isSound) }
  }

  @Test func `what others deleted or edited in between does not come back`() async throws {
    let drafts = (0..<20).map { SnippetDraft(.text("text \($0)"), title: "title \($0)") }
    let pair = try await pair(drafts) { pair, rows in
      _ = try await pair.laptop.store.delete(rows[..<10].map(\.id))
      _ = try await pair.laptop.store.moveToTrash(rows[10..<13].map(\.id))
      _ = try await pair.laptop.store.apply(SnippetEdit(text: "edited"), to: rows[13].id)
    }

    let report = try await pair.phone.synchronize()

    #expect(report.removedCount == 13)
    #expect(report.receivedCount == 1)
    #expect(report.sentCount == 0)
    #expect(report.conflicts.isEmpty)
    #expect(try pair.phone.rows().count == 7)
    #expect(try pair.phone.rows(inTrash: true).count == 3)
    try await requireAgreement(of: pair)
  }

  @Test func `what was edited and deleted here in between goes to the others`() async throws {
    let drafts = (0..<4).map { SnippetDraft(.text("text \($0)")) }
    let pair = try await pair(drafts) { pair, rows in
      let phone = pair.phone
      let there = try rows.map { try #require(try phone.row($0.uuid)) }
      _ = try await phone.store.delete([there[0].id])
      _ = try await phone.store.apply(SnippetEdit(text: "of the phone"), to: there[1].id)
      _ = try await phone.store.apply(SnippetEdit(text: "of the phone, too"), to: there[2].id)
      _ = try await phone.store.save(SnippetDraft(.text("new")))
      _ = try await pair.laptop.store.apply(SnippetEdit(text: "of the laptop"), to: rows[2].id)
      let repository = try #require(try await StoreSync.status(of: pair.laptop.store)?.repository)
      for (identity, count) in [(repository, 1), ("another", nil)] {
        let found = try await StoreSync.deletionCount(of: phone.store, sinceLeaving: identity)
        #expect(found == count)
      }
    }

    #expect(try await pair.phone.synchronize().conflicts.count == 1)

    try await requireAgreement(of: pair)
    let texts = try await pair.laptop.rows().asyncMap { row in
      try await pair.laptop.store.text(of: row.id)
    }
    #expect(
      Set(texts) == ["text 3", "of the phone", "of the phone, too", "of the laptop", "new"]
    )
  }

  @Test(arguments: 1...12)
  func `what had not been sent is sent, wherever the last synchronization ended`(
    step: Int
  ) async throws {
    var pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("sent")))
    _ = try await pair.phone.store.save(SnippetDraft(.text("sealed")))
    pair.phone.crash.arm(at: pair.phone.crash.count + step, .before)
    _ = try? await pair.phone.synchronize()
    pair.phone.crash.disarm()
    _ = try await pair.phone.store.save(SnippetDraft(.text("unsent")))
    try await StoreSync.leave(pair.phone.store)
    #expect(try await pair.phone.store.check().isSound)

    try await pair.phone.joinAgain()

    try await requireAgreement(of: pair)
    #expect(try pair.laptop.rows().count == 3)
  }

  @Test func `a store that was restored and left receives what its backup did not know`()
    async throws
  {
    var pair = try await SyncedPair(place)
    let row = try await pair.share(SnippetDraft(.text("a text"), title: "before")).onPhone
    let backup = TemporaryDirectory.file("backup.sqlite")
    _ = try await pair.phone.store.backUp(to: backup)
    _ = try await pair.phone.store.apply(SnippetEdit(title: "after"), to: try #require(row).id)
    let new = try await pair.phone.store.save(SnippetDraft(.text("made since")))
    try await pair.meet()
    try await pair.phone.restart(restoring: backup)

    try await StoreSync.leave(pair.phone.store)
    try await pair.phone.joinAgain()
    try await pair.phone.synchronize()

    #expect(try pair.phone.row(new.uuid) != nil)
    #expect(try pair.phone.row(try #require(row).uuid)?.title == "after")
    try await requireAgreement(of: pair)
  }

  @Test func `others hear that a device has left, unless it cannot tell them`() async throws {
    var pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("a text")))
    func departures() async throws -> [Bool] {
      try await pair.laptop.synchronize()
      return try await StoreSync.devices(of: pair.laptop.store).map { $0.leftAt != nil }
    }

    #expect(try await pair.phone.sync.leave())
    #expect(try await StoreSync.status(of: pair.phone.store) == nil)
    #expect(try await departures() == [false, true])

    try await pair.phone.joinAgain()
    try await requireAgreement(of: pair)
    place.script(.failure)
    #expect(try await !pair.phone.sync.leave())
    #expect(try await StoreSync.status(of: pair.phone.store) == nil)
    #expect(try await departures() == [false, false])
    try await pair.phone.joinAgain()
    #expect(try await departures() == [false, true])
    try await requireAgreement(of: pair)
  }

  @Test func `a store that joins again is listed once, unless it changes its name`() async throws {
    var pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("a text")))
    func names(_ device: SyncedStore) async throws -> [String] {
      try await StoreSync.devices(of: device.store).map { device in
        "\(device.name)\(device.isOwn ? " (own)" : "")\(device.leftAt == nil ? "" : " (left)")"
      }
    }

    for _ in 0..<2 {
      #expect(try await pair.phone.sync.leave())
      try await pair.laptop.synchronize()
      #expect(try await names(pair.laptop) == ["laptop (own)", "phone (left)"])
      try await pair.phone.joinAgain()
      for device in [pair.phone, pair.laptop, pair.phone] { try await device.synchronize() }
      #expect(try await names(pair.laptop) == ["laptop (own)", "phone"])
      let onPhone = try await names(pair.phone)
      #expect(onPhone.sorted() == ["laptop", "phone (own)"])
    }
    try await StoreSync.leave(pair.phone.store)
    try await pair.phone.joinAgain(as: "tablet")
    for device in [pair.phone, pair.laptop] { try await device.synchronize() }

    #expect(try await names(pair.laptop) == ["laptop (own)", "phone (left)", "tablet"])
  }

  @Test func `only a device that sent later stands for one of its name that has left`() {
    func device(
      _ number: Int64,
      wrote: Int64?,
      left: Bool = false,
      name: String = "a"
    ) -> KnownDevice {
      KnownDevice(
        number: number,
        device: DeviceID(),
        name: name,
        applied: 0,
        knows: 0,
        headTag: "",
        wroteAt: wrote,
        leftAt: left ? wrote : nil
      )
    }
    let former = device(2, wrote: 5, left: true)

    #expect(device(1, wrote: 6).isLater(than: former))
    #expect(device(1, wrote: 5).isLater(than: former))
    #expect(device(1, wrote: nil).isLater(than: former))
    #expect(device(1, wrote: 6, left: true).isLater(than: former))
    #expect(device(3, wrote: 5, left: true).isLater(than: former))
    #expect(!device(1, wrote: 5, left: true).isLater(than: former))
    #expect(!device(3, wrote: 4).isLater(than: former))
    #expect(!device(3, wrote: 6, name: "b").isLater(than: former))
    #expect(!device(3, wrote: 6).isLater(than: device(2, wrote: 5)))
    #expect(!former.isLater(than: former))
  }

  @Test func `no device tells that another one has left whose name it had`() async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("a text")))
    let clone = try await SyncedStore(copying: pair.phone, as: "clone", isClone: true)
    _ = try await pair.phone.store.save(SnippetDraft(.text("since the copy")))
    try await pair.phone.synchronize()
    let objects = place.objects

    #expect(try await !clone.sync.leave())

    #expect(place.objects == objects)
    var copy = try await SyncedStore(copying: pair.phone, as: "copy")
    #expect(try await !copy.sync.leave())
    try await copy.joinAgain()
    #expect(place.objects == objects)
  }

  @Test func `the backup of a store that had left asks nothing`() async throws {
    var pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("a text")))
    try await StoreSync.leave(pair.phone.store)
    let backup = TemporaryDirectory.file("backup.sqlite")
    _ = try await pair.phone.store.backUp(to: backup)
    try await pair.phone.restart(restoring: backup)
    #expect(try await StoreSync.status(of: pair.phone.store) == nil)

    try await pair.phone.joinAgain()

    #expect(try await pair.phone.synchronize().isEmpty)
    try await requireAgreement(of: pair)
  }

  @Test(arguments: [true, false])
  func `a store is listed once that joins again after a backup of it that left before or after`(
    leavesBefore: Bool
  ) async throws {
    var pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("a text")))
    if leavesBefore { try await StoreSync.leave(pair.phone.store) }
    let backup = TemporaryDirectory.file("backup.sqlite")
    _ = try await pair.phone.store.backUp(to: backup)
    if leavesBefore { try await pair.phone.joinAgain() }
    let new = try await pair.phone.store.save(SnippetDraft(.text("made since")))
    try await pair.meet()
    try await pair.phone.restart(restoring: backup)
    if !leavesBefore { try await StoreSync.leave(pair.phone.store) }
    #expect(try await StoreSync.status(of: pair.phone.store) == nil)

    try await pair.phone.joinAgain()

    try await requireAgreement(of: pair)
    #expect(try pair.phone.row(new.uuid) != nil)
    for device in [pair.laptop, pair.phone] {
      let devices = try await StoreSync.devices(of: device.store)
      #expect(devices.map(\.name).sorted() == ["laptop", "phone"])
      #expect(devices.allSatisfy { $0.leftAt == nil })
    }
  }

  @Test func `a store that forgets meets no version that was replaced before it left`()
    async throws
  {
    var pair = try await SyncedPair(place)
    let short = try await pair.share(SnippetDraft(.text("text")))
    let long = try await pair.share(SnippetDraft(.text(String(repeating: "long ", count: 30_000))))
    for round in 0..<4 {
      let (device, isLaptop) = round.isMultiple(of: 2) ? (pair.laptop, true) : (pair.phone, false)
      for (row, length) in [(short, 1), (long, 30_000)] {
        let text = String(repeating: "round \(round) ", count: length)
        let id = try #require(isLaptop ? row.onLaptop : row.onPhone).id
        _ = try await device.store.apply(SnippetEdit(text: text), to: id)
      }
      try await pair.meet()
    }
    let before = try await pair.phone.contents()

    try await StoreSync.leave(pair.phone.store, forgetting: true)
    try await pair.phone.joinAgain()
    let report = try await pair.phone.synchronize()

    #expect(report.conflicts.isEmpty)
    #expect(report.receivedBlobCount == 0)
    #expect(try await pair.phone.contents() == before)
    try await requireAgreement(of: pair)
  }

  @Test func `a store that forgets, or joins another repository, is a new one`() async throws {
    var pair = try await SyncedPair(place)
    let (_, onPhone) = try await pair.share(SnippetDraft(.text("a text")))
    let store = pair.phone.store
    try await StoreSync.leave(store)
    let other = try await StoreSync.join(store, by: MemoryPlace().carrier(), at: "other", as: "a")
    #expect(try await other.synchronize().sentCount == 1)
    #expect(try await StoreSync.devices(of: store).count == 1)

    try await StoreSync.leave(store)
    try await StoreSync.leave(store, forgetting: true)

    let rows = try await store.seam.read(to: "test") { db in
      try db.number(SyncSample.rowCount)
    }
    #expect(rows == 0)
    _ = try await store.delete([try #require(onPhone).id])
    try await pair.phone.joinAgain()
    #expect(try await pair.phone.synchronize().receivedCount == 1)
    try await requireAgreement(of: pair)
  }
}
