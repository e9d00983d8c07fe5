import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetExchange

struct Base64DecodingTests {
  private func decode(_ text: String, inPieces count: Int) -> Data {
    var decoding = Base64Decoding()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: count) {
      bytes[start..<min(start + count, bytes.count)].withUnsafeBufferPointer { decoding.add($0) }
    }
    return decoding.finish()
  }

  @Test(arguments: [0, 1, 2, 3, 4, 49_151, 49_152, 49_153, 200_000])
  func `bytes come back, whatever the pieces and the blanks`(count: Int) {
    let bytes = Samples.bytes(count)
    let text = bytes.base64EncodedString(options: .lineLength76Characters)
    for size in count > 10_000 ? [4099, 1 << 20] : [1, 3, 4, 1000] {
      #expect(decode(text, inPieces: size) == bytes)
    }
  }

  @Test(arguments: [
    ("QUJD\r\n\tQ U==\n", true), ("QUJDRA", true), ("", true), ("QUJDR", false),
    ("!QUJD", false), ("QU==QUJD", false), ("QUJD\u{E9}", false), ("QUJ-", false),
  ])
  func `other characters are told`(text: String, isValid: Bool) {
    var decoding = Base64Decoding()
    for byte in text.utf8 { [byte].withUnsafeBufferPointer { decoding.add($0) } }
    #expect(decoding.isValid == isValid)
  }

  @Test func `what is missing at the end costs no more than itself`() {
    #expect(decode("QUJD", inPieces: 4) == Data("ABC".utf8))
    #expect(decode("QUJDRA", inPieces: 5) == Data("ABCD".utf8))
    #expect(decode("QUJDREV", inPieces: 2) == Data("ABCDE".utf8))
    #expect(decode("QUJDR", inPieces: 2) == Data("ABC".utf8))
    #expect(decode("Q=U-J D\u{E9}R=E", inPieces: 1) == Data("ABCD".utf8))
  }
}
