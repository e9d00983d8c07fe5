import Foundation
import SnippetStorage
import Testing

@testable import SnippetSync

/// What a capture makes of an edit.
struct EntryTests {
  private let laptop = DeviceID()
  private let phone = DeviceID()

  private func row(_ text: String, title: String = "title", modifiedAt: Int64) -> CapturedRow {
    CapturedRow(
      uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
      content: .text(text),
      title: title,
      isPinned: false,
      createdAt: 1,
      modifiedAt: modifiedAt,
      tags: ["Home"]
    )
  }

  private func picture(_ byte: UInt8 = 7, note: String = "", modifiedAt: Int64) -> CapturedRow {
    var row = row("", title: "red", modifiedAt: modifiedAt)
    row.note = note
    row.content.kind = .image
    row.content.body = .blob(Data(repeating: byte, count: 32), encoding: nil)
    return row
  }

  @Test func `an edit knows the version that it replaced, so no copy is made`() {
    let first = Entry(of: row("one", modifiedAt: 10), on: laptop, now: 20)
    var second = first
    second.capture(row("two", modifiedAt: 30), on: phone, now: 30)
    var third = second
    third.capture(row("three", modifiedAt: 40), on: laptop, now: 40)

    for entries in [[first, second, third], [third, first], [second, third, first]] {
      let (merged, copies) = Entry.merged(entries)
      #expect(merged == third)
      #expect(copies.isEmpty)
    }
  }

  @Test func `an edit has the date of the change, whenever it is captured`() {
    var entry = Entry(of: row("one", modifiedAt: 10), on: laptop, now: 20)

    entry.capture(row("two", modifiedAt: 30), on: laptop, now: 500)

    #expect(entry.content.last == Stamp(30, laptop))
    #expect(entry.title.stamp == Stamp(10, laptop))
  }

  @Test func `a title that follows its text gives way to one that a person gave before`() {
    let first = Entry(of: row("one\nmore", title: "one", modifiedAt: 10), on: laptop, now: 20)
    var named = first
    named.capture(row("one\nmore", title: "mine", modifiedAt: 30), on: laptop, now: 30)
    var edited = first
    edited.capture(row("two\nmore", title: "two", modifiedAt: 40), on: phone, now: 40)
    var both = first
    both.capture(row("three\nmore", title: "given", modifiedAt: 50), on: phone, now: 50)

    #expect(first.shownTitle == "one")
    #expect(edited.shownTitle == "two")
    for entries in [[named, edited], [edited, named], [first, edited, named]] {
      let merged = Entry.merged(entries).entry
      #expect(merged.shownTitle == "mine")
      #expect(merged.content.shown?.body == .text("two\nmore"))
    }
    // The later of two that were given counts.
    #expect(Entry.merged([named, both]).entry.shownTitle == "given")
  }

  @Test func `a title of a file's name or of the first line is none that was given`() {
    var file = row("one", title: "Notes", modifiedAt: 10)
    #expect(!file.hasMadeTitle)
    file.file = "home/me/Notes.md"
    #expect(file.hasMadeTitle)
    for (path, title) in [
      ("pages/a___b%3F.md", "a/b?"), ("graph/pages/a___b.org", "a/b.org"),
      ("Trips/Rome.textbundle/text.md", "Rome"), ("Rome.TextPack/text.markdown", "Rome"),
      ("https://é.md", "é"),
    ] {
      (file.file, file.title) = (path, title)
      #expect(file.hasMadeTitle, "\(path)")
      file.title = "\(title), mine"
      #expect(!file.hasMadeTitle, "\(path)")
    }
    (file.file, file.title) = ("journals/a___b.md", "a/b")
    #expect(!file.hasMadeTitle)
    var picture = row("", title: "", modifiedAt: 10)
    picture.content.kind = .image
    picture.content.body = .blob(Data(repeating: 7, count: 32), encoding: nil)
    #expect(picture.hasMadeTitle)
    picture.title = "red"
    #expect(!picture.hasMadeTitle)
    picture.content.file = "pictures/red.png"
    #expect(picture.hasMadeTitle)
    var long = row("", title: "the first line…", modifiedAt: 10)
    long.content.body = picture.content.body
    long.content.preview = "the first line of many"
    #expect(long.hasMadeTitle)
    long.title = "another"
    #expect(!long.hasMadeTitle)
    (long.title, long.content.preview) = ("the first line", "--- tags: [a] --- the first line of")
    #expect(!long.hasMadeTitle)
    long.beginning = "---\ntags: [a]\n---\nthe first line\nof many"
    #expect(long.hasMadeTitle)
    long.title = "of many"
    #expect(!long.hasMadeTitle)
    for title in ["Milk", "---"] {
      #expect(row("---\ntags: [a]\n---\nMilk", title: title, modifiedAt: 10).hasMadeTitle)
    }
  }

  @Test func `of twins the last edit of title, pin and dates counts, whichever stays`() {
    func picture(_ change: (inout CapturedRow) -> Void = { _ in }) -> CapturedRow {
      var row = row("bytes", title: "red", modifiedAt: 10)
      (row.uuid, row.file, row.createdAt) = (UUID(), "red.png", 10)
      change(&row)
      return row
    }
    // Each is of a device of its own; the last one was made after all edits.
    let entries = [
      Entry(
        of: picture { row in
          (row.title, row.modifiedAt, row.isPinned, row.createdAt) = ("first", 20, true, 5)
        },
        on: laptop,
        now: 100
      ),
      Entry(
        of: picture { row in (row.title, row.modifiedAt, row.createdAt) = ("second", 30, 6) },
        on: phone,
        now: 100
      ),
      Entry(
        of: picture { row in (row.modifiedAt, row.createdAt) = (90, 90) },
        on: DeviceID(),
        now: 100
      ),
    ]
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
      var kept = entries[order[0]]
      for place in order.dropFirst() { kept.fold(entries[place], on: laptop) }
      #expect(kept.shownTitle == "second")
      #expect(kept.pin.value == .pinned)
      #expect(kept.createdAt.value == 6)
      #expect(kept.modifiedAt.value == 90)
      let folded = kept
      kept.fold(entries[order[1]], on: laptop)
      #expect(kept == folded)
    }
  }

  @Test func `an edit without a new date has that of its capture`() {
    var entry = Entry(of: row("one", modifiedAt: 10), on: laptop, now: 20)

    entry.capture(row("one", title: "new", modifiedAt: 10), on: laptop, now: 500)

    #expect(entry.title.stamp == Stamp(500, laptop))
  }

  @Test func `an edit beats what it replaced, though the other clock is ahead`() {
    var entry = Entry(of: row("one", modifiedAt: 9_000), on: phone, now: 9_000)

    entry.capture(row("two", title: "new", modifiedAt: 50), on: laptop, now: 60)

    #expect(entry.content.last == Stamp(9_001, laptop))
    #expect(entry.title.stamp == Stamp(9_001, laptop))
  }

  @Test func `a date in the future counts as now`() {
    let entry = Entry(of: row("one", modifiedAt: 9_000), on: phone, now: 20)

    #expect(entry.content.last == Stamp(20, phone))
    #expect(entry.modifiedAt.value == 9_000)
  }

  @Test(arguments: [253_402_300_799_999, 9_007_199_254_740_991])
  func `an edit after the last stamp of a clock can be read`(last: Int64) throws {
    var entry = Entry(of: row("one", modifiedAt: 10), on: phone, now: 10)
    entry.content = ContentVersions(row("one", modifiedAt: 10).content, Stamp(last, phone))
    entry.title.stamp = Stamp(last, phone)
    entry.note.replace(by: "one", at: last, on: phone)
    var edited = row("two", title: "new", modifiedAt: 50)
    edited.note = "two"

    entry.capture(edited, on: laptop, now: 60)

    var coding = EntryCoding(devices: DeviceTable())
    let line = coding.encode(entry)
    #expect(try coding.decode(line) == entry)
    let stamp = try #require(entry.content.last)
    #expect(stamp.milliseconds >= last)
    #expect(entry.note.shown == "two")
  }

  @Test func `a conflict copy has a date that a store can hold`() {
    let entries = [(laptop, "one"), (phone, "two")].map { device, text in
      var entry = Entry(of: row(text, modifiedAt: 10), on: device, now: 10)
      entry.content = ContentVersions(row(text, modifiedAt: 10).content, Stamp(1 << 50, device))
      return entry
    }

    let copies = Entry.merged(entries).copies

    #expect(copies.map(\.createdAt.value) == [253_402_300_799_999])
    #expect(copies.map(\.modifiedAt.value) == [253_402_300_799_999])
  }

  @Test func `nothing is captured of a row that is as it was`() {
    var entry = Entry(of: row("one", modifiedAt: 10), on: laptop, now: 20)
    var same = row("one", modifiedAt: 10)
    same.tags = ["HOME"]
    same.content.file = "moved/one.md"
    same.content.preview = "made by another version"
    same.content.facts.duration = .seconds(10)

    let differs = entry.capture(same, on: laptop, now: 500)

    #expect(!differs)
  }

  @Test func `a deletion erases the texts, and a later edit brings back with a title`() {
    let known = Entry(of: row("secret", modifiedAt: 10), on: laptop, now: 20)
    var deleted = known
    deleted.captureDeletion()
    var edited = known
    edited.capture(row("edited", modifiedAt: 30), on: phone, now: 30)

    #expect(deleted.isDeleted)
    #expect(deleted.content.shown == nil)
    #expect(deleted.shownTitle.isEmpty)
    #expect(Entry.merged([deleted, known]).entry.isDeleted)
    let back = Entry.merged([deleted, edited]).entry
    #expect(!back.isDeleted)
    #expect(back.shownTitle == "title")
  }

  @Test func `a conflict copy follows from its version alone`() throws {
    let known = Entry(of: row("one", modifiedAt: 10), on: laptop, now: 20)
    var here = known
    here.capture(row("here", title: "renamed", modifiedAt: 30), on: laptop, now: 30)
    var there = known
    there.capture(row("there", modifiedAt: 40), on: phone, now: 40)
    var later = here
    later.capture(row("here", title: "again", modifiedAt: 50), on: laptop, now: 50)

    let copy = try #require(Entry.merged([here, there]).copies.first)

    #expect(Entry.merged([there, later]).copies == [copy])
    #expect(copy.content.shown?.body == .text("here"))
    #expect(copy.shownTitle == "renamed")
    #expect(copy.shownTags == ["conflict"])
  }

  @Test func `a note without room has one copy, whichever devices folded the twin that had it`() {
    let notes = ["a", "b"].map { String(repeating: $0, count: 40_000) }
    var here = Entry(of: picture(note: notes[0], modifiedAt: 10), on: laptop, now: 100)
    let twin = Entry(of: picture(note: notes[1], modifiedAt: 10), on: phone, now: 100)
    var there = here
    here.fold(twin, on: laptop)
    there.fold(twin, on: phone)

    let copies = [here.noteCopies, there.noteCopies, Entry.merged([here, there]).copies]

    #expect(copies.map(\.count) == [1, 1, 1])
    #expect(Set(copies.joined().map(\.uuid)).count == 1)
    #expect(Set(copies.joined().map(\.content.last)).count == 2)
    let (copy, others) = Entry.merged(Array(copies.joined()))
    #expect(copy.shownNote == notes[1])
    #expect(others.isEmpty)
  }

  @Test func `a fold knows no edit of the twin's device that has not come`() {
    let first = Entry(of: picture(modifiedAt: 10), on: laptop, now: 100)
    let twin = Entry(of: picture(modifiedAt: 20), on: phone, now: 100)
    // The phone folds them and edits the picture, while the laptop writes a note.
    var there = first
    there.fold(twin, on: phone)
    there.capture(picture(8, modifiedAt: 30), on: phone, now: 100)
    var here = first
    here.capture(picture(note: "a note", modifiedAt: 40), on: laptop, now: 100)
    here.fold(twin, on: DeviceID())

    for entries in [[here, there], [there, here]] {
      let (entry, copies) = Entry.merged(entries)
      #expect(entry.shownNote == "a note")
      #expect(entry.content.shown?.body == first.content.shown?.body)
      #expect(copies.map(\.content.shown?.body) == [there.content.shown?.body])
    }
    // The picture stays where only the first one was known, and goes with both.
    var folded = first
    folded.fold(twin, on: laptop)
    var (unknowing, knowing) = (first, folded)
    unknowing.captureDeletion()
    knowing.captureDeletion()
    #expect(!Entry.merged([folded, unknowing]).entry.isDeleted)
    #expect(Entry.merged([folded, knowing]).entry.isDeleted)
  }

  /// Two versions that were edited apart, the one of the phone later, and that one as the phone deleted it.
  private func apart() -> (here: Entry, there: Entry, deleted: Entry) {
    let known = Entry(of: row("one", modifiedAt: 10), on: laptop, now: 20)
    var here = known
    here.capture(row("here", modifiedAt: 30), on: laptop, now: 30)
    var there = known
    there.capture(row("there", modifiedAt: 40), on: phone, now: 40)
    var deleted = there
    deleted.captureDeletion()
    return (here, there, deleted)
  }

  // third                  fourth
  // has both, makes a copy ──▶ has the later one and the copy, which a person edits
  //                        receives the deletion of the later one, and then the older one
  @Test func `an edited conflict copy is an edit before its version is shown again`() throws {
    let (here, there, deleted) = apart()
    var third = ModelDevice(DeviceID(), clockError: 0)
    try third.pull([[here]], of: laptop, from: 0)
    try third.pull([[there]], of: phone, from: 0)
    let copy = try #require(try third.seal().first { $0.uuid != here.uuid })
    var fourth = ModelDevice(DeviceID(), clockError: 0)
    fourth.time = 60
    try fourth.pull([[there]], of: phone, from: 0)
    try fourth.pull([[copy]], of: third.device, from: 0)
    fourth.rows[copy.uuid]?.content = .text("mine")
    fourth.rows[copy.uuid]?.modifiedAt = 50

    try fourth.pull([[deleted]], of: phone, from: 1)
    try fourth.pull([[here]], of: laptop, from: 0)

    #expect(fourth.rows[here.uuid] == nil)
    #expect(fourth.rows[copy.uuid]?.content.body == .text("mine"))
    _ = try fourth.seal()
    #expect(fourth.known(here.uuid)?.entry.isDeleted == true)
  }

  @Test func `an older edit that the deleter did not know brings the same snippet back`() {
    let (here, there, deleted) = apart()

    for entries in [[here, deleted], [deleted, here], [here, there, deleted]] {
      let (back, copies) = Entry.merged(entries)
      #expect(back.content.shown?.body == .text("here"))
      #expect(back.uuid == here.uuid)
      #expect(back.shownTags == ["Home"])
      #expect(copies.isEmpty)
    }
    let met = Entry.merged([here, there])
    #expect(met.copies.count == 1)
    #expect(Entry.merged([met.entry, deleted]).entry == Entry.merged([here, deleted]).entry)
    // A device that had both deletes both.
    var known = met.entry
    known.captureDeletion()
    #expect(Entry.merged([here, there, known]).entry.isDeleted)
  }

  @Test func `an older edit that was not known at the trash comes back out of it`() {
    let (here, there, deleted) = apart()
    var trashed = there
    var row = row("there", modifiedAt: 40)
    row.deletedAt = 45
    trashed.capture(row, on: phone, now: 45)
    #expect(trashed.deletedAt == 45)

    // The later version is the one that was trashed.
    #expect(Entry.merged([here, trashed]).entry.deletedAt == 45)
    trashed.captureDeletion()
    for entries in [[here, trashed], [here, there, trashed, deleted]] {
      let back = Entry.merged(entries).entry
      #expect(back.content.shown?.body == .text("here"))
      #expect(back.deletedAt == nil)
    }
  }

  @Test func `a version goes with its copy, unless the snippet shows it too`() {
    let (here, there, deleted) = apart()
    let stamp = Stamp(30, laptop)
    let met = Entry.merged([here, there]).entry
    var hidden = met
    let changes = (1...2).map { _ in hidden.captureEnd(ofCopyOf: stamp, on: phone) }
    #expect(changes == [true, false])
    #expect(hidden.content.versions.count == 1)
    #expect(hidden.content.shown == there.content.shown)
    #expect(Entry.merged([hidden, here, met, deleted]).entry.isDeleted)

    var shown = Entry.merged([met, deleted]).entry
    _ = shown.captureEnd(ofCopyOf: stamp, on: phone)
    #expect(shown.content.shown == here.content.shown)
    #expect(!Entry.merged([shown, hidden]).entry.isDeleted)
    // It has another copy, since the one is gone.
    var later = there
    later.capture(row("later", modifiedAt: 50), on: laptop, now: 50)
    let (entry, copies) = Entry.merged([shown, later])
    #expect(entry.content.shown?.body == .text("later"))
    #expect(copies.map(\.content.shown) == [here.content.shown])
    #expect(copies.map(\.uuid) != Entry.merged([here, there]).copies.map(\.uuid))

    // One that has not come yet does not come later.
    var early = there
    _ = early.captureEnd(ofCopyOf: stamp, on: phone)
    #expect(Entry.merged([early, here]) == (early, []))
  }

  @Test(arguments: [false, true])
  func `a version goes with a copy that a device deletes which cannot tell`(comesFirst: Bool) throws
  {
    let (here, there, deleted) = apart()
    var copy = try #require(Entry.merged([here, there]).copies.first)
    copy.captureDeletion()
    var device = ModelDevice(DeviceID(), clockError: 0)

    let arrivals = comesFirst ? [[copy], [here, there]] : [[here, there], [copy]]
    for entries in arrivals { try device.pull([entries], of: phone, from: 0) }

    let known = try #require(device.known(here.uuid))
    #expect(known.entry.content.versions.count == 1)
    #expect(known.isPending)
    #expect(device.rows.values.map(\.content.body) == [.text("there")])
    // Nothing is left to come back.
    try device.pull([[deleted]], of: phone, from: 0)
    #expect(device.rows.isEmpty)
  }

  @Test func `a note stays where the version goes that came with it`() {
    let known = Entry(of: picture(modifiedAt: 10), on: laptop, now: 20)
    var noted = known
    noted.capture(picture(note: "a note", modifiedAt: 30), on: phone, now: 30)
    var replaced = known
    replaced.capture(picture(8, modifiedAt: 40), on: laptop, now: 40)
    var deleted = replaced
    deleted.captureDeletion()
    var met = Entry.merged([noted, replaced]).entry
    #expect(met.shownNote == "a note")

    let changes = (1...2).map { _ in met.captureEnd(ofCopyOf: Stamp(30, phone), on: phone) }

    #expect(changes == [true, false])
    #expect(Entry.merged([met, noted, replaced]) == (met, []))
    let back = Entry.merged([noted, met, deleted]).entry
    #expect(back.content.shown == replaced.content.shown)
    #expect(back.shownNote == "a note")
  }

  @Test func `a note goes with its picture, though that becomes a twin in the same moment`()
    throws
  {
    var (here, there) = (ModelDevice(laptop, clockError: 0), ModelDevice(phone, clockError: 0))
    var logs: [DeviceID: [[Entry]]] = [:]
    (here.time, there.time) = (100, 100)
    let first = picture(modifiedAt: 10)
    here.rows[first.uuid] = first
    logs[laptop] = [try here.seal()]
    try there.receive(logs)
    // Edited apart, it has a conflict copy on both, and no twin.
    here.rows[first.uuid] = picture(8, modifiedAt: 30)
    there.rows[first.uuid] = picture(note: "kept", modifiedAt: 40)
    logs[laptop]?.append(try here.seal())
    logs[phone] = [try there.seal()]
    try here.receive(logs)
    try there.receive(logs)
    let copy = try #require(there.rows.keys.first { $0 != first.uuid })
    var twin = picture(note: "gone", modifiedAt: 50)
    twin.uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2))
    there.rows[twin.uuid] = twin
    logs[phone]?.append(try there.seal())
    try here.receive(logs)
    #expect(here.rows.count == 3)

    // Without its copy, the first one has a twin, which is deleted as well.
    (there.rows[copy], there.rows[twin.uuid]) = (nil, nil)
    logs[phone]?.append(try there.seal())
    try here.receive(logs)

    #expect(here.rows.mapValues(\.note) == [first.uuid: "kept"])
    #expect(here.outcome.folded.isEmpty)
  }

  @Test func `a conflict copy is no twin, though it has the bytes of another snippet`() throws {
    func file(_ text: String, modifiedAt: Int64) -> CapturedRow {
      var row = row(text, modifiedAt: modifiedAt)
      row.content.file = "one.md"
      return row
    }
    let known = Entry(of: file("one", modifiedAt: 10), on: laptop, now: 20)
    var here = known
    here.capture(file("here", modifiedAt: 30), on: laptop, now: 30)
    var there = known
    there.capture(file("there", modifiedAt: 40), on: phone, now: 40)
    var copy = try #require(Entry.merged([here, there]).copies.first)
    var twin = Entry(of: file("here", modifiedAt: 30), on: phone, now: 50)
    twin.uuid = UUID()

    #expect(here.isTwin(of: twin))
    #expect(!copy.isTwin(of: twin))
    #expect(!twin.isTwin(of: copy))
    copy.tags[Entry.conflictTag]?.value = .off
    #expect(!copy.isTwin(of: twin))
  }
}
