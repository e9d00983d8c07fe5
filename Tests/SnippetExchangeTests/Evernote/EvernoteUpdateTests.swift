import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Exports of Evernote that are imported again after an edit there.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)), .enabled(if: XMLParts.isAvailable))
struct EvernoteUpdateTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("evernote")
  }

  private func note(_ text: String, _ year: Int, picture: UInt8? = nil) -> String {
    let resource = picture.map { number in
      """
      <resource><data encoding="base64">\(Self.picture(number).base64EncodedString())</data>
      <mime>image/png</mime>
      <resource-attributes><file-name>image.png</file-name></resource-attributes></resource>
      """
    }
    return """
      <note><title>Meeting</title><content><![CDATA[<en-note><div>\(text)</div></en-note>]]></content>
      <created>\(year)0102T030405Z</created>\(resource ?? "")</note>
      """
  }

  private static func picture(_ number: UInt8) -> Data { Samples.png + Data([number]) }

  private func importNotes(
    _ notes: [String],
    trashesMissing: Bool = false
  ) async throws -> (report: ImportReport, events: [ImportEvent]) {
    let file = try tree.add(
      "all.enex",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <en-export export-date="20240101T000000Z">\(notes.joined(separator: "\n"))</en-export>
      """
    )
    return try await store.importAll([file], .init(movesMissingToTrash: trashesMissing))
  }

  private func id(_ text: String) throws -> SnippetID {
    let row = try store.list().rows(in: 0..<99).first { $0.preview == text }
    return try #require(row).id
  }

  @Test func `notes of one title keep their snippets, in whatever order they come`() async throws {
    let (berlin, paris) = (note("Berlin", 2020), note("Paris", 2021))
    _ = try await importNotes([berlin, paris])
    let ids = (berlin: try id("Berlin"), paris: try id("Paris"))
    try await store.apply(SnippetEdit(isPinned: true, addedTags: ["berlin"]), to: ids.berlin)
    try await store.apply(SnippetEdit(title: "Paris meeting", addedTags: ["paris"]), to: ids.paris)

    let (report, events) = try await importNotes([note("Paris, and notes", 2021), berlin])

    #expect(report[.updated] == 1 && report[.moved] == 1 && report[.imported] == 0, "\(events)")
    let former = events.compactMap(\.formerFile?.path)
    #expect(former.map { $0.hasSuffix("all.enex/Meeting.textbundle/text.md") } == [true])
    #expect(try await store.text(of: ids.berlin) == "Berlin")
    #expect(try await store.text(of: ids.paris) == "Paris, and notes")
    let rows = (try #require(try store.row(ids.berlin)), try #require(try store.row(ids.paris)))
    #expect(rows.0.tags == ["berlin"] && rows.0.isPinned && rows.0.title == "Meeting")
    #expect(rows.1.tags == ["paris"] && !rows.1.isPinned && rows.1.title == "Paris meeting")
    let again = try await importNotes([note("Paris, and notes", 2021), berlin]).report
    #expect(again[.unchanged] == 2 && again.missingCount == 0, "\(again)")
  }

  @Test func `an edit that keeps the length and all dates is found`() async throws {
    _ = try await importNotes([note("milk 1", 2020), note("bread", 2021)])
    let milk = try id("milk 1")

    let (report, events) = try await importNotes([note("milk 2", 2020), note("bread", 2021)])

    #expect(report[.updated] == 1 && report[.unchanged] == 1, "\(events)")
    #expect(try await store.text(of: milk) == "milk 2")
  }

  @Test func `of three notes of one title that which is deleted there goes to the trash`()
    async throws
  {
    let paris = note("Paris", 2021)
    _ = try await importNotes([note("Berlin", 2020), paris, note("Rome", 2022)])
    let ids = (berlin: try id("Berlin"), paris: try id("Paris"), rome: try id("Rome"))

    let notes = [paris, note("Rome again", 2022)]
    let (report, events) = try await importNotes(notes, trashesMissing: true)

    #expect(report[.trashed] == 1 && report[.updated] == 1 && report[.moved] == 1, "\(events)")
    #expect(try store.list(.trash).rows(in: 0..<9).map(\.id) == [ids.berlin])
    let trashed = try #require(events.first { $0.outcome == .trashed })
    #expect(trashed.file.path.hasSuffix("all.enex/Meeting.textbundle/text.md"))
    #expect(try await store.text(of: ids.paris) == "Paris")
    #expect(try await store.text(of: ids.rome) == "Rome again")
    // It is back in front of the others.
    let all = [note("Berlin", 2020)] + notes
    #expect(try await importNotes(all).report[.broughtBack] == 1)
    #expect(try store.row(ids.berlin)?.deletedAt == nil && store.list().count == 3)
  }

  @Test func `a new note before another of its title is a new snippet`() async throws {
    _ = try await importNotes([note("Paris", 2021)])
    let paris = try id("Paris")

    let (report, events) = try await importNotes([note("Berlin", 2020), note("Paris, late", 2021)])

    #expect(report[.imported] == 1 && report[.updated] == 1, "\(events)")
    #expect(try await store.text(of: paris) == "Paris, late")
  }

  @Test func `a note whose date of creation was edited keeps its snippet`() async throws {
    _ = try await importNotes([note("Berlin", 2020)])
    let berlin = try id("Berlin")

    let (report, events) = try await importNotes([note("Berlin", 2019)])

    #expect(report[.updated] == 1 && report[.imported] == 0, "\(events)")
    #expect(try store.row(berlin)?.createdAt.timeIntervalSince1970 == 1_546_398_245)
  }

  @Test func `notes of one moment are told by their bytes`() async throws {
    _ = try await importNotes([note("Berlin", 2020), note("Paris", 2020)])
    let ids = (try id("Berlin"), try id("Paris"))

    let (report, events) = try await importNotes([note("Paris", 2020), note("Berlin", 2020)])

    #expect(report[.moved] == 2 && report[.updated] == 0, "\(events)")
    #expect(try await store.text(of: ids.0) == "Berlin")
    #expect(try await store.text(of: ids.1) == "Paris")
  }

  @Test func `pictures of one name stay with their notes`() async throws {
    let notes = [note("Berlin", 2020, picture: 1), note("Paris", 2021, picture: 2)]
    _ = try await importNotes(notes)
    let pictures = try store.list().rows(in: 0..<9).filter { $0.kind == .image }
    for row in pictures {
      let isFirst = try await store.content(of: row.id) == Self.picture(1)
      try await store.apply(SnippetEdit(addedTags: [isFirst ? "one" : "two"]), to: row.id)
    }

    let (report, events) = try await importNotes(notes.reversed())

    #expect(report[.moved] == 4 && report[.updated] == 0, "\(events)")
    for row in try store.list().rows(in: 0..<9).filter({ $0.kind == .image }) {
      let number: UInt8 = row.tags == ["one"] ? 1 : 2
      #expect(try await store.content(of: row.id) == Self.picture(number))
    }
  }
}
