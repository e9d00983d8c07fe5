import Foundation
import SnippetLoading
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// Keys in any order, while others change the store.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
@MainActor
struct BrowseRandomTests {
  private static let keys =
    KeyMap.bindings.flatMap(\.keys).filter {
      // What is exported would stay.
      ![.character("q"), .control("c"), .character("x")].contains($0)
    }
    + KeyMap.openedBindings.flatMap(\.keys).filter { $0 != .character("q") }
    + [.character("a"), .character("4"), .character("i"), .character("漢")]
    + [.backspace, .left, .control("u")]

  @Test(arguments: 0..<6)
  func `whatever is typed, frames fit and the selection is in the list`(round: Int) async throws {
    var generator = SeededGenerator(seed: SeededGenerator.runSeed &+ UInt64(round))
    var texts = TroublesomeTexts()
    let store = try await BrowseFixture.store(textCount: 60)
    for number in 0..<30 {
      try await store.save(
        Samples.image(Samples.bytes(500, seed: UInt64(number)), title: texts.next())
      )
    }
    for number in 0..<10 {
      let picture = Pixels(width: 5 + number, height: 20 - number) { x, y in
        [UInt8(x * 9), UInt8(y * 9), UInt8(number * 20), UInt8(x < y ? 255 : 60)]
      }
      try await store.save(SnippetDraft(.bytes(picture.png), title: texts.next()))
    }
    let media = WorkerMedia(.init(executable: SnipTool.executable, arguments: ["decode-media"]))
    let drawn = RowPictures(media: media, colors: .palette)
    let isDrawn = TerminalAbilities.libraryVersion != nil && round % 2 == 1
    let fixture = BrowseFixture(store, drawing: isDrawn ? drawn : FactsOnly())
    let screen = fixture.run.screen

    for _ in 0..<400 {
      switch generator.below(20) {
      case 0: try await fixture.run("wait")
      case 1:
        screen.resize(
          to: ScreenSize(columns: 1 + generator.below(160), lines: 1 + generator.below(40))
        )
      case 2: screen.paste(texts.next())
      case 3: try await store.save(BrowseFixture.note(generator.below(1000)))
      case 4: try await store.moveToTrash([SnippetID(rawValue: Int64(1 + generator.below(90)))])
      case 5: try await store.undelete([SnippetID(rawValue: Int64(1 + generator.below(90)))])
      default: _ = screen.take(generator.element(of: Self.keys))
      }
      look(at: screen)
    }
    try await fixture.run("esc", "esc", "esc", "wait", "wait")
    look(at: screen)

    // At rest every row on screen is shown as it is in the store.
    let loader = screen.list.source.loader
    #expect(loader.counters.wrongDeliveries == 0 && loader.isSettled)
    let visible = screen.list.first..<min(screen.list.count, screen.list.first + 3)
    for position in visible {
      let row = try #require(loader.rowInMemory(at: position))
      #expect(try store.row(row.id) == row)
    }
    #expect(screen.list.pool.createdCount <= 3 * 42)
  }

  private func look(at screen: BrowseScreen) {
    let frame = screen.frame()
    #expect(frame.lines.count == screen.size.lines && frame.size == screen.size)
    #expect(frame.lines.allSatisfy { $0.text.displayWidth <= screen.size.columns })
    let list = screen.list
    #expect(list.selection >= 0 && list.selection < max(1, list.count))
    #expect(list.first >= 0 && list.first <= list.selection)
    #expect(list.selection < list.first + max(1, list.layout.rows))
    let text = Data(frame.text.utf8)
    #expect(Hostile.findings(in: text, isTerminal: false).isEmpty)
  }
}
