import Foundation
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// A text over the whole screen: where it begins, what of it stands out, and what becomes of it.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
@MainActor
struct BrowseOpenedTests {
  private static let match = FrameStyle(isBold: true, foreground: .palette(1))
  private static let current = FrameStyle(
    isBold: true,
    isReversed: true,
    foreground: .palette(1)
  )

  private let store: SnippetStore
  private let fixture: BrowseFixture

  init() throws {
    store = try TemporaryStore.open()
    fixture = BrowseFixture(
      store,
      size: ScreenSize(columns: 60, lines: 12),
      matchColor: .palette(1)
    )
  }

  @discardableResult
  private func save(_ text: String, title: String, second: Double = 0) async throws -> SnippetRow {
    let row = try await store.save(
      SnippetDraft(
        .text(text),
        title: title,
        createdAt: Samples.date.addingTimeInterval(second)
      )
    )
    fixture.list.refresh()
    return row
  }

  private var lines: [String] { fixture.openedLines }
  private var status: String { fixture.frame.lines.last?.text ?? "" }

  private func texts(_ style: FrameStyle) -> [String] {
    fixture.frame.lines.dropLast().flatMap(\.pieces).filter { $0.style == style }.map(\.text)
  }

  // MARK: - What was looked for

  @Test func `an opened text starts at the match, and marks all of them`() async throws {
    let filler = (0..<40).map { "line \($0)" }
    let text = (filler + ["the needle and the Needle"] + filler + ["a needle"] + filler)
      .joined(separator: "\n")
    try await save(text, title: "Hay")

    try await fixture.run("/", "type needle", "enter", "wait", "enter", "wait")

    #expect(lines.contains("the needle and the Needle"))
    #expect(texts(Self.current) == ["needle"] && texts(Self.match) == ["Needle"])
    #expect(status.contains("match 1/3"), "\(status)")
    try await fixture.run("n", "n")
    #expect(lines.contains("a needle") && texts(Self.current) == ["needle"])
    #expect(status.contains("match 3/3"), "\(status)")
    try await fixture.run("n")
    #expect(status.contains("match 1/3"), "\(status)")
    try await fixture.run("N")
    #expect(status.contains("match 3/3") && lines.contains("a needle"), "\(status)")
    // Whoever pages on goes on from there.
    try await fixture.run("g", "n")
    #expect(status.contains("match 1/3"), "\(status)")
  }

  @Test func `without a search a text starts at its beginning, and nothing is marked`() async throws
  {
    try await save("first\nsecond", title: "Note")

    try await fixture.run("enter", "wait", "n")

    #expect(lines[0] == "first" && texts(Self.match).isEmpty && texts(Self.current).isEmpty)
    #expect(status.contains("Nothing was looked for here."), "\(status)")
  }

  @Test func `a long title leaves half of the line below to the keys`() async throws {
    try await save("first", title: String(repeating: "T", count: 80))

    try await fixture.run("enter", "wait")

    #expect(status.hasSuffix("T…  ←/→ next  i facts  q back "), "\(status)")
    try await fixture.run("n")
    #expect(status.contains("Nothing was looked for here."), "\(status)")
  }

  @Test func `what stands across the end of a line, and behind tabs, is marked`() throws {
    let text = "\tone two three\nfour\n  five\tsix two  three"
    let page = PageText(text, query: SearchQuery("\"two three\""), columns: 12)

    let marks = MatchMarks(query: SearchQuery("two"), color: .palette(1))
    let marked = page.lines.indices.map { number in
      page.line(number, marks, current: nil).pieces.filter { $0.style == Self.match }.map(\.text)
    }

    #expect(page.lines == ["        one", "two three", "four", "  five  six", "two  three"])
    #expect(marked == [[], ["two three"], [], [], ["two  three"]])
    #expect(page.matchLines == [1, 4])
  }

  @Test func `each place that a query finds in a text is marked, at any width`() {
    var texts = TroublesomeTexts()
    for _ in 0..<300 {
      // Blanks around it, so that nothing joins it.
      let parts = (0..<8).map { _ in texts.next() + " needle " }
      let text = TerminalText(parts.joined(separator: "\n"), lines: .kept).description
      let query = SearchQuery("needle")
      let columns = texts.number(in: 1...30)
      let page = PageText(text, query: query, columns: columns)

      let seed: Comment = "seed \(SeededGenerator.runSeed)"
      #expect(page.lines == text.wrapped(toWidth: columns), seed)
      #expect(page.matchLines.count == query.matches(in: text).count, seed)
      #expect(page.matchLines.count >= 8 && page.matchLines == page.matchLines.sorted(), seed)
      let marks = MatchMarks(query: query, color: .palette(1))
      let marked = page.lines.indices.flatMap { number in
        page.line(number, marks, current: nil).pieces.filter { $0.style == Self.match }.map(\.text)
      }
      #expect(marked.joined() == String(repeating: "needle", count: page.matchLines.count), seed)
    }
  }

  // MARK: - Another size

  @Test func `a long text stays as it was until it has been wrapped to another size`() async throws
  {
    let line = String(repeating: "word ", count: 10) + "end"
    try await save(Array(repeating: line, count: 1000).joined(separator: "\n"), title: "Long")
    try await fixture.run("enter", "wait", "G")
    #expect(status.contains("of 1004"), "\(status)")

    try await fixture.run("resize 30x12")
    #expect(status.contains("of 1004") && lines[0].hasPrefix(line.prefix(20)), "\(lines)")
    for width in [40, 50, 35, 30] { try await fixture.run("resize \(width)x12") }
    try await fixture.run("wait")

    // The facts above it have two lines now, too.
    #expect(status.contains("of 2005"), "\(status)")
    try await fixture.run("resize 60x10", "wait")
    #expect(status.contains("of 1004"), "\(status)")
  }

  // MARK: - What others do

  @Test func `an opened text follows an edit, at the same place`() async throws {
    let filler = (0..<40).map { "line \($0)" }
    let row = try await save(filler.joined(separator: "\n"), title: "Note")
    try await fixture.run("enter", "wait", "pagedown")
    #expect(lines[0] == "line 7")

    let edited = (filler.prefix(12) + ["NEW"] + filler.dropFirst(13)).joined(separator: "\n")
    try await store.apply(SnippetEdit(title: "Other", text: edited), to: row.id)
    try await fixture.wait { $0.text.contains("NEW") }

    #expect(lines[0] == "line 7" && status.hasPrefix(" Other"), "\(fixture.frame.text)")
  }

  @Test func `an opened text says that it was deleted or moved to the trash, and stays`()
    async throws
  {
    let row = try await save("the text", title: "Note")
    try await save("another", title: "Second", second: -1)
    try await fixture.run("enter", "wait")

    _ = try await store.moveToTrash([row.id])
    try await fixture.wait { $0.text.contains("It has been moved to the trash.") }
    #expect(lines[0] == "the text")
    _ = try await store.undelete([row.id])
    try await fixture.wait { !$0.text.contains("trash") }
    _ = try await store.delete([row.id])
    try await fixture.wait { $0.text.contains("! It has been deleted.  Note") }
    #expect(lines[0] == "the text")

    try await fixture.run("q", "wait")
    #expect(fixture.selected == "Second")
  }

  @Test func `the note of a recording is in its row and among its facts, and follows an edit`()
    async throws
  {
    var draft = Samples.voice(Samples.bytes(10), title: "Memo")
    draft.note = "Two words\nof a meeting"
    let row = try await store.save(draft)
    fixture.list.refresh()
    try await fixture.run("wait")
    #expect(lines.contains { $0.contains("Two words of a meeting") }, "\(lines)")

    try await fixture.run("enter", "wait")
    let words = lines.map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(words.contains("Two words"), "\(lines)")

    try await store.apply(SnippetEdit(note: "Three words"), to: row.id)
    try await fixture.wait { $0.text.contains("Three words") }
  }

  @Test func `facts on show follow an edit`() async throws {
    let row = try await store.save(Samples.image(Samples.bytes(500), title: "Picture"))
    fixture.list.refresh()
    try await fixture.run("enter", "wait")
    #expect(fixture.frame.openedText.hasPrefix("\nPicture\n\nkind     image\n"))

    try await store.apply(SnippetEdit(title: "Renamed"), to: row.id)
    try await fixture.wait { $0.openedText.hasPrefix("\nRenamed\n\nkind     image\n") }
  }

  // MARK: - One after the other

  @Test func `next and previous open the neighbours, up to the ends of the list`() async throws {
    for number in 0..<3 {
      try await save("text \(number)", title: "Note \(number)", second: Double(number))
    }

    try await fixture.run("g", "enter", "wait")
    #expect(lines[0] == "text 2")
    try await fixture.run("right", "wait", "right", "wait")
    #expect(lines[0] == "text 0")
    try await fixture.run("right", "wait")
    #expect(lines[0] == "text 0" && status.contains("This is the last one."))
    try await fixture.run("h", "wait")
    #expect(lines[0] == "text 1")
    try await fixture.run("q")
    #expect(fixture.selected == "Note 1")
  }

  @Test(arguments: [["?"], ["/", "type t", "esc"], ["J", "esc"]])
  func `what was gone to while a text was opened stays`(keys: [String]) async throws {
    try await save("the text", title: "Note")
    try await fixture.run("wait")
    for key in ["enter"] + keys + ["wait"] { try await fixture.run(key) }

    #expect(!fixture.frame.text.contains("q back") || status.hasPrefix(" Keys"), "\(status)")
  }

  @Test func `of several that are opened in a row, the last one comes`() async throws {
    for number in 0..<9 {
      try await save("text \(number)", title: "Note \(number)", second: Double(number))
    }

    try await fixture.run("g", "enter", "wait", "right", "right", "right", "wait")
    #expect(lines[0] == "text 5")
    // What was still on its way when it was closed stays away.
    try await fixture.run("right", "q", "wait")
    #expect(status.hasPrefix(" ? help"), "\(fixture.frame.text)")
  }
}
