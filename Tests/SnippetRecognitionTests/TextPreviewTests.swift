import SnippetTestSupport
import Testing

@testable import SnippetRecognition

@Suite(.temporaryDirectory)
struct TextPreviewTests {
  @Test func `white space of any kind and length becomes one blank`() {
    let preview = TextPreview(of: "\n \t one\r\n\r\ntwo\u{A0}\u{3000}three\u{C}\u{B}four \n")

    #expect(preview.preview == "one two three four")
    #expect(preview.title == "one")
  }

  @Test func `a text of nothing but white space has neither`() {
    for text in ["", " ", "\n\n\t \r\n"] {
      #expect(TextPreview(of: text).preview.isEmpty)
      #expect(TextPreview(of: text).title.isEmpty)
    }
  }

  @Test func `a preview has at most 200 characters`() {
    #expect(TextPreview(of: String(repeating: "é", count: 200)).preview.count == 200)
    #expect(TextPreview(of: String(repeating: "é", count: 201)).preview.count == 200)
    #expect(TextPreview(of: String(repeating: "a ", count: 150)).preview.count == 199)
  }

  @Test func `a title has at most 80 characters, the last of which says that it is cut`() {
    let exact = String(repeating: "x", count: 80)

    #expect(TextPreview(of: exact + "\nmore").title == exact)
    #expect(TextPreview(of: exact + " \nmore").title == exact)
    #expect(TextPreview(of: exact + "y").title == exact.dropLast() + "…")
    #expect(TextPreview(of: exact + " y").title == exact.dropLast() + "…")
    let words = String(repeating: "x", count: 78) + " word"
    #expect(TextPreview(of: words).title == String(repeating: "x", count: 78) + "…")
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\u{2028}", "\u{85}", "\u{C}"])
  func `a title ends with its line`(lineEnd: String) {
    #expect(TextPreview(of: "\(lineEnd) \(lineEnd)a  title\(lineEnd)text").title == "a title")
  }

  @Test func `characters of several code points are not cut`() {
    let family = "👨‍👩‍👧‍👦"

    let preview = TextPreview(of: String(repeating: family, count: 300))

    // Of seven code points each, 142 are less than 1,000.
    #expect(preview.preview == String(repeating: family, count: 142))
    #expect(preview.title == String(repeating: family, count: 79) + "…")
  }

  @Test func `a character with any number of marks stays small`() {
    let text = "a" + String(repeating: "\u{301}", count: 1_000_000) + "b"

    let preview = TextPreview(of: text)

    #expect(preview.preview.unicodeScalars.count < 1000)
    #expect(preview.title.unicodeScalars.count < 1000)
    #expect(text.unicodeScalars.starts(with: preview.preview.unicodeScalars))
    #expect(preview.preview.first?.unicodeScalars.first == "a")
  }

  @Test(arguments: [
    "a" + String(repeating: "\u{301}", count: 30) + "bcd", "a \u{301}b", "\n\u{301}a",
    "a\n\u{301}b", "\u{600} b", String(repeating: "e\u{301}", count: 200),
  ])
  func `no mark is left out`(text: String) {
    let scalars = text.unicodeScalars.map { $0 == "\n" ? " " : $0 }
    let folded = String.UnicodeScalarView(scalars.drop { $0 == " " })

    #expect(TextPreview(of: text).preview.unicodeScalars.elementsEqual(folded))
  }

  @Test func `no more than the beginning of a text is looked at`() {
    let blanks = String(repeating: " ", count: 20_000)

    #expect(TextPreview(of: blanks + "far").preview.isEmpty)
    #expect(TextPreview(of: String(blanks.dropLast(4000)) + "near").preview == "near")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `ASCII is folded as any other text`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let parts = [
        "a", "bc", " ", "  ", "\n", "\r\n", "\t", "\u{B}", "\u{C}", "\u{0}", "~", "\u{1F}",
      ]
      let text =
        (0..<600).map { _ in random.element(of: parts) }.joined() + "\n"
        + String(repeating: "z", count: 300) + "\n"

      let (plain, other) = (TextPreview(of: text), TextPreview(of: text + "é"))

      #expect(plain.preview == other.preview, "seed \(seed)")
      #expect(plain.title == other.title, "seed \(seed)")
    }
  }
}
