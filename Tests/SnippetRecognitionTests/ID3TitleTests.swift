import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct ID3TitleTests {
  private static let text = "Grüße, 牛乳 👋"
  private static let little16 = Array(text.utf16).flatMap { little($0) }
  private static let big16 = Array(text.utf16).flatMap { big($0) }

  private static let encodings: [[UInt8]] = [
    [1, 0xFF, 0xFE] + little16, [1, 0xFF, 0xFE] + little16 + zeros(2), [1, 0xFE, 0xFF] + big16,
    [2] + big16, ascii("\u{3}\(text)"), ascii("\u{3}\(text)\0"),
    // Version 2.4 allows several texts.
    ascii("\u{3}\(text)\0Another"),
  ]

  private func title(_ tag: [UInt8]) throws -> String? {
    let content = try recognize(tag + TitledFile.mp3)
    #expect(content?.type == .mp3)
    return content?.title
  }

  @Test(arguments: [2, 3, 4], encodings)
  func `a title may be in any encoding`(version: Int, text: [UInt8]) throws {
    #expect(try title(TitledFile.id3(version: version, text)) == Self.text)
  }

  @Test(arguments: [2, 3, 4])
  func `a title in UTF-16 may lack its mark`(version: Int) throws {
    let units = Array("Größe 牛".utf16)
    for bytes in [units.flatMap { little($0) }, units.flatMap { big($0) }] {
      #expect(try title(TitledFile.id3(version: version, [1] + bytes)) == "Größe 牛")
    }
  }

  @Test(arguments: [
    [4] + ascii("no"), [1] + ascii("no"), [1, 0xFF], [1], [0],
    [1, 0xFF, 0xFE, 0x41], [1, 0xFF, 0xFE, 0x3D, 0xD8, 0x41, 0], [2, 0xDC, 0, 0, 0x41],
    [3, 0xC3, 0x28], [255, 255, 255],
  ])
  func `what is no text in its encoding is no title`(text: [UInt8]) throws {
    for version in 2...4 { #expect(try title(TitledFile.id3(version: version, text)) == nil) }
  }

  @Test(arguments: [
    ([0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x20, 0xEC, 0xE8, 0xF0], "Привет мир"),
    ([0x43, 0x61, 0x66, 0xE9], "Café"), ([0x53, 0x65, 0xF1, 0x6F, 0x72], "Señor"),
    // Shift JIS: 日本語のうた
    ([0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82, 0xCC, 0x82, 0xA4, 0x82, 0xBD], "日本語のうた"),
    (Array("Grüße".utf8), "Grüße"),
    // EUC-KR: 안녕하세요
    ([0xBE, 0xC8, 0xB3, 0xE7, 0xC7, 0xCF, 0xBC, 0xBC, 0xBF, 0xE4], "안녕하세요"),
    // GBK: 会议记录 and 你好世界, Big5: 會議記錄, Windows-1256: مرحبا, KOI8-R: Привет. Each makes some
    // sense in another encoding too.
    ([0xBB, 0xE1, 0xD2, 0xE9, 0xBC, 0xC7, 0xC2, 0xBC], nil),
    ([0xC4, 0xE3, 0xBA, 0xC3, 0xCA, 0xC0, 0xBD, 0xE7], nil),
    ([0xB7, 0x7C, 0xC4, 0xB3, 0xB0, 0x4F, 0xBF, 0xFD], nil),
    ([0xE3, 0xD1, 0xCD, 0xC8, 0xC7], nil), ([0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4], nil),
    // Not certain: two letters.
    ([0xC4, 0xE0], nil), ([0x80, 0xFE, 0x81, 0xFF], nil),
  ])
  func `a title in an encoding that is not said is read if that is certain`(
    bytes: [UInt8],
    title: String?
  ) throws {
    for version in 2...4 {
      #expect(try self.title(TitledFile.id3(version: version, [0] + bytes)) == title)
    }
  }

  @Test(arguments: [2, 3])
  func `zeros that were put into a tag are taken out again`(version: Int) throws {
    // Marks and letters in which a player could find the beginning of sound.
    let text = "ÿþ \u{FF00}ÿ!"
    let plain = TitledFile.id3(
      version: version,
      [1, 0xFF, 0xFE] + text.utf16.flatMap { little($0) }
    )
    let content = unsynchronized(Array(plain[10...]))
    let head: [UInt8] = [UInt8(version), 0, 0x80] + TitledFile.syncsafe(content.count)
    let tag = ascii("ID3") + head + content

    #expect(content.count > plain.count - 10)
    #expect(try title(tag) == text)
  }

  @Test func `zeros that were put into a frame are taken out again`() throws {
    let text = unsynchronized([1, 0xFF, 0xFE] + "ÿ\u{FF00}!".utf16.flatMap { little($0) })
    let length = TitledFile.syncsafe(9)

    #expect(
      try title(TitledFile.id3(version: 4, frameFlags: 0x02, text)) == "ÿ\u{FF00}!"
    )
    #expect(try title(TitledFile.id3(version: 4, flags: 0x80, text)) == "ÿ\u{FF00}!")
    #expect(
      try title(TitledFile.id3(version: 4, frameFlags: 0x03, length + text)) == "ÿ\u{FF00}!"
    )
  }

  @Test func `what stands before the text in a frame is skipped`() throws {
    let text = [3] + ascii("Title")

    #expect(try title(TitledFile.id3(version: 3, frameFlags: 0x20, [7] + text)) == "Title")
    #expect(try title(TitledFile.id3(version: 4, frameFlags: 0x40, [7] + text)) == "Title")
    #expect(
      try title(TitledFile.id3(version: 4, frameFlags: 0x41, [7, 0, 0, 0, 6] + text)) == "Title"
    )
  }

  @Test(arguments: [(3, 0x80), (3, 0x40), (4, 0x08), (4, 0x04)] as [(Int, UInt8)])
  func `a compressed or encrypted title is none`(version: Int, flags: UInt8) throws {
    let tag = TitledFile.id3(version: version, frameFlags: flags, [3] + ascii("Title"))

    #expect(try title(tag) == nil)
  }

  @Test func `an extended head comes before the frames`() throws {
    let text = [0] + ascii("Title")
    let third = big(UInt32(6)) + zeros(6)
    let fourth = TitledFile.syncsafe(6) + [1, 0]

    #expect(
      try title(TitledFile.id3(version: 3, flags: 0x40, extended: third, text)) == "Title"
    )
    #expect(
      try title(TitledFile.id3(version: 4, flags: 0x40, extended: fourth, text)) == "Title"
    )
    #expect(try title(TitledFile.id3(version: 2, flags: 0x40, text)) == nil)
  }

  @Test func `a title may stand behind a large picture, whose size may be written wrongly`() throws
  {
    let picture = zeros(70_000)
    let text = ascii("TIT2") + big(UInt32(6)) + ascii("\0\0\0Title")

    for size in [TitledFile.syncsafe(70_000), big(UInt32(70_000))] {
      let frames = ascii("APIC") + size + zeros(2) + picture + text
      let tag = ascii("ID3\u{4}\0\0") + TitledFile.syncsafe(frames.count) + frames
      // 70,000 is 0x011170, which has no high bit in any byte.
      #expect(try title(tag) == (size == TitledFile.syncsafe(70_000) ? "Title" : nil))
    }
    let frames = ascii("APIC") + big(UInt32(0x8080)) + zeros(2 + 0x8080) + text
    let tag = ascii("ID3\u{4}\0\0") + TitledFile.syncsafe(frames.count) + frames
    #expect(try title(tag) == "Title")
  }

  @Test func `the newer tag goes before the one at the end`() throws {
    let old = ascii("TAGOld") + zeros(122)

    let both = try recognize(TitledFile.id3(version: 4, [3] + ascii("New")) + TitledFile.mp3 + old)
    let damaged = try recognize(TitledFile.id3(version: 4, [3, 0xFF]) + TitledFile.mp3 + old)

    #expect(both?.title == "New")
    #expect(damaged?.title == "Old")
  }

  private func unsynchronized(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      result.append(byte)
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if byte == 0xFF, next == 0 || next >= 0xE0 { result.append(0) }
    }
    return result
  }
}
