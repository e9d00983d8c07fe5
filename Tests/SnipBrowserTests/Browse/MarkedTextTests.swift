import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// What was found stands out wherever a text is broken into lines.
@Suite(.seeded)
struct MarkedTextTests {
  private func marks(_ query: String) -> MatchMarks {
    MatchMarks(query: SearchQuery(query), color: .palette(1))
  }

  private func beginning(_ text: String, _ query: String, columns: Int, count: Int) -> [FrameLine] {
    marks(query).marked(text).beginning(columns: columns, count: count, .plain, marks(query))
  }

  private func found(_ lines: [FrameLine]) -> [String] {
    lines.flatMap { $0.pieces.filter(\.style.isBold).map(\.text) }
  }

  @Test(arguments: [
    ("a needle here", "needle", ["needle"]),
    ("the long needle\nand needles", "\"needle and\"", ["needle", "and"]),
    ("one\ttwo three", "\"one two\"", ["one     two"]),
    // A mark that joins the blank before it.
    ("one \u{301}two needle", "needle", ["needle"]),
    ("some words before what is cut off here", "cut", ["cut"]),
  ])
  func `what was found stands out`(text: String, query: String, expected: [String]) {
    #expect(found(beginning(text, query, columns: 20, count: 9)) == expected)
  }

  @Test func `what is behind the ellipsis does not stand out`() {
    let lines = beginning("one two three needle needle", "needle", columns: 16, count: 1)

    #expect(lines.map(\.text) == ["one two three n…"])
    #expect(found(lines) == ["n"])
  }

  @Test func `what another one says is left out, with what was found in it`() {
    let text = marks("needle").marked("A needle\n\nand a needle").dropping("A needle", .kept)

    #expect(found(text.beginning(columns: 40, count: 2, .plain, marks("needle"))) == ["needle"])
    #expect(found([text.line(.plain, marks("needle"))]) == ["needle"])
    #expect(text.line(.plain, nil).text == "and a needle")
  }

  @Test func `any text is broken as it is without marks, and all of what was found stands out`() {
    var texts = TroublesomeTexts()
    for _ in 0..<1000 {
      let text = TerminalText(
        (0..<4).map { _ in texts.next(pieceCount: 6) }.joined(separator: " needle "),
        lines: .kept
      ).description
      let columns = texts.number(in: 8...40)

      let lines = beginning(text, "needle", columns: columns, count: .max)

      let seed: Comment = "seed \(SeededGenerator.runSeed)"
      #expect(lines.map(\.text) == (text.isEmpty ? [] : text.wrapped(toWidth: columns)), seed)
      let all = SearchQuery("needle").matches(in: text).map { String(text[$0]) }.joined()
      let shown = found(lines).joined()
      #expect(shown.unicodeScalars.count >= all.unicodeScalars.count && all.count >= 18, seed)
    }
  }
}
