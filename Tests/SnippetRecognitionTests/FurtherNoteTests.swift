import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

/// The descriptions in a file besides the one that becomes its note.
struct FurtherNoteTests {
  private func flac(_ entries: String...) throws -> RecognizedContent {
    let listed = entries.flatMap { little(UInt32($0.utf8.count)) + Array($0.utf8) }
    let comments = little(UInt32(0)) + little(UInt32(entries.count)) + listed
    return try #require(try recognize(TitledFile.flac(comments)))
  }

  @Test func `a comment besides the description of a FLAC is named`() throws {
    let both = try flac("COMMENT=By the sea", "description=The sea")
    #expect(both.note == "The sea" && both.unreadTexts == [.further(name: "COMMENT")])
    #expect(both.unreadTexts.first?.reason.contains("“COMMENT”") == true)

    let comments = try flac("COMMENT=The sea", "Comment=The wind", "COMMENT=The shore")
    #expect(comments.note == "The sea" && comments.unreadTexts == [.further(name: "COMMENT")])
  }

  @Test(arguments: [(300, false), (2000, true)])
  func `of many long comments others are named, or they are too many`(
    count: Int,
    isTooMany: Bool
  ) throws {
    let words = String(repeating: "wind ", count: 200)
    let entries = ["TITLE=Waves"] + (0..<count).map { "COMMENT=\($0) \(words)" }
    let listed = entries.flatMap { little(UInt32($0.utf8.count)) + Array($0.utf8) }
    let head = little(UInt32(0)) + little(UInt32(entries.count))

    let content = try #require(try recognize(TitledFile.flac(head + listed)))

    #expect(content.title == "Waves" && content.note?.hasPrefix("0 wind") == true)
    #expect(content.unreadTexts.contains(.further(name: "COMMENT")))
    #expect(content.unreadTexts.contains(.tooMany) == isTooMany)
  }

  @Test func `what the note or the title already says is not named`() throws {
    #expect(try flac("COMMENT=The sea", "DESCRIPTION=The sea at noon").unreadTexts == [])
    #expect(try flac("TITLE=Waves", "COMMENT=Waves", "DESCRIPTION=The sea").unreadTexts == [])
    // Nor is what a program writes by itself.
    #expect(try flac("DESCRIPTION=The sea", "COMMENT=Lavc58.54.100").unreadTexts == [])
  }

  @Test(.timeLimit(.minutes(1)))
  func `long texts that are made to be compared for long are compared at once`() {
    func text(_ count: Int) -> String { String(repeating: "a", count: count) + "b" }
    let notes = (0..<100).compactMap { NamedNote("COMMENT", text(8000 - $0)) }

    #expect(EmbeddedNote.further(notes, besides: text(16_000), nil) == [])
    #expect(EmbeddedNote.further(notes, besides: text(7980), nil) == [.further(name: "COMMENT")])
  }

  @Test func `a text is found within another one, whatever its letters are made of`() {
    func isNamed(_ text: String, besides note: String) -> Bool {
      !EmbeddedNote.further([NamedNote("x", text)].compactMap(\.self), besides: note, nil).isEmpty
    }
    #expect(!isNamed("aabaa", besides: "aabaabaa") && !isNamed("abab", besides: "xabaabab"))
    #expect(!isNamed("Cafe\u{301}", besides: "Le Café") && !isNamed("a", besides: "ba"))
    #expect(isNamed("aabab", besides: "aabaaabba") && isNamed("the sea", besides: "the se"))
  }

  // MARK: - Pictures

  private static let description: UInt16 = 0x010E
  private static let comment: UInt16 = 0x9C9C
  private static let title: UInt16 = 0x9C9B

  private func wide(_ text: String) -> String { text.map { "\($0)\0" }.joined() }

  private func jpeg(_ exif: [UInt8], comments: String...) throws -> RecognizedContent {
    let picture = DatedPicture.jpeg(exif)
    let segments = comments.flatMap { text -> [UInt8] in
      [0xFF, 0xFE] + big(UInt16(text.utf8.count + 2)) + ascii(text)
    }
    let bytes = Array(picture[..<2]) + segments + Array(picture[2...])
    return try #require(try recognize(bytes))
  }

  @Test func `the comments of a JPEG besides its description are named`() throws {
    let block = DatedPicture.exif(
      [(Self.description, "The sea"), (Self.comment, wide("By Anna"))],
      [(0x9286, "ASCII\0\0\0At noon")]
    )
    let content = try jpeg(block, comments: "The wind", "The sea")
    #expect(content.note == "The sea")
    let names = ["COM", "XPComment", "UserComment"]
    #expect(content.unreadTexts == names.map { UnreadText.further(name: $0) })
    let alone = try jpeg([], comments: "The wind", "The sea")
    #expect(alone.note == "The wind" && alone.unreadTexts == [.further(name: "COM")])
  }

  @Test func `a last comment of a JPEG that is cut does not hide those before it`() throws {
    func comment(_ text: String, of count: Int) -> [UInt8] {
      [0xFF, 0xFE] + big(UInt16(count + 2)) + ascii(text)
    }
    let picture = DatedPicture.jpeg([])
    let texts = comment("The sea", of: 7) + comment("The wind", of: 8)
    let whole = Array(picture[..<2]) + texts + Array(picture[2...])

    let content = try #require(try recognize(whole + comment("The sho", of: 100)))
    #expect(content.note == "The sea" && content.unreadTexts == [.further(name: "COM")])
  }

  @Test func `the comment that Windows writes is not hidden by the title that it repeats`() throws {
    let block = DatedPicture.exif(
      [
        (Self.description, "Waves"), (Self.title, wide("Waves")), (Self.comment, wide("By Anna")),
      ],
      []
    )
    let content = try jpeg(block)
    #expect(content.title == "Waves" && content.note == "By Anna" && content.unreadTexts == [])
    let plain = DatedPicture.exif([(Self.description, "Waves"), (Self.title, wide("Waves"))], [])
    #expect(try jpeg(plain).note == "Waves")
  }

  @Test func `the comment of a PNG besides its description is named`() throws {
    let texts =
      TitledFile.pngChunk("tEXt", ascii("Comment\0The wind"))
      + TitledFile.pngChunk("tEXt", ascii("Description\0The sea"))
    let content = try #require(try recognize(TitledFile.png(texts)))
    #expect(content.note == "The sea" && content.unreadTexts == [.further(name: "Comment")])
  }

  @Test func `the texts of a picture in other languages are named if they differ`() throws {
    let packet = """
      <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Sea</rdf:li>
      <rdf:li xml:lang="de">Meer</rdf:li></rdf:Alt></dc:title>
      <dc:description><rdf:Alt><rdf:li xml:lang="x-default">Waves</rdf:li>
      <rdf:li xml:lang="en">Waves</rdf:li></rdf:Alt></dc:description>
      """
    for picture in DatedPicture.withXMP(packet) {
      let content = try #require(try recognize(picture))
      #expect(content.title == "Sea" && content.note == "Waves")
      #expect(content.unreadTexts == [.further(name: "dc:title")])
    }
  }

  @Test func `a comment of a GIF behind its pixels is named`() throws {
    func comment(_ text: String) -> [UInt8] {
      let head: [UInt8] = [0x21, 0xFE, UInt8(text.utf8.count)]
      return head + ascii(text) + zeros(1)
    }
    let screen: [UInt8] = [4, 0, 3, 0, 0, 0, 0]
    // A frame with two colors of its own and a byte of pixels.
    let frame: [UInt8] = [
      0x2C, 0, 0, 0, 0, 4, 0, 3, 0, 0x80, 0, 0, 0, 0, 0, 0, 2, 1, 0x55, 0,
    ]
    let head = ascii("GIF89a") + screen + comment("The sea")
    let end = comment("The wind") + ascii("\u{3B}")

    let content = try #require(try recognize(head + frame + frame + end))
    #expect(content.note == "The sea" && content.unreadTexts == [.further(name: "Comment")])
    // Thousands that say nothing would take long.
    for (count, unread) in [(62, [.further(name: "Comment")]), (63, [])] as [(Int, [UnreadText])] {
      let silent = (0..<count).flatMap { _ in comment("...") }
      #expect(try recognize(head + frame + silent + end)?.unreadTexts == unread)
    }
  }

  @Test func `the description of a later page of a TIFF is named`() throws {
    func page(_ text: String, at offset: Int, next: Int) -> [UInt8] {
      let entries: [(UInt16, UInt16, UInt32, UInt32)] = [
        (0x0100, 3, 1, 4), (0x0101, 3, 1, 3),
        (Self.description, 2, UInt32(text.utf8.count), UInt32(offset + 42)),
      ]
      let listed = entries.flatMap { tag, type, count, value -> [UInt8] in
        let kind = little(tag) + little(type)
        return kind + little(count) + little(value)
      }
      let head = little(UInt16(3)) + listed
      return head + little(UInt32(next)) + ascii(text)
    }
    let first = page("The sea.", at: 8, next: 58)
    let second = page("The wind", at: 58, next: 0)
    let head: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]

    let content = try #require(try recognize(head + first + second))
    #expect(content.type == .tiff && content.note == "The sea.")
    #expect(content.unreadTexts == [.further(name: "ImageDescription")])
  }

  // MARK: - Recordings

  @Test func `the words for places in a WAV and what Windows shows are named`() throws {
    let words = riffChunk("labl", ascii("\u{1}\0\0\0Verse\0")) + riffChunk("cue ", zeros(4))
    let note = riffChunk("note", ascii("\u{1}\0\0\0Too loud\0\0"))
    let list = riffChunk("LIST", ascii("adtl") + words + note)
    let shown = riffChunk("DISP", ascii("\u{1}\0\0\0The sea\0"))
    let picture = riffChunk("DISP", ascii("\u{8}\0\0\0The wind"))

    let content = try #require(try recognize(TitledFile.wav(after: picture + shown + list)))
    #expect(content.note == nil)
    #expect(content.unreadTexts == ["DISP", "labl", "note"].map { UnreadText.further(name: $0) })
  }

  @Test func `texts of a WAV that say nothing are looked at for so long, also in several lists`()
    throws
  {
    func list(_ kind: String, _ items: [UInt8]) -> [UInt8] {
      riffChunk("LIST", ascii(kind) + items)
    }
    func words(_ text: String) -> [UInt8] { riffChunk("note", ascii("\u{1}\0\0\0\(text)\0\0")) }
    for (count, unread) in [(99, [.further(name: "note")]), (100, [])] as [(Int, [UnreadText])] {
      let silent = list("adtl", (0..<count).flatMap { _ in words("..") })
      let lists = silent + list("adtl", words("Too loud"))
      #expect(try recognize(TitledFile.wav(after: lists))?.unreadTexts == unread)
    }
    for (count, note) in [(63, "The sea."), (64, nil)] as [(Int, String?)] {
      let silent = (0..<count).flatMap { _ in list("INFO", riffChunk("ICMT", ascii("...\0"))) }
      let lists = silent + list("INFO", riffChunk("ICMT", ascii("The sea.")))
      #expect(try recognize(TitledFile.wav(after: lists))?.note == note)
    }
  }

  @Test func `the comments of a WAV besides that of its recorder are named`() throws {
    let description = riffChunk("bext", ascii("The sea") + zeros(595))
    let items = riffChunk("ICMT", ascii("The wind\0\0")) + riffChunk("ISBJ", ascii("Waves\0"))
    let list = riffChunk("LIST", ascii("INFO") + items)
    let content = try #require(try recognize(TitledFile.wav(before: description, after: list)))
    #expect(content.note == "The sea")
    #expect(content.unreadTexts == [.further(name: "ICMT"), .further(name: "ISBJ")])
  }

  @Test func `the comment of an M4A besides its description is named`() throws {
    let texts: [([UInt8], String)] = [
      (ascii("desc"), "The sea"), (ascii("ldes"), "The sea at noon"),
      ([0xA9] + ascii("cmt"), "Wind"),
    ]
    let items = texts.flatMap { name, text -> [UInt8] in
      let data = box("data", big(UInt32(1)), zeros(4), ascii(text))
      return big(UInt32(8 + data.count)) + name + data
    }
    let handler = box("hdlr", zeros(8), ascii("mdir"), zeros(13))
    let meta = box("meta", zeros(4), handler, box("ilst", items))
    let content = try #require(try recognize(TitledFile.m4a(meta)))
    #expect(content.note == "The sea at noon")
    #expect(content.unreadTexts == [.further(name: "©cmt")])
  }

  @Test func `the first date of a FLAC that is a day counts`() throws {
    #expect(
      try flac("DATE=2019", "DATE=2020-01-02", "DATE=2021-01-02").dates.best
        == RecordingDate.date("2020-01-02")
    )
  }
}
