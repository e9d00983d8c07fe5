import SnippetTestSupport
import Testing

@testable import TerminalKit

struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("hello", 5), ("héllo", 5), ("he\u{301}llo", 5), ("ß", 1), ("\u{A0}", 1),
    ("漢字", 4), ("カタカナ", 8), ("ｶﾅ", 2), ("ＡＢ", 4), ("「。」", 6), ("한국어", 6),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("か\u{3099}", 2), ("𠮷", 2), ("葛\u{E0100}", 2),
    ("Привет", 6), ("שלום", 4), ("مرحبا", 5), ("สวัสดี", 4), ("می\u{200C}خ", 3),
    ("😀", 2), ("👍\u{1F3FD}", 2), ("👩\u{200D}👩\u{200D}👧", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("🇩", 1),
    ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("⌚", 2), ("☺", 1), ("™", 1),
    ("…", 1), ("␛", 1), ("§", 1), ("\u{301}", 0),
  ])
  func `text has the columns a terminal gives it`(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  // Texts up to U+02FF are counted by their bytes.
  @Test func `a text is as wide as its characters`() {
    for scalar in (0..<0x370).compactMap(Unicode.Scalar.init) {
      for text in ["\(scalar)", "a\(scalar)", "ñ\(scalar)b", "\u{A0}\(scalar)"] {
        let sum = text.reduce(0) { $0 + $1.displayWidth }
        #expect(text.displayWidth == sum, "U+\(String(scalar.value, radix: 16))")
      }
    }
  }

  @Test func `the ranges of wide scalars ascend without touching`() {
    for (range, next) in zip(WideScalars.ranges, WideScalars.ranges.dropFirst()) {
      #expect(range.upperBound + 1 < next.lowerBound)
    }
  }

  @Test func `the ranges hold as many scalars as Unicode 15.1 calls wide`() {
    // Counted in its East Asian widths: W and F, less marks and emoji outside the ranges.
    #expect(WideScalars.ranges.reduce(0) { $0 + $1.count } == 181_342)
  }

  @Test func `the search finds just what is in the ranges`() {
    for value in edges.sorted() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isListed = WideScalars.ranges.contains { $0.contains(value) }

      #expect(WideScalars.contains(scalar) == isListed)
    }
  }

  @Test(arguments: [
    ("hello", 5, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""),
    ("hello", -1, ""), ("", 0, ""), ("漢字漢字", 8, "漢字漢字"), ("漢字漢字", 7, "漢字漢…"),
    ("漢字漢字", 6, "漢字…"), ("漢字", 1, "…"), ("ae\u{301}iou", 3, "ae\u{301}…"),
    ("a👩\u{200D}👩\u{200D}👧b", 3, "a…"), ("a👩\u{200D}👩\u{200D}👧bc", 4, "a👩\u{200D}👩\u{200D}👧…"),
  ])
  func `truncation keeps whole characters and says that some are missing`(
    text: String,
    width: Int,
    truncated: String
  ) {
    #expect(text.truncated(toWidth: width) == truncated)
  }

  @Test func `a truncated text fits, begins like the whole and is as long as it can be`() {
    var texts = TroublesomeTexts()
    for _ in 0..<3000 {
      let text = TerminalText(texts.next()).description
      let width = texts.number(in: 0...20)

      let truncated = text.truncated(toWidth: width)

      let seed: Comment = "seed \(SeededGenerator.runSeed)"
      #expect(truncated.displayWidth <= width, seed)
      if text.displayWidth <= width {
        #expect(truncated == text, seed)
      } else if width > 0 {
        #expect(truncated.last == "…", seed)
        #expect(Array(text).starts(with: Array(truncated.dropLast())), seed)
        let missing = text.dropFirst(truncated.count - 1).first?.displayWidth ?? 0
        #expect(truncated.displayWidth + missing > width, seed)
      }
    }
  }

  @Test(arguments: [
    ("ab", 4, TextAlignment.leading, "ab  "), ("ab", 4, .trailing, "  ab"),
    ("漢", 3, .leading, "漢 "), ("漢", 3, .trailing, " 漢"), ("abcd", 2, .leading, "abcd"),
    ("", 2, .leading, "  "),
  ])
  func `padding counts columns`(
    text: String,
    width: Int,
    alignment: TextAlignment,
    padded: String
  ) {
    #expect(text.padded(toWidth: width, alignment: alignment) == padded)
  }

  /// The values where a range begins or ends, and their neighbours.
  private let edges = Set(
    WideScalars.ranges.flatMap { range in
      [range.lowerBound - 1, range.lowerBound, range.upperBound, range.upperBound + 1]
    }
  )
}
