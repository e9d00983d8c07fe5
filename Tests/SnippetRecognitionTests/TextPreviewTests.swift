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

  @Test(arguments: [
    "-----\nMilk", "***\n\nMilk", "~~~\n\n```\nMilk\n```", "===\r\nMilk\r\n===",
    "> \n> ...\nMilk",
    "|---|---|\nMilk", "\u{2500}\u{2500}\n\u{2014}\u{2014}\nMilk", "---\n---\nMilk",
    "+++\nMilk\n+++",
    "---\nMilk\n---\nBread",
    "---\n\n- Milk\n---",
  ])
  func `a line of marks alone is no title`(text: String) {
    #expect(TextPreview(of: text).title.drop(while: { "- ".contains($0) }) == "Milk")
    #expect(!TextPreview(of: text).makes("Bread"))
  }

  @Test(arguments: [
    "→\nMilk", "😀\nMilk", "5\nMilk", "×\nMilk", "*** a ***\nMilk", "```swift\nMilk",
  ])
  func `a symbol, a number or a word beside marks is a title`(text: String) {
    let line = text.prefix { $0 != "\n" }
    #expect(TextPreview(of: text).title == String(line))
  }

  @Test(arguments: ["---", "***\n---", "...\n\n???", "---\n---\n---"])
  func `a text of marks alone has its first line for a title`(text: String) {
    #expect(TextPreview(of: text).title == String(text.prefix(3)))
  }

  @Test(arguments: [
    "---\ntags: [a, b]\ndate: 2024-01-01\n---\n",
    "---\r\ntitle: \"a\"\r\n# why\r\n\r\n---\r\n***\r\n",
    "\u{FEFF}---\ntags:\n- a\n  - b\n...\n",
    "+++\ntitle = \"a\"\n[extra]\nlist = [\n  1,\n]\n+++\n---\n",
    "+++\nlist = [\n\"a\",\n'b'\n]\nabout = \"\"\"\nSome words\n\"\"\"\n+++\n",
    "---\n\"odd key\": |\n  more\n--- \n",
    "---\n{title: a, tags: [b]}\n---\n", "---\n{\n\"title\": \"a\"\n}\n---\n",
    "---\n? title\n: a\n---\n", "---\ntitle: &x a\n*x : b\n---\n",
  ])
  func `no title is made of front matter`(fields: String) {
    let preview = TextPreview(of: fields + "\n# Milk\nand eggs")

    #expect(preview.title == "# Milk")
    #expect(preview.makes("# Milk") && !preview.makes("and eggs"))
    #expect(preview.preview.hasSuffix("# Milk and eggs"))
  }

  @Test func `front matter without a text, without an end or far too long gives its first line`() {
    for text in ["---\ntags: [a]\n---\n", "---\ntags: [a]\nMilk"] {
      #expect(TextPreview(of: text).title == "tags: [a]")
    }
    let long = "---\n" + String(repeating: "key: value\n", count: 2_000) + "---\nMilk"
    #expect(TextPreview(of: long).title == "key: value")
  }

  @Test func `a title of the first line that is not blank is also made of the text`() {
    let preview = TextPreview(of: "\n---\nMilk\n")
    #expect(preview.makes("Milk") && preview.makes("---") && !preview.makes(""))
  }

  @Test(arguments: ["***", "```", "| a | b |"])
  func `a title of the first line behind front matter is also made of the text`(line: String) {
    let preview = TextPreview(of: "---\ntags: [a]\n---\n\n\(line)\nMilk\n")
    #expect(preview.makes(line) && preview.makes(preview.title) && preview.makes("---"))
    #expect(!preview.makes("tags: [a]"))
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
  func `a text of any script is folded as its characters say`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let parts = (0..<1 + random.below(12)).map { _ in random.element(of: Self.parts) }
      let count = 1 + random.below(240)
      let text = (0..<count).map { _ in random.element(of: parts) }.joined() + "z"

      let preview = TextPreview(of: text)

      #expect(preview.preview == Self.folded(text, limit: 200), "seed \(seed)")
      let line = text.split(whereSeparator: \.isNewline).first {
        !Self.folded($0, limit: 1).isEmpty
      }
      let title = Self.folded(line ?? "", limit: 80)
      let isWhole = Self.folded(line ?? "", limit: 200) == title
      #expect(
        preview.makes(isWhole ? title : Self.folded(line ?? "", limit: 79) + "…"),
        "seed \(seed)"
      )
    }
  }

  private static let parts = [
    "a", "bc", "#", " ", "  ", "\n", "\r\n", "\t", "\u{B}", "\u{C}", "\u{0}", "~", "\u{1F}", "é",
    "e\u{301}", "\u{301}", "ж", "и\u{306}", "ἀ", "שָ", "לב", "مرحبا", "\u{600}", "東京", "、",
    "\u{3000}",
    "か\u{3099}", "カ", "서울", "\u{1112}\u{1161}\u{11AB}", "क्षि", "ไทย", "👩‍👧", "🇦🇹", "\u{200D}",
    "\u{2003}", "\u{A0}", "—", "…", "😀", "‼\u{FE0F}",
  ]

  /// The same by the characters of a text of less than 1,000 code points.
  private static func folded(_ text: some StringProtocol, limit: Int) -> String {
    let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "\u{0}" }
    let folded = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    let beginning = folded.prefix(limit).unicodeScalars
    return String(beginning.last == " " ? beginning.dropLast() : beginning[...])
  }

  @Test func `a code point that stands alone is a character beside any other`() throws {
    let alone = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
      .filter { $0.standsAlone && !$0.properties.isWhitespace }
    var random = SeededGenerator(seed: 1)
    #expect(alone.count > 30_000)

    let pairs = alone.map { [$0, $0] + [random.element(of: alone), $0] }

    for pair in pairs where String(String.UnicodeScalarView(pair)).count != 4 {
      Issue.record("\(pair)")
    }
  }
}
