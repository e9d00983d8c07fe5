import Foundation
import SnippetLoading
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// Wide screens: the pane beside the list, and the gallery; and the mouse over all of it.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseWideTests {
  private func fixture(
    _ store: SnippetStore,
    columns: Int = 120,
    lines: Int = 24,
    drawing: any PictureDrawing = FactsOnly()
  ) -> BrowseFixture {
    BrowseFixture(
      store,
      size: ScreenSize(columns: columns, lines: lines),
      drawing: drawing,
      matchColor: .palette(1)
    )
  }

  /// What stands in the pane.
  private func pane(_ frame: Frame) -> [String] {
    frame.lines.dropFirst(2).dropLast().map { line in
      let text = line.text
      return text.firstIndex { $0 == "│" || $0 == "┃" }.map {
        String(text[text.index(after: $0)...].dropFirst())
      }
        ?? ""
    }
  }

  private func notes(_ count: Int) async throws -> SnippetStore {
    let store = try TemporaryStore.open()
    try await store.save(
      contentsOf: (0..<count).map { number in
        let text =
          "first of \(number)\n\n"
          + (0..<60).map { "line \($0) of \(number)" }.joined(separator: "\n")
        return SnippetDraft(
          .text(text),
          title: "Note \(number)",
          createdAt: Samples.date.addingTimeInterval(Double(number))
        )
      }
    )
    return store
  }

  // MARK: - The pane

  @Test func `a wide screen shows more of the selected snippet beside the list`() async throws {
    let fixture = fixture(try await notes(9))

    try await fixture.run("wait")
    #expect(
      Array(pane(fixture.frame).prefix(6)) == [
        "Note 8",
        "Text  \(ByteCountText(fixture.list.selectedRow?.byteCount ?? 0))  2026-01-01 00:00  no. 9",
        "", "first of 8", "", "line 0 of 8",
      ]
    )
    try await fixture.run("down", "wait")
    #expect(pane(fixture.frame)[0] == "Note 7" && pane(fixture.frame)[3] == "first of 7")
    #expect(fixture.frame.lines.allSatisfy { $0.width <= 120 })
  }

  @Test func `a screen that is not wide has none`() async throws {
    let fixture = fixture(try await notes(3), columns: 109)
    try await fixture.run("wait")
    #expect(fixture.run.screen.lists.pane == nil && !fixture.frame.text.contains("│"))
    try await fixture.run("resize 110x24", "wait")
    #expect(pane(fixture.frame)[0] == "Note 2")
    try await fixture.run("resize 109x24", "wait")
    #expect(fixture.run.screen.lists.pane == nil && !fixture.frame.text.contains("│"))
  }

  @Test func `what a held key rushes past is not loaded for the pane`() async throws {
    let fixture = fixture(try await notes(300))
    try await fixture.run("wait")
    let loader = try #require(fixture.run.screen.lists.pane).source.loader
    let former = loader.counters.rowReads

    try await fixture.run("down 60", "dump")
    // Nobody knows of the first key yet that it is held.
    #expect(pane(fixture.frames.all[0])[0] == "Note 298")
    #expect(loader.counters.rowReads <= former + 1)

    try await fixture.run("wait")
    #expect(pane(fixture.frame)[0] == fixture.selected)
  }

  @Test func `the pane follows the store`() async throws {
    let store = try await notes(5)
    let fixture = fixture(store)
    try await fixture.run("down", "wait")
    let id = try #require(fixture.list.selectedRow?.id)

    try await store.apply(SnippetEdit(title: "Renamed", text: "new text"), to: id)
    try await fixture.wait { pane($0)[0] == "Renamed" && pane($0)[3] == "new text" }
    try await store.save(BrowseFixture.note(50))
    try await fixture.wait { $0.lines[0].text.contains("/6 ") }
    #expect(pane(fixture.frame)[0] == "Renamed")
    _ = try await store.delete([id])
    try await fixture.wait { pane($0)[0] == "Note 2" }
  }

  @Test func `the pane shows where a search found the snippet`() async throws {
    let store = try TemporaryStore.open()
    let filler = Array(repeating: "some other words", count: 400).joined(separator: " ")
    try await store.save(SnippetDraft(.text("\(filler) needle \(filler)"), title: "Hay"))
    let fixture = fixture(store)

    try await fixture.run("/", "type needle", "enter", "wait")
    #expect(pane(fixture.frame).joined(separator: " ").contains("needle"))
    try await fixture.run("esc", "wait")
    #expect(pane(fixture.frame)[3].hasPrefix("some other words"))
    #expect(!fixture.frame.text.contains("needle"))
  }

  @Test(.enabled(if: TerminalAbilities.libraryVersion != nil))
  func `the pane and the gallery draw pictures in their own size, from what was decoded once`()
    async throws
  {
    let store = try TemporaryStore.open()
    let halves = Pixels.halves(Pixels.red, Pixels.green, width: 400, height: 300)
    try await store.save(SnippetDraft(.bytes(halves.opaquePNG), title: "Half"))
    try await store.save(SnippetDraft(.bytes(Samples.wav(frameCount: 8_000)), title: "Memo"))
    let media = WorkerMedia(.init(executable: SnipTool.executable, arguments: ["decode-media"]))
    let fixture = fixture(store, drawing: RowPictures(media: media, colors: .sixteen))

    try await fixture.run("wait", "dump", "down", "wait", "dump", "v", "wait", "dump")

    let frames = fixture.frames.all
    func columns(_ frame: Frame, _ color: UInt8) -> Int {
      frame.lines.flatMap(\.pieces).filter { $0.style.background == .palette(color) }
        .map(\.text.displayWidth).max() ?? 0
    }
    #expect(frames.allSatisfy { $0.text.contains("Half") })
    // In the row five cells, in the pane many more, in the gallery twelve.
    #expect(frames.contains { columns($0, 9) > 15 }, "\(frames.map(\.text))")
    #expect(columns(frames[2], 9) == 12, "\(frames[2].text)")
    #expect(
      frames.contains {
        pane($0).dropFirst(3).joined().unicodeScalars.contains {
          (0x2801...0x28FF).contains($0.value)
        }
      }
    )
    #expect(fixture.run.screen.lists.loaders.allSatisfy { $0.counters.wrongDeliveries == 0 })
  }

  // MARK: - The gallery

  @Test func `the gallery shows snippets beside each other, and keys go four ways`() async throws {
    let fixture = fixture(try await notes(30), columns: 80, lines: 24)
    try await fixture.run("down", "wait", "v", "wait")

    // Four beside each other, each over its title.
    let titles = fixture.frame.lines[8].text
    #expect(
      titles.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        == "Note 29 ▌ Note 28 Note 27 Note 26",
      "\(fixture.frame.text)"
    )
    #expect(fixture.frame.lines[2].text.contains("first of 29"))
    #expect(fixture.selected == "Note 28")
    try await fixture.run("right")
    #expect(fixture.selected == "Note 27")
    try await fixture.run("down", "wait")
    #expect(fixture.selected == "Note 23")
    try await fixture.run("left", "up", "wait")
    #expect(fixture.selected == "Note 28")
    try await fixture.run("G", "wait")
    #expect(fixture.selected == "Note 0" && fixture.list.first == 24, "\(fixture.frame.text)")
    try await fixture.run("v", "wait")
    #expect(fixture.selected == "Note 0" && fixture.titles.last == "Note 0")
  }

  @Test func `the gallery takes searches, marks and changes as the list does`() async throws {
    let store = try await notes(30)
    let fixture = fixture(store, columns: 80, lines: 24)
    try await fixture.run("v", "wait", "m", "m", "wait", "d", "wait")
    #expect(fixture.list.count == 28)
    try await fixture.run("u", "wait", "/", "type \"first of 7\"", "enter", "wait")
    #expect(fixture.list.count == 1 && fixture.selected == "Note 7")
    try await fixture.run("v", "wait")
    #expect(fixture.list.count == 1 && fixture.selected == "Note 7")
    try await fixture.run("esc", "wait")
    #expect(fixture.list.count == 30 && fixture.selected == "Note 7")
  }

  @Test func `a small screen has no gallery`() async throws {
    let fixture = fixture(try await notes(5), columns: 39, lines: 24)
    try await fixture.run("v", "dump")
    #expect(fixture.frames.all[0].text.contains("needs a larger screen"))
    try await fixture.run("resize 80x24", "v", "wait", "resize 80x9", "wait")
    #expect(fixture.run.screen.lists.gallery == nil)
  }

  // MARK: - The mouse

  private func click(_ fixture: BrowseFixture, _ column: Int, _ line: Int) {
    fixture.run.screen.take(MouseEvent(.press, column: column, line: line))
    fixture.run.screen.take(MouseEvent(.other, column: column, line: line))
  }

  @Test func `a click chooses, a double click opens, and the wheel scrolls`() async throws {
    let fixture = fixture(try await notes(60), columns: 80, lines: 24)
    let screen = fixture.run.screen
    try await fixture.run("wait")

    click(fixture, 30, 6)
    #expect(fixture.selected == "Note 58" && screen.opened.content?.row == nil)
    click(fixture, 30, 10)
    #expect(fixture.selected == "Note 57" && screen.opened.content?.row == nil)
    click(fixture, 30, 11)
    try await fixture.run("wait")
    #expect(screen.opened.content?.row?.title == "Note 57")
    screen.take(MouseEvent(.wheelDown, column: 1, line: 1))
    #expect(fixture.frame.openedText.hasPrefix("\nfirst of 57\n"))
    screen.take(MouseEvent(.wheelUp, column: 1, line: 1))
    #expect(fixture.frame.openedText.hasPrefix("\nNote 57\n"))
    try await fixture.run("q")

    screen.take(MouseEvent(.wheelDown, column: 1, line: 1))
    #expect(fixture.list.first == 3 && fixture.selected == "Note 56")
    for _ in 0..<100 { screen.take(MouseEvent(.wheelDown, column: 1, line: 1)) }
    #expect(fixture.list.first == 55)
    for _ in 0..<100 { screen.take(MouseEvent(.wheelUp, column: 1, line: 1)) }
    #expect(fixture.list.first == 0)
  }

  @Test func `two clicks that are not quick are no double click`() async throws {
    let fixture = fixture(try await notes(9), columns: 80, lines: 24)
    try await fixture.run("wait")
    click(fixture, 30, 6)
    // A line of a script takes a second.
    try await fixture.run("wait")
    click(fixture, 30, 6)
    try await fixture.run("wait")
    #expect(fixture.run.screen.opened.content?.row == nil)
  }

  @Test func `a click on the pane opens what it shows, and one in the gallery chooses`()
    async throws
  {
    let fixture = fixture(try await notes(30))
    try await fixture.run("down", "wait")
    click(fixture, 100, 5)
    try await fixture.run("wait")
    #expect(fixture.run.screen.opened.content?.row?.title == "Note 28")
    try await fixture.run("q", "v", "wait")
    // Twenty-six columns and eleven lines each, four beside each other.
    click(fixture, 27, 13)
    #expect(fixture.selected == "Note 24")
    click(fixture, 119, 3)
    #expect(fixture.selected == "Note 24")
  }

  @Test func `clicks anywhere do no harm`() async throws {
    let store = try await notes(3)
    for size in [ScreenSize(columns: 1, lines: 1), .usual, ScreenSize(columns: 200, lines: 60)] {
      let fixture = fixture(store, columns: size.columns, lines: size.lines)
      for key in ["wait", "v", "?", "/"] {
        try await fixture.run(key)
        for (column, line) in [(0, 0), (500, 500), (0, size.lines - 1), (size.columns - 1, 0)] {
          for action in [MouseEvent.Action.press, .wheelUp, .wheelDown, .other] {
            fixture.run.screen.take(MouseEvent(action, column: column, line: line))
            #expect(fixture.frame.lines.allSatisfy { $0.width <= size.columns })
          }
        }
        try await fixture.run("esc", "wait")
      }
      fixture.run.screen.close()
    }
  }
}
