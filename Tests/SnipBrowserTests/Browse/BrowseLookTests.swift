import Foundation
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// The look of the list and of opened texts: room around things, and what tells the place.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseLookTests {
  private let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  private func fixture(
    _ columns: Int,
    _ lines: Int,
    matchColor: FrameStyle.Color? = nil
  ) -> BrowseFixture {
    BrowseFixture(
      store,
      size: ScreenSize(columns: columns, lines: lines),
      matchColor: matchColor
    )
  }

  private func save(_ text: String, title: String = "Note", tags: [String] = []) async throws {
    try await store.save(
      SnippetDraft(.text(text), title: title, tags: tags, createdAt: Samples.date)
    )
  }

  private func saveAllKinds() async throws {
    let long = Array(repeating: "some words", count: 60).joined(separator: " ")
    for number in 0..<8 {
      try await save("\(long) \(number)", title: "Note \(number)", tags: ["a", "b"])
      try await store.save(Samples.image(Samples.bytes(500, seed: UInt64(number))))
      try await store.save(SnippetDraft(.bytes(Samples.wav(frameCount: 800 + number))))
    }
  }

  // MARK: - Rows

  @Test(arguments: [false, true])
  func `rows touch neither each other nor the bar, at any size`(isGallery: Bool) async throws {
    try await saveAllKinds()
    for (columns, lines) in [(20, 9), (40, 12), (60, 16), (80, 24), (120, 40), (200, 50)] {
      let fixture = fixture(columns, lines)
      if isGallery { try await fixture.run("v") }
      for keys in ["wait", "down 3", "G"] {
        try await fixture.run(keys, "wait")
        let layout = fixture.list.layout
        #expect(layout.height > 1)
        for number in stride(from: 0, to: layout.listHeight, by: layout.height) {
          let line = fixture.frame.lines[1 + number].text.prefix(layout.columns)
          #expect(line.allSatisfy { $0 == " " }, "\(fixture.frame.text)")
        }
      }
      fixture.run.screen.close()
    }
  }

  @Test func `a text begins at the edge, and two lines are enough for a short one`() async throws {
    try await save("Milk, eggs, bread\nand a newspaper", title: "Milk, eggs, bread", tags: ["x"])
    let fixture = fixture(60, 12)

    try await fixture.run("wait")

    #expect(
      fixture.frame.lines[2...4].map(\.text) == [
        "▌ Milk, eggs, bread                       2026-01-01 00:00",
        "▌ and a newspaper                          #x  33 B  no. 1",
        "▌ ",
      ]
    )
  }

  @Test func `the facts of a row take the room that its text leaves`() async throws {
    try await save("some words", title: "Note", tags: ["landscape", "pixel-art", "plants"])
    let fixture = fixture(60, 12)

    try await fixture.run("wait")

    #expect(
      fixture.frame.lines[3].text
        == "▌ some words    #landscape #pixel-art #plants  10 B  no. 1"
    )
  }

  @Test func `rows and the pane leave out the front matter of notes`() async throws {
    let words = Array(repeating: "word", count: 200).joined(separator: " ")
    try await save("---\ntags: [x]\ndate: 2026-01-01\n---\nSoup\n\n\(words)", title: "Note")
    for columns in [80, 160] {
      let fixture = fixture(columns, 24)

      try await fixture.run("wait")

      #expect(fixture.frame.text.contains("Soup"), "\(fixture.frame.text)")
      #expect(!fixture.frame.text.contains("tags:"), "\(fixture.frame.text)")
      fixture.run.screen.close()
    }
  }

  @Test func `the selected title has another colour than the bar`() async throws {
    try await save("text", title: "Selected")
    let fixture = fixture(60, 12, matchColor: .palette(1))

    try await fixture.run("wait")

    let pieces = fixture.frame.lines.flatMap(\.pieces)
    let style = try #require(pieces.first { $0.text == "Selected" }?.style)
    #expect(style.isReversed && style.foreground == .palette(6))
    #expect(fixture.frame.lines[0].pieces.map(\.style) == [.reversed])
    // Without colours, the bar before it tells the selection.
    #expect(fixture.frame.lines[2].text.hasPrefix("▌ Selected"))
  }

  // MARK: - The bar

  @Test func `the bar has the store, the order and the filter, as far as there is room`()
    async throws
  {
    try await saveAllKinds()
    let fixture = fixture(60, 12)
    var bar: String { fixture.frame.lines[0].text }

    try await fixture.run("wait")
    #expect(bar.hasPrefix(" store.sqlite  newest first   ") && bar.hasSuffix("  1/24 "))
    try await fixture.run("S", "wait")
    #expect(bar.hasPrefix(" store.sqlite  oldest first   "))
    try await fixture.run("1", "wait")
    #expect(bar.hasPrefix(" store.sqlite  oldest first  image  voice   "), "\(bar)")
    try await fixture.run("resize 40x12", "wait")
    #expect(bar.hasPrefix(" store.sqlite  image  voice   "), "\(bar)")
    try await fixture.run("resize 24x12", "wait")
    #expect(bar.hasPrefix(" image  voice  "), "\(bar)")
    // What was found has an order of its own.
    try await fixture.run("resize 60x12", "1", "/", "type note", "enter", "wait")
    #expect(bar.hasPrefix(" store.sqlite  /note   "), "\(bar)")
  }

  @Test(arguments: [
    (SnippetOrder.newestFirst, "newest first"), (.oldestFirst, "oldest first"),
    (.largestFirst, "by size, largest first"), (SnippetOrder(by: .size), "by size, smallest first"),
    (.byTitle, "by title, from A"), (.recentlyModifiedFirst, "by last change, latest first"),
    (.recentlyDeletedFirst, "by deletion, latest first"),
  ])
  func `an order is said as the one that holds`(order: SnippetOrder, words: String) {
    #expect(order.words == words)
  }

  @Test func `rows show the date that orders the list`() async throws {
    try await save("text", title: "Note")
    let id = try #require(try store.list().rows(in: 0..<1).first?.id)
    try await store.moveToTrash([id])
    let deleted = try #require(try store.row(id)?.deletedAt)
    let fixture = fixture(80, 24)
    var date: String { String(fixture.frame.lines[2].text.dropFirst(62).prefix(16)) }

    try await fixture.run("T", "wait")
    #expect(date == DateText.short(deleted), "\(fixture.frame.text)")
    try await fixture.run("v", "v", "wait")
    #expect(date == DateText.short(deleted), "\(fixture.frame.text)")
    try await fixture.run("s", "wait")
    #expect(date == DateText.short(Samples.date), "\(fixture.frame.text)")
  }

  // MARK: - The place

  /// The lines of a frame that have the thumb, without those of the bars.
  private func thumb(_ frame: Frame) -> [Int] {
    frame.lines.indices.filter { frame.lines[$0].text.hasSuffix(PlaceBar.thumb) }
  }

  @Test func `the edge of the list and of a text tells the place`() async throws {
    try await saveAllKinds()
    let fixture = fixture(80, 24)

    try await fixture.run("wait")
    #expect(thumb(fixture.frame) == [1, 2, 3, 4])
    try await fixture.run("G", "wait")
    #expect(thumb(fixture.frame) == [19, 20, 21, 22])
    try await fixture.run("resize 39x24", "wait")
    #expect(thumb(fixture.frame).isEmpty)
    // Beside a pane, the border tells it.
    try await fixture.run("resize 120x24", "wait")
    #expect(
      fixture.frame.lines.indices.filter { fixture.frame.lines[$0].text.contains("┃") }
        == [19, 20, 21, 22]
    )
    try await fixture.run("resize 80x24", "?")
    #expect(thumb(fixture.frame).first == 0)
  }

  @Test func `a list that fits has no thumb`() async throws {
    try await save("text")
    let fixture = fixture(80, 24)
    try await fixture.run("wait")
    #expect(thumb(fixture.frame).isEmpty)
  }

  // MARK: - Opened texts

  @Test func `an opened text has margins, and at most ninety columns, at any width`() async throws {
    let words = Array(repeating: "word", count: 400).joined(separator: " ")
    try await save(words + "\n" + String(repeating: "x", count: 500), title: "Note")
    let fixture = fixture(80, 24)
    try await fixture.run("wait", "enter", "wait")

    for columns in [1, 20, 39, 40, 60, 80, 96, 97, 120, 200] {
      try await fixture.run("resize \(columns)x24", "wait", "g")
      let lines = fixture.frame.lines.dropLast()
        .map { $0.text.replacing(PlaceBar.thumb, with: " ") }
        .filter { $0.contains { $0 != " " } }
      let margin = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
      let width = lines.map { $0.trimmingCharacters(in: .whitespaces).displayWidth }.max() ?? 0
      #expect(margin == (columns < 40 ? 0 : (columns - min(90, columns - 6)) / 2), "\(columns)")
      #expect(width <= (columns < 40 ? columns : min(90, columns - 6)), "\(columns)")
      #expect(width > min(90, columns) - 8, "\(columns)")
    }
  }

  @Test func `above an opened text stand its title, its kind, its tags and its date`() async throws
  {
    try await save("Slice the onions.", title: "Onion soup", tags: ["recipe"])
    let fixture = fixture(80, 24)

    try await fixture.run("wait", "enter", "wait")

    #expect(
      fixture.frame.openedText.hasPrefix(
        "\nOnion soup\nText  17 B  #recipe  2026-01-01 00:00\n\nSlice the onions.\n"
      ),
      "\(fixture.frame.text)"
    )
    #expect(fixture.frame.lines[1].pieces.contains { $0.text == "Onion soup" && $0.style == .bold })
    // A low screen is all text.
    try await fixture.run("resize 80x7", "wait")
    #expect(fixture.frame.openedText.hasPrefix("Slice the onions.\n"))
  }

  @Test(arguments: ["Soup\n\nSlice", "# Soup\n\nSlice"])
  func `a title that the text begins with is not shown twice`(text: String) async throws {
    try await save(text, title: "Soup")
    let fixture = fixture(80, 24)

    try await fixture.run("wait", "enter", "wait")

    let shown = fixture.frame.openedText
    #expect(shown.components(separatedBy: "Soup").count == 2, "\(shown)")
    #expect(shown.hasSuffix(text + String(repeating: "\n", count: 23 - 5)), "\(shown)")
  }

  @Test func `the front matter of an opened note stands back`() async throws {
    try await save("---\ntags: [x]\n---\n# Soup\n\n---\na: b\n---\n", title: "Note")
    let fixture = fixture(80, 24)

    try await fixture.run("wait", "enter", "wait")

    let faint = fixture.frame.lines.dropFirst(4).flatMap(\.pieces).filter { $0.style == .faint }
    #expect(faint.map(\.text) == ["---", "tags: [x]", "---"])
  }
}
