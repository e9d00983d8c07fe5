import SnippetTestSupport
import Testing

@testable import TerminalKit

struct LineWrappingTests {
  @Test(arguments: [
    ("", 5, [""]),
    ("one two", 7, ["one two"]),
    ("one two", 6, ["one", "two"]),
    ("one  two", 7, ["one", "two"]),
    ("one  two", 8, ["one  two"]),
    ("one two three", 8, ["one two", "three"]),
    ("a longerword", 4, ["a", "long", "erwo", "rd"]),
    ("first\n\n  second", 8, ["first", "", "  second"]),
    ("    deep", 4, ["   d", "eep"]),
    ("trailing ", 8, ["trailing"]),
    ("\ta\tb", 20, ["        a       b"]),
    ("\t🏽🏽", 10, ["        ", "🏽🏽"]),
    ("漢\tb", 20, ["漢      b"]),
    ("漢字漢字", 4, ["漢字", "漢字"]),
    ("漢字漢字", 5, ["漢字", "漢字"]),
    ("漢字。漢", 4, ["漢", "字。", "漢"]),
    ("ab漢字", 4, ["ab漢", "字"]),
    ("漢", 1, ["漢"]),
    ("漢a", 1, ["漢", "a"]),
  ])
  func `lines break where a reader expects it`(text: String, width: Int, lines: [String]) {
    #expect(text.wrapped(toWidth: width) == lines)
  }

  @Test func `wrapped lines fit and lose nothing but spaces`() {
    var texts = TroublesomeTexts()
    for _ in 0..<3000 {
      let text = TerminalText(texts.next(pieceCount: 30), lines: .kept).description
      let width = texts.number(in: 2...30)

      let lines = text.wrapped(toWidth: width)

      let seed: Comment = "seed \(SeededGenerator.runSeed)"
      #expect(lines.filter { $0.displayWidth > width && $0.count > 1 } == [], seed)
      #expect(withoutSpaces(lines.joined()) == withoutSpaces(text), seed)
    }
  }

  @Test func `a line knows where in the text it stands`() throws {
    let text = "\tone two\tthree\nfour"
    let lines = text.wrappedLines(toWidth: 12)

    #expect(lines.map(\.text) == ["        one", "two three", "four"])
    #expect(lines.map(\.source) == [0..<4, 5..<14, 15..<19])
    let shown = lines.map { line in
      [0..<1, 3..<6, 6..<10, 13..<16].map { place in
        line.characters(showing: place).map { String(line.text[$0]) }
      }
    }
    #expect(
      shown == [
        ["        ", "e", nil, nil], [nil, "t", "wo t", "e"], [nil, nil, nil, "f"],
      ]
    )
  }

  @Test func `lines show each character of a text where it stands`() {
    var texts = TroublesomeTexts()
    for _ in 0..<1000 {
      let text = TerminalText(texts.next(pieceCount: 30), lines: .kept).description
      let bytes = Array(text.utf8)
      let lines = text.wrappedLines(toWidth: texts.number(in: 1...30))

      let seed: Comment = "seed \(SeededGenerator.runSeed)"
      var offset = 0
      for character in text {
        let place = offset..<offset + character.utf8.count
        offset = place.upperBound
        guard ![" ", "\n", "\t"].contains(character) else { continue }
        let shown = lines.compactMap { line in
          line.characters(showing: place).map { line.text[$0].unicodeScalars.map(\.value) }
        }
        let scalars = String(decoding: bytes[place], as: UTF8.self).unicodeScalars.map(\.value)
        #expect(shown.count == 1 && shown[0].contains(scalars), seed)
      }
    }
  }

  @Test func `the first lines are the same whether or not the rest is wrapped`() {
    var texts = TroublesomeTexts()
    for _ in 0..<1000 {
      let text = TerminalText(texts.next(pieceCount: 30), lines: .kept).description
      let (width, limit) = (texts.number(in: 1...30), texts.number(in: 0...12))

      let lines = text.wrappedLines(toWidth: width, limit: limit)

      let all = text.wrappedLines(toWidth: width).prefix(limit)
      let seed: Comment = "seed \(SeededGenerator.runSeed)"
      #expect(lines.map(\.text) == all.map(\.text), seed)
      #expect(lines.map(\.source) == all.map(\.source), seed)
    }
  }

  private func withoutSpaces(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { ![" ", "\n", "\t"].contains($0) }
  }
}
