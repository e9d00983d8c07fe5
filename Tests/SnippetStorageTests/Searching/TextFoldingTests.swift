import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.seeded, .timeLimit(.minutes(30)))
struct TextFoldingTests {
  /// Characters that composing joins, parts or puts in another order.
  private static let units: [String] = [
    "a", "E", "é", "e\u{301}", "\u{323}", "\u{301}", "\u{345}", "ﷺ", "ｶﾞ", "ﾊﾟ", "ガ", "か\u{3099}",
    "\u{1100}", "\u{1161}", "\u{11A8}", "ㄱ", "ㅏ", "ﾡ", "ￂ", "각", "กำ", "เ", "\u{9C7}\u{9BE}",
    "क्\u{93C}", "𑄱\u{11127}", "Ω", "ﬃ", "①", "㌀", "İ", "ß", "ς", "שׁ", "لآ", "東", "\u{FA10}", " ",
    "\n", "👩‍👩‍👧", "🇩🇪", "\u{16D67}", "\u{FE0F}", "½", "ǆ", "\u{1D15E}", "\u{344}", "\u{F73}",
  ]

  @Test func `a text in pieces is folded as in one`() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      var text = ""
      for _ in 0..<random.below(900) { text += random.element(of: Self.units) }

      let pieces = Array(TextFolding(text))

      let (inPieces, inOne) = (pieces.joined(), TextFolding.folded(text))
      #expect(Array(inPieces.utf8) == Array(inOne.utf8))
    }
  }

  // A piece ends where there is a place to cut, from the 256th code point on.
  @Test(arguments: ["\u{E01}\u{E33}", "\u{E81}\u{EB3}", "ｶﾞ", "e\u{301}", "각", "क\u{93C}"])
  func `a piece does not end within what is joined`(_ unit: String) {
    for length in 250..<260 {
      let text = String(repeating: "a", count: length) + unit + "a"

      #expect(SearchText(text).words.hasSuffix(SearchText("a\(unit)a").words.dropFirst()))
    }
  }

  // In one piece the first took 45 seconds, the second hours.
  @Test(arguments: [
    "e\u{301}", "\u{301}\u{323}", "\u{301}", "é", "ﷺ", "กำ", "ㄱㅏ", "각", "\u{1161}", "👩‍👩‍👧", "🇩🇪",
    "\u{93C}\u{94D}", "ｶﾞ", "東",
  ])
  func `the time for a text grows with its length only`(_ unit: String) {
    let count: Int = 1_000_000 / unit.utf8.count
    let text: String = "a\(String(repeating: unit, count: count)) end"

    let words = SearchText(text).words

    #expect(words.hasSuffix("end"))
  }

  // The second is a single character, which took minutes to be compared with itself.
  @Test(arguments: ["e\u{301}", "\u{301}\u{323}", "🇩🇪", "a"])
  func `the time for an excerpt grows with the length of the text only`(_ unit: String) {
    let count: Int = 1_000_000 / unit.utf8.count
    let text: String = "a\(String(repeating: unit, count: count)) end"

    let excerpt = SearchExcerpt(of: SearchQuery("end"), in: text, length: 20)

    #expect(excerpt.text.hasSuffix("end"))
  }

  @Test func `letters with marks are folded to the letters`() {
    let text = String(repeating: "e\u{301}", count: 100_000)
    let letters = String(repeating: "e", count: 100_000)

    let words = SearchText(text).words

    #expect(words == letters)
  }
}
