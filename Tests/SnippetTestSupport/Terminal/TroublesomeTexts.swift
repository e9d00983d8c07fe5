/// Texts of scalars that cause trouble on terminals, mixed with ordinary ones.
package struct TroublesomeTexts {
  private static let pieces: [String] = [
    "a", "b", "word", " ", "  ", "\n", "\t", "\r", "\r\n", "\u{0}", "\u{7}", "\u{1B}", "\u{7F}",
    "\u{85}", "\u{9B}", "\u{AD}", "é", "e\u{301}", "\u{301}", "\u{34F}", "ß", "漢", "字", "。", "カ",
    "ｶ", "한", "\u{1112}\u{1161}\u{11AB}", "म", "क\u{94D}\u{200D}ष", "می\u{200C}خ", "שלום", "👩",
    "\u{200D}", "\u{200C}", "👩\u{200D}👩\u{200D}👧", "👍\u{1F3FD}", "\u{1F3FD}", "🇩🇪", "🇩",
    "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "\u{FE0F}", "\u{E0100}", "\u{202E}", "\u{2066}", "\u{200F}",
    "\u{61C}", "\u{FEFF}", "\u{200B}", "\u{2028}", "\u{E0041}", "\u{600}", "\u{FFFF}", "<U+202E>",
    "\"", "\\", "/", "\u{2060}", "\u{3099}", "\u{3000}", "\u{A0}", "…",
  ]

  private var generator = SeededGenerator()

  package init() {}

  /// The next text, of up to a number of pieces.
  package mutating func next(pieceCount limit: Int = 12) -> String {
    (0..<Int.random(in: 0...limit, using: &generator))
      .map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
      .joined()
  }

  /// The next number in a range.
  package mutating func number(in range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }
}
