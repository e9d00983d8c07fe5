import Foundation
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// What rows show of a search: where it found them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseSearchTests {
  private static let filler = Array(repeating: "some other words", count: 40).joined(separator: " ")
  private static let match = FrameStyle(isBold: true, foreground: .palette(1))

  private let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  private func fixture(_ size: ScreenSize, isColored: Bool = true) -> BrowseFixture {
    BrowseFixture(store, size: size, matchColor: isColored ? .palette(1) : nil)
  }

  @discardableResult
  private func save(
    _ text: String,
    title: String,
    tags: [String] = [],
    second: Double = 0
  ) async throws -> SnippetRow {
    try await store.save(
      SnippetDraft(
        .text(text),
        title: title,
        tags: tags,
        createdAt: Samples.date.addingTimeInterval(second)
      )
    )
  }

  /// The pieces of a frame that have a style.
  private func texts(_ frame: Frame, _ style: FrameStyle) -> [String] {
    frame.lines.flatMap(\.pieces).filter { $0.style == style }.map(\.text)
  }

  @Test func `rows show the part of the text that was found, the title and the tag`() async throws {
    try await save("\(Self.filler) Potatoes from the garden. \(Self.filler)", title: "Harvest")
    try await save("Leeks, water, salt.", title: "Potato soup")
    try await save("Nothing of it in the text.", title: "Shopping", tags: ["potato"])
    // Otherwise it is brought up to date meanwhile, and with it the order.
    try await store.updateSearchIndex()
    let fixture = fixture(ScreenSize(columns: 60, lines: 15))

    try await fixture.run("/", "type potato", "enter", "wait", "dump")

    let frame = try #require(fixture.frames.all.last)
    #expect(
      frame.text == """
         store.sqlite  /potato                                  1/3

        ▌ Potato soup                             2026-01-01 00:00
        ▌ Leeks, water, salt.                          19 B  no. 2
        ▌

          Shopping                                2026-01-01 00:00
          Nothing of it in the text.          #potato  26 B  no. 3


          Harvest                                 2026-01-01 00:00
          … words some other words Potatoes from the garden. some
          other words some other words some …        1.4 kB  no. 1

         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
    #expect(texts(frame, Self.match) == ["potato", "Potato"])
  }

  @Test func `the title of the selected row stands out within what is reversed`() async throws {
    try await save("Leeks, water, salt.", title: "Potato soup")
    let fixture = fixture(ScreenSize(columns: 60, lines: 12))

    try await fixture.run("/", "type soup", "enter", "wait")

    #expect(
      texts(
        fixture.frame,
        FrameStyle(isBold: true, isReversed: true, foreground: .palette(1))
      ) == ["soup"]
    )
  }

  @Test func `without colours matches are reversed`() async throws {
    try await save("first\n\(Self.filler) needle", title: "Hay")
    let fixture = fixture(ScreenSize(columns: 60, lines: 12), isColored: false)

    try await fixture.run("/", "type needle", "enter", "wait")

    #expect(texts(fixture.frame, FrameStyle(isBold: true, isReversed: true)).contains("needle"))
  }

  @Test func `what stands across the end of a line is marked in both lines`() async throws {
    try await save("\(Self.filler) the needle in the haystack and more", title: "Hay")
    let fixture = fixture(ScreenSize(columns: 60, lines: 12))

    try await fixture.run("/", "type \"the needle in the haystack\"", "enter", "wait")

    let found = texts(fixture.frame, Self.match)
    #expect(found.joined(separator: " ") == "the needle in the haystack", "\(fixture.frame.text)")
  }

  @Test func `rows of two lines show it too, and none where there is but one`() async throws {
    try await save("\(Self.filler) needle", title: "Hay")
    for (lines, isShown) in [(7, true), (5, false)] {
      let fixture = fixture(ScreenSize(columns: 50, lines: lines))

      try await fixture.run("/", "type needle", "enter", "wait")

      #expect(texts(fixture.frame, Self.match) == (isShown ? ["needle"] : []))
    }
  }

  @Test func `esc shows the beginnings of texts again`() async throws {
    try await save("The beginning. \(Self.filler) needle", title: "Hay")
    let fixture = fixture(ScreenSize(columns: 60, lines: 12))
    try await fixture.run("wait", "dump", "/", "type needle", "wait")
    #expect(fixture.frame.text.contains("needle") && !fixture.frame.text.contains("beginning"))

    try await fixture.run("esc", "wait", "dump")

    let (former, shown) = (fixture.frames.all[0], fixture.frames.all[1])
    #expect(shown.lines[1...4] == former.lines[1...4])
  }

  @Test func `an edit of what was found is seen`() async throws {
    let row = try await save("\(Self.filler) needle one \(Self.filler)", title: "Hay")
    let fixture = fixture(ScreenSize(columns: 60, lines: 12))
    try await fixture.run("/", "type needle", "enter", "wait")
    #expect(fixture.frame.text.contains("needle one"))

    try await store.apply(
      SnippetEdit(text: "\(Self.filler) needle two \(Self.filler)"),
      to: row.id
    )
    try await fixture.wait { $0.text.contains("needle two") }
  }

  @Test func `only texts on screen are read, and each once`() async throws {
    for number in 0..<80 {
      try await save("\(Self.filler) needle \(number)", title: "Note", second: Double(number))
    }
    let fixture = fixture(ScreenSize(columns: 60, lines: 16))
    try await fixture.run("/", "type needle", "enter", "wait")
    let findings = try #require(fixture.list.findings)
    #expect(findings.readCount == 4)

    try await fixture.run("G", "wait", "g", "wait")

    #expect(findings.readCount == 7)
    #expect(fixture.frame.text.contains("needle 79"))
  }

  @Test func `conditions make a list in its order, and a mistake is told once it is entered`()
    async throws
  {
    try await save("short", title: "First", second: 1)
    try await save("a longer text", title: "Second", second: 2)
    try await save("the longest text of all", title: "Third", tags: ["x"], second: 3)
    let fixture = fixture(ScreenSize(columns: 60, lines: 12))

    try await fixture.run(
      "/",
      "type size:>5 -tag:x",
      "wait",
      "dump",
      "type  size:>1X",
      "wait",
      "dump"
    )
    let typed = fixture.frames.all
    try await fixture.run("enter", "wait", "dump")

    for frame in typed.suffix(2) {
      #expect(frame.text.contains("Second") && !frame.text.contains("Third"), "\(frame.text)")
      #expect(!frame.text.contains("First"), "\(frame.text)")
      #expect(!frame.text.contains("could not"), "\(frame.text)")
    }
    let last = try #require(fixture.frames.all.last)
    let told = "could not read the query: “>1X” is not a size. Write"
    #expect(last.text.contains(told), "\(last.text)")
  }

  @Test(arguments: [
    ("zebra", "Nothing found."), ("tag:hme", "there is no tag “hme”. Did you mean “home”?"),
    ("#Home", "“home” is a tag. Write it as tag:home."), ("size:>1GB", "the condition size:>1GB"),
  ])
  func `an empty screen says why nothing is there`(query: String, reason: String) async throws {
    try await store.save(SnippetDraft(.text("First"), tags: ["home"]))
    let fixture = fixture(ScreenSize(columns: 90, lines: 12))

    try await fixture.run("/", "type \(query)", "wait", "dump", "ctrl-u", "wait", "dump")

    let frames = fixture.frames.all
    #expect(frames[0].text.contains(reason), "\(frames[0].text)")
    #expect(frames[1].text.contains("First") && !frames[1].text.contains("Nothing"))
  }

  @Test func `a search that fails says so until it can be done`() async throws {
    let file = TemporaryDirectory.file("damaged.sqlite")
    var damaged = try SnippetStore(at: file)
    try await damaged.save(
      contentsOf: (0..<300).map { SnippetDraft(.text("word \($0) \(Self.filler)")) }
    )
    try await damaged.updateSearchIndex()
    try await damaged.close()
    let page = try await LostPage(of: "search_index_content", in: file)
    damaged = try SnippetStore(at: file)
    let fixture = BrowseFixture(damaged, size: ScreenSize(columns: 90, lines: 12))

    try await fixture.run("/", "type word", "enter", "wait", "dump")
    let frame = try #require(fixture.frames.all.last)
    #expect(frame.text.contains("1/256"), "\(frame.text)")
    #expect(frame.text.contains("could not search: the file looks damaged"), "\(frame.text)")

    try await page.comeBack()
    try await damaged.save(SnippetDraft(.text("another word")))
    try await fixture.wait { $0.text.contains("/301") && !$0.text.contains("looks damaged") }
    try await damaged.close()
  }

  @Test func `a text of hostile characters is shown as signs`() async throws {
    try await save("\(Self.filler) \(Hostile.line) needle", title: "Hay")
    let fixture = fixture(ScreenSize(columns: 90, lines: 20))

    try await fixture.run("/", "type needle", "enter", "wait")

    #expect(texts(fixture.frame, Self.match) == ["needle"], "\(fixture.frame.text)")
    #expect(Hostile.findings(in: Data(fixture.frame.text.utf8), isTerminal: false).isEmpty)
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], true), (["TERM": "xterm", "NO_COLOR": "1"], false),
  ])
  func `a terminal gets what it can show`(
    variables: [String: String],
    isColored: Bool
  ) async throws {
    try await save("\(Self.filler) needle \(Self.filler)", title: "Hay")
    let tool = try SnipTool().with(variables.mapValues(Optional.some))
    let session = try TerminalSession(tool, ["browse"])
    try await session.read(until: "Hay")

    try session.type("/needle\r")
    try await session.read(until: isColored ? "\u{1B}[1;31mneedle\u{1B}[0m" : "words needle some")
    try session.type("q")

    #expect(try await session.end().status == 0)
    #expect(session.text.contains("\u{1B}[1;31m") == isColored)
  }
}
