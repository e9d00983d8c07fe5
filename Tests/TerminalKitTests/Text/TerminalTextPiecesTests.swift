import SnippetTestSupport
import Testing

@testable import TerminalKit

@Suite(.seeded)
struct TerminalTextPiecesTests {
  @Test func `a text cut anywhere is shown as the whole is`() {
    var texts = TroublesomeTexts()
    for _ in 0..<2000 {
      let text = Array(texts.next().unicodeScalars)
      let whole = scalars(TerminalText(string(text), lines: .kept).description)

      for place in 0...text.count {
        let shown = show([string(text[..<place]), string(text[place...])]) { $0.next($1) }
        #expect(shown.text == whole)
        #expect(shown.endsLine == (whole.last == "\n"))
      }
    }
  }

  @Test func `bytes cut anywhere are shown as the whole are`() {
    var generator = SeededGenerator()
    var texts = TroublesomeTexts()
    for _ in 0..<500 {
      var bytes = Array(texts.next().utf8)
      if let place = bytes.indices.randomElement(using: &generator) {
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      let whole = scalars(TerminalText(bytes: bytes, lines: .kept).description)

      for place in 0...bytes.count {
        let shown = show([bytes[..<place], bytes[place...]]) { $0.next(bytes: $1) }
        #expect(shown.text == whole)
      }
      let single = show(bytes.map { [$0] }) { $0.next(bytes: $1) }
      #expect(single.text == whole)
    }
  }

  @Test func `nothing waits that what follows could not change`() {
    var text = TerminalTextPieces()

    #expect(text.next("a\r") == "a")
    #expect(text.next("\nb\n") == "\nb")
    #expect(!text.endsLine)
    #expect(text.next("") == "")
    #expect(text.finish() == "\n")
    #expect(text.endsLine)
  }

  private func show<Piece>(
    _ pieces: [Piece],
    with next: (inout TerminalTextPieces, Piece) -> String
  ) -> (text: [Unicode.Scalar], endsLine: Bool) {
    var text = TerminalTextPieces()
    let shown = pieces.map { next(&text, $0) }.joined() + text.finish()
    return (scalars(shown), text.endsLine)
  }

  private func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}
