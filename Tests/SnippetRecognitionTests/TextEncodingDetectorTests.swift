import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct TextEncodingDetectorTests {
  @Test func `plain ASCII is UTF-8`() throws {
    #expect(try encoding(ascii("Hello\r\n\tworld\u{C}")) == .utf8)
  }

  @Test func `texts for terminals and printers are texts`() throws {
    #expect(try encoding(ascii("\u{1B}[31mred\u{1B}[0m \u{7}")) == .utf8)
    #expect(try encoding(ascii("N\u{8}NA\u{8}AM\u{8}ME\u{8}E\u{B}")) == .utf8)
    #expect(try encoding(ascii("\u{1B}$")) == .utf8)
  }

  @Test func `a text with control characters is irregular`() throws {
    for control in (0..<0x20 as Range<UInt8>) where !(7...13).contains(control) && control != 27 {
      #expect(try encoding(ascii("some text") + [control] + ascii("more text, much more")) == nil)
    }
    #expect(try encoding(ascii("text\u{7F}")) == nil)
  }

  @Test func `a control character is found at any place of a word of memory`() throws {
    for position in 0..<24 {
      var text = ascii("abcdefghijklmnopqrstuvwxyz")
      text[position] = 0x01
      #expect(try encoding(text) == nil)
      text[position] = 0x7F
      #expect(try encoding(text) == nil)
    }
  }

  @Test func `escape sequences in a colour log are not Japanese`() throws {
    let log = ascii("\u{1B}$B is what switches to Japanese")

    #expect(try encoding(log) == .utf8)
  }

  @Test func `Japanese in seven bits has to come back to Latin letters`() throws {
    let japanese = ascii("\u{1B}$B$\"$$") + ascii("\u{1B}(B")

    #expect(try encoding(japanese) == .iso2022JP)
    #expect(try encoding(japanese.dropLast(3)) == .utf8)
    #expect(try encoding(ascii("é") + japanese) == .utf8)
  }

  @Test func `a cut end does not change what a text is`() throws {
    #expect(try encoding(ascii("Déjà vu, naïve").dropLast(3)) == .utf8)
    #expect(try encoding(ascii("Le café est à côté — voilà l’été €").dropLast(2)) == .utf8)
  }

  @Test(arguments: [
    "caf\u{E9}", "na\u{EF}ve", "5 \u{B5}m \u{B1} 1\u{B0}", "\u{A9} 2001", "Stra\u{DF}e",
    "\u{BF}Qu\u{E9}?", "p\u{E5} \u{F8}en", "S\u{E3}o", "\u{E9}\u{E9}n", "1 \u{BD} pint", "\u{A3}5",
    "3 \u{D7} 4", "\u{AB} oui \u{BB}", "l\u{B4}art",
  ])
  func `a few Western letters or signs are enough to be Western`(text: String) throws {
    let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }

    #expect(try encoding(bytes) == .windows1252)
  }

  @Test func `a euro beside a number and the letter œ are those of ISO 8859-15`() throws {
    let price = ascii("Prix : 5 ") + [0xA4] + ascii("\n")
    let work = ascii("Prix : 5 ") + [0xA4, 0x20, 0xE0] + ascii(" l'") + [0xBD] + ascii("uvre")
    for text in [price, work, ascii("ma s") + [0xBD] + ascii("ur et moi")] {
      #expect(try encoding(text) == .iso8859Part15)
    }
    #expect(TextEncoding.iso8859Part15.decode(work) == "Prix : 5 € à l'œuvre")
    // 1 ½ in Windows, niño in DOS, and the bullets of a list.
    #expect(try encoding(ascii("1 ") + [0xBD] + ascii(" pint")) == .windows1252)
    let word: [UInt8] = ascii("un ni") + [0xA4] + ascii("o")
    let item: [UInt8] = [0xA4] + ascii(" one\n")
    for text in [word, item] {
      #expect(try encoding(text) != .iso8859Part15)
    }
  }

  @Test func `the quotes and dashes of an old Mac are enough where nothing else has them`() throws {
    // “Don’t do it” — he said; it’s the author’s dog…
    let text =
      [0xD2] + ascii("Don") + [0xD5] + ascii("t do it") + [0xD3, 0x20, 0xD1]
      + ascii(" he said; it") + [0xD5] + ascii("s the author") + [0xD5] + ascii("s dog") + [0xC9]

    #expect(try encoding(text) == .macintosh)
  }

  @Test func `a few bytes that may be anything are nothing`() throws {
    // "Да" in Windows-1251, 你 in GB 18030, Äà in Windows-1252.
    #expect(try encoding([0xC4, 0xE0]) != .gb18030)
    // Letters of one alphabet after another.
    #expect(try encoding(Array(0xA1...0xFE)) == nil)
    #expect(try encoding(Array(0x80...0xFF)) == nil)
  }

  @Test func `Cantonese in the Big5 of Hong Kong is read`() throws {
    let text: [UInt8] =
      [0xCA, 0x5C, 0x92, 0x5D, 0x9D, 0xF6, 0xC3, 0xE4, 0xAB, 0xD7]

    #expect(try encoding(text) == .big5)
    #expect(TextEncoding.big5.decode(text) == "佢哋喺邊度")
    // The additions of Windows come first.
    #expect(TextEncoding.big5.decode([0xA3, 0xE1, 0xF9, 0xD6]) == "€碁")
  }

  @Test func `noise is nothing, however few control characters it has`() throws {
    var generator = SeededGenerator(seed: 0x5EED)
    for _ in 0..<200 {
      let noise = (0..<400).map { _ in UInt8.random(in: 0x20...0xFF, using: &generator) }

      #expect(try encoding(noise) == nil)
    }
  }

  @Test func `Ukrainian of an old Unix system is told from Russian by its own letters`() throws {
    // Привет всем and Привіт усім.
    let russian: [UInt8] = [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4, 0x20, 0xD7, 0xD3, 0xC5, 0xCD]
    let ukrainian: [UInt8] = [0xF0, 0xD2, 0xC9, 0xD7, 0xA6, 0xD4, 0x20, 0xD5, 0xD3, 0xA6, 0xCD]

    #expect(try encoding(russian) == .koi8R)
    #expect(try encoding(ukrainian) == .koi8U)
    #expect(TextEncoding.koi8U.decode(ukrainian) == "Привіт усім")
  }

  @Test func `boxes of DOS are signs of DOS`() throws {
    let box: [UInt8] =
      [0xDA, 0xC4, 0xC4, 0xBF, 0x0A, 0xB3] + ascii("hi")
      + [0xB3, 0x0A, 0xC0, 0xC4, 0xC4, 0xD9, 0x0A]

    #expect(try encoding(box) == .ibm850)
    #expect(TextEncoding.ibm850.decode(box) == "┌──┐\n│hi│\n└──┘\n")
    // длинная in KOI8-R has lines, but no corners.
    #expect(try encoding([0xC4, 0xCC, 0xC9, 0xCE, 0xCE, 0xC1, 0xD1]) != .ibm850)
  }

  @Test func `a few words of an old Mac in Cyrillic, and of DOS in Hebrew and Turkish, are read`()
    throws
  {
    // Привет, как дела? Я дома.
    let russian: [UInt8] =
      [0x8F, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x2C, 0x20, 0xEA, 0xE0, 0xEA, 0x20, 0xE4, 0xE5, 0xEB]
      + [0xE0, 0x3F, 0x20, 0x9F, 0x20, 0xE4, 0xEE, 0xEC, 0xE0, 0x2E]
    // שלום עולם
    let hebrew: [UInt8] = [0x99, 0x8C, 0x85, 0x8D, 0x20, 0x92, 0x85, 0x8C, 0x8D]
    // Ağrı Dağı
    let turkish: [UInt8] = ascii("A") + [0xA7, 0x72, 0x8D] + ascii(" Da") + [0xA7, 0x8D]

    #expect(try encoding(russian) == .macCyrillic)
    #expect(TextEncoding.macCyrillic.decode(russian) == "Привет, как дела? Я дома.")
    #expect(try encoding(hebrew) == .ibm862)
    #expect(TextEncoding.ibm862.decode(hebrew) == "שלום עולם")
    #expect(try encoding(turkish) == .ibm857)
    #expect(TextEncoding.ibm857.decode(turkish) == "Ağrı Dağı")
  }

  /// Makes bytes of a text: letters from one on have bytes from another on, some have their own.
  private func bytes(
    _ text: String,
    from letter: Unicode.Scalar,
    at start: UInt32,
    _ others: [Unicode.Scalar: UInt8] = [:]
  ) -> [UInt8] {
    text.unicodeScalars.map { scalar in
      others[scalar] ?? UInt8(scalar.isASCII ? scalar.value : scalar.value - letter.value + start)
    }
  }

  @Test(arguments: [
    "МЫ ИДЁМ НА МОРЕ. ПОТОМ МЫ ВЕРНЁМСЯ ДОМОЙ. ВСЁ ЕЩЁ ВПЕРЕДИ.", "ПРИВЕТ, АЛЁНА",
    "РОМАН «ВОЙНА И МИР»",
  ])
  func `capitals of an old Mac are told from those of DOS by Ё and by quotes`(text: String) throws {
    let mac = bytes(text, from: "А", at: 0x80, ["Ё": 0xDD, "«": 0xC7, "»": 0xC8])
    #expect(try encoding(mac) == .macCyrillic)
    #expect(TextEncoding.macCyrillic.decode(mac) == text)
    let dos = bytes(text, from: "А", at: 0x80, ["Ё": 0xF0, "«": 0x22, "»": 0x22])
    #expect(try encoding(dos) == .ibm866)
  }

  @Test func `Hebrew in visual order is read as it is, and is irregular`() throws {
    let logical =
      "שלום לכולם. היום אנחנו הולכים לים ונאכל ארוחת צהריים יחד.\n"
      + "אחר כך נחזור הביתה ונקרא ספר על ההיסטוריה של ירושלים.\n"
    let visual = String(String.UnicodeScalarView(logical.unicodeScalars.reversed()))
    for (start, known) in [(0x80, .ibm862), (0xE0, .windows1255)] as [(UInt32, TextEncoding)] {
      for text in [logical, visual, String(repeating: visual, count: 50)] {
        let content = try recognize(bytes(text, from: "א", at: start))
        #expect(content?.encoding == known)
        #expect(content?.isIrregular == (text != logical))
      }
    }
    // П is in the place of a final form. So few letters are still Russian, but not for certain.
    let russian = try recognize(bytes("ПОЛЕ ЗА ЛЕСОМ, ПАРЕ ЛЕТ", from: "А", at: 0x80))
    #expect(russian?.encoding == .ibm866 && russian?.isIrregular == true)
  }

  @Test func `Russian of Windows and of DOS is told from that of an old Mac and from Hebrew`()
    throws
  {
    // Земля моя in Windows, and ПРИВЕТ ВСЕМ in DOS.
    let windows: [UInt8] = [0xC7, 0xE5, 0xEC, 0xEB, 0xFF, 0x20, 0xEC, 0xEE, 0xFF]
    let dos: [UInt8] = [0x8F, 0x90, 0x88, 0x82, 0x85, 0x92, 0x20, 0x82, 0x91, 0x85, 0x8C]

    #expect(try encoding(windows) == .windows1251)
    #expect(try encoding(dos) == .ibm866)
    // …но кто это? and „привет, мир in Windows begin with signs that are capitals on an old Mac.
    let dots: [UInt8] =
      [0x85, 0xED, 0xEE, 0x20, 0xEA, 0xF2, 0xEE, 0x20, 0xFD, 0xF2, 0xEE, 0x3F]
    let quote: [UInt8] = [0x84, 0xEF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x2C, 0x20, 0xEC, 0xE8, 0xF0]
    for text in [dots, quote] { #expect(try encoding(text) == .windows1251) }
    // あります and 牛乳 in Shift JIS.
    let japanese: [[UInt8]] = [
      [0x82, 0xA0, 0x82, 0xE8, 0x82, 0xDC, 0x82, 0xB7], [0x8B, 0x8D, 0x93, 0xFB],
    ]
    for text in japanese { #expect(try encoding(text) != .macCyrillic) }
  }

  @Test func `the verdict is the same every time`() throws {
    let text = ascii("abc ") + [0xE1, 0x20, 0xE9, 0x20, 0xED, 0x20, 0xF5, 0x0A]
    let first = try encoding(text)

    for _ in 0..<20 { #expect(try encoding(text) == first) }
  }

  private func encoding(_ bytes: some Sequence<UInt8>) throws -> TextEncoding? {
    try TextEncodingDetector.encoding(of: MemoryBytes(bytes))
  }
}
