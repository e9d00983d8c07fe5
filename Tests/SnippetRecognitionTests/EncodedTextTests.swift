import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct EncodedTextTests {
  @Test(arguments: ReencodedText.all)
  func `the encoding of a text is told and its bytes become the text`(text: ReencodedText) throws {
    let content = try recognize(text.bytes)

    #expect(content?.type == .plainText)
    #expect(content?.facts == MediaFacts())
    #expect(content?.encoding?.name == text.encoding)
    #expect(content?.encoding?.decode(text.bytes) == text.text)
  }

  @Test(arguments: ReencodedText.all)
  func `a large text is judged as a small one is`(text: ReencodedText) throws {
    // Long enough that pieces cut characters, whatever the size of a piece.
    let repeated = (0..<2500).flatMap { _ in text.bytes }

    #expect(try recognize(repeated)?.encoding?.name == text.encoding)
  }

  @Test(arguments: ReencodedText.all)
  func `the encoding of a text is told by its beginning, wherever that ends`(
    text: ReencodedText
  ) throws {
    let repeated = (0..<30).flatMap { _ in text.bytes }

    for missingCount in 0...12 {
      let beginning = Data(repeated.dropLast(missingCount))
      let found = TextEncoding.recognized(inBeginning: beginning)
      #expect(found?.name == text.encoding, "\(missingCount) bytes are missing")
    }
  }

  @Test(arguments: ReencodedText.all)
  func `the beginning of a text is decoded up to the last whole character`(
    text: ReencodedText
  ) throws {
    let encoding = try #require(TextEncoding(name: text.encoding))
    var lengths: Set<Int> = []

    for count in 0...text.bytes.count {
      let prefix = encoding.decodePrefix(text.bytes[..<count])

      #expect(text.text.unicodeScalars.starts(with: prefix.unicodeScalars))
      lengths.insert(prefix.unicodeScalars.count)
    }
    #expect(lengths == Set(0...text.text.unicodeScalars.count))
  }

  @Test(arguments: ReencodedText.all)
  func `a text that is cut within a character ends with a replacement character`(
    text: ReencodedText
  ) throws {
    let encoding = try #require(TextEncoding(name: text.encoding))
    let whole = text.text.unicodeScalars

    for count in 4...text.bytes.count {
      let decoded = encoding.decode(text.bytes[..<count]).unicodeScalars
      let prefix = encoding.decodePrefix(text.bytes[..<count]).unicodeScalars

      #expect(decoded.starts(with: prefix))
      #expect(whole.starts(with: decoded) || decoded.contains("\u{FFFD}"))
    }
  }

  @Test func `every encoding has a text here`() {
    #expect(Set(ReencodedText.all.map(\.encoding)) == Set(TextEncoding.allCases.map(\.name)))
  }
}
