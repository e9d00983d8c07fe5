import Foundation
import GRDB
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// Stores that meet a device of a newer version.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct MixedVersionTests {
  private let place = MemoryPlace()

  @Test func `fields that a newer version has added come back with an edit of this one`()
    async throws
  {
    let laptop = try await SyncedStore("laptop", place)
    var newer = NewerDevice(place, key: laptop.sync.key)
    let uuid = UUID()
    try await newer.send([
      try newer.entry(uuid, text: "a text") { object in
        object["color"] = ["red", [5, 0]]
        NewerDevice.changeVersion(of: &object, "pages", to: 7)
      }
    ])

    try await laptop.synchronize()
    let row = try #require(try laptop.row(uuid))
    _ = try await laptop.store.apply(SnippetEdit(title: "edited"), to: row.id)
    try await laptop.synchronize()

    let sent = try #require(try await newer.received().last)
    #expect((sent["title"] as? [Any])?.first as? String == "edited")
    #expect((sent["color"] as? [Any])?.first as? String == "red")
    #expect(NewerDevice.version(of: sent)?["pages"] as? Int == 7)

    // Another content has other pages, which this version cannot know.
    _ = try await laptop.store.apply(SnippetEdit(text: "another"), to: row.id)
    try await laptop.synchronize()
    let content = NewerDevice.version(of: try await newer.received().last)
    #expect(content?["body"] as? String == "another")
    #expect(content?["pages"] == nil)
  }

  @Test func `a snippet of an unknown kind is kept until a version knows it`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    var newer = NewerDevice(place, key: laptop.sync.key)
    let (drawing, note) = (UUID(), UUID())
    try await newer.send([
      try newer.drawing(drawing),
      try newer.entry(note, text: "a note"),
    ])

    for device in [laptop, phone] {
      let report = try await device.synchronize()
      #expect(report.malformedCount == 1)
      #expect(report.receivedCount == 1)
      #expect(try await device.synchronize().isEmpty)
      #expect(try await device.store.check().isSound)
    }
    #expect(try await unread(in: laptop) == 1)

    // As if this version had learnt the kind since.
    try laptop.store.seam.write(to: "test") { db in
      try db.run(
        "UPDATE sync_unread SET version = 0, entry = replace(entry, '\"drawing\"', '\"text\"')",
        []
      )
    }
    #expect(try await laptop.synchronize().receivedCount == 1)
    let row = try #require(try laptop.row(drawing))
    #expect(try await laptop.store.text(of: row.id) == "lines")
    #expect(try await unread(in: laptop) == 0)

    // One that is still not understood is not read again and again.
    try phone.store.seam.write(to: "test") { db in
      try db.run("UPDATE sync_unread SET version = 0", [])
    }
    #expect(try await phone.synchronize().receivedCount == 0)
    #expect(try await unread(in: phone) == 1)
  }

  @Test func `a later entry of the same device replaces one that was kept`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    var newer = NewerDevice(place, key: laptop.sync.key)
    let uuid = UUID()
    for kind in ["drawing", "map"] {
      try await newer.send([
        try newer.entry(uuid, text: "lines") {
          NewerDevice.changeVersion(of: &$0, "kind", to: kind)
        }
      ])
      try await laptop.synchronize()
      #expect(try await unread(in: laptop) == 1)
    }

    try await newer.send([try newer.entry(uuid, text: "a text")])
    try await laptop.synchronize()

    #expect(try laptop.row(uuid) != nil)
    #expect(try await unread(in: laptop) == 0)
  }

  @Test func `of two entries of a snippet in one log file the later one counts`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    var newer = NewerDevice(place, key: laptop.sync.key)
    // Enough for a sort that is not stable to change their order.
    let uuids = (0..<100).map { _ in UUID() }
    var lines: [Data] = []
    for text in ["an earlier text", "a later text"] {
      for uuid in uuids { lines.append(try newer.entry(uuid, text: text)) }
    }
    try await newer.send(lines)

    try await laptop.synchronize()

    let rows = try laptop.rows()
    #expect(Set(rows.map(\.uuid)) == Set(uuids))
    for row in rows {
      #expect(try await laptop.store.text(of: row.id) == "a later text")
    }
  }

  @Test func `a snippet that the schema refuses is kept, and the others arrive`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    var newer = NewerDevice(place, key: laptop.sync.key)
    let (refused, note) = (UUID(), UUID())
    try await newer.send([
      try newer.entry(refused, text: "a text") { object in
        object["tags"] = ["": ["", [5, 1]]]
      },
      try newer.entry(note, text: "a note"),
    ])

    let report = try await laptop.synchronize()

    #expect(report.refused[refused] != nil)
    #expect(try laptop.rows().map(\.uuid) == [note])
    #expect(try await unread(in: laptop) == 1)
    #expect(try await laptop.synchronize().isEmpty)
  }

  // The device whose entry is refused comes before the other one, or after it.
  @Test(arguments: [["1", "2"], ["2", "1"]] as [[Character]])
  func `an edit of another device is not refused with one that the schema refuses`(
    digits: [Character]
  ) async throws {
    let laptop = try await SyncedStore("laptop", place)
    let key = laptop.sync.key
    var newer = NewerDevice(place, key: key, as: FormatFixture.device(digits[0]))
    var other = NewerDevice(place, key: key, as: FormatFixture.device(digits[1]))
    let uuid = UUID()
    func send(tag: String) async throws {
      let line = try newer.entry(uuid, text: "a text") { object in
        object["tags"] = [tag.lowercased(): [tag, [5, 1]]]
      }
      try await newer.send([line])
    }
    try await send(tag: "")
    try await other.send([try other.entry(uuid, text: "a text")])

    let report = try await laptop.synchronize()

    #expect(report.refused[uuid] != nil)
    #expect(try laptop.rows().map(\.uuid) == [uuid])
    #expect(try await unread(in: laptop) == 1)
    // Once it is mended, it is merged too.
    try await send(tag: "tag")
    try await laptop.synchronize()
    #expect(try await unread(in: laptop) == 0)
    #expect(try laptop.row(uuid)?.tags.contains("tag") == true)
  }

  @Test func `stores whose entries a former version has kept go on`() async throws {
    let pair = try await SyncedPair(place)
    let drafts = ["text", "edited later", "in the trash", "deleted"].map { SnippetDraft(.text($0)) }
    let long = SnippetDraft(.text(String(repeating: "long ", count: 30_000)))
    let rows = try await (drafts + [long]).asyncMap { try await pair.share($0).onLaptop }
    _ = try await pair.laptop.store.moveToTrash([rows[2].id])
    _ = try await pair.laptop.store.delete([rows[3].id])
    try await pair.meet()

    for device in [pair.laptop, pair.phone] { try await writeFormerEntries(in: device) }

    for device in [pair.laptop, pair.phone] { #expect(try await device.synchronize().isEmpty) }
    let there = try #require(try pair.phone.row(rows[1].uuid))
    _ = try await pair.phone.store.apply(SnippetEdit(text: "edited"), to: there.id)
    try await pair.phone.synchronize()
    // One that is to be sent is sent as it is.
    try pair.laptop.store.seam.write(to: "test") { db in
      try db.run("UPDATE sync_row SET pending = 1", [])
      try db.run("UPDATE sync_absent SET pending = 1", [])
    }
    #expect(try await pair.laptop.synchronize().sentCount == 5)
    try await pair.meet()
    let tablet = try await SyncedStore("tablet", place, key: pair.laptop.sync.key)
    try await tablet.synchronize()

    let contents = try await tablet.contents()
    #expect(contents.count == 4)
    for device in [pair.laptop, pair.phone] { #expect(try await device.contents() == contents) }
    #expect(try tablet.rows(inTrash: true).map(\.uuid) == [rows[2].uuid])
  }

  /// Gives the entries of a store the form of version 2: each has one version, or the stamp of the one that
  /// was deleted.
  private func writeFormerEntries(in device: SyncedStore) async throws {
    func lastStamp(_ known: Any?) -> [Any] {
      let last = (known as? [String: NSNumber] ?? [:]).max { one, other in
        one.value.int64Value < other.value.int64Value
      }
      return [last?.value ?? 0, last.flatMap { Int($0.key) } ?? 0]
    }
    let tables = ["sync_row", "sync_absent"]
    for table in tables {
      let entries = try await device.store.seam.read(to: "test") { db in
        try db.values("SELECT uuid, entry FROM \(table)") { (try $0.bytes(0), try $0.text(1)) }
      }
      for (uuid, entry) in entries {
        let json = try JSONSerialization.jsonObject(with: Data(entry.utf8))
        var object = try #require(json as? [String: Any])
        var content = try #require(object["c"] as? [String: Any])
        let versions = content.removeValue(forKey: "of") as? [[String: Any]]
        if let version = versions?.last {
          content.merge(version) { $1 }
        } else {
          (content["at"], object["gone"]) = (lastStamp(content["v"]), lastStamp(content["v"]))
        }
        object["c"] = content
        if let seen = object["tseen"] { object["tseen"] = lastStamp(seen) }
        let line = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
        let text = String(decoding: line, as: UTF8.self)
        try device.store.seam.write(to: "test") { db in
          try db.run(
            "UPDATE \(table) SET entry = ? WHERE uuid = ?",
            [text.databaseValue, uuid.databaseValue]
          )
        }
      }
    }
  }

  private func unread(in device: SyncedStore) async throws -> Int64? {
    try await device.store.seam.read(to: "test") { db in
      try db.number("SELECT count(*) FROM sync_unread")
    }
  }
}
