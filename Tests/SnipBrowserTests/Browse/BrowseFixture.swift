import Foundation
import SnipCore
import SnippetStorage
import SnippetTestSupport
import TerminalKit

@testable import SnipBrowser

/// Makes the screen of a store in the folder of the running test case.
@MainActor
struct BrowseFixture {
  let store: SnippetStore
  let run: BrowseScriptRun
  /// The frames that scripts dumped.
  let frames = FrameBox()

  init(
    _ store: SnippetStore,
    size: ScreenSize = ScreenSize(columns: 60, lines: 16),
    drawing: any PictureDrawing = FactsOnly(),
    matchColor: FrameStyle.Color? = nil,
    programs: (any OtherPrograms)? = nil
  ) {
    self.store = store
    run = BrowseScriptRun(
      store: store,
      size: size,
      drawing: drawing,
      matchColor: matchColor,
      programs: programs
    ) { [frames] in
      frames.all.append($0)
    }
  }

  /// Saves short texts, titled Note 0 and so on, the last one the newest.
  static func store(textCount: Int) async throws -> SnippetStore {
    let store = try TemporaryStore.open()
    try await store.save(contentsOf: (0..<textCount).map { note($0) })
    return store
  }

  nonisolated static func note(_ number: Int) -> SnippetDraft {
    SnippetDraft(
      .text("Body of note \(number)"),
      title: "Note \(number)",
      createdAt: Samples.date.addingTimeInterval(Double(number))
    )
  }

  /// Runs lines of a script.
  func run(_ lines: String...) async throws {
    try await run.run(BrowseScript(lines.joined(separator: "\n")), interrupts: Interrupts())
  }

  var list: BrowseList { run.screen.list }
  var frame: Frame { run.screen.frame() }
  /// The title that is selected.
  var selected: String? { list.selectedRow?.title }
  /// The titles on screen, from above.
  var titles: [String] {
    frame.lines.compactMap { $0.text.firstMatch(of: /Note \d+(?= )/).map { String($0.output) } }
      .reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// The lines of an opened text on screen, without its margins and its head.
  var openedLines: [String] {
    let lines = frame.openedText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { String($0) }
    guard lines.first == "", let end = lines.dropFirst().firstIndex(of: "") else { return lines }
    return Array(lines[(end + 1)...])
  }

  /// Waits until a frame fulfils a condition, as the changes of others come in.
  func wait(until isFulfilled: (Frame) -> Bool) async throws {
    while true {
      try await run.settle()
      if isFulfilled(frame) { return }
      await Task.yield()
    }
  }
}

extension Frame {
  /// The lines above the last one, without the margin that they share and the bar at their edge.
  var openedText: String {
    let texts = lines.dropLast().map { line in
      let text = line.text.hasSuffix(PlaceBar.thumb) ? String(line.text.dropLast()) : line.text
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    let margin = texts.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return texts.map { $0.dropFirst(margin) + "\n" }.joined()
  }
}

final class FrameBox {
  var all: [Frame] = []
}
