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
    "שָׁלוֹם", "مُحَمَّد", "والكتـــاب", "أ", "ؤ", "ا\u{654}", "soft\u{AD}", "\u{200B}", "\u{FEFF}", "’",
    "“", "Ø",
    "œ", "Þ", "ẞ", "\u{AD}\u{301}", "👍🏽", "می\u{200C}خواهم", "🏴\u{E0067}\u{E0062}\u{E007F}",
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

  @Test func `a text is taken apart as it is folded in one`() {
    var random = SeededGenerator()
    for _ in 0..<400 {
      var text = ""
      for _ in 0..<random.below(40) { text += random.element(of: Self.units) }

      #expect(SearchText(text).words == Self.words(ofFolded: TextFolding.folded(text)), "\(text)")
    }
  }

  @Test func `every character is taken apart as it is folded between others`() {
    // Of the many that are alike, Han and Hangul, some.
    let alike = Array(stride(from: UInt32(0x4E00), to: 0xD7A4, by: 64))
    let others = [UInt32(0)...0x4DFF, 0xD7A4...0x119FF, 0x16D00...0x16DFF, 0x1D000...0x1FAFF]
    for value in others.joined() + alike + Array(0xE0000...0xE01EF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "A\(scalar)é東"

      let words = SearchText(text).words

      let expected = Self.words(ofFolded: TextFolding.folded(text))
      if words != expected {
        Issue.record("U+\(String(value, radix: 16)): \(words), not \(expected)")
      }
    }
  }

  /// The rules as they are told, in the plainest way.
  private static func words(ofFolded text: String) -> String {
    var words: [String] = []
    var isInWord = false
    for scalar in text.unicodeScalars {
      switch SearchText.role(of: scalar) {
      case .blank: isInWord = false
      case .word where isInWord: words[words.endIndex - 1] += String(scalar)
      case .word:
        words.append(String(scalar))
        isInWord = true
      default:
        let control = scalar.value < 0x20 ? 0x2400 + scalar.value : 0x2421
        let isControl = scalar.value < 0x20 || scalar.value == 0x7F
        words.append(isControl ? String(Unicode.Scalar(control) ?? scalar) : String(scalar))
        isInWord = false
      }
    }
    return words.joined(separator: " ")
  }

  // A piece ends where there is a place to cut, from the 256th code point on.
  @Test(arguments: ["\u{E01}\u{E33}", "\u{E81}\u{EB3}", "ｶﾞ", "e\u{301}", "각", "क\u{93C}"])
  func `a piece does not end within what is joined`(_ unit: String) {
    for length in 250..<260 {
      let text = String(repeating: "a", count: length) + unit + "a"

      #expect(SearchText(text).words.hasSuffix(SearchText("a\(unit)a").words.dropFirst()))
    }
  }

  // In one piece a megabyte of the first took 45 seconds, of the second hours.
  @Test(arguments: [
    "e\u{301}", "\u{301}\u{323}", "\u{301}", "é", "ﷺ", "กำ", "ㄱㅏ", "각", "\u{1161}", "👩‍👩‍👧", "🇩🇪",
    "\u{93C}\u{94D}", "ｶﾞ", "東",
  ])
  func `a long text is folded in short pieces, whatever joins in it`(_ unit: String) {
    let count: Int = 30_000 / unit.utf8.count
    let text: String = "a\(String(repeating: unit, count: count)) end"
    let length: Int = text.unicodeScalars.count

    let pieceCount: Int = TextFolding(text).reduce(0) { count, _ in count + 1 }

    #expect(pieceCount >= length / 1024)
    #expect(SearchText(text).words.hasSuffix("end"))
  }

  // The second is a single character; a megabyte of it took minutes to be compared with itself.
  @Test(arguments: ["e\u{301}", "\u{301}\u{323}", "🇩🇪", "a"])
  func `the time for an excerpt grows with the length of the text only`(_ unit: String) {
    let count: Int = 100_000 / unit.utf8.count
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
