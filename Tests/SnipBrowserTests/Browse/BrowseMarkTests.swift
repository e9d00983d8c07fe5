import Foundation
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// What keys do with several snippets at once, the order of the list, and the lines that are typed.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseMarkTests {
  private func fixture(_ count: Int) async throws -> BrowseFixture {
    BrowseFixture(
      try await BrowseFixture.store(textCount: count),
      size: ScreenSize(columns: 70, lines: 20)
    )
  }

  private func status(_ fixture: BrowseFixture) -> String { fixture.frame.lines.last?.text ?? "" }

  // MARK: - Marks

  @Test func `marks are shown and counted`() async throws {
    let fixture = try await fixture(6)

    try await fixture.run("m", "down", "m", "wait")

    let lines = fixture.frame.lines.map(\.text)
    #expect(lines[0].hasSuffix("2 marked  4/6 "), "\(lines[0])")
    let marked = lines.filter { $0.hasPrefix(" +") || $0.hasPrefix("▌+") }
    #expect(marked.count == 2 && marked[0].contains("Note 5") && marked[1].contains("Note 3"))
    try await fixture.run("M")
    #expect(!fixture.frame.text.contains("+ "))
  }

  @Test func `what is marked goes to the trash at once, and comes back at once`() async throws {
    let fixture = try await fixture(8)
    try await fixture.run("m", "m", "m", "wait", "d", "wait")
    #expect(fixture.list.count == 5 && fixture.run.screen.lists.marks.isEmpty)
    #expect(status(fixture) == " Moved to the trash: 3 snippets. u brings them back.")

    try await fixture.run("u", "wait")

    #expect(fixture.list.count == 8 && status(fixture) == " Brought back: 3 snippets.")
    try await fixture.run("u", "wait")
    #expect(status(fixture) == " Nothing to take back.")
  }

  @Test func `what is marked is tagged and pinned`() async throws {
    let fixture = try await fixture(4)

    try await fixture.run("m", "m", "t", "type New York, #new,", "enter", "wait", "p", "wait")

    for number in 0..<4 {
      let row = try #require(try fixture.store.row(SnippetID(rawValue: Int64(number + 1))))
      #expect(row.tags.sorted() == (number > 1 ? ["New York", "new"] : []))
      #expect(row.isPinned == (number > 1))
    }
    // All are pinned: now none is. Then all of it is taken back.
    try await fixture.run("p", "wait", "u", "wait", "u", "wait", "u", "wait")
    let rows = try fixture.store.list().rows(in: 0..<4)
    #expect(rows.allSatisfy { $0.tags.isEmpty && !$0.isPinned })
  }

  @Test func `what is marked and gone is forgotten`() async throws {
    let fixture = try await fixture(4)
    try await fixture.run("m", "m", "wait")
    _ = try await fixture.store.delete([SnippetID(rawValue: 4)])
    try await fixture.wait { $0.lines[0].text.contains("/3 ") }

    try await fixture.run("p", "wait")

    #expect(fixture.run.screen.lists.marks == [SnippetID(rawValue: 3)])
    #expect(try fixture.store.row(SnippetID(rawValue: 3))?.isPinned == true)
  }

  @Test func `what is marked is exported, and a folder that is refused can be mended`() async throws
  {
    let fixture = try await fixture(4)
    let full = TemporaryDirectory.file("full")
    let empty = TemporaryDirectory.file("empty")
    try FileManager.default.createDirectory(at: full, withIntermediateDirectories: true)
    try Data().write(to: full.appendingPathComponent("file"))

    try await fixture.run("m", "m", "x", "type \(full.path)", "enter", "wait")
    #expect(status(fixture).contains("full█"), "\(status(fixture))")
    #expect(fixture.frame.lines[18].text.contains("could not export"), "\(fixture.frame.text)")
    try await fixture.run("ctrl-u", "type \(empty.path)", "enter", "wait")

    #expect(status(fixture).hasPrefix(" Exported 2 snippets: "), "\(status(fixture))")
    let files = try FileManager.default.contentsOfDirectory(atPath: empty.path + "/texts")
    #expect(files.sorted() == ["3 Note 2.txt", "4 Note 3.txt"])
  }

  // MARK: - Tags

  @Test(arguments: [
    ("bar,", ["bar"], []), ("new -x #y", ["new", "y"], ["x"]), ("", [], []), (" , ,", [], []),
    ("New  York, bar ,-old one", ["New York", "bar"], ["old one"]), ("New York,", ["New York"], []),
    ("-#x", [], ["x"]), ("a-b", ["a-b"], []),
  ])
  func `a line of tags is read`(line: String, added: [String], removed: [String]) {
    let tags = TagLine(line)
    #expect(tags.added == added && tags.removed == removed)
  }

  @Test func `a line of tags that is refused is there again, with the reason`() async throws {
    let fixture = try await fixture(2)
    let long = String(repeating: "x", count: 300)

    try await fixture.run("t", "type good, \(long)", "enter", "wait")

    #expect(status(fixture).hasSuffix("xxx█"), "\(fixture.frame.text)")
    #expect(fixture.frame.lines[18].text.hasPrefix(" could not"), "\(fixture.frame.text)")
    try await fixture.run("ctrl-w", "enter", "wait")
    #expect(try fixture.store.row(SnippetID(rawValue: 2))?.tags == ["good"])
  }

  // MARK: - Order

  @Test func `the order is cycled and turned around, at the same snippet`() async throws {
    let fixture = try await fixture(30)
    try await fixture.run("down", "down", "wait")
    let selected = try #require(fixture.selected)

    try await fixture.run("s", "wait", "s", "wait")

    #expect(fixture.selected == selected)
    #expect(fixture.frame.lines[0].text.contains("by title, from A"), "\(fixture.frame.text)")
    try await fixture.run("g", "wait")
    #expect(fixture.selected == "Note 0")
    try await fixture.run("S", "wait", "g", "wait")
    #expect(fixture.selected == "Note 9")
    while fixture.run.screen.listing.order.key != .created { try await fixture.run("s", "wait") }
    try await fixture.run("g", "wait")
    #expect(fixture.selected == "Note 29" && !fixture.frame.lines[0].text.contains("by "))
  }

  @Test func `a date is jumped to in either order`() async throws {
    let store = try TemporaryStore.open()
    let year = 365.25 * 24 * 3600
    try await store.save(
      contentsOf: (0..<40).map { number in
        SnippetDraft(
          .text("\(number)"),
          title: "Note \(number)",
          createdAt: Date(timeIntervalSince1970: 946_900_000 + Double(number) * year / 4)
        )
      }
    )
    let fixture = BrowseFixture(store, size: ScreenSize(columns: 70, lines: 20))
    func selectedYear() -> String {
      fixture.list.selectedRow.map { String(DateText.short($0.createdAt).prefix(4)) } ?? ""
    }

    try await fixture.run("J", "type 2004", "enter", "wait")
    #expect(selectedYear() == "2004" && fixture.selected == "Note 19", "\(fixture.frame.text)")
    try await fixture.run("S", "wait", "J", "type 2004", "enter", "wait")
    #expect(selectedYear() == "2004" && fixture.selected == "Note 16")
    // Where nothing is of that date, it is the next one in the order; before the first, the first.
    try await fixture.run("J", "type 2004-03-01", "enter", "wait")
    #expect(fixture.selected == "Note 17")
    try await fixture.run("J", "type 1970", "enter", "wait")
    #expect(fixture.selected == "Note 0")
    try await fixture.run("J", "type 2100-12", "enter", "wait")
    #expect(fixture.selected == "Note 39")
  }

  @Test func `what is no date stays to be mended`() async throws {
    let fixture = try await fixture(3)

    try await fixture.run("J", "type 2024-13", "enter")

    #expect(status(fixture).hasSuffix("2024-13█"))
    #expect(fixture.frame.lines[18].text.contains("2024-03"), "\(fixture.frame.text)")
  }

  @Test func `without an order by date there is nothing to jump to`() async throws {
    let fixture = try await fixture(3)
    try await fixture.run("s", "s", "wait", "J", "type 2024", "enter", "wait")
    #expect(status(fixture).contains("ordered by title"), "\(status(fixture))")
    try await fixture.run("/", "type note", "enter", "wait", "J", "type 2024", "enter", "wait")
    #expect(status(fixture).contains("esc ends the search"), "\(status(fixture))")
  }

  @Test(arguments: [
    ("2024", "2024-01-01 00:00", "2025-01-01 00:00"),
    ("2024-12", "2024-12-01 00:00", "2025-01-01 00:00"),
    ("2024-2", "2024-02-01 00:00", "2024-03-01 00:00"),
    (" 2024-02-29 ", "2024-02-29 00:00", "2024-03-01 00:00"),
  ])
  func `dates are read in local time`(text: String, start: String, end: String) throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let period = try #require(DatePeriod(text, in: zone))
    #expect(DateText.short(period.start, in: zone) == start)
    #expect(DateText.short(period.end, in: zone) == end)
  }

  @Test(arguments: [
    "", "24", "2024-", "2024-00", "2024-13", "2023-02-29", "2024-02-30", "2024-1-1-1", "x", "２０２４",
    "+024", "2024-+1", "99999999999999999999",
  ])
  func `what is no date is refused`(text: String) {
    #expect(DatePeriod(text) == nil)
  }

  // MARK: - Counters

  @Test func `counters are shown when they are asked for`() async throws {
    let fixture = try await fixture(9)
    try await fixture.run("wait", "dump", "#", "wait", "dump", "#", "dump")

    let frames = fixture.frames.all
    #expect(!frames[0].text.contains("cells") && frames[2] == frames[0])
    #expect(frames[1].lines[18].text.hasPrefix(" cells "), "\(frames[1].text)")
  }
}
