import Foundation
import GRDB
import SnippetBase
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// Two stores that meet in one place.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SynchronizingTests {
  private let place = MemoryPlace()

  private func pair() async throws -> (laptop: SyncedStore, phone: SyncedStore) {
    let laptop = try await SyncedStore("laptop", place)
    return (laptop, try await SyncedStore("phone", place, key: laptop.sync.key))
  }

  @Test func `snippets of every kind arrive as they were sent`() async throws {
    let (laptop, phone) = try await pair()
    let note = try await laptop.store.save(
      SnippetDraft(.text("milk\neggs"), title: "Shop", tags: ["Home"], isPinned: true)
    )
    _ = try await laptop.store.save(SnippetDraft(.text(String(repeating: "long ", count: 30_000))))
    _ = try await laptop.store.save(Samples.image(Samples.bytes(300_000)))
    _ = try await laptop.store.save(Samples.voice(Samples.bytes(9_000_000)))
    let trashed = try await laptop.store.save(SnippetDraft(.text("old")))
    _ = try await laptop.store.moveToTrash([trashed.id])

    let sent = try await laptop.sync.synchronize()
    let received = try await phone.sync.synchronize()

    #expect(sent.sentCount == 5)
    #expect(sent.sentBlobCount == 3)
    #expect(received.receivedCount == 4)
    #expect(try await phone.contents() == laptop.contents())
    #expect(try phone.row(note.uuid)?.tags == ["Home"])
    #expect(try await phone.store.check().isSound)
  }

  @Test func `nothing is sent twice`() async throws {
    let (laptop, phone) = try await pair()
    _ = try await laptop.store.save(SnippetDraft(.text("once")))
    _ = try await phone.store.save(Samples.image(Samples.bytes(50_000)))
    for _ in 0..<2 {
      try await laptop.sync.synchronize()
      try await phone.sync.synchronize()
    }
    let objects = place.objects

    for device in [laptop, phone, laptop] {
      #expect(try await device.sync.synchronize().isEmpty)
    }

    #expect(place.objects == objects)
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `edits of different fields come together`() async throws {
    let (laptop, phone) = try await pair()
    let note = try await laptop.store.save(SnippetDraft(.text("text"), title: "a", tags: ["old"]))
    try await laptop.sync.synchronize()
    try await phone.sync.synchronize()
    let there = try #require(try phone.row(note.uuid))

    _ = try await laptop.store.apply(SnippetEdit(title: "b", removedTags: ["old"]), to: note.id)
    _ = try await phone.store.apply(SnippetEdit(isPinned: true, addedTags: ["new"]), to: there.id)
    for device in [laptop, phone, laptop] { try await device.sync.synchronize() }

    let row = try #require(try laptop.store.row(note.id))
    #expect(row.title == "b")
    #expect(row.isPinned)
    #expect(row.tags == ["new"])
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `of two texts both stay, and the person hears of it`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    // However soon it edits after the laptop, its text is the later one.
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key) { Date() + 1 }
    let note = try await laptop.store.save(SnippetDraft(.text("first"), title: "Milk"))
    try await laptop.sync.synchronize()
    try await phone.sync.synchronize()
    let there = try #require(try phone.row(note.uuid))

    _ = try await laptop.store.apply(SnippetEdit(text: "of the laptop"), to: note.id)
    _ = try await phone.store.apply(SnippetEdit(text: "of the phone"), to: there.id)
    try await laptop.sync.synchronize()
    let report = try await phone.sync.synchronize()
    try await laptop.sync.synchronize()

    #expect(report.conflicts.count == 1)
    let conflict = try #require(report.conflicts.first)
    let copy = try #require(try laptop.row(conflict))
    #expect(copy.tags == ["conflict"])
    #expect(copy.title == "Milk")
    #expect(try await laptop.store.text(of: copy.id) == "of the laptop")
    #expect(try await laptop.store.text(of: note.id) == "of the phone")
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `a deletion arrives, and an edit that was not known to it brings back`() async throws {
    let (laptop, phone) = try await pair()
    let rows = try await ["one", "two"].asyncMap { text in
      try await laptop.store.save(SnippetDraft(.text(text)))
    }
    try await laptop.sync.synchronize()
    try await phone.sync.synchronize()
    let second = try #require(try phone.row(rows[1].uuid))

    _ = try await laptop.store.delete(rows.map(\.id))
    _ = try await phone.store.apply(SnippetEdit(text: "two, edited"), to: second.id)
    try await laptop.sync.synchronize()
    let onPhone = try await phone.sync.synchronize()
    let onLaptop = try await laptop.sync.synchronize()

    #expect(onPhone.removedCount == 1)
    #expect(onLaptop.revived == [rows[1].uuid])
    #expect(try await laptop.contents().count == 1)
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `an edit that is older than what was deleted brings back with the tags`() async throws
  {
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key) { Date() + 1 }
    let note = try await laptop.store.save(SnippetDraft(.text("first"), tags: ["base", "old"]))
    for device in [laptop, phone] { try await device.sync.synchronize() }
    let there = try #require(try phone.row(note.uuid))
    let edit = SnippetEdit(text: "of the laptop", addedTags: ["mine"], removedTags: ["old"])
    _ = try await laptop.store.apply(edit, to: note.id)
    _ = try await phone.store.apply(SnippetEdit(text: "of the phone"), to: there.id)
    try await phone.sync.synchronize()
    _ = try await phone.store.delete([there.id])
    try await phone.sync.synchronize()

    let report = try await laptop.sync.synchronize()
    let onPhone = try await phone.sync.synchronize()
    for device in [laptop, phone] { try await device.sync.synchronize() }

    #expect(report.removedCount == 0)
    #expect(report.conflicts.isEmpty)
    #expect(onPhone.revived == [note.uuid])
    let back = try #require(try phone.row(note.uuid))
    #expect(try phone.rows().map(\.tags) == [["base", "mine"]])
    #expect(try await phone.store.text(of: back.id) == "of the laptop")
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `a store is compared as a whole where the record of changes does not reach back`()
    async throws
  {
    let (laptop, phone) = try await pair()
    let rows = try await (1...4).asyncMap { number in
      try await laptop.store.save(SnippetDraft(.text("note \(number)")))
    }
    try await laptop.sync.synchronize()
    try await phone.sync.synchronize()

    _ = try await laptop.store.delete([rows[0].id])
    _ = try await laptop.store.apply(SnippetEdit(title: "edited"), to: rows[1].id)
    _ = try await laptop.store.save(SnippetDraft(.text("note 5")))
    try laptop.store.seam.write(to: "forget changes") { db in
      try db.run("UPDATE sync_state SET change_number = -1", [])
    }
    #expect(try await laptop.sync.synchronize().sentCount == 3)
    try await phone.sync.synchronize()

    #expect(try await phone.contents() == laptop.contents())
    #expect(try await phone.contents().count == 4)
    #expect(try await laptop.sync.synchronize().isEmpty)
  }

  @Test func `a head of its own that is damaged is written anew`() async throws {
    let (laptop, phone) = try await pair()
    _ = try await laptop.store.save(SnippetDraft(.text("sent before")))
    try await laptop.sync.synchronize()
    let head = try #require(place.objects.keys.first { $0.hasPrefix("device/") })
    place.put(Data("damaged".utf8), as: head)
    #expect(try await phone.sync.synchronize().held.count == 1)

    try await laptop.sync.synchronize()

    #expect(try await phone.sync.synchronize().receivedCount == 1)
    #expect(try await laptop.sync.synchronize().isEmpty)
    #expect(try await StoreSync.devices(of: phone.store).count == 2)
  }

  @Test func `what is deleted for good leaves no text behind`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    let note = try await laptop.store.save(SnippetDraft(.text("the secret"), title: "secret title"))
    try await laptop.sync.synchronize()

    _ = try await laptop.store.delete([note.id])
    try await laptop.sync.synchronize()

    let entries = try await laptop.store.seam.read(to: "test") { db in
      try db.values(
        "SELECT entry FROM sync_absent UNION ALL SELECT entry FROM sync_row"
      ) { try $0.text(0) }
    }
    #expect(entries.count == 1)
    #expect(!entries.joined().contains("secret"))
  }

  @Test func `an empty, foreign or newer place changes nothing`() async throws {
    let (laptop, _) = try await pair()
    _ = try await laptop.store.save(SnippetDraft(.text("here")))
    try await laptop.sync.synchronize()
    let before = try await laptop.contents()
    let format = try #require(place.objects["format"])

    for (bytes, code): (Data?, SyncError.Code) in [
      (nil, .noRepository), (Data("no JSON".utf8), .noRepository),
      (RepositoryFormat().object, .noRepository),
      (Data(#"{"snippets":2,"repository":"00"}"#.utf8), .newerRepository),
    ] {
      place.put(bytes, as: "format")
      let error = await #expect(throws: SyncError.self) { try await laptop.sync.synchronize() }
      #expect(error?.code == code)
    }

    #expect(try await laptop.contents() == before)
    place.put(format, as: "format")
    #expect(try await laptop.sync.synchronize().isEmpty)
  }

  @Test func `another key does not join`() async throws {
    let (laptop, _) = try await pair()
    _ = try await laptop.store.save(SnippetDraft(.text("here")))
    try await laptop.sync.synchronize()
    let store = try TemporaryStore.open("other.sqlite")

    for key in [AgeIdentity().text, nil] {
      let error = await #expect(throws: SyncError.self) {
        _ = try await StoreSync.join(
          store,
          by: place.carrier("other"),
          at: "memory",
          as: "other",
          key: key
        )
      }
      #expect(error?.code == .wrongKey)
      if key == nil { #expect(error?.recoverySuggestion?.contains("StoreSync") == true) }
    }
    #expect(try await StoreSync.status(of: store) == nil)
  }

  @Test func `a copy of a store becomes a device of its own`() async throws {
    let (laptop, phone) = try await pair()
    let note = try await laptop.store.save(SnippetDraft(.text("shared")))
    try await laptop.sync.synchronize()
    _ = try await laptop.store.backUp(to: TemporaryDirectory.file("copy.sqlite"))
    let copy = try TemporaryStore.open("copy.sqlite")
    let copySync = try await StoreSync(copy, by: place.carrier("copy"), key: laptop.sync.key)

    _ = try await copy.save(SnippetDraft(.text("of the copy")))
    _ = try await laptop.store.apply(SnippetEdit(title: "of the laptop"), to: note.id)
    try await copySync.synchronize()
    for _ in 0..<2 {
      try await laptop.sync.synchronize()
      try await phone.sync.synchronize()
      try await copySync.synchronize()
    }

    #expect(try await phone.contents() == laptop.contents())
    #expect(try await phone.contents().count == 2)
    #expect(try await StoreSync.devices(of: phone.store).count == 3)
  }

  @Test func `another key sends nothing`() async throws {
    let (laptop, _) = try await pair()
    try await laptop.sync.synchronize()
    _ = try await laptop.store.save(SnippetDraft(.text("unsent")))
    let objects = place.objects
    let wrong = try await StoreSync(
      laptop.store,
      by: place.carrier("laptop"),
      key: AgeIdentity().text
    )

    let error = await #expect(throws: SyncError.self) { try await wrong.synchronize() }

    #expect(error?.code == .wrongKey)
    #expect(place.objects == objects)
    #expect(try await laptop.sync.synchronize().sentCount == 1)
  }

  @Test func `nothing goes of a blob of several parts that is damaged`() async throws {
    let (laptop, _) = try await pair()
    let damaged = try await laptop.store.save(Samples.image(Samples.bytes(9 << 20)))
    let blob = try #require(damaged.blobID)
    try laptop.store.seam.write(to: "damage a blob") { db in
      try db.withoutTriggers {
        try db.execute(
          sql: "UPDATE blob_chunk SET data = zeroblob(length(data)) WHERE id = ? << 20",
          arguments: [blob.rawValue]
        )
      }
    }

    #expect(try await laptop.sync.synchronize().unreadBlobCount == 1)

    #expect(place.objects.keys.allSatisfy { !$0.hasPrefix("blob/") })
    _ = try await laptop.store.delete([damaged.id])
  }

  @Test func `a blob that is damaged keeps no other snippet back`() async throws {
    let (laptop, phone) = try await pair()
    let damaged = try await laptop.store.save(Samples.image(Samples.bytes(300_000)))
    _ = try await laptop.store.save(Samples.image(Samples.bytes(20_000, seed: 2)))
    _ = try await laptop.store.save(SnippetDraft(.text("a text")))
    let blob = try #require(damaged.blobID)
    try laptop.store.seam.write(to: "damage a blob") { db in
      try db.withoutTriggers {
        try db.execute(
          sql: "UPDATE blob_chunk SET data = zeroblob(length(data)) WHERE id = ? << 20",
          arguments: [blob.rawValue]
        )
      }
    }

    let report = try await laptop.sync.synchronize()
    try await phone.sync.synchronize()

    #expect(report.sentCount == 2)
    #expect(report.unreadBlobCount == 1)
    #expect(try await phone.contents().count == 2)
    _ = try await laptop.store.delete([damaged.id])
  }

  @Test(arguments: [nil, Data("damaged".utf8)])
  func `a blob that is missing or damaged in the repository keeps no other snippet back`(
    damage: Data?
  ) async throws {
    let (laptop, phone) = try await pair()
    _ = try await laptop.store.save(Samples.image(Samples.bytes(20_000)))
    try await laptop.sync.synchronize()
    let blob = try #require(place.objects.keys.first { $0.hasPrefix("blob/") })
    _ = try await laptop.store.save(Samples.image(Samples.bytes(20_000, seed: 2)))
    _ = try await laptop.store.save(SnippetDraft(.text("a text")))
    try await laptop.sync.synchronize()
    let bytes = place.objects[blob]
    place.put(damage, as: blob)

    for received in [2, 0] {
      let report = try await phone.sync.synchronize()
      #expect(report.receivedCount == received)
      #expect(report.held.map(\.name) == ["laptop"])
      #expect(report.held.first?.reason.contains("on “laptop”: snip sync check") == true)
      #expect(report.waitingCount == 1)
      #expect(!report.isEmpty)
    }
    let waiting = try await StoreSync.status(of: phone.store)
    #expect(waiting?.waitingCount == 1)
    #expect(waiting?.synchronizedAt == nil)
    // The store that lacks the blob counts it, as the one that sent it does.
    for device in [laptop, phone] { #expect(try await device.sync.check().faults.count == 1) }
    place.put(bytes, as: blob)

    #expect(try await phone.sync.synchronize().receivedCount == 1)
    let status = try await StoreSync.status(of: phone.store)
    #expect(status?.waitingCount == 0)
    #expect(status?.synchronizedAt != nil)
    #expect(try await phone.contents() == laptop.contents())
    #expect(try await phone.sync.synchronize().isEmpty)
  }

  @Test func `a log file that has not arrived holds its device until it has`() async throws {
    let (laptop, phone) = try await pair()
    for text in ["one", "two"] {
      _ = try await laptop.store.save(SnippetDraft(.text(text)))
      try await laptop.sync.synchronize()
    }
    let log = try #require(place.objects.keys.filter { $0.hasPrefix("log/") }.max())
    let bytes = place.objects[log]
    place.put(nil, as: log)

    for received in [1, 0] {
      let report = try await phone.sync.synchronize()
      #expect(report.receivedCount == received)
      #expect(report.held.map(\.name) == ["laptop"])
      let reason = "Could not receive log file 2: it has not arrived. "
      #expect(report.held.first?.reason.hasPrefix(reason) == true)
      #expect(!report.isEmpty)
    }
    #expect(try await StoreSync.status(of: phone.store)?.synchronizedAt == nil)
    place.put(bytes, as: log)

    #expect(try await phone.sync.synchronize().receivedCount == 1)
    #expect(try await StoreSync.status(of: phone.store)?.synchronizedAt != nil)
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `the blobs of versions that were replaced are not fetched`() async throws {
    let (laptop, phone) = try await pair()
    let row = try await laptop.store.save(SnippetDraft(.text("short")))
    for number in 1...3 {
      let text = String(repeating: "version \(number) ", count: 20_000)
      _ = try await laptop.store.apply(SnippetEdit(text: text), to: row.id)
      try await laptop.sync.synchronize()
    }

    let report = try await phone.sync.synchronize()

    #expect(report.receivedCount == 1)
    #expect(report.receivedBlobCount == 1)
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `log files that came before the connection broke are not read again`() async throws {
    let (laptop, phone) = try await pair()
    _ = try await laptop.store.save(Samples.image(Samples.bytes(20_000)))
    try await laptop.sync.synchronize()
    let carrier = BreakingCarrier(carrier: place.carrier("phone"))
    let sync = try await StoreSync(phone.store, by: carrier, key: phone.sync.key)

    let error = await #expect(throws: SyncError.self) { try await sync.synchronize() }
    #expect(error?.code == .unreachable)
    #expect(carrier.readLogs.withLock(\.self).count == 1)
    #expect(try await sync.synchronize().receivedCount == 1)

    #expect(carrier.readLogs.withLock(\.self).count == 1)
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `equal pictures of one device arrive with no more statements than others`()
    async throws
  {
    var counts: [Int] = []
    for isEqual in [false, true] {
      let place = MemoryPlace()
      let laptop = try await SyncedStore("laptop \(isEqual)", place)
      let phone = try await SyncedStore("phone \(isEqual)", place, key: laptop.sync.key)
      for number in 0..<30 {
        _ = try await laptop.store.save(
          Samples.image(Samples.bytes(isEqual ? 5_000 : 5_000 + number))
        )
      }
      try await laptop.sync.synchronize()
      let run = try await statements(of: phone.store) { try await phone.sync.synchronize() }
      counts.append(run.count)
      #expect(try phone.rows().count == 30)
      // One look at all with equal bytes, not one for each of them.
      let looks = run.filter { $0.contains("SELECT snippet.uuid FROM blob") }
      #expect(looks.count == (isEqual ? 1 : 30))
    }
    #expect(counts[1] <= counts[0])
  }

  @Test func `a title made of a long text behind its front matter is none that was given`()
    async throws
  {
    let store = try await SyncedStore("phone", place).store
    let fields = (1...40).map { "key\($0): value" }.joined(separator: "\n")
    let text = "---\n\(fields)\n---\nMilk\n\(String(repeating: "and eggs\n", count: 10_000))"
    let made = try await store.save(SnippetDraft(.text(text)))
    let given = try await store.save(SnippetDraft(.text(text + " "), title: "eggs"))

    let isMade = try store.seam.write(to: "read titles") { db in
      try [made.id, given.id].map { try CapturedRow($0, in: db)?.hasMadeTitle }
    }

    #expect(made.title == "Milk")
    #expect(isMade == [true, false])
  }

  @Test func `a text of another device becomes one with equal ones before it`() async throws {
    let store = try await SyncedStore("phone", place).store
    let (laptop, tablet) = (DeviceID(), DeviceID())
    let uuids = try (1...4).map { number in
      try #require(UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)"))
    }
    func received(_ uuid: UUID, of device: DeviceID, file: String?) -> ReceivedEntry {
      let row = CapturedRow(
        uuid: uuid,
        content: .text("a text", file: file),
        title: "",
        isPinned: false,
        createdAt: 1,
        modifiedAt: 1,
        tags: []
      )
      return ReceivedEntry(
        entry: Entry(of: row, on: device, now: 1),
        source: UnreadEntry(uuid: uuid, author: device, devices: [], line: Data())
      )
    }
    let entries = [
      received(uuids[0], of: laptop, file: nil), received(uuids[1], of: laptop, file: "a.md"),
      received(uuids[2], of: laptop, file: "a.md"), received(uuids[3], of: tablet, file: "a.md"),
    ]

    let folded = try store.seam.write(to: "merge") { db in
      let replica = try StoreReplica(DeviceID(), now: 1, in: db)
      try replica.mergeAll(entries, leavingOutRefused: false)
      return replica.outcome.folded
    }

    #expect(folded == [uuids[3]])
    #expect(try await store.count() == 3)
  }

  /// The statements that a store runs on the connection that writes.
  private func statements(
    of store: SnippetStore,
    during body: () async throws -> Void
  ) async throws -> [String] {
    let run = Lock<[String]>([])
    try store.seam.write(to: "trace") { db in
      db.trace { event in run.withLock { $0.append("\(event)") } }
    }
    try await body()
    try store.seam.write(to: "trace") { db in db.trace(nil) }
    return run.withLock(\.self)
  }

  @Test func `a new text without tags is captured by three statements`() async throws {
    let (laptop, _) = try await pair()
    var counts: [Int] = []
    for count in [10, 50] {
      for number in 0..<count {
        _ = try await laptop.store.save(SnippetDraft(.text("text \(number) of \(count)")))
      }
      let run = try await statements(of: laptop.store) {
        try await laptop.sync.records.captureAll()
      }
      counts.append(run.count)
    }
    // A checkpoint may come in between.
    #expect(counts[1] - counts[0] < 40 * 4)
  }

  @Test func `a new snippet is looked for twice, and not among deleted ones where there are none`()
    async throws
  {
    let (laptop, phone) = try await pair()
    for number in 0..<10 {
      _ = try await laptop.store.save(SnippetDraft(.text("text \(number)")))
    }
    try await laptop.sync.synchronize()

    let run = try await statements(of: phone.store) { try await phone.sync.synchronize() }

    #expect(try phone.rows().count == 10)
    #expect(!run.contains { $0.contains("sync_absent WHERE uuid") })
    // Before the merge, and where it is inserted.
    #expect(run.filter { $0 == "SELECT id FROM snippet WHERE uuid = ?" }.count <= 20)
  }

  @Test func `a save runs the same statements in a store that has joined as in another one`()
    async throws
  {
    let (laptop, _) = try await pair()
    try await laptop.sync.synchronize()
    var statements: [[String]] = []
    for store in [try TemporaryStore.open("alone.sqlite"), laptop.store] {
      let run = try await self.statements(of: store) {
        let row = try await store.save(SnippetDraft(.text("a text"), title: "a", tags: ["red"]))
        _ = try await store.save(Samples.image(Samples.bytes(300_000)))
        _ = try await store.apply(SnippetEdit(text: "edited", addedTags: ["blue"]), to: row.id)
        _ = try await store.moveToTrash([row.id])
        _ = try await store.delete([row.id])
      }
      statements.append(run)
    }

    #expect(statements[0] == statements[1])
    #expect(statements[0].count > 40)
    #expect(!statements[1].contains { $0.contains("sync_") })
  }

  @Test func `many removals are asked for first`() async throws {
    let (laptop, phone) = try await pair()
    let rows = try await (0..<60).asyncMap { number in
      try await laptop.store.save(SnippetDraft(.text("note \(number)")))
    }
    try await laptop.sync.synchronize()
    try await phone.sync.synchronize()
    _ = try await laptop.store.delete(rows.map(\.id))
    try await laptop.sync.synchronize()

    let error = await #expect(throws: SyncError.self) { try await phone.sync.synchronize() }

    #expect(error?.code == .manyRemovals)
    #expect(try await phone.contents().count == 60)
    // To try again would not help.
    let ends = Lock<[SyncError.Code]>([])
    let watch = Task { [sync = phone.sync] in
      await sync.run { event in
        if case .ended(let error) = event { ends.withLock { $0.append(error.code) } }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await watch.value
    #expect(ends.withLock(\.self) == [.manyRemovals])
    #expect(try await phone.sync.synchronize(allowingManyRemovals: true).removedCount == 60)
    #expect(try await phone.contents().isEmpty)
  }

  @Test func `a watch may remove much when it starts, and never later`() async throws {
    let (laptop, phone) = try await pair()
    let rows = try await (0..<120).asyncMap { number in
      try await laptop.store.save(SnippetDraft(.text("note \(number)")))
    }
    for device in [laptop, phone] { try await device.sync.synchronize() }
    _ = try await laptop.store.delete(rows[..<60].map(\.id))
    try await laptop.sync.synchronize()
    let (events, continuation) = AsyncStream.makeStream(of: SyncEvent.self)
    let watch = Task { [sync = phone.sync] in
      await sync.run(allowingManyRemovals: true) { continuation.yield($0) }
      continuation.finish()
    }

    var removedCounts: [Int] = []
    var ends: [SyncError.Code] = []
    for await event in events {
      switch event {
      case .synchronized(let report):
        removedCounts.append(report.removedCount)
        guard removedCounts.count == 1 else {
          if report.removedCount > 0 { watch.cancel() }
          continue
        }
        _ = try await laptop.store.delete(rows[60...].map(\.id))
        try await laptop.sync.synchronize()
        // It looks again once the store has changed.
        _ = try await phone.store.save(SnippetDraft(.text("of the phone")))
      case .failed(let error, _), .ended(let error):
        ends.append(error.code)
        watch.cancel()
      }
    }

    #expect(removedCounts.filter { $0 > 0 } == [60])
    #expect(ends == [.manyRemovals])
    #expect(try phone.rows().count == 61)
  }

  @Test func `removals are asked for again, until their device takes them back`() async throws {
    let (laptop, phone) = try await pair()
    let rows = try await (0..<60).asyncMap { number in
      try await laptop.store.save(SnippetDraft(.text("note \(number)")))
    }
    for device in [laptop, phone] { try await device.sync.synchronize() }
    _ = try await laptop.store.moveToTrash(rows.map(\.id))
    try await laptop.sync.synchronize()
    for _ in 0..<2 {
      let error = await #expect(throws: SyncError.self) { try await phone.sync.synchronize() }
      #expect(error?.code == .manyRemovals)
      #expect(try phone.rows().count == 60)
    }

    _ = try await laptop.store.undelete(rows.map(\.id))
    try await laptop.sync.synchronize()

    #expect(try await phone.sync.synchronize().removedCount == 0)
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `removals of several log files are counted together`() async throws {
    let (laptop, phone) = try await pair()
    let rows = try await (0..<60).asyncMap { number in
      try await laptop.store.save(SnippetDraft(.text("note \(number)")))
    }
    for device in [laptop, phone] { try await device.sync.synchronize() }
    for part in [rows.prefix(30), rows.dropFirst(30)] {
      _ = try await laptop.store.delete(part.map(\.id))
      try await laptop.sync.synchronize()
    }

    let error = await #expect(throws: SyncError.self) { try await phone.sync.synchronize() }

    #expect(error?.code == .manyRemovals)
    #expect(error?.reason.hasPrefix("60 of 60 ") == true)
    #expect(try await phone.contents().count == 60)
    try await phone.sync.synchronize(allowingManyRemovals: true)
    #expect(try await phone.contents().isEmpty)
  }

  @Test func `removals of several devices are counted together, before the first`() async throws {
    let (laptop, phone) = try await pair()
    let tablet = try await SyncedStore("tablet", place, key: laptop.sync.key)
    let rows = try await (0..<100).asyncMap { number in
      try await laptop.store.save(SnippetDraft(.text("note \(number)")))
    }
    for device in [laptop, phone, tablet] { try await device.sync.synchronize() }
    _ = try await laptop.store.moveToTrash(rows[..<30].map(\.id))
    let there = try rows[30..<60].map { try #require(try tablet.row($0.uuid)).id }
    _ = try await tablet.store.delete(there)
    for device in [laptop, tablet] { try await device.sync.synchronize() }
    let before = try await phone.contents()

    let error = await #expect(throws: SyncError.self) { try await phone.sync.synchronize() }

    #expect(error?.code == .manyRemovals)
    #expect(error?.reason.hasPrefix("60 of 100 ") == true)
    #expect(try await phone.contents() == before)
    #expect(try await phone.sync.synchronize(allowingManyRemovals: true).removedCount == 60)
  }

  @Test func `what is removed and brought back before it arrives is not counted`() async throws {
    let (laptop, phone) = try await pair()
    let rows = try await (0..<60).asyncMap { number in
      try await laptop.store.save(SnippetDraft(.text("note \(number)")))
    }
    for device in [laptop, phone] { try await device.sync.synchronize() }
    _ = try await laptop.store.moveToTrash(rows.map(\.id))
    try await laptop.sync.synchronize()
    _ = try await laptop.store.undelete(rows[..<20].map(\.id))
    try await laptop.sync.synchronize()
    // What was edited here is not removed either, also where it was not captured yet.
    for row in rows[20...] {
      let there = try #require(try phone.row(row.uuid))
      _ = try await phone.store.apply(SnippetEdit(text: "edited \(row.id)"), to: there.id)
    }

    try await phone.sync.synchronize()

    #expect(try phone.rows().count == 60)
  }

  @Test func `a log file that comes while removals are counted waits`() async throws {
    let (laptop, phone) = try await pair()
    let rows = try await (0..<60).asyncMap { number in
      try await laptop.store.save(SnippetDraft(.text("note \(number)")))
    }
    for device in [laptop, phone] { try await device.sync.synchronize() }
    _ = try await laptop.store.delete(rows.map(\.id))
    try await laptop.sync.synchronize()
    let log = try #require(place.objects.keys.filter { $0.hasPrefix("log/") }.max())
    let late = LateCarrier(carrier: place.carrier("phone"), name: log)
    let sync = try await StoreSync(phone.store, by: late, key: phone.sync.key)

    #expect(try await sync.synchronize().removedCount == 0)

    #expect(try phone.rows().count == 60)
    let error = await #expect(throws: SyncError.self) { try await sync.synchronize() }
    #expect(error?.code == .manyRemovals)
  }

  @Test func `files that both devices have imported become one, and stay known on both`()
    async throws
  {
    let (laptop, phone) = try await pair()
    let folder = TemporaryDirectory.file("Notes")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["a", "b"] {
      try Data("the note \(name)".utf8).write(to: folder.appendingPathComponent("\(name).md"))
    }
    for device in [laptop, phone] { _ = try await device.store.importFiles(at: [folder]) }

    try await laptop.sync.synchronize()
    let report = try await phone.sync.synchronize()
    try await laptop.sync.synchronize()

    #expect(report.foldedCount == 2)
    #expect(try await phone.contents() == laptop.contents())
    #expect(try await phone.contents().count == 2)
    for device in [laptop, phone] {
      let again = try await device.store.importFiles(at: [folder])
      #expect(again[.unchanged] == 2)
    }
  }

  @Test func `a store tells its repository, without a request, until it leaves`() async throws {
    let store = try TemporaryStore.open("joined.sqlite")
    let before = try await StoreSync.repository(of: store)
    #expect(before?.address == nil)
    _ = try await StoreSync.join(store, by: place.carrier(), at: "memory", as: "laptop")
    _ = try await store.save(SnippetDraft(.text("not sent")))
    let identity = try #require(try await StoreSync.repository(by: place.carrier()))

    place.script(.failure)
    let joined = try await StoreSync.repository(of: store)

    #expect(joined?.address == "memory")
    #expect(joined?.identity == identity)
    try await StoreSync.leave(store)
    let after = try await StoreSync.repository(of: store)
    #expect(after?.address == nil)
  }

  @Test func `the state is followed, whoever synchronizes`() async throws {
    let store = try TemporaryStore.open("followed.sqlite")
    var statuses = StoreSync.statuses(
      of: store,
      restingFor: .milliseconds(1),
      lookingEach: .milliseconds(50)
    ).makeAsyncIterator()
    #expect(await statuses.next() == .some(nil))

    let sync = try await StoreSync.join(store, by: place.carrier(), at: "memory", as: "laptop")
    _ = try await store.save(SnippetDraft(.text("milk")))
    var status = await statuses.next() ?? nil
    while status?.unsentCount != 1 { status = await statuses.next() ?? nil }
    #expect(status?.synchronizedAt == nil)
    try await sync.synchronize()
    while status?.synchronizedAt == nil { status = await statuses.next() ?? nil }
    #expect(status?.unsentCount == 0)

    try await store.close()
    while await statuses.next() != nil {}
  }

  @Test func `the state is read again once a store has left, and once it has joined again`()
    async throws
  {
    let store = try TemporaryStore.open("followed.sqlite")
    let records = SyncRecords(store: store)
    let sync = try await StoreSync.join(store, by: place.carrier(), at: "memory", as: "laptop")
    var marks = [try await records.mark()]
    try await StoreSync.leave(store)
    marks.append(try await records.mark())
    let key = sync.key
    _ = try await StoreSync.join(
      store,
      by: place.carrier(),
      at: "memory",
      as: "laptop",
      key: key
    )
    marks.append(try await records.mark())

    #expect(Set(marks).count == 3, "\(marks)")
  }

  @Test func `the state is read again once another snippet waits for its blob`() async throws {
    let (laptop, phone) = try await pair()
    var marks: [SyncRecords.Mark] = []
    for seed in 1...3 as ClosedRange<UInt64> {
      _ = try await laptop.store.save(Samples.image(Samples.bytes(20_000, seed: seed)))
      try await laptop.sync.synchronize()
      for name in place.objects.keys where name.hasPrefix("blob/") { place.put(nil, as: name) }
      try await phone.sync.synchronize()
      marks.append(try await phone.sync.records.mark())
    }

    #expect(Set(marks).count == 3, "\(marks)")
  }

  @Test func `a look at the state reads few of the entries that wait`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    let records = await laptop.sync.records
    try await records.write { db in
      try db.run(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO sync_unread SELECT CAST(printf('%016d', i) AS BLOB), 1, 0, zeroblob(16), '{}'
        FROM n
        """,
        []
      )
    }

    let before = try await records.mark()
    try await records.write { db in
      try db.run("UPDATE sync_device SET applied = applied + 1", [])
    }
    let after = try await records.mark()

    #expect(before.waitingCount == 200)
    #expect(before != after)
    #expect(try await StoreSync.status(of: laptop.store)?.waitingCount == 5000)
    try await records.write { db in try db.run("DELETE FROM sync_unread", []) }
    #expect(try await records.mark() != after)
  }

  @Test func `an edit that comes while a synchronization ends is sent without another one`()
    async throws
  {
    let laptop = try await SyncedStore("laptop", place)
    _ = try await laptop.store.save(SnippetDraft(.text("milk")))
    try await laptop.synchronize()
    #expect(try await laptop.sync.lastCaptured() == laptop.store.lastChange)

    // No synchronization has captured it.
    _ = try await laptop.store.save(SnippetDraft(.text("eggs")))
    let captured = try #require(await laptop.sync.lastCaptured())
    #expect(try await captured < laptop.store.lastChange)
    await StoreSync.changeAndRest(of: laptop.store, after: captured)

    #expect(try await laptop.synchronize().sentCount == 1)
    #expect(try await laptop.sync.lastCaptured() == laptop.store.lastChange)
  }

  @Test func `a clock that is ahead is told`() async throws {
    let (laptop, phone) = try await pair()
    let hour: Int64 = 3_600_000
    let ahead = SyncRecords(store: phone.store) {
      Int64(Date().timeIntervalSince1970 * 1000) + hour
    }
    _ = try await phone.store.save(SnippetDraft(.text("from tomorrow")))
    try await StoreSync(ahead, phone.sync.repository).synchronize()

    let report = try await laptop.sync.synchronize()

    #expect(report.wrongClocks.map(\.name) == ["phone"])
    let sentAt = try #require(report.wrongClocks.first?.sentAt)
    #expect(sentAt.timeIntervalSinceNow > 3_000)
  }

  @Test func `a reply that is lost does no harm`() async throws {
    let (laptop, phone) = try await pair()
    _ = try await laptop.store.save(SnippetDraft(.text("one")))
    for _ in 0..<6 {
      place.script(.lostReply)
      _ = await #expect(throws: SyncError.self) { try await laptop.sync.synchronize() }
      try await laptop.sync.synchronize()
      _ = try await laptop.store.save(SnippetDraft(.text("more")))
    }
    try await laptop.sync.synchronize()
    try await phone.sync.synchronize()

    #expect(try await phone.contents() == laptop.contents())
    #expect(try await StoreSync.devices(of: phone.store).count == 2)
  }

  @Test func `a log file that was merged is not read again after a failure`() async throws {
    let (laptop, phone) = try await pair()
    for number in 1...3 {
      _ = try await laptop.store.save(SnippetDraft(.text("note \(number)")))
      try await laptop.sync.synchronize()
    }
    let files = place.objects.keys.filter { $0.hasPrefix("log/") }.sorted()
    let last = try #require(place.objects[files[2]])
    place.put(Data("damaged".utf8), as: files[2])

    let report = try await phone.sync.synchronize()

    #expect(report.held.count == 1)
    let known = try await StoreSync.devices(of: phone.store).first { !$0.isOwn }
    #expect(known?.receivedCount == 2)
    place.put(last, as: files[2])
    #expect(try await phone.sync.synchronize().receivedCount == 1)
  }
}

/// A carrier that loses its connection at the first blob, and notes the log files that it reads.
private struct BreakingCarrier: PassingCarrier {
  let carrier: MemoryCarrier
  let readLogs = Lock<[String]>([])
  private let hasBroken = Lock(false)

  init(carrier: MemoryCarrier) { self.carrier = carrier }

  func read(_ name: String) async throws(SyncError) -> Data? {
    if name.hasPrefix("log/") { readLogs.withLock { $0.append(name) } }
    let breaks = hasBroken.withLock { hasBroken in
      guard name.hasPrefix("blob/"), !hasBroken else { return false }
      hasBroken = true
      return true
    }
    if breaks { throw SyncError(.unreachable, "read \(name)", because: "the connection broke") }
    return try await carrier.read(name)
  }
}

/// A carrier that does not find an object when it looks for that first.
private struct LateCarrier: PassingCarrier {
  let carrier: MemoryCarrier
  let name: String
  let hasLooked = Lock(false)

  func read(_ name: String) async throws(SyncError) -> Data? {
    let isLate = hasLooked.withLock { hasLooked in
      guard name == self.name, !hasLooked else { return false }
      hasLooked = true
      return true
    }
    return isLate ? nil : try await carrier.read(name)
  }
}
