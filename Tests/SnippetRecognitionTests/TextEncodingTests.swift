import SnippetRecognition
import Testing

struct TextEncodingTests {
  @Test(arguments: TextEncoding.allCases)
  func `an encoding is found by its name in any case`(encoding: TextEncoding) {
    #expect(TextEncoding(name: encoding.name) == encoding)
    #expect(TextEncoding(name: encoding.name.uppercased()) == encoding)
    #expect(encoding.name == encoding.name.lowercased())
  }

  @Test func `an unknown name is no encoding`() {
    #expect(TextEncoding(name: "utf-7") == nil)
    #expect(TextEncoding(name: "") == nil)
  }

  @Test(arguments: MalformedText.all)
  func `what is malformed becomes replacement characters, and nothing else does`(
    damage: MalformedText
  ) {
    #expect(damage.encoding.decode(damage.bytes) == damage.text)
  }

  @Test func `a byte order mark is dropped at the beginning only`() {
    #expect(TextEncoding.utf8.decode([0xEF, 0xBB, 0xBF, 0x61, 0xEF, 0xBB, 0xBF]) == "a\u{FEFF}")
    #expect(
      TextEncoding.utf16LittleEndian.decode([0xFF, 0xFE, 0x61, 0, 0xFF, 0xFE]) == "a\u{FEFF}"
    )
    #expect(TextEncoding.utf16BigEndian.decode([0xFE, 0xFF, 0, 0x61]) == "a")
    #expect(TextEncoding.utf32BigEndian.decode([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61]) == "a")
  }

  @Test func `the rare characters of an encoding are known`() {
    #expect(TextEncoding.eucJP.decode([0x8F, 0xB0, 0xA1, 0x8E, 0xB1]) == "丂ｱ")
    #expect(TextEncoding.shiftJIS.decode([0xB1, 0x87, 0x40, 0x5C, 0x7E, 0x81, 0x60]) == "ｱ①\\~～")
    #expect(TextEncoding.iso2022JP.decode([0x1B, 0x28, 0x4A, 0x5C, 0x7E]) == "¥‾")
    #expect(TextEncoding.iso2022JP.decode([0x1B, 0x28, 0x49, 0x31]) == "ｱ")
    #expect(TextEncoding.gb18030.decode([0x81, 0x30, 0x81, 0x30]) == "\u{80}")
    #expect(TextEncoding.gb18030.decode([0x94, 0x39, 0xDA, 0x33]) == "💩")
    #expect(TextEncoding.eucKR.decode([0x81, 0x41]) == "갂")
    #expect(TextEncoding.big5.decode([0xA3, 0xE1]) == "€")
    #expect(TextEncoding.windows1252.decode([0x80, 0x9F, 0xA0]) == "€Ÿ\u{A0}")
  }

  @Test(arguments: TextEncoding.allCases)
  func `any bytes decode to some text`(encoding: TextEncoding) {
    for first in UInt8.min...UInt8.max {
      for second in stride(from: UInt8.min, through: .max, by: 5) {
        let decoded = encoding.decode([first, second, 0x30, 0x81])

        #expect(!decoded.isEmpty)
        #expect(
          encoding.decodePrefix([first, second, 0x30, 0x81]).utf8.count <= decoded.utf8.count
        )
      }
    }
    #expect(encoding.decode([]).isEmpty)
    #expect(encoding.decodePrefix([]).isEmpty)
  }
}

/// Bytes that are not all well-formed, and what they decode to.
struct MalformedText: CustomTestStringConvertible, Sendable {
  let encoding: TextEncoding
  let bytes: [UInt8]
  let text: String

  var testDescription: String { "\(encoding.name) \(text)" }

  private init(_ encoding: TextEncoding, _ bytes: [UInt8], _ text: String) {
    self.encoding = encoding
    self.bytes = bytes
    self.text = text
  }

  static let all = [
    MalformedText(.utf8, [0x61, 0xFF, 0x62], "a\u{FFFD}b"),
    MalformedText(.utf8, [0x61, 0xE2, 0x82], "a\u{FFFD}"),
    MalformedText(.utf8, [0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    MalformedText(.utf16LittleEndian, [0x61, 0, 0x3D, 0xD8, 0x62, 0], "a\u{FFFD}b"),
    MalformedText(.utf16LittleEndian, [0x61, 0, 0x62], "a\u{FFFD}"),
    MalformedText(.utf16BigEndian, [0xDC, 0, 0, 0x61], "\u{FFFD}a"),
    MalformedText(.utf32LittleEndian, [0, 0, 0x11, 0, 0x61, 0, 0, 0], "\u{FFFD}a"),
    MalformedText(.utf32BigEndian, [0, 0, 0, 0x61, 0, 0], "a\u{FFFD}"),
    MalformedText(
      .iso2022JP,
      [0x1B, 0x24, 0x42, 0x24, 0x0A, 0x1B, 0x28, 0x42, 0x61],
      "\u{FFFD}\na"
    ),
    MalformedText(.iso2022JP, [0x61, 0xE9, 0x62], "a\u{FFFD}b"),
    MalformedText(.iso2022JP, [0x1B, 0x28, 0x49, 0x7E], "\u{FFFD}"),
    MalformedText(.eucJP, [0xA4, 0x61, 0xA4, 0xA2], "\u{FFFD}aあ"),
    MalformedText(.eucJP, [0x8E, 0xE0, 0x8F, 0xA1, 0x62, 0xA9, 0xA1], "\u{FFFD}\u{FFFD}b\u{FFFD}"),
    MalformedText(.shiftJIS, [0x82, 0xA0, 0x82, 0x20, 0xA0], "あ\u{FFFD} \u{FFFD}"),
    MalformedText(.eucKR, [0xB0, 0x20, 0xFE, 0xFE], "\u{FFFD} \u{FFFD}"),
    MalformedText(.gb18030, [0xB0, 0xA1, 0x80, 0xFE, 0x39, 0xFE, 0x39], "啊\u{FFFD}\u{FFFD}"),
    MalformedText(.gb18030, [0x81, 0x30, 0x61], "\u{FFFD}0a"),
    MalformedText(.big5, [0xA4, 0x40, 0xFF, 0xA4], "一\u{FFFD}\u{FFFD}"),
    MalformedText(.windows1252, [0x61, 0x81, 0x62], "a\u{FFFD}b"),
  ]
}
