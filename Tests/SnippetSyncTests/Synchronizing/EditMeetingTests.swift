import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// Edits of a store, and the synchronization that comes between them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct EditMeetingTests {
  @Test func `a capture arrives when it is finished, and not before`() async throws {
    let pair = try await SyncedPair()
    let capture = try await pair.laptop.store.startCapture(title: "Memo", kind: .voice)
    try await capture.append(Samples.bytes(300_000))

    try await pair.meet()
    #expect(try pair.phone.rows().isEmpty)

    try await capture.append(Samples.bytes(1_000, seed: 2))
    let finished = try await capture.finish()
    try await pair.meet()

    #expect(try pair.phone.rows().map(\.uuid) == [finished.uuid])
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `undoing an edit undoes no edit of another field that came in between`() async throws {
    let pair = try await SyncedPair()
    let (row, there) = try await pair.share(SnippetDraft(.text("a text"), title: "first"))
    let made = try await pair.laptop.store.apply(SnippetEdit(title: "second"), to: row)
    let edit = SnippetEdit(isPinned: true, addedTags: ["phone"])
    _ = try await pair.phone.store.apply(edit, to: try #require(there))
    try await pair.meet()

    _ = try await pair.laptop.store.apply(made.inverse, to: row.id)
    try await pair.meet()

    let result = try #require(try pair.phone.row(row.uuid))
    #expect(result.title == "first")
    #expect(result.isPinned)
    #expect(result.tags == ["phone"])
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `undoing an edit of a text beats what it undoes on all devices`() async throws {
    let pair = try await SyncedPair()
    let (row, _) = try await pair.share(SnippetDraft(.text("first")))
    let made = try await pair.laptop.store.apply(SnippetEdit(text: "second"), to: row)
    try await pair.meet()

    _ = try await pair.laptop.store.apply(made.inverse, to: made.row)
    try await pair.meet()

    let there = try #require(try pair.phone.row(row.uuid))
    #expect(try await pair.phone.store.text(of: there.id) == "first")
    #expect(try pair.phone.rows().count == 1)
  }

  @Test func `a title that was given stays, though the text was edited elsewhere later`()
    async throws
  {
    let pair = try await SyncedPair()
    let long = String(repeating: "of many words ", count: 20_000)
    for text in ["one", "one\n" + long] {
      let (row, there) = try await pair.share(SnippetDraft(.text(text)))
      #expect(row.title == "one")
      _ = try await pair.laptop.store.apply(SnippetEdit(title: "My own title"), to: row)
      let edit = SnippetEdit(text: text.replacingOccurrences(of: "one", with: "two"))
      let edited = try await pair.phone.store.apply(edit, to: try #require(there))
      #expect(edited.row.title == "two")

      try await pair.meet()

      let result = try #require(try pair.phone.row(row.uuid))
      #expect(result.title == "My own title")
      #expect(try await pair.phone.store.text(of: result.id).hasPrefix("two"))
    }
    #expect(try pair.phone.rows().count == 2)
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `a title follows its text on all devices`() async throws {
    let pair = try await SyncedPair()
    let (row, there) = try await pair.share(SnippetDraft(.text("one")))
    _ = try await pair.phone.store.apply(SnippetEdit(text: "two"), to: try #require(there))
    try await pair.meet()
    _ = try await pair.laptop.store.apply(SnippetEdit(text: "three"), to: row.id)
    try await pair.meet()

    for device in [pair.laptop, pair.phone] {
      #expect(try device.rows().map(\.title) == ["three"])
    }
  }

  @Test func `an edit of a row that was changed elsewhere since it was seen is a conflict`()
    async throws
  {
    let pair = try await SyncedPair()
    let (row, there) = try await pair.share(SnippetDraft(.text("first"), title: "title"))
    _ = try await pair.phone.store.apply(
      SnippetEdit(text: "of the phone"),
      to: try #require(there)
    )
    try await pair.meet()

    let error = await #expect(throws: SnippetStoreError.self) {
      try await pair.laptop.store.apply(SnippetEdit(text: "of the laptop"), to: row)
    }

    #expect(error?.code == .conflict)
    #expect(try await pair.laptop.store.text(of: row.id) == "of the phone")
    // Another field is free.
    try await pair.laptop.store.apply(SnippetEdit(title: "other"), to: row)
    try await pair.meet()
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `the note of a picture arrives, and notes that were edited apart are joined`()
    async throws
  {
    let pair = try await SyncedPair()
    let (row, there) = try await pair.share(SnippetDraft(.bytes(Samples.png), note: "The beach"))
    let phone = try #require(there)
    #expect(try await pair.phone.store.note(of: phone.id) == "The beach")

    try await pair.laptop.store.apply(SnippetEdit(note: "The beach at noon"), to: row.id)
    try await pair.phone.store.apply(SnippetEdit(note: "A beach"), to: phone.id)
    try await pair.meet()

    let notes = [
      try await pair.laptop.store.note(of: row.id), try await pair.phone.store.note(of: phone.id),
    ]
    #expect(notes[0] == notes[1])
    #expect(notes[0].contains("The beach at noon") && notes[0].contains("A beach"))
    #expect(try pair.laptop.rows().count == 1)
    try await pair.phone.store.apply(SnippetEdit(note: ""), to: phone.id)
    try await pair.meet()
    #expect(try await pair.laptop.store.note(of: row.id) == "")
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `a note that has no room beside another becomes one of a copy`() async throws {
    let pair = try await SyncedPair()
    let (row, there) = try await pair.share(SnippetDraft(.bytes(Samples.png)))
    let texts = ["a", "b"].map { String(repeating: $0, count: 40_000) }
    try await pair.laptop.store.apply(SnippetEdit(note: texts[0]), to: row.id)
    try await pair.phone.store.apply(SnippetEdit(note: texts[1]), to: try #require(there).id)
    try await pair.meet()
    // An edit replaces what the note shows.
    try await pair.laptop.store.apply(SnippetEdit(note: "c"), to: row.id)
    try await pair.meet()

    let copies = try pair.phone.rows().filter { $0.uuid != row.uuid }
    #expect(copies.map(\.tags) == [["conflict"]])
    let note = try await pair.phone.store.note(of: try #require(copies.first).id)
    #expect(texts.contains(note))
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `a joined note has each text once, however often a device forgets and joins again`()
    async throws
  {
    var pair = try await SyncedPair()
    let (row, there) = try await pair.share(SnippetDraft(.bytes(Samples.png)))
    try await pair.laptop.store.apply(SnippetEdit(note: "na"), to: row.id)
    try await pair.phone.store.apply(SnippetEdit(note: "nb"), to: try #require(there).id)
    try await pair.meet()
    let note = try await pair.laptop.store.note(of: row.id)
    #expect(note.components(separatedBy: "\n\n---\n\n").sorted() == ["na", "nb"])

    for _ in 1...2 {
      _ = try await pair.phone.sync.leave(forgetting: true)
      try await pair.phone.joinAgain()
      try await pair.meet()
      for device in [pair.laptop, pair.phone] {
        let own = try #require(try device.row(row.uuid))
        #expect(try await device.store.note(of: own.id) == note)
      }
    }
  }

  @Test func `a new note brings a picture back that was deleted elsewhere`() async throws {
    let pair = try await SyncedPair()
    let (row, there) = try await pair.share(SnippetDraft(.bytes(Samples.png), note: "The beach"))
    try await pair.phone.store.apply(SnippetEdit(note: "A beach"), to: try #require(there).id)
    _ = try await pair.laptop.store.delete([row.id])
    try await pair.meet()

    let back = try #require(try pair.laptop.row(row.uuid))
    #expect(try await pair.laptop.store.note(of: back.id) == "A beach")
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  /// A picture whose note the phone has edited, and the laptop later: its note was sent, that of the phone
  /// was not.
  private func pictureWithNotes() async throws -> (
    laptop: SyncedStore, phone: SyncedStore, row: SnippetRow
  ) {
    let place = MemoryPlace()
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key) {
      Date().addingTimeInterval(-3_600)
    }
    let draft = SnippetDraft(
      .bytes(Samples.png),
      note: "The beach",
      createdAt: Date().addingTimeInterval(-86_400)
    )
    let row = try await laptop.store.save(draft)
    for device in [laptop, phone] { try await device.synchronize() }
    let there = try #require(try phone.row(row.uuid))
    try await phone.store.apply(SnippetEdit(note: "A beach"), to: there.id)
    try await laptop.store.apply(SnippetEdit(note: "At noon"), to: row.id)
    try await laptop.synchronize()
    return (laptop, phone, row)
  }

  @Test func `a note that is older than the one which was deleted brings its picture back`()
    async throws
  {
    let (laptop, phone, row) = try await pictureWithNotes()
    _ = try await laptop.store.delete([row.id])
    for device in [laptop, phone, laptop, phone] { try await device.synchronize() }

    let back = try #require(try laptop.row(row.uuid))
    #expect(try laptop.rows().map(\.tags) == [[]])
    #expect(try await laptop.store.note(of: back.id) == "A beach")
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `a note that is older than the one in the trash brings its picture back`()
    async throws
  {
    let (laptop, phone, row) = try await pictureWithNotes()
    _ = try await laptop.store.moveToTrash([row.id])
    for device in [laptop, phone, laptop, phone] { try await device.synchronize() }

    #expect(try laptop.rows().map(\.uuid) == [row.uuid])
    let note = try await laptop.store.note(of: row.id)
    #expect(note == "A beach\n\n---\n\nAt noon")
    #expect(try await phone.contents() == laptop.contents())
    // Both texts are known there now.
    _ = try await laptop.store.moveToTrash([row.id])
    for device in [laptop, phone, laptop] { try await device.synchronize() }
    #expect(try phone.rows(inTrash: true).map(\.uuid) == [row.uuid])
    #expect(try await phone.contents() == laptop.contents())
  }

  @Test func `the note of the same picture brings it back where it was deleted`() async throws {
    let pair = try await SyncedPair()
    let row = try await pair.laptop.store.save(SnippetDraft(.bytes(Samples.png)))
    try await pair.laptop.synchronize()
    _ = try await pair.phone.store.save(SnippetDraft(.bytes(Samples.png), note: "A beach"))
    try await pair.phone.synchronize()
    #expect(try pair.phone.rows().map(\.uuid) == [row.uuid])
    _ = try await pair.laptop.store.delete([row.id])
    try await pair.meet()

    let back = try #require(try pair.laptop.row(row.uuid))
    #expect(try await pair.laptop.store.note(of: back.id) == "A beach")
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test(arguments: [true, false])
  func `the same picture stays where the first was deleted by a device that did not know it`(
    isForGood: Bool
  ) async throws {
    let place = MemoryPlace()
    let pair = try await SyncedPair(place)
    let tablet = try await SyncedStore("tablet", place, key: pair.laptop.sync.key)
    let (row, _) = try await pair.share(SnippetDraft(.bytes(Samples.png)))
    try await tablet.synchronize()
    let phone = try await SyncedStore("other phone", place, key: pair.laptop.sync.key)
    _ = try await phone.store.save(SnippetDraft(.bytes(Samples.png)))
    func delete(on device: SyncedStore) async throws {
      let there = try #require(try device.row(row.uuid))
      if isForGood {
        _ = try await device.store.delete([there.id])
      } else {
        _ = try await device.store.moveToTrash([there.id])
      }
    }
    try await delete(on: tablet)

    // It becomes one with that of the others, before it hears of the deletion.
    #expect(try await phone.synchronize().foldedCount == 1)
    for device in [tablet, phone, pair.laptop, tablet] { try await device.synchronize() }

    #expect(try phone.rows().count == 1)
    for device in [tablet, pair.laptop] {
      #expect(try await device.contents() == phone.contents())
    }
    // Now it is known.
    try await delete(on: tablet)
    for device in [tablet, phone, pair.laptop] { try await device.synchronize() }
    for device in [tablet, phone, pair.laptop] { #expect(try device.rows().isEmpty) }
  }

  @Test func `two pictures that a person made of one stay two where another device adds it`()
    async throws
  {
    let pair = try await SyncedPair()
    for _ in 0..<2 { _ = try await pair.laptop.store.save(SnippetDraft(.bytes(Samples.png))) }
    try await pair.laptop.synchronize()
    _ = try await pair.phone.store.save(SnippetDraft(.bytes(Samples.png)))

    try await pair.meet()
    try await pair.meet()

    #expect(try pair.laptop.rows().count == 2)
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test(arguments: [false, true], [1, 20_000])
  func `an older edit that the deleter did not know brings the same snippet back`(
    hasMet: Bool,
    length: Int
  ) async throws {
    let devices = try await UnknownEdit("of the laptop", length)
    // One that has both edits shows the later one, and the other one in a copy.
    if hasMet { try await devices.tablet.synchronize() }

    try await devices.delete()
    try await devices.settle()

    for device in devices.all {
      let back = try #require(try device.row(devices.uuid))
      #expect(back.tags == ["trip"])
      #expect(try await device.store.text(of: back.id).hasPrefix("of the laptop"))
      #expect(try device.rows().count == (hasMet ? 2 : 1))
      #expect(try await device.contents() == devices.laptop.contents())
    }
    #expect(try await devices.tablet.sync.check(readingAll: true).isIntact)
  }

  @Test func `an older edit that was not known at the trash comes back out of it`() async throws {
    let devices = try await UnknownEdit("of the laptop")
    try await devices.tablet.synchronize()

    try await devices.delete(throughTrash: true)
    try await devices.settle()

    for device in devices.all {
      #expect(try device.rows(inTrash: true).isEmpty)
      let back = try #require(try device.row(devices.uuid))
      #expect(try await device.store.text(of: back.id).hasPrefix("of the laptop"))
    }
  }

  @Test func `a version does not come back once its copy was deleted`() async throws {
    let devices = try await UnknownEdit("of the laptop")
    try await devices.tablet.synchronize()
    let copy = try #require(try devices.tablet.rows().first { $0.tags == ["conflict"] })
    _ = try await devices.tablet.store.delete([copy.id])
    try await devices.tablet.synchronize()

    try await devices.delete()
    try await devices.settle()

    for device in devices.all { #expect(try device.rows().isEmpty) }
  }

  @Test func `a copy beside a snippet that shows its version is deleted alone`() async throws {
    let devices = try await UnknownEdit("of the laptop")
    try await devices.tablet.synchronize()
    try await devices.delete()
    try await devices.settle()
    let copy = try #require(try devices.laptop.rows().first { $0.uuid != devices.uuid })
    #expect(copy.tags == ["conflict"])

    _ = try await devices.laptop.store.delete([copy.id])
    try await devices.settle()

    for device in devices.all {
      let kept = try #require(try device.rows().first)
      #expect(try device.rows().map(\.uuid) == [devices.uuid])
      #expect(try await device.store.text(of: kept.id).hasPrefix("of the laptop"))
    }
  }

  @Test func `two devices empty their trash, and nothing comes back`() async throws {
    let pair = try await SyncedPair()
    let rows = try await (1...3).asyncMap { number in
      try await pair.share(SnippetDraft(.text("text \(number)"))).onLaptop
    }
    let onPhone = try rows.map { row in try #require(try pair.phone.row(row.uuid)) }
    _ = try await pair.laptop.store.moveToTrash([rows[0].id, rows[1].id])
    _ = try await pair.phone.store.moveToTrash([onPhone[1].id])
    try await pair.meet()
    // Brought back on one device while the other empties its trash.
    _ = try await pair.laptop.store.undelete([rows[0].id])
    #expect(try await pair.phone.store.emptyTrash() == 2)
    #expect(try await pair.laptop.store.emptyTrash() == 1)
    try await pair.meet()

    #expect(try await pair.laptop.contents() == pair.phone.contents())
    #expect(try pair.laptop.rows().map(\.uuid) == [rows[2].uuid])
    #expect(try pair.laptop.rows(inTrash: true).isEmpty)
  }

  @Test func `the same identity added again lives`() async throws {
    let pair = try await SyncedPair()
    let (row, _) = try await pair.share(SnippetDraft(.text("first")))
    _ = try await pair.laptop.store.delete([row.id])
    try await pair.meet()
    #expect(try pair.phone.rows().isEmpty)

    _ = try await pair.phone.store.save(SnippetDraft(.text("again"), uuid: row.uuid))
    try await pair.meet()

    #expect(try pair.laptop.rows().map(\.uuid) == [row.uuid])
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }
}
