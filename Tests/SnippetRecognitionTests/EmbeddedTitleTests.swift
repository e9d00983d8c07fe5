import Testing

@testable import SnippetRecognition

struct EmbeddedTitleTests {
  private func title(_ text: String) -> String? {
    EmbeddedTitle.text(Array(text.utf8), in: .utf8)
  }

  @Test(arguments: [
    ("  Two \t\r\n lines\u{2028}of it ", "Two lines of it"), ("Bell\u{7}\u{1B}[31m", "Bell [31m"),
    ("\u{FEFF}Mark", "Mark"), ("C1\u{85}\u{9B}31m", "C1 31m"), ("up to\0here", "up to"),
    ("👩‍👩‍👧 e\u{301}", "👩‍👩‍👧 e\u{301}"), ("\u{7F}", nil), ("", nil), ("\0after", nil),
    ("dam\u{FFFD}ged", nil),
  ])
  func `a title is one line without control characters`(text: String, expected: String?) {
    #expect(title(text) == expected)
  }

  @Test func `a long title ends in an ellipsis`() {
    let long = String(repeating: "ä", count: 200)

    #expect(title(long) == long)
    #expect(title(long + "b") == String(repeating: "ä", count: 199) + "…")
  }

  @Test(arguments: 1000...1030)
  func `a title of many bytes is cut between characters`(byteCount: Int) throws {
    for text in ["👩", "牛", "é"] {
      let bytes = Array(String(repeating: text, count: 600).utf8.prefix(byteCount))
      let title = EmbeddedTitle.text(bytes, in: .utf8)
      let isWhole = byteCount % text.utf8.count == 0

      #expect((title != nil) == (isWhole || byteCount >= 1024), "\(text)")
      #expect((title?.count ?? 0) <= 200)
    }
  }

  @Test func `a title has no more code points than a store takes`() {
    let marks = String(repeating: "e" + String(repeating: "\u{301}", count: 100), count: 5)
    let crowd = EmbeddedTitle.text(Array(marks.utf8), in: .utf8)

    #expect(crowd.map { $0.unicodeScalars.count <= 1000 } == true)
  }

  @Test func `bytes of no known encoding are UTF-8 if they can be`() {
    #expect(EmbeddedTitle.text(Array("naïve".utf8)) == "naïve")
    #expect(EmbeddedTitle.text([0x6E, 0x61, 0xEF, 0x76, 0x65]) == "naïve")
    #expect(EmbeddedTitle.text([0x80, 0x20, 0x35, 0, 0xFF]) == "€ 5")
    #expect(EmbeddedTitle.text([0, 0x41]) == nil)
  }
}
