import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetSync

/// A store that is restored from a backup which is older than its last synchronization.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct RestoredStoreTests {
  private let place = MemoryPlace()

  /// Two stores that agree, and a backup of the first from before its last edits.
  private struct Scene {
    let phone: SyncedStore
    let restored: SnippetStore
    let sync: StoreSync
    /// Edited since the backup: the title here, the text on the phone.
    let edited: SnippetRow
    /// Deleted for good since the backup.
    let deleted: SnippetRow
    /// Made since the backup.
    let new: SnippetRow
  }

  private func scene() async throws -> Scene {
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    let edited = try await laptop.store.save(SnippetDraft(.text("old text"), title: "old"))
    let deleted = try await laptop.store.save(SnippetDraft(.text("deleted")))
    _ = try await laptop.store.save(Samples.image(Samples.bytes(20_000)))
    for device in [laptop, phone] { try await device.sync.synchronize() }
    let backup = TemporaryDirectory.file("backup.sqlite")
    _ = try await laptop.store.backUp(to: backup)

    _ = try await laptop.store.apply(SnippetEdit(title: "new"), to: edited.id)
    _ = try await laptop.store.delete([deleted.id])
    let new = try await laptop.store.save(SnippetDraft(.text("made since")))
    let there = try #require(try phone.row(edited.uuid))
    _ = try await phone.store.apply(SnippetEdit(text: "new text"), to: there.id)
    for device in [phone, laptop, phone] { try await device.sync.synchronize() }
    let file = try #require(laptop.store.url)
    try await laptop.store.close()
    _ = try await SnippetStore.restore(from: backup, to: file)
    let store = try SnippetStore(at: file)
    let sync = try await StoreSync(store, by: place.carrier("again"), key: laptop.sync.key)
    return Scene(
      phone: phone,
      restored: store,
      sync: sync,
      edited: edited,
      deleted: deleted,
      new: new
    )
  }

  private func requireAgreement(_ scene: Scene) async throws {
    try await scene.phone.sync.synchronize()
    try await scene.sync.synchronize()
    let laptop = SyncedStore("laptop", place, scene.restored, scene.sync)
    #expect(try await laptop.contents() == scene.phone.contents())
    let objects = place.objects
    for sync in [scene.phone.sync, scene.sync] { #expect(try await sync.synchronize().isEmpty) }
    #expect(place.objects == objects)
    #expect(try await scene.restored.check().isSound)
  }

  @Test func `a device whose log is read twice and cannot be read is named once`() async throws {
    let scene = try await scene()
    let state = try #require(try await SyncRecords(store: scene.phone.store).state())
    place.put(Data("damage".utf8), as: ObjectName.log(state.device, number: 1).rawValue)

    // For the backup the logs are read once, and then once more.
    try await scene.sync.settleRestore(keepingBackup: true)
    let report = try await scene.sync.synchronize(allowingManyRemovals: true)

    #expect(report.held.map(\.name) == ["phone"])
  }

  @Test func `a choice is not made again while another process carries it out`() async throws {
    let scene = try await scene()
    try await scene.sync.settleRestore(keepingBackup: true)
    let carrier = HeldCarrier(place.carrier("again"))
    let first = try await StoreSync(scene.restored, by: carrier, key: scene.sync.key)
    let other = try TemporaryStore.open("laptop.sqlite") { $0.busyTimeout = .zero }
    let second = try await StoreSync(other, by: place.carrier("again"), key: scene.sync.key)
    let running = Task { try await first.synchronize(allowingManyRemovals: true) }
    await carrier.isAsked.untilOpen()

    let busy = await #expect(throws: SyncError.self) {
      try await second.settleRestore(keepingBackup: true)
    }
    carrier.mayAnswer.open()
    _ = try await running.value
    let late = await #expect(throws: SyncError.self) {
      try await second.settleRestore(keepingBackup: true)
    }

    #expect((busy?.underlyingError as? SnippetStoreError)?.code == .busy)
    #expect(late?.code == .invalidInput)
    try await scene.phone.sync.synchronize()
    try await requireAgreement(scene)
  }

  @Test func `nothing happens until it is decided what counts`() async throws {
    let scene = try await scene()
    let objects = place.objects

    let error = await #expect(throws: SyncError.self) { try await scene.sync.synchronize() }

    #expect(error?.code == .restored)
    let ends = Lock<[SyncError.Code]>([])
    await scene.sync.run { event in
      guard case .ended(let error) = event else { return }
      ends.withLock { $0.append(error.code) }
    }
    #expect(ends.withLock(\.self) == [.restored])
    #expect(place.objects == objects)
    try await scene.sync.settleRestore(keepingBackup: false)
    let again = await #expect(throws: SyncError.self) {
      try await scene.sync.settleRestore(keepingBackup: true)
    }
    #expect(again?.code == .invalidInput)
  }

  @Test func `it receives what was edited and deleted since`() async throws {
    let scene = try await scene()

    try await scene.sync.settleRestore(keepingBackup: false)
    try await scene.sync.synchronize()

    let row = try #require(try scene.restored.row(scene.edited.id))
    #expect(row.title == "new")
    #expect(row.preview == "new text")
    #expect(try scene.restored.row(scene.deleted.id) == nil)
    try await requireAgreement(scene)
    #expect(try scene.phone.row(scene.new.uuid) != nil)
  }

  @Test(arguments: [false, true])
  func `a purge before the choice replaces no edit since the backup`(leaves: Bool) async throws {
    var pair = try await SyncedPair(place)
    let (_, shared) = try await pair.share(SnippetDraft(.text("a text")))
    let row = try #require(shared)
    let backup = TemporaryDirectory.file("backup.sqlite")
    _ = try await pair.phone.store.backUp(to: backup)
    _ = try await pair.phone.store.apply(SnippetEdit(text: "since the backup"), to: row.id)
    try await pair.meet()
    try await pair.phone.restart(restoring: backup)
    if leaves { try await StoreSync.leave(pair.phone.store) }
    _ = try await pair.phone.store.apply(SnippetEdit(text: "in the backup"), to: row.id)

    #expect(try await StoreSync.forgetDeleted(in: pair.phone.store) == 0)

    if leaves {
      try await pair.phone.joinAgain()
    } else {
      try await pair.phone.sync.settleRestore(keepingBackup: false)
    }
    try await pair.meet()
    let texts = try pair.laptop.rows().map(\.preview)
    #expect(texts.sorted() == ["in the backup", "since the backup"])
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `the backup is had on all devices`() async throws {
    let scene = try await scene()

    try await scene.sync.settleRestore(keepingBackup: true)
    try await scene.sync.synchronize()
    try await scene.phone.sync.synchronize()

    let row = try #require(try scene.phone.row(scene.edited.uuid))
    #expect(row.title == "old")
    #expect(row.preview == "old text")
    #expect(try scene.phone.row(scene.deleted.uuid) != nil)
    #expect(try scene.phone.row(scene.new.uuid) == nil)
    #expect(try scene.phone.rows().count == 3)
    #expect(try scene.restored.list().count == 3)
    try await requireAgreement(scene)
  }

  @Test func `a choice of the backup waits for a log file that has not arrived`() async throws {
    let scene = try await scene()
    let phone = try #require(try await SyncRecords(store: scene.phone.store).state())
    let name = ObjectName.log(phone.device, number: phone.sent).rawValue
    let log = try #require(place.objects[name])
    place.put(nil, as: name)
    try await scene.sync.settleRestore(keepingBackup: true)

    let error = await #expect(throws: SyncError.self) { try await scene.sync.synchronize() }

    #expect(error?.code == .unreachable)
    #expect(error?.reason == "it has not arrived")
    place.put(log, as: name)
    try await scene.sync.synchronize()
    try await scene.phone.sync.synchronize()
    #expect(try scene.phone.row(scene.edited.uuid)?.preview == "old text")
    try await requireAgreement(scene)
  }

  @Test func `a choice of the backup waits for the head of a device that it knows`() async throws {
    var pair = try await SyncedPair(place)
    let (row, _) = try await pair.share(SnippetDraft(.text("in the backup")))
    let backup = TemporaryDirectory.file("backup.sqlite")
    _ = try await pair.phone.store.backUp(to: backup)
    _ = try await pair.laptop.store.apply(SnippetEdit(text: "since the backup"), to: row.id)
    try await pair.meet()
    try await pair.phone.restart(restoring: backup)
    let laptop = try #require(try await SyncRecords(store: pair.laptop.store).state())
    let name = ObjectName.head(laptop.device).rawValue
    let head = try #require(place.objects[name])
    place.put(nil, as: name)
    try await pair.phone.sync.settleRestore(keepingBackup: true)

    let error = await #expect(throws: SyncError.self) { try await pair.phone.sync.synchronize() }

    #expect(error?.code == .unreachable)
    #expect(error?.operation == "read the log of “laptop”")
    place.put(head, as: name)
    try await pair.phone.sync.synchronize()
    try await pair.meet()
    #expect(try pair.laptop.rows().map(\.preview) == ["in the backup"])
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test(arguments: [false, true])
  func `the device of the store that a backup replaced is not listed beside the new one`(
    keepsBackup: Bool
  ) async throws {
    let scene = try await scene()

    try await scene.sync.settleRestore(keepingBackup: keepsBackup)
    try await scene.sync.synchronize(allowingManyRemovals: true)
    try await scene.phone.sync.synchronize()

    for store in [scene.restored, scene.phone.store] {
      let devices = try await StoreSync.devices(of: store)
      #expect(devices.map(\.name).sorted() == ["laptop", "phone"])
      #expect(devices.allSatisfy { $0.leftAt == nil })
    }
    try await requireAgreement(scene)
  }

  @Test(arguments: [1, 2])
  func `a store is listed once that joins again after a backup from before it joined`(
    restoreCount: Int
  ) async throws {
    let phone = try await SyncedStore("phone", place)
    let (file, backup) = (
      TemporaryDirectory.file("laptop.sqlite"), TemporaryDirectory.file("backup.sqlite")
    )
    let former = try TemporaryStore.open("laptop.sqlite", isCheckedAtEnd: false)
    _ = try await former.save(SnippetDraft(.text("a text")))
    _ = try await former.backUp(to: backup)
    try await join(former, phone).synchronize()
    try await phone.sync.synchronize()
    try await former.close()
    for _ in 1...restoreCount { _ = try await SnippetStore.restore(from: backup, to: file) }
    let store = try TemporaryStore.open("laptop.sqlite")
    // It has never been there, as far as anything but its former device goes.
    let repository = try #require(try await StoreSync.repository(of: phone.store)?.identity)
    #expect(try await StoreSync.status(of: store) == nil)
    #expect(try await StoreSync.deletionCount(of: store, sinceLeaving: repository) == nil)
    #expect(try await StoreSync.forgetDeleted(in: store) == nil)
    #expect(try await store.check().isSound)

    let sync = try await join(store, phone)
    for sync in [sync, phone.sync, sync] { try await sync.synchronize() }

    for store in [store, phone.store] {
      let devices = try await StoreSync.devices(of: store)
      #expect(devices.map(\.name).sorted() == ["laptop", "phone"])
      #expect(devices.allSatisfy { $0.leftAt == nil })
    }
    #expect(try phone.rows().count == 1)
  }

  @Test func `a copy of a backup from before the join tells nothing of the store that it replaced`()
    async throws
  {
    let phone = try await SyncedStore("phone", place)
    let (file, backup) = (
      TemporaryDirectory.file("laptop.sqlite"), TemporaryDirectory.file("backup.sqlite")
    )
    let former = try TemporaryStore.open("laptop.sqlite", isCheckedAtEnd: false)
    _ = try await former.save(SnippetDraft(.text("a text")))
    _ = try await former.backUp(to: backup)
    try await join(former, phone).synchronize()
    try await former.close()
    _ = try await SnippetStore.restore(from: backup, to: file)
    let restored = try TemporaryStore.open("laptop.sqlite")
    _ = try await restored.backUp(to: TemporaryDirectory.file("copy.sqlite"))
    let copy = try TemporaryStore.open("copy.sqlite")
    let objects = place.objects

    _ = try await join(copy, phone)

    #expect(place.objects == objects)
  }

  private func join(_ store: SnippetStore, _ other: SyncedStore) async throws -> StoreSync {
    try await StoreSync.join(
      store,
      by: place.carrier("laptop"),
      at: "memory",
      as: "laptop",
      key: other.sync.key
    )
  }

  @Test func `the device is known still after a second restore before a choice`() async throws {
    let scene = try await scene()
    let file = try #require(scene.restored.url)
    try await scene.restored.close()
    let backup = TemporaryDirectory.file("backup.sqlite")
    _ = try await SnippetStore.restore(from: backup, to: file)
    let store = try SnippetStore(at: file)
    let sync = try await StoreSync(store, by: place.carrier("once more"), key: scene.sync.key)

    try await sync.settleRestore(keepingBackup: false)
    try await sync.synchronize()

    let devices = try await StoreSync.devices(of: store)
    #expect(devices.map(\.name).sorted() == ["laptop", "phone"])
    try await store.close()
  }

  @Test func `a choice of the backup survives a place that fails`() async throws {
    let scene = try await scene()
    try await scene.sync.settleRestore(keepingBackup: true)

    for _ in 0..<20 {
      place.script(.tornRead, .failure)
      _ = try? await scene.sync.synchronize()
    }
    try await scene.sync.synchronize()
    try await scene.phone.sync.synchronize()

    #expect(try scene.phone.row(scene.edited.uuid)?.title == "old")
    #expect(try scene.phone.row(scene.new.uuid) == nil)
    try await requireAgreement(scene)
  }

  @Test func `where no store was, the question is asked, too`() async throws {
    let scene = try await scene()
    let copy = TemporaryDirectory.file("elsewhere.sqlite")

    _ = try await SnippetStore.restore(from: TemporaryDirectory.file("backup.sqlite"), to: copy)

    let store = try SnippetStore(at: copy)
    let sync = try await StoreSync(store, by: place.carrier("third"), key: scene.sync.key)
    let error = await #expect(throws: SyncError.self) { try await sync.synchronize() }
    #expect(error?.code == .restored)
    // The store of the backup may go on where it is.
    let objects = place.objects
    try await sync.settleRestore(keepingBackup: false)
    #expect(place.objects == objects)
    try await store.close()
  }

  @Test func `a copy of a restored store does not tell that a device has left`() async throws {
    let scene = try await scene()
    let copy = TemporaryDirectory.file("copy.sqlite")
    _ = try await scene.restored.backUp(to: copy)
    let store = try SnippetStore(at: copy)
    let sync = try await StoreSync(store, by: place.carrier("copy"), key: scene.sync.key)
    let objects = place.objects

    try await sync.settleRestore(keepingBackup: false)

    // The one that was copied tells it once the choice is made there.
    #expect(place.objects == objects)
    try await scene.sync.settleRestore(keepingBackup: false)
    #expect(place.objects != objects)
    try await store.close()
  }
}
