import SnippetRecognition
import Testing

struct WhiteSpaceFoldingTests {
  @Test(arguments: [
    ("a b", "a b"), ("  a \n\t b\r\n", "a b"), ("\0a\0\0b", "a b"), ("\u{2003}a\u{2028}b", "a b"),
    ("", ""), (" \n", ""),
    // A mark with nothing before it is no blank.
    ("a\n\u{301}b", "a \u{301}b"), ("a \u{301}b", "a \u{301}b"), ("a\0\u{733}", "a \u{733}"),
  ])
  func `white space becomes one blank, and folding twice changes nothing`(
    text: String,
    expected: String
  ) {
    let folded = text.foldingWhiteSpace()

    #expect(folded.utf8.elementsEqual(expected.utf8))
    #expect(folded.foldingWhiteSpace().utf8.elementsEqual(expected.utf8))
  }
}
