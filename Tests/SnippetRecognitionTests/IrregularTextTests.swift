import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

/// Texts with bytes that do not belong there.
struct IrregularTextTests {
  private static let long = ascii(String(repeating: "A line of plain text.\n", count: 20))

  /// Joins texts and bytes.
  private static func bytes(_ parts: Part...) -> [UInt8] {
    parts.flatMap { part in
      switch part {
      case .text(let text): ascii(text)
      case .bytes(let bytes): bytes
      }
    }
  }

  private enum Part {
    case text(String)
    case bytes([UInt8])
  }

  private static let irregular: [[UInt8]] = [
    // A pasted word in Latin letters of one byte, and a byte that is no character anywhere.
    bytes(.text("Café menu\n\nna"), .bytes([0xEF]), .text("ve résumé, über\n")),
    bytes(.text("会议记录\n"), .bytes([0xFF, 0x0A])),
    // Cut at both ends within a character.
    bytes(.bytes([0xA9]), .text("té, voilà, déjà, forêt"), .bytes([0xC3])),
    // Halves in two encodings.
    bytes(
      .text("Größe, Übung, schön\n"),
      .bytes([0x47, 0x72, 0xF6, 0xDF, 0x65, 0x2C, 0x20, 0xDC, 0x62])
    ),
    // NUL, and the end of DOS with padding.
    bytes(.text("a\0b")), bytes(.text("Shopping list\r\n\u{1A}")),
    bytes(.text("milk"), .bytes(zeros(500))),
    bytes(.text("eggs\r\n"), .bytes([UInt8](repeating: 0x1A, count: 122))),
    bytes(.bytes(long), .bytes(zeros(4096)), .bytes(long)),
    bytes(.text("ends with a mark\u{1}")), bytes(.text("a\u{7F}b, typed in a terminal")),
    bytes(.text("\u{FEFF}marked"), .bytes([0xFF]), .text(" text, né à l’été")),
    // The mark tells, where the few words do not.
    bytes(.text("\u{FEFF}sch"), .bytes([0xF6]), .text("n "), .bytes([0xFF]), .text(" b")),
  ]

  @Test(arguments: irregular)
  func `a text with some irregular bytes is a text in UTF-8`(bytes: [UInt8]) throws {
    let content = try recognize(bytes)
    #expect(content?.type == .plainText)
    #expect(content?.encoding == .utf8)
  }

  private static let short: [[UInt8]] = [
    bytes(.text("café "), .bytes([0xFF]), .text(" x\n")),
    // Half a sign, and a slash in two bytes.
    bytes(.text("price 5 € and "), .bytes([0xE2, 0x82, 0x0A])),
    bytes(.text("café "), .bytes([0xC0, 0xAF, 0x0A])),
    bytes(.text("5 °C "), .bytes([0xFF]), .text(" outside")),
    bytes(.text("Tiếng Việt "), .bytes([0xFF])),
    bytes(.text("Well done 🍺 "), .bytes([0xFF])),
    // A character of five bytes, of the first UTF-8, and one of four bytes that needs three.
    bytes(.text("Grüße aus Köln "), .bytes([0xF8, 0x88, 0x80, 0x80, 0x80]), .text(" schön\n")),
    bytes(.text("会议 "), .bytes([0xF8, 0x88, 0x80, 0x80, 0x80]), .text(" 记录\n")),
    bytes(.text("会议 "), .bytes([0xF0, 0x82, 0x82, 0xAC])),
    // Cut within the last character.
    bytes(.text("Grüße aus Köln "), .bytes([0xE6, 0x97])),
    bytes(.text("\u{FEFF}Grüße"), .bytes([0xC3])),
  ]

  @Test(arguments: short)
  func `one bad byte in a few words of UTF-8 costs one character, and marks the text`(
    bytes: [UInt8]
  ) throws {
    let content = try #require(try recognize(bytes))
    #expect(content.encoding == .utf8)
    #expect(content.isIrregular)
    #expect(try recognize(ascii("Grüße aus Köln"))?.isIrregular == false)
  }

  private static let western: [[UInt8]] = [
    // «\u{A0}café\u{A0}», a word that ends with ß before a quote, and SÅ before one.
    bytes(
      .bytes([0xAB, 0xA0]),
      .text("caf"),
      .bytes([0xE9, 0xA0, 0xBB]),
      .text(", tr"),
      .bytes([0xE8]),
      .text("s bon")
    ),
    bytes(
      .text("sch"),
      .bytes([0xF6]),
      .text("ner "),
      .bytes([0x84]),
      .text("Gru"),
      .bytes([0xDF, 0x93]),
      .text(" f"),
      .bytes([0xFC]),
      .text("r dich")
    ),
    bytes(
      .text("f"),
      .bytes([0xF6]),
      .text("r "),
      .bytes([0x94]),
      .text("S"),
      .bytes([0xC5, 0x94]),
      .text(" g"),
      .bytes([0xE5]),
      .text("r det")
    ),
  ]

  @Test(arguments: western)
  func `a sequence of UTF-8 that is there by chance does not make a Western text UTF-8`(
    bytes: [UInt8]
  ) throws {
    let content = try #require(try recognize(bytes))
    #expect(content.encoding == .windows1252)
    #expect(!content.isIrregular)
  }

  private static let wide: [[UInt8]] = [
    bytes(
      .bytes([0xFF, 0xFE, 0x61, 0, 0, 0xD8]),
      .bytes("b and more".utf16.flatMap { little($0) })
    ),
    bytes(.bytes([0xFF, 0xFE]), .bytes("an odd byte".utf16.flatMap { little($0) }), .text("a")),
    bytes(.bytes([0xFE, 0xFF]), .bytes("a NUL \0 within".utf16.flatMap { big($0) })),
    bytes(
      .bytes([0xFF, 0xFE]),
      .bytes("cut off".utf16.flatMap { little($0) }),
      .bytes(zeros(4095))
    ),
  ]

  @Test(arguments: wide)
  func `a marked text in UTF-16 may have irregular units`(bytes: [UInt8]) throws {
    let encoding = try recognize(bytes)?.encoding
    #expect(encoding == (bytes[0] == 0xFF ? .utf16LittleEndian : .utf16BigEndian))
  }

  @Test(arguments: [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]])
  func `plain ASCII behind the mark of UTF-16 is ASCII with an irregular mark`(mark: [UInt8]) throws
  {
    let isBigEndian = mark[0] == 0xFE
    let line = ascii("Started the service at 10:11:12\r\n")
    let long = [UInt8](repeatElement(line, count: 500).joined())
    for text in [line, [UInt8](line.dropLast()), long] {
      let content = try #require(try recognize(mark + text))
      #expect(content.type == .plainText && content.encoding == .utf8)
      #expect(content.isIrregular)
    }
    // A few ideographs may have such bytes, and a text of both is left alone.
    let greeting = isBigEndian ? Self.bigUnits("你好") : Self.littleUnits("你好")
    let mixed = line + (isBigEndian ? Self.bigUnits("x") : Self.littleUnits("x")) + line
    let accented = line + [0xE9] + line.dropLast()
    for text in [greeting, mixed, accented] {
      #expect(try recognize(mark + text)?.encoding != .utf8)
    }
  }

  private static func littleUnits(_ text: String) -> [UInt8] { text.utf16.flatMap { little($0) } }

  private static func bigUnits(_ text: String) -> [UInt8] { text.utf16.flatMap { big($0) } }

  private static let unmarked: [([UInt8], TextEncoding)] = [
    (littleUnits("Bread, Käse and milk\r\n") + [0x78], .utf16LittleEndian),
    ([UInt8](bigUnits("Bread, Käse and milk\r\n").dropLast()), .utf16BigEndian),
    (littleUnits("Bread") + [0, 0xD8] + littleUnits(" and milk"), .utf16LittleEndian),
  ]

  @Test(arguments: unmarked)
  func `zeros tell UTF-16 without a mark, whatever one unit is`(
    bytes: [UInt8],
    encoding: TextEncoding
  ) throws {
    let content = try recognize(bytes)
    #expect(content?.type == .plainText)
    #expect(content?.encoding == encoding)
  }

  private static let appended: [([UInt8], TextEncoding)] = [
    (bytes(.text("Größe: schön\r\n"), .bytes(littleUnits("Added über PowerShell\r\n"))), .utf8),
    (bytes(.text("Größe\r\n"), .bytes([0xFF, 0xFE] + littleUnits("Added later\r\n"))), .utf8),
    (long + littleUnits("Added by PowerShell\r\n") + long + littleUnits("And again\r\n"), .utf8),
    (bytes(.text("Größe\r\n"), .bytes(littleUnits("10:11 Ошибка — сервер „не“\r\n"))), .utf8),
    (bytes(.text("Größe\r\n"), .bytes(littleUnits("10:12 Καλημέρα κόσμε\r\n"))), .utf8),
    (
      bytes(
        .text("Gr"),
        .bytes([0xF6, 0xDF]),
        .text("e: sch"),
        .bytes([0xF6]),
        .text("n, and more lines\r\nin plain ASCII\r\n"),
        .bytes(littleUnits("Added by PowerShell\r\n"))
      ), .windows1252
    ),
  ]

  @Test(arguments: appended)
  func `lines of UTF-16 behind those of another encoding are irregular, and leave the rest`(
    bytes: [UInt8],
    encoding: TextEncoding
  ) throws {
    let content = try #require(try recognize(bytes))
    #expect(content.encoding == encoding)
    #expect(content.isIrregular)
  }

  @Test(arguments: [
    "Привет, мир! Как дела сегодня?\n", "Καλημέρα κόσμε, τι κάνεις;\n", "今日は良い天気ですね。\nはい\n",
  ])
  func `half a unit behind UTF-16 in any letters is irregular`(text: String) throws {
    let first = try #require(try recognize(Self.littleUnits(text) + [0x78]))
    #expect(first.encoding == .utf16LittleEndian && first.isIrregular)
    let second = try #require(try recognize([UInt8](Self.bigUnits(text).dropLast())))
    #expect(second.encoding == .utf16BigEndian && second.isIrregular)
  }

  @Test func `UTF-8 in a text of an older encoding is irregular, and leaves the rest`() throws {
    let line = "Привет, это журнал работы сервера.\r\n".utf16.map {
      $0 < 0x80 ? UInt8($0) : UInt8($0 - 0x350)
    }
    let russian = try #require(try recognize(line + line + line + ascii("Запуск сервера\r\n")))
    #expect(russian.encoding == .windows1251 && russian.isIrregular)

    let words = ascii("gel") + [0xF6] + ascii("scht, Zeile sch") + [0xF6, 0x6E]
    let lines = [words, words, words, ascii("user=Müller"), words]
    let german = try #require(try recognize([UInt8](lines.joined(separator: ascii("\r\n")))))
    #expect(german.encoding == .windows1252 && german.isIrregular)
  }

  private static let others: [[UInt8]] = [
    zeros(4), zeros(64), bytes(.text("\0text")), [1, 2, 3, 4], bytes(.text("ab\0\u{1}\u{2}\u{3}")),
    bytes(.text("a\0b\0\u{1}c\u{2}d")), bytes(.text("PK\u{5}\u{6}"), .bytes(zeros(18))),
    bytes(.text("SQLite format 3\0"), .bytes(long)), bytes(.bytes([0x1F, 0x8B, 8]), .bytes(long)),
    bytes(.text("%PDF-1.4\n"), .bytes(long)), bytes(.text("\u{7F}ELF"), .bytes(long)),
    bytes(.bytes([0xFF, 0xFE]), .bytes(zeros(64))), [0xFF, 0xFE, 0, 0xD8, 1, 0xD8], [0xFF, 0xFE],
    Array(0xA1...0xFE), Array(0x80...0xFF),
  ]

  @Test(arguments: others)
  func `bytes that are not mostly text are none`(bytes: [UInt8]) throws {
    #expect(try recognize(bytes) == nil)
  }

  @Test func `characters in two halves are one each`() throws {
    let beer: [UInt8] = [0xED, 0xA0, 0xBC, 0xED, 0xBD, 0xBA]

    #expect(TextEncoding.cesu8.decode(ascii("a") + beer + [0xC0, 0x80] + ascii("é")) == "a🍺\0é")
    #expect(try recognize(ascii("In halves, à moitié: ") + beer)?.encoding == .cesu8)
    #expect(TextEncoding.cesu8.decode(beer.dropLast()).contains("\u{FFFD}"))
  }

  @Test func `a regular text keeps its encoding`() throws {
    let cyrillic = Array("Привет мир".utf16.map { $0 < 0x80 ? UInt8($0) : UInt8($0 - 0x350) })
    #expect(try recognize(cyrillic)?.encoding == .windows1251)
    #expect(try recognize([0x63, 0x61, 0x66, 0xE9])?.encoding == .windows1252)
  }

  @Test func `a text in an older encoding may have irregular bytes too`() throws {
    let japanese = try #require(ReencodedText.all.first { $0.encoding == "shift_jis" })
    let russian = try #require(ReencodedText.all.first { $0.encoding == "windows-1251" })
    let french = try #require(ReencodedText.all.first { $0.encoding == "windows-1252" })

    #expect(try recognize(japanese.bytes + [0xFF, 0x0A])?.encoding == .shiftJIS)
    #expect(try recognize(russian.bytes + [0, 0x0A])?.encoding == .windows1251)
    #expect(try recognize(french.bytes + [0x0D, 0x0A, 0x1A])?.encoding == .windows1252)
    #expect(
      try recognize(Array(french.bytes.prefix(30)) + [0] + french.bytes)?.encoding == .windows1252
    )
  }

  // The first two have a byte ED before a letter, which looks like half of CESU-8.
  private static let eastAsian: [(TextEncoding, String, String)] = [
    (
      .gb18030, "会议记录：今天讨论了项目进度，午餐不错。明天再见。\n",
      """
      BBE1D2E9BCC7C2BCA3BABDF1CCECCCD6C2DBC1CBCFEEC4BFBDF8B6C8A3ACCEE7B2CDB2BBB4EDA1A3C3F7CCEC\
      D4D9BCFBA1A30A
      """
    ),
    (
      .eucKR, "어제 시장에서 고구마와 사과를 샀습니다. 고객 여러분께서는 내일 다시 와 주시기 바랍니다.\n",
      """
      BEEEC1A620BDC3C0E5BFA1BCAD20B0EDB1B8B8B6BFCD20BBE7B0FAB8A620BBF2BDC0B4CFB4D92E20B0EDB0B4\
      20BFA9B7AFBAD0B2B2BCADB4C220B3BBC0CF20B4D9BDC320BFCD20C1D6BDC3B1E220B9D9B6F8B4CFB4D92E0A
      """
    ),
    (
      .shiftJIS, "DISTINCTを実行できませんでした\n",
      "44495354494E435482F08EC08D7382C582AB82DC82B982F182C582B582BD0A"
    ),
  ]

  @Test(arguments: eastAsian)
  func `an irregular byte costs no East Asian text, whatever bytes its letters have`(
    encoding: TextEncoding,
    text: String,
    digits: String
  ) throws {
    let bytes = [UInt8](try #require(Data(hexadecimal: digits)))
    #expect(try recognize(bytes)?.encoding == encoding)
    for irregular: [UInt8] in [bytes + [0xFF, 0x0A], bytes + [0] + bytes] {
      let content = try recognize(irregular)
      #expect(content?.encoding == encoding && content?.isIrregular == true)
    }
    #expect(encoding.decode(bytes) == text)
  }

  @Test(
    arguments: [
      (.eucKR, "우유와 계란", "BFECC0AFBFCD20B0E8B6F5"),
      (.eucJP, "買い物リスト", "C7E3A4A4CAAAA5EAA5B9A5C8"),
    ] as [(TextEncoding, String, String)]
  )
  func `a few East Asian words are not Thai, however they are spelled`(
    encoding: TextEncoding,
    text: String,
    digits: String
  ) throws {
    let bytes = [UInt8](try #require(Data(hexadecimal: digits)))
    #expect(try recognize(bytes)?.encoding == encoding)
    #expect(encoding.decode(bytes) == text)
  }

  private static let guesses: [(TextEncoding, String, [UInt8])] = [
    (
      .gb18030, "Shopping list: 牛奶, 鸡蛋",
      bytes(
        .text("Shopping list: "),
        .bytes([0xC5, 0xA3, 0xC4, 0xCC]),
        .text(", "),
        .bytes([0xBC, 0xA6, 0xB5, 0xB0])
      )
    ),
    (
      .eucKR, "TODO: 장보기 milk",
      bytes(.text("TODO: "), .bytes([0xC0, 0xE5, 0xBA, 0xB8, 0xB1, 0xE2]), .text(" milk"))
    ),
    (
      .windows1251, "TODO: купить milk",
      bytes(.text("TODO: "), .bytes([0xEA, 0xF3, 0xEF, 0xE8, 0xF2, 0xFC]), .text(" milk"))
    ),
    (
      .windows1254, "Şişli İstanbul ağaç",
      bytes(
        .bytes([0xDE]),
        .text("i"),
        .bytes([0xFE]),
        .text("li "),
        .bytes([0xDD]),
        .text("stanbul a"),
        .bytes([0xF0]),
        .text("a"),
        .bytes([0xE7])
      )
    ),
    (
      .windows1254, "Şu an işteyim, öğleden sonra gelirim",
      bytes(
        .bytes([0xDE]),
        .text("u an i"),
        .bytes([0xFE]),
        .text("teyim, "),
        .bytes([0xF6, 0xF0]),
        .text("leden sonra gelirim")
      )
    ),
  ]

  @Test(arguments: guesses)
  func `a few words in an older encoding are read in the likeliest one`(
    encoding: TextEncoding,
    text: String,
    bytes: [UInt8]
  ) throws {
    let content = try recognize(bytes)

    #expect(content?.type == .plainText)
    #expect(content?.encoding == encoding)
    #expect(encoding.decode(bytes) == text)
  }

  private static let uncertain: [[UInt8]] = [
    // МОЛОКО in KOI8-R, it’s and I don’t, it’s in Mac Roman, and שלום in DOS.
    [0xED, 0xEF, 0xEC, 0xEF, 0xEB, 0xEF], ascii("it") + [0xD5] + ascii("s"),
    ascii("I don") + [0xD5] + ascii("t, it") + [0xD5] + ascii("s"), [0x99, 0x8C, 0x85, 0x8D],
    // אבא אמא and עולם אמא in Windows, which are аба аоа and темн аоа in Russian.
    [0xE0, 0xE1, 0xE0, 0x20, 0xE0, 0xEE, 0xE0], [0xF2, 0xE5, 0xEC, 0xED, 0x20, 0xE0, 0xEE, 0xE0],
  ]

  @Test(arguments: uncertain)
  func `a few words that may be in another encoding are irregular`(bytes: [UInt8]) throws {
    let content = try recognize(bytes)

    #expect(content?.type == .plainText && content?.isIrregular == true)
  }

  @Test func `a Central European word that may be Western is not of an old system`() throws {
    // večeře and święto.
    for bytes in [
      [0x76, 0x65, 0xE8, 0x65, 0xF8, 0x65], [0x9C, 0x77, 0x69, 0xEA, 0x74, 0x6F],
    ] as [[UInt8]] {
      let content = try #require(try recognize(bytes))
      #expect(content.encoding == .windows1252 && content.isIrregular)
    }
  }

  private static let certain: [(TextEncoding, [UInt8])] = [
    (.windows1252, [0x63, 0x61, 0x66, 0xE9]), (.windows1252, ascii("it") + [0x92] + ascii("s")),
    (.windows1251, [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]),
    // ПРИВЕТ ВСЕМ in DOS.
    (.ibm866, [0x8F, 0x90, 0x88, 0x82, 0x85, 0x92, 0x20, 0x82, 0x91, 0x85, 0x8C]),
    // окно и дом has a final form of Hebrew within a word.
    (.windows1251, [0xEE, 0xEA, 0xED, 0xEE, 0x20, 0xE8, 0x20, 0xE4, 0xEE, 0xEC]),
  ]

  @Test(arguments: certain)
  func `a few words of certain encoding are regular`(
    encoding: TextEncoding,
    bytes: [UInt8]
  ) throws {
    let content = try recognize(bytes)

    #expect(content?.encoding == encoding && content?.isIrregular == false)
  }

  @Test func `noise is no text in an older encoding`() throws {
    var generator = SeededGenerator(seed: 0xBAD)
    for _ in 0..<100 {
      let noise = (0..<600).map { _ in UInt8.random(in: 0x20...0xFF, using: &generator) }
      #expect(try recognize(noise) == nil)
      #expect(try recognize([0x61, 0] + noise) == nil)
    }
  }

  @Test func `of a long text each byte is judged`() throws {
    let noise = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }
    let text = Array(repeating: Self.long, count: 1000).flatMap { $0 }

    #expect(try recognize(text + [0xFF])?.type == .plainText)
    #expect(try recognize(text + ascii("né à") + [0xFF])?.encoding == .utf8)
    #expect(try recognize(Self.long + noise) == nil)
  }
}
