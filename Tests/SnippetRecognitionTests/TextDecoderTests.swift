import SnippetTestSupport
import Testing

@testable import SnippetRecognition

@Suite(.seeded)
struct TextDecoderTests {
  @Test(arguments: ReencodedText.all)
  func `pieces cut anywhere decode to what the whole does`(text: ReencodedText) throws {
    let encoding = try #require(TextEncoding(name: text.encoding))

    for place in 0...text.bytes.count {
      let pieces = [text.bytes[..<place], text.bytes[place...]]
      #expect(decode(pieces, encoding) == scalars(text.text), "cut at \(place)")
    }
    for byteCount in 1...5 {
      #expect(decode(cut(text.bytes, byteCount), encoding) == scalars(text.text))
    }
  }

  @Test(arguments: MalformedText.all)
  func `what is malformed is replaced alike, wherever it is cut`(damage: MalformedText) {
    for place in 0...damage.bytes.count {
      let pieces = [damage.bytes[..<place], damage.bytes[place...]]
      #expect(decode(pieces, damage.encoding) == scalars(damage.text), "cut at \(place)")
    }
  }

  @Test(arguments: TextEncoding.allCases)
  func `any bytes at all decode in pieces as they do whole`(encoding: TextEncoding) {
    var generator = SeededGenerator()
    for _ in 0..<300 {
      let bytes = troublesomeBytes(&generator)
      let whole = scalars(encoding.decode(bytes))
      let byteCount = Int.random(in: 1...7, using: &generator)

      #expect(decode(cut(bytes, byteCount), encoding) == whole, "\(bytes) by \(byteCount)")
    }
  }

  @Test func `only the first byte order mark is dropped, however it is cut`() {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x61]

    for byteCount in 1...7 {
      #expect(decode(cut(bytes, byteCount), .utf8) == ["\u{FEFF}", "a"])
    }
    #expect(decode(cut([0xFF, 0xFE, 0xFF, 0xFE, 0x61, 0], 1), .utf16LittleEndian).count == 2)
    #expect(decode(cut([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61], 3), .utf32BigEndian) == ["a"])
  }

  @Test(arguments: [TextEncoding.windows1251, .shiftJIS, .gb18030, .cesu8])
  func `the mark of UTF-8 before an older encoding is dropped, however it is cut`(
    encoding: TextEncoding
  ) {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF, 0x61, 0x62]

    for byteCount in 1...5 {
      #expect(decode(cut(bytes, byteCount), encoding) == ["a", "b"])
    }
    #expect(decode(cut([0xEF, 0x61], 1), .windows1252) == ["ï", "a"])
    #expect(decode(cut([0xEF, 0xBB], 1), .windows1252) == ["ï", "»"])
  }

  @Test func `a character waits for its end, and no longer`() {
    var decoder = TextDecoder(.utf8)

    #expect(next([0x61, 0xE2, 0x82], &decoder) == ["a"])
    #expect(next([], &decoder) == [])
    #expect(next([0xAC], &decoder) == ["€"])
    #expect(next([0xF0, 0x9F], &decoder) == [])
    #expect(scalars(decoder.finish()) == ["\u{FFFD}"])
    #expect(decoder.finish().isEmpty)
  }

  private func next(_ piece: [UInt8], _ decoder: inout TextDecoder) -> [Unicode.Scalar] {
    scalars(piece.withUnsafeBufferPointer { decoder.decode($0, isLast: false) })
  }

  /// Decodes pieces, then the end.
  private func decode(
    _ pieces: [ArraySlice<UInt8>],
    _ encoding: TextEncoding
  ) -> [Unicode.Scalar] {
    var decoder = TextDecoder(encoding)
    return pieces.flatMap { next(Array($0), &decoder) } + scalars(decoder.finish())
  }

  private func cut(_ bytes: [UInt8], _ byteCount: Int) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: bytes.count, by: byteCount).map { bytes[$0...].prefix(byteCount) }
  }

  /// Bytes of which many begin, end or spoil a character in one encoding or another.
  private func troublesomeBytes(_ generator: inout SeededGenerator) -> [UInt8] {
    let frequent: [UInt8] = [
      0x00, 0x0A, 0x1B, 0x24, 0x28, 0x30, 0x39, 0x42, 0x49, 0x61, 0x80, 0x81, 0x8E, 0x8F, 0xA1,
      0xBB, 0xBF, 0xC2, 0xD8, 0xDC, 0xE2, 0xED, 0xEF, 0xF0, 0xF4, 0xFE, 0xFF,
    ]
    return (0..<40).map { _ in
      Bool.random(using: &generator)
        ? frequent.randomElement(using: &generator) ?? 0
        : UInt8.random(in: 0...255, using: &generator)
    }
  }

  private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}
