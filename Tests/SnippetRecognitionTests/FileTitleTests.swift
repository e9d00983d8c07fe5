import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

/// The titles that files bring with them.
struct FileTitleTests {
  @Test(arguments: TitledFile.all)
  func `a title in a file is told with all the rest`(file: TitledFile) throws {
    let content = try recognize(file.bytes(ascii("Grüße, 牛乳 👩‍👧")))
    let bare = try recognize(file.bytes(nil))

    #expect(content?.type == file.type)
    // A tag at the end has room for 30 bytes.
    #expect(content?.title == "Grüße, 牛乳 👩‍👧")
    #expect(bare?.type == file.type)
    #expect(bare?.title == nil)
    #expect(content?.facts == bare?.facts)
  }

  @Test(arguments: TitledFile.all)
  func `an empty title is none`(file: TitledFile) throws {
    for title in ["", " \t", "\n"] {
      #expect(try recognize(file.bytes(ascii(title)))?.title == nil)
    }
  }

  @Test(arguments: TitledFile.all)
  func `a file that is cut short anywhere has its title or none`(file: TitledFile) throws {
    let whole = file.bytes(ascii("The Title"))

    for count in whole.indices {
      let title = try recognize(Array(whole[..<count]))?.title
      #expect(title == nil || "The Title".hasPrefix(title ?? "-"), "\(count) bytes: \(title ?? "")")
    }
  }

  @Test(arguments: TitledFile.all, [0xFF, 0x7F, 0x00] as [UInt8])
  func `a length may be anything`(file: TitledFile, byte: UInt8) throws {
    let whole = file.bytes(ascii("The Title"))

    for index in whole.indices.dropLast(4) {
      var damaged = whole
      for place in index..<index + 4 { damaged[place] = byte }
      let source = CountingSource(damaged)

      let title = try ContentRecognizer.recognize(source)?.title

      #expect(title.map { $0.count <= EmbeddedTitle.maximumLength } ?? true, "at \(index)")
      #expect(source.readByteCount <= HeaderReader.maximumByteCount, "at \(index)")
    }
  }

  @Test(arguments: TitledFile.all)
  func `looking for a title in an enormous file reads little`(file: TitledFile) throws {
    for title in [nil, ascii("The Title")] {
      let bytes = file.bytes(title)
      let source = CountingSource(bytes, paddedTo: 1 << 40)

      _ = try ContentRecognizer.recognize(source)

      #expect(source.readByteCount <= bytes.count * 3 + 180_000, "\(source.readByteCount)")
    }
  }

  @Test(arguments: RealFile.all)
  func `files of other programs that have no title tell none`(file: RealFile) throws {
    #expect(try recognize(file.bytes)?.title == nil)
  }

  @Test func `a title in Latin letters of one byte each is read as such`() throws {
    let title: [UInt8] = [0x43, 0x61, 0x66, 0xE9]

    #expect(try recognize(TitledFile.wav(after: TitledFile.info(title)))?.title == "Café")
    #expect(
      try recognize(TitledFile.id3(version: 3, [0] + title) + TitledFile.mp3)?.title == "Café"
    )
    #expect(
      try recognize(TitledFile.png(TitledFile.pngChunk("tEXt", ascii("Title\0") + title)))?.title
        == "Café"
    )
  }

  @Test func `what must be UTF-8 and is not is no title`() throws {
    let title: [UInt8] = [0x43, 0x61, 0x66, 0xE9]
    let flac = TitledFile.flac(TitledFile.comments(title, pictureByteCount: 0))
    let m4a = TitledFile.m4a(box("meta", zeros(4), TitledFile.items(title)))
    let mp3 = TitledFile.id3(version: 4, [3] + title) + TitledFile.mp3

    #expect(try recognize(flac)?.title == nil)
    #expect(try recognize(m4a)?.title == nil)
    #expect(try recognize(mp3)?.title == nil)
  }

  @Test func `a title that is cut is named`() throws {
    for (count, expected) in [(200, []), (201, [.longTitle])] as [(Int, [UnreadText])] {
      let title = [UInt8](repeating: UInt8(ascii: "w"), count: count)
      let flac = TitledFile.flac(TitledFile.comments(title, pictureByteCount: 0))
      let packet = "<rdf:RDF><dc:title>" + String(decoding: title, as: UTF8.self)
      let xmp = try XMPFile(Array((packet + "</dc:title></rdf:RDF>").utf8))

      #expect(try unread(flac) == expected)
      #expect(xmp?.isTitleCut == !expected.isEmpty)
    }
  }

  private func unread(_ bytes: [UInt8]) throws -> [UnreadText]? {
    try recognize(bytes)?.unreadTexts
  }

  @Test func `texts of a recording that cannot be read are named`() throws {
    let latin: [UInt8] = [0x43, 0x61, 0x66, 0xE9]
    let unclear: [UInt8] = [0xC4, 0xE0]
    let comments = TitledFile.comments(latin, pictureByteCount: 0)
    func tagged(_ text: [UInt8], flags: UInt8 = 0) -> [UInt8] {
      TitledFile.id3(version: 3, frameFlags: flags, text) + TitledFile.mp3
    }

    #expect(try unread(TitledFile.flac(comments)) == [.unreadable(name: "TITLE")])
    #expect(try unread(TitledFile.opus(comments)) == [.unreadable(name: "TITLE")])
    for file in [
      tagged([3] + latin), tagged([0] + unclear), tagged([9] + latin), tagged([1] + latin),
      tagged([3] + ascii("Waves"), flags: 0x80), tagged([3] + ascii("Waves"), flags: 0x40),
    ] {
      #expect(try unread(file) == [.unreadable(name: "TIT2")])
    }
    for text in [[0], [0] + latin, [3] + ascii("Waves"), [3] + ascii(" ")] as [[UInt8]] {
      #expect(try unread(tagged(text)) == [])
    }
    let info = TitledFile.wav(after: TitledFile.info(unclear))
    #expect(try unread(info) == [.unreadable(name: "INAM")])
    let name = ascii("NAME") + big(UInt32(2)) + unclear
    #expect(try unread(TitledFile.aiff(before: name)) == [.unreadable(name: "NAME")])
  }

  @Test(arguments: [
    ("last week", true), ("2026-13-31", true), ("2026", false), ("2026-01-31", false),
    ("0000-00-00T00:00:00Z", false), (" ", false),
  ])
  func `a date of a recording that cannot be read is named`(date: String, isUnread: Bool) throws {
    let entry = ascii("DATE=\(date)")
    let comments = zeros(4) + little(UInt32(1)) + little(UInt32(entry.count)) + entry
    let list = riffChunk("LIST", ascii("INFO") + riffChunk("ICRD", ascii(date)))

    #expect(try unread(TitledFile.flac(comments)) == (isUnread ? [.unreadable(name: "DATE")] : []))
    #expect(
      try unread(TitledFile.wav(before: list)) == (isUnread ? [.unreadable(name: "ICRD")] : [])
    )
  }

  @Test func `an international text of a PNG may be in another encoding than it should be`()
    throws
  {
    func picture(_ title: [UInt8]) -> [UInt8] {
      TitledFile.png(TitledFile.pngChunk("iTXt", ascii("Title\0\0\0\0\0") + title))
    }

    #expect(try recognize(picture([0x43, 0x61, 0x66, 0xE9]))?.title == "Café")
    #expect(try unread(picture([0x43, 0x61, 0x66, 0xE9])) == [])
    #expect(try unread(picture([0xC4, 0xE0])) == [.unreadable(name: "Title")])
  }

  @Test func `an M4A title may be in UTF-16, and a picture is none`() throws {
    let wide = Array("Ünï 牛".utf16).flatMap { big($0) }

    for (encoding, title) in [(2 as UInt32, "Ünï 牛"), (13, nil), (0, nil)] {
      let bytes = TitledFile.m4a(
        box("meta", zeros(4), TitledFile.items(wide, encoding: encoding))
      )
      #expect(try recognize(bytes)?.title == title)
    }
  }

  @Test func `a PNG's compressed and other texts are no title`() throws {
    let texts = [
      TitledFile.pngChunk("zTXt", ascii("Title\0\0") + [0x78, 0x9C, 3, 0]),
      TitledFile.pngChunk("iTXt", ascii("Title\0\u{1}\0\0\0") + [0x78, 0x9C, 3, 0]),
      TitledFile.pngChunk("iTXt", ascii("Title\0\0\0de")),
      TitledFile.pngChunk("tEXt", ascii("Title")), TitledFile.pngChunk("tEXt", ascii("Titles\0no")),
      TitledFile.pngChunk("tEXt", ascii("title\0no")),
      TitledFile.pngChunk("IDAT", ascii("Title\0no")),
    ]

    for text in texts { #expect(try recognize(TitledFile.png(text))?.title == nil) }
  }

  @Test(arguments: [0, 70_000, 120_000, 3_000_000])
  func `the comments of an Ogg count behind a picture of any size`(pictureByteCount: Int) throws {
    let picture = ascii("METADATA_BLOCK_PICTURE=") + zeros(pictureByteCount)
    let texts = ["title=Waves", "date=2026-01-31T06:30:00Z", "comment=The sea"].map(ascii)
    let listed = ([picture] + texts).flatMap { little(UInt32($0.count)) + $0 }
    let comments = zeros(4) + little(UInt32(4)) + listed
    let source = CountingSource(TitledFile.opus(comments, pageByteCount: 65_025))

    let content = try #require(try ContentRecognizer.recognize(source))

    #expect(content.title == "Waves" && content.note == "The sea")
    #expect(content.dates.best == Date(timeIntervalSince1970: 1_769_841_000))
    // The picture is passed over.
    #expect(source.readByteCount < 1_000_000)
  }

  @Test func `of several comments the first title that says something counts`() throws {
    let entries = ["TITLE", "TITLE=", "TITLES=no", "tItLe=yes", "TITLE=no"].map(ascii)
    let comments =
      zeros(4) + little(UInt32(entries.count))
      + entries.flatMap { little(UInt32($0.count)) + $0 }

    #expect(try recognize(TitledFile.flac(comments))?.title == "yes")
  }
}
