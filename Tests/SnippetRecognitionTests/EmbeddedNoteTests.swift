import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

/// The descriptions that people write into pictures and recordings.
struct EmbeddedNoteTests {
  private static let text = "Grüße von\nder Küste"
  private static let exifDescription: UInt16 = 0x010E

  private func note(_ bytes: [UInt8]) throws -> String? {
    try #require(try recognize(bytes)).note
  }

  // MARK: - Texts

  @Test(arguments: [
    ("  Two \r\n lines\u{7} \n", "Two \n lines"), ("one\rtwo", "one\ntwo"),
    ("up to\0here", "up to"), ("dam\u{FFFD}ged", nil), (" \n", nil), ("---", nil),
  ])
  func `a note keeps its lines and no control characters`(text: String, expected: String?) {
    #expect(EmbeddedNote.text(Array(text.utf8), in: .utf8) == expected)
  }

  @Test(arguments: [
    "OLYMPUS DIGITAL CAMERA         ", "SONY DSC", "KONICA MINOLTA DIGITAL CAMERA", "Screenshot",
    "DCIM\\100MEDIA\\DJI_0001.JPG", "Exif_JPEG_PICTURE", "Created with GIMP",
    "sSPEED=024.000-NDF\r\nsTAKE=1",
  ])
  func `what cameras and programs write by themselves is no note`(text: String) {
    #expect(EmbeddedNote.text(Array(text.utf8)) == nil)
  }

  @Test func `a long note is cut between characters, and named`() throws {
    func described(_ text: String) throws -> RecognizedContent {
      let description = TitledFile.pngChunk(
        "iTXt",
        ascii("Description\0\0\0\0\0") + Array(text.utf8)
      )
      return try #require(try recognize(TitledFile.png(description)))
    }
    let whole = String(repeating: "é", count: 8192)
    for text in [whole, "\n" + whole + " "] {
      let content = try described(text)
      #expect(content.note == whole && content.unreadTexts.isEmpty)
    }
    for (text, note) in [(whole + "é", whole), ("x" + whole, "x" + String(whole.dropLast()))] {
      let content = try described(text)
      #expect(content.note == note && content.unreadTexts == [.longNote])
    }
  }

  @Test func `a long note of wide characters is known to be cut`() throws {
    func described(_ count: Int) throws -> RecognizedContent {
      let text = String(repeating: "x\0", count: count)
      return try #require(try recognize(DatedPicture.jpeg(DatedPicture.exif([(0x9C9C, text)], []))))
    }
    let whole = String(repeating: "x", count: 16_384)
    #expect(try described(16_384).note == whole)
    #expect(try described(16_384).unreadTexts.isEmpty)
    #expect(try described(16_385).note == whole)
    #expect(try described(16_385).unreadTexts == [.longNote])
  }

  // MARK: - Pictures

  @Test func `a picture has the description in EXIF, or else the comment of its user`() throws {
    func comment(_ code: String, _ text: [UInt8]) -> [UInt8] {
      // The entry holds a text of ASCII, as some programs write it.
      DatedPicture.exif([], [(0x9286, code + String(decoding: text, as: UTF8.self))])
    }
    let described = DatedPicture.exif([(Self.exifDescription, Self.text)], [])
    for picture in [DatedPicture.jpeg(described), DatedPicture.webP(described)] {
      #expect(try note(picture) == Self.text)
    }
    #expect(try note(DatedPicture.jpeg(comment("ASCII\0\0\0", ascii("The sea")))) == "The sea")
    let wide = Array("The sea".utf16)
    #expect(
      try note(DatedPicture.jpeg(comment("UNICODE\0", wide.flatMap { little($0) }))) == "The sea"
    )
    #expect(
      try note(DatedPicture.jpeg(comment("UNICODE\0", wide.flatMap { big($0) }))) == "The sea"
    )
    let plain = DatedPicture.exif([(Self.exifDescription, "OLYMPUS DIGITAL CAMERA")], [])
    #expect(try note(DatedPicture.jpeg(plain)) == nil)
  }

  @Test func `a picture has the description in XMP`() throws {
    let element = """
      <dc:description><rdf:Alt><rdf:li xml:lang="x-default">Tea &amp; caf&#xE9; &lt;3</rdf:li>\
      <rdf:li xml:lang="de">Tee</rdf:li></rdf:Alt></dc:description>
      """
    let attribute = #"<rdf:Description dc:description='Tea &amp; caf&#233; &lt;3'/>"#
    for packet in [element, attribute] {
      for picture in DatedPicture.withXMP(packet) {
        #expect(try note(picture) == "Tea & café <3")
      }
    }
    for broken in [
      "<dc:description", "<dc:description>", "<dc:description><rdf:li", "dc:description=",
    ] {
      for picture in DatedPicture.withXMP(broken) { #expect(try note(picture) == nil) }
    }
  }

  @Test func `a picture has the title and the keywords in XMP`() throws {
    let packet = """
      <dc:title><rdf:Alt><rdf:li xml:lang="x-default">The &lt;sea&gt;</rdf:li></rdf:Alt></dc:title>
      <dc:subject><rdf:Bag><rdf:li>Coast</rdf:li><rdf:li>Summer &amp; sun</rdf:li></rdf:Bag>\
      </dc:subject>
      """
    for picture in DatedPicture.withXMP(packet) {
      let content = try #require(try recognize(picture))
      #expect(content.title == "The <sea>")
      #expect(content.keywords == ["Coast", "Summer & sun"])
      #expect(content.note == nil)
    }
    for broken in ["<dc:title>", "<dc:subject><rdf:li", "<dc:subject>", "dc:title='"] {
      for picture in DatedPicture.withXMP(broken) {
        let content = try #require(try recognize(picture))
        #expect(content.title == nil && content.keywords.isEmpty)
      }
    }
  }

  @Test func `keywords below others in a picture count if there are no plain ones`() throws {
    let paths = """
      <lr:hierarchicalSubject><rdf:Bag><rdf:li>Animals|Dogs</rdf:li></rdf:Bag>\
      </lr:hierarchicalSubject>
      """
    let plain = "<dc:subject><rdf:Bag><rdf:li>Dogs</rdf:li></rdf:Bag></dc:subject>"
    for picture in DatedPicture.withXMP(paths) {
      #expect(try recognize(picture)?.keywords == ["Animals/Dogs"])
    }
    for picture in DatedPicture.withXMP(plain + paths) {
      #expect(try recognize(picture)?.keywords == ["Dogs"])
    }
  }

  @Test func `a JPEG has what the segments that extend its XMP say`() throws {
    let name = String(repeating: "0A", count: 16)
    let rest = "<dc:description>The sea</dc:description><dc:title>Waves</dc:title>"
    func segment(_ name: String, at place: Int, _ part: String) -> [UInt8] {
      let numbers = big(UInt32(rest.utf8.count)) + big(UInt32(place))
      let content = ascii("http://ns.adobe.com/xmp/extension/\0" + name) + numbers + ascii(part)
      return [0xFF, 0xE1] + big(UInt16(content.count + 2)) + content
    }
    func content(_ main: String, _ segments: [UInt8]) throws -> RecognizedContent {
      let picture = try #require(DatedPicture.withXMP(main).first)
      let bytes = Array(picture[..<2]) + segments + Array(picture[2...])
      return try #require(try recognize(bytes))
    }
    let main = "<rdf:Description xmpNote:HasExtendedXMP='\(name)'/>"
    // Cut within a word.
    let (first, second) = (String(rest.prefix(21)), String(rest.dropFirst(21)))
    let segments = segment(name, at: 0, first) + segment(name, at: 21, second)

    let whole = try content(main, segments)
    #expect(whole.note == "The sea" && whole.title == "Waves")
    let other = String(repeating: "F1", count: 16)
    #expect(try content(main, segment(other, at: 0, rest)).note == nil)
    #expect(try content(main, segment(name, at: 7, rest)).note == nil)
    #expect(try content("<rdf:Description/>", segments).note == nil)
    // Thousands would be searched for.
    let others = (0..<64).flatMap { _ in segment(other, at: 0, "x") }
    #expect(try content(main, others.dropLast(others.count / 64) + segments).note == "The sea")
    #expect(try content(main, others + segments).note == nil)
  }

  /// A JPEG with a segment behind its first marker.
  private func jpeg(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let picture = DatedPicture.jpeg([])
    let segment = [0xFF, marker] + big(UInt16(content.count + 2)) + content
    return Array(picture[..<2]) + segment + Array(picture[2...])
  }

  private func records(_ fields: [(UInt8, UInt8, [UInt8])]) -> [UInt8] {
    fields.flatMap { record, field, text -> [UInt8] in
      [0x1C, record, field] + big(UInt16(text.count)) + text
    }
  }

  private func resources(_ records: [UInt8]) -> [UInt8] {
    // Another resource with a name comes first.
    let other: [UInt8] = [0x03, 0xED, 3] + ascii("abc") + big(UInt32(3)) + zeros(4)
    let head: [UInt8] = [0x04, 0x04, 0, 0] + big(UInt32(records.count))
    let mark = ascii("8BIM")
    return [mark, other, mark, head, records].flatMap { $0 }
  }

  @Test func `a JPEG has what its IPTC records say`() throws {
    let fields: [(UInt8, UInt8, [UInt8])] = [
      (1, 90, [0x1B, 0x25, 0x47]), (2, 5, Array("Küste".utf8)), (2, 25, ascii("Coast")),
      (2, 25, ascii("Summer")), (2, 55, ascii("20260131")), (2, 60, ascii("120000+0530")),
      (2, 120, Array(Self.text.utf8)),
    ]
    let whole = ascii("Photoshop 3.0\0") + resources(records(fields))
    let content = try #require(try recognize(jpeg(0xED, whole)))

    #expect(content.title == "Küste")
    #expect(content.note == Self.text)
    #expect(content.keywords == ["Coast", "Summer"])
    #expect(content.dates.best == Date(timeIntervalSince1970: 1_769_841_000))
    for count in 0..<whole.count {
      #expect(try recognize(jpeg(0xED, Array(whole[..<count])))?.type == .jpeg)
    }
  }

  @Test func `the moment at which a scan was made counts less than the one that it shows`() throws {
    let scanned: [(UInt8, UInt8, [UInt8])] = [
      (2, 62, ascii("20260131")), (2, 63, ascii("120000+0530")),
    ]
    let shown: (UInt8, UInt8, [UInt8]) = (2, 55, ascii("19690720"))
    let picture = tiff(0x83BB, records(scanned))
    let both = tiff(0x83BB, records(scanned + [shown]))

    #expect(try recognize(picture)?.dates.best == Date(timeIntervalSince1970: 1_769_841_000))
    #expect(try recognize(both)?.dates.best == CaptureDateTests.local(1969, 7, 20))
  }

  /// A TIFF of 4 × 3 pixels with bytes under a tag.
  private func tiff(_ tag: UInt16, type: UInt16 = 1, _ bytes: [UInt8]) -> [UInt8] {
    func entry(_ tag: UInt16, _ type: UInt16, _ count: Int, _ value: Int) -> [UInt8] {
      little(tag) + little(type) + little(UInt32(count)) + little(UInt32(value))
    }
    let entries = [
      entry(0x0100, 4, 1, 4), entry(0x0101, 4, 1, 3),
      entry(tag, type, bytes.count / (type == 4 ? 4 : 1), 8 + 2 + 3 * 12 + 4),
    ].flatMap { $0 }
    let head = ascii("II") + little(UInt16(42)) + little(UInt32(8)) + little(UInt16(3))
    return head + entries + zeros(4) + bytes
  }

  @Test func `a TIFF has what its IPTC records say, of whatever type they are`() throws {
    let fields: [(UInt8, UInt8, [UInt8])] = [
      (2, 5, ascii("The sea")), (2, 25, ascii("Coast")), (2, 120, ascii("At noon")),
    ]
    let iptc = records(fields)
    let padded = iptc + zeros((4 - iptc.count % 4) % 4)
    let pictures = [
      tiff(0x83BB, iptc), tiff(0x83BB, type: 7, iptc), tiff(0x83BB, type: 4, padded),
      tiff(0x8649, resources(iptc)),
    ]
    for picture in pictures {
      let content = try #require(try recognize(picture))
      #expect(content.type == .tiff)
      #expect(content.title == "The sea")
      #expect(content.note == "At noon")
      #expect(content.keywords == ["Coast"])
    }
  }

  @Test func `the headline of a picture is its title if it has none`() throws {
    let headline = #"<rdf:Description photoshop:Headline="A storm"/>"#
    for picture in DatedPicture.withXMP(headline) {
      #expect(try recognize(picture)?.title == "A storm")
    }
    for picture in DatedPicture.withXMP("<dc:title>The sea</dc:title>" + headline) {
      #expect(try recognize(picture)?.title == "The sea")
    }
    let iptc = records([(2, 105, ascii("A storm"))])
    #expect(try recognize(tiff(0x83BB, iptc))?.title == "A storm")
    let named = records([(2, 5, ascii("The sea"))])
    #expect(try recognize(tiff(0x83BB, iptc + named))?.title == "The sea")
  }

  @Test func `a picture has what Windows writes into EXIF`() throws {
    func wide(_ text: String) -> String { text.map { "\($0)\0" }.joined() }
    let block = DatedPicture.exif(
      [(0x9C9B, wide("The sea")), (0x9C9E, wide("Coast;Summer; ")), (0x9C9F, wide("At noon"))],
      []
    )
    for picture in [DatedPicture.jpeg(block), DatedPicture.png(block), DatedPicture.webP(block)] {
      let content = try #require(try recognize(picture))
      #expect(content.title == "The sea")
      #expect(content.note == "At noon")
      #expect(content.keywords == ["Coast", "Summer"])
    }
  }

  @Test func `a comment of a JPEG or a GIF is its note`() throws {
    #expect(try note(jpeg(0xFE, ascii("The sea"))) == "The sea")
    #expect(try note(jpeg(0xFE, ascii("Lavc58.54.100"))) == nil)
    let gif = RealFiles.gif
    let start = 13 + 6
    let comment: [UInt8] = [0x21, 0xFE, 4] + ascii("The ") + [3] + ascii("sea") + [0]
    #expect(try note(Array(gif[..<start]) + comment + Array(gif[start...])) == "The sea")
    #expect(try note(gif) == nil)
  }

  @Test func `a GIF has the title, the description and the keywords in XMP`() throws {
    let packet = """
      <dc:title>Waves</dc:title><dc:description>The sea</dc:description>\
      <dc:subject><rdf:Bag><rdf:li>Coast</rdf:li></rdf:Bag></dc:subject>
      """
    let gif = RealFiles.gif
    let start = 13 + 6
    let loop: [UInt8] = [0x21, 0xFF, 0x0B] + ascii("NETSCAPE2.0") + [3, 1, 0, 0, 0]
    let bare: [UInt8] = [0x21, 0xFF, 0x0B] + ascii("XMP DataXMP")
    let head = bare + ascii(packet)
    let descending = [UInt8]((0...255).reversed())
    let end: [UInt8] = [1] + descending + [0]
    let other: [UInt8] = [1] + ascii("<dc:description>The shore</dc:description>")
    for block in [head + end, loop + head + end] {
      let content = try #require(try recognize(Array(gif[..<start]) + block + Array(gif[start...])))
      #expect(content.title == "Waves" && content.note == "The sea")
      #expect(content.keywords == ["Coast"])
    }
    // What follows the packet is none of it, and its end may be missing.
    #expect(try note(Array(gif[..<start]) + head) == "The sea")
    #expect(try note(Array(gif[..<start]) + bare + other) == nil)
    for count in 1..<head.count {
      #expect(try recognize(Array(gif[..<start]) + Array(head[..<count]))?.type == .gif)
    }
    let silent = Array(gif[..<start]) + bare + end + Array(gif[start...])
    #expect(try recognize(silent)?.type == .gif)
    #expect(try note(silent) == nil)
  }

  @Test func `a PNG has its description, or else its comment`() throws {
    let comment = TitledFile.pngChunk("tEXt", ascii("Comment\0The sea"))
    let description = TitledFile.pngChunk(
      "iTXt",
      ascii("Description\0\0\0\0\0") + Array(Self.text.utf8)
    )

    #expect(try note(TitledFile.png(comment)) == "The sea")
    #expect(try note(TitledFile.png(comment + description)) == Self.text)
    #expect(try note(TitledFile.png([])) == nil)
  }

  @Test func `a PNG has what ImageMagick writes in digits`() throws {
    func text(_ name: String, _ bytes: [UInt8], count: Int? = nil) -> [UInt8] {
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      let lines = stride(from: 0, to: digits.count, by: 36).map { start in
        digits[start..<min(start + 36, digits.count)].joined()
      }
      let head = "Raw profile type \(name)\0\n\(name)\n      \(count ?? bytes.count)\n"
      return TitledFile.pngChunk("tEXt", ascii(head + lines.joined(separator: "\n") + "\n"))
    }
    let own = DatedPicture.exif(
      [(Self.exifDescription, "The sea")],
      [(0x9003, "2026:01:31 12:00:00"), (0x9011, "+05:30")]
    )
    let block = ascii("Exif\0\0") + own
    for name in ["exif", "APP1"] {
      let content = try #require(try recognize(TitledFile.png(text(name, block))))
      #expect(content.note == "The sea")
      #expect(content.dates.best == Date(timeIntervalSince1970: 1_769_841_000))
    }
    let wrong = ascii("Exif\0\0") + DatedPicture.exif("last week")
    #expect(
      try recognize(TitledFile.png(text("exif", wrong)))?.unreadTexts
        == [.unreadable(name: "DateTimeOriginal")]
    )
    let iptc = records([(2, 5, ascii("Waves")), (2, 25, ascii("Coast"))])
    for bytes in [iptc, resources(iptc)] {
      let content = try #require(try recognize(TitledFile.png(text("iptc", bytes))))
      #expect(content.title == "Waves" && content.keywords == ["Coast"])
    }
    let packet = ascii("<dc:title>Waves</dc:title>")
    let marked = ascii("http://ns.adobe.com/xap/1.0/\0") + packet
    for chunk in [text("xmp", packet), text("APP1", marked)] {
      #expect(try recognize(TitledFile.png(chunk))?.title == "Waves")
    }
    for count in [0, -1, 3, Int.max] {
      #expect(try recognize(TitledFile.png(text("exif", block, count: count)))?.type == .png)
    }
    let packed = TitledFile.pngChunk("zTXt", ascii("Raw profile type exif\0\0") + [0x78, 0x9C, 3])
    #expect(
      try recognize(TitledFile.png(packed))?.unreadTexts
        == [.compressed(key: "Raw profile type exif")]
    )
  }

  @Test func `the compressed texts of a PNG are named`() throws {
    let packed: [UInt8] = [0x78, 0x9C, 3, 0, 0, 0, 0, 1]
    let texts = [
      TitledFile.pngChunk("zTXt", ascii("Comment\0\0") + packed),
      TitledFile.pngChunk("zTXt", ascii("Software\0\0") + packed),
      TitledFile.pngChunk("iTXt", ascii("XML:com.adobe.xmp\0\u{1}\0\0\0") + packed),
      TitledFile.pngChunk("iTXt", ascii("Title\0\0\0\0\0Waves")),
    ].flatMap { $0 }
    let end = TitledFile.pngChunk("IEND", [])
    let behind = Array(TitledFile.png([]).dropLast(end.count)) + texts + end

    for picture in [TitledFile.png(texts), behind] {
      let content = try #require(try recognize(picture))
      #expect(content.title == "Waves" && content.note == nil)
      #expect(
        content.unreadTexts == [.compressed(key: "Comment"), .compressed(key: "XML:com.adobe.xmp")]
      )
    }
    #expect(try recognize(TitledFile.png([]))?.unreadTexts == [])
  }

  @Test func `a PNG may have its texts behind the pixels`() throws {
    let end = TitledFile.pngChunk("IEND", [])
    let title = TitledFile.pngChunk("tEXt", ascii("Title\0Waves"))
    let comment = TitledFile.pngChunk("iTXt", ascii("Comment\0\0\0\0\0The sea"))
    let picture = Array(TitledFile.png([]).dropLast(end.count)) + title + comment + end

    let content = try #require(try recognize(picture))

    #expect(content.title == "Waves")
    #expect(content.note == "The sea")
  }

  // MARK: - Recordings

  @Test func `an MP3 has the comment without a purpose`() throws {
    func frame(_ content: [UInt8]) -> [UInt8] {
      ascii("COMM") + big(UInt32(content.count)) + [0, 0] + content
    }
    func tagged(_ frames: [UInt8]) -> [UInt8] {
      let size = frames.count
      let count = [UInt8(size >> 21 & 0x7F), UInt8(size >> 14 & 0x7F), UInt8(size >> 7 & 0x7F)]
      return ascii("ID3") + [3, 0, 0] + count + [UInt8(size & 0x7F)] + frames + TitledFile.mp3
    }
    let ofPlayer = frame(ascii("\0engiTunNORM\0 00000A2C"))
    let latin = frame(ascii("\0eng\0The sea"))
    let wide = frame(
      ascii("\u{1}eng") + [0xFF, 0xFE, 0, 0, 0xFF, 0xFE] + Self.text.utf16.flatMap { little($0) }
    )

    #expect(try note(tagged(ofPlayer + latin)) == "The sea")
    #expect(try note(tagged(wide)) == Self.text)
    #expect(try note(tagged(ofPlayer)) == nil)
    // Not all of very many are looked at.
    let silent = frame(ascii("\0eng\0 "))
    for (count, text) in [(10, "The sea"), (100, nil)] as [(Int, String?)] {
      let frames = Array([[UInt8]](repeating: silent, count: count).joined())
      #expect(try note(tagged(frames + latin)) == text)
    }
  }

  /// An MP3 with a tag of frames.
  private func tagged(_ frames: [(name: String, text: String)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, text) in frames {
      bytes += ascii(name)
      bytes += TitledFile.syncsafe(text.utf8.count) + [0, 0]
      bytes += ascii(text)
    }
    let head: [UInt8] = ascii("ID3") + [4, 0, 0] + TitledFile.syncsafe(bytes.count)
    return head + bytes + TitledFile.mp3
  }

  @Test func `what stands behind many large frames of a tag is read, all in one walk`() throws {
    let privateFrame = (name: "PRIV", text: String(repeating: "x", count: 4096))
    let texts = [
      (name: "TIT2", text: "\u{3}Waves"), (name: "COMM", text: "\u{3}eng\0The sea"),
      (name: "TDRC", text: "\u{3}2026-01-31"), (name: "TDRL", text: "\u{3}next week"),
    ]

    let file = tagged(Array(repeating: privateFrame, count: 200) + texts)
    let content = try #require(try recognize(file))

    #expect(content.title == "Waves" && content.note == "The sea")
    #expect(content.dates.best != nil)
    #expect(content.unreadTexts == [.unreadable(name: "TDRL")])
  }

  @Test func `another comment in a tag is named, unless it says the same`() throws {
    func unread(_ comments: String...) throws -> [UnreadText]? {
      let frames = comments.map { (name: "COMM", text: $0) }
      return try recognize(tagged(frames))?.unreadTexts
    }

    #expect(try unread("\u{3}eng\0The sea", "\u{3}deu\0Das Meer") == [.further(name: "COMM")])
    #expect(try unread("\u{3}eng\0The sea", "\u{3}XXX\0The sea") == [])
    // Another purpose.
    #expect(try unread("\u{3}eng\0The sea", "\u{3}engiTunNORM\0 00000A2C") == [])
  }

  @Test func `comments with a purpose, lyrics and a second title in a tag are named`() throws {
    func unread(_ frames: (name: String, text: String)...) throws -> [UnreadText]? {
      let content = try recognize(tagged(frames + [("COMM", "\u{3}eng\0The sea")]))
      #expect(content?.note == "The sea")
      return content?.unreadTexts
    }

    #expect(try unread(("COMM", "\u{3}engplace\0The shore")) == [.further(name: "COMM")])
    #expect(try unread(("COMM", "\u{3}engplace\0The sea")) == [])
    #expect(try unread(("COMM", "\u{3}engSongs-DB_Custom1\0Mellow")) == [])
    #expect(try unread(("USLT", "\u{3}eng\0La la la")) == [.further(name: "USLT")])
    #expect(try unread(("TIT2", "\u{3}Waves\0Wind")) == [.further(name: "TIT2")])
    #expect(try unread(("TIT2", "\u{3}Waves\0Waves\0\0")) == [])
  }

  @Test func `an MP3 has the comment that ffmpeg names, unless it has one of its own`() throws {
    func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
      ascii(name) + TitledFile.syncsafe(content.count) + [0, 0] + content
    }
    func tagged(_ frames: [UInt8]) -> [UInt8] {
      ascii("ID3") + [4, 0, 0] + TitledFile.syncsafe(frames.count) + frames + TitledFile.mp3
    }
    func wide(_ text: String) -> [UInt8] { [0xFF, 0xFE] + text.utf16.flatMap { little($0) } }
    let other = frame("TXXX", ascii("\u{3}encoder\0The shore"))
    let latin = frame("TXXX", ascii("\0Comment\0The sea"))
    let utf8 = frame("TXXX", Array("\u{3}comment\0\(Self.text)".utf8))
    let wideText: [UInt8] = [1] + wide("comment") + [0, 0] + wide(Self.text)
    let utf16 = frame("TXXX", wideText)
    let own = frame("COMM", ascii("\0eng\0Waves"))

    #expect(try note(tagged(other + latin)) == "The sea")
    #expect(try note(tagged(utf8)) == Self.text)
    #expect(try note(tagged(utf16)) == Self.text)
    #expect(try note(tagged(utf8 + own)) == "Waves")
    #expect(try note(tagged(other)) == nil)
    for broken in [[], [1], [3], ascii("\u{3}comment"), [1, 0xFF, 0xFE, 0]] as [[UInt8]] {
      #expect(try note(tagged(frame("TXXX", broken) + latin)) == "The sea")
    }
    // A program may name many texts.
    let others = Array([[UInt8]](repeating: other, count: 100).joined())
    #expect(try note(tagged(others + latin)) == "The sea")
  }

  @Test func `a WAV has the description of its recorder, or else the comment`() throws {
    let description = riffChunk("bext", ascii("The sea") + zeros(595))
    let settings = riffChunk("bext", ascii("sTAKE=1") + zeros(595))
    let comment = riffChunk("LIST", ascii("INFO") + riffChunk("ICMT", ascii("A comment\0")))

    #expect(try note(TitledFile.wav(before: description)) == "The sea")
    #expect(try note(TitledFile.wav(before: settings, after: comment)) == "A comment")
    let subject = riffChunk("LIST", ascii("INFO") + riffChunk("ISBJ", ascii("A subject\0")))
    #expect(try note(TitledFile.wav(before: [], after: subject)) == "A subject")
  }

  @Test func `a WAV has keywords with semicolons between them`() throws {
    func keywords(_ text: String) throws -> [String]? {
      let list = riffChunk("LIST", ascii("INFO") + riffChunk("IKEY", ascii(text)))
      return try recognize(TitledFile.wav(before: list))?.keywords
    }

    #expect(try keywords("Coast; Summer\0") == ["Coast", "Summer"])
    #expect(try keywords("Wind & waves") == ["Wind & waves"])
    #expect(try keywords("; ;\0") == [])
    #expect(try recognize(TitledFile.wav(before: []))?.keywords == [])
  }

  @Test func `every list of texts in a WAV counts`() throws {
    func list(_ name: String, _ text: String) -> [UInt8] {
      riffChunk("LIST", ascii("INFO") + riffChunk(name, ascii(text + "\0")))
    }
    let before = list("ISFT", "Lavf") + list("INAM", " ")
    let behind = list("INAM", "Waves") + list("IKEY", "Coast") + list("INAM", "Other")
    let content = try #require(try recognize(TitledFile.wav(before: before, after: behind)))

    #expect(content.title == "Waves" && content.keywords == ["Coast"])
  }

  @Test func `a WAV has the note of the scene`() throws {
    let scene = "<BWFXML><SCENE>1</SCENE><NOTE>Wind &amp; waves</NOTE></BWFXML>"

    #expect(try note(TitledFile.wav(before: riffChunk("iXML", ascii(scene)))) == "Wind & waves")
    for broken in ["<NOTE>", "<NOTE></NOTE>", "NOTE"] {
      #expect(try note(TitledFile.wav(before: riffChunk("iXML", ascii(broken)))) == nil)
    }
  }

  @Test func `an AIFF has its annotation`() throws {
    let annotation = ascii("ANNO") + big(UInt32(8)) + ascii("The sea ")

    #expect(try note(TitledFile.aiff(before: annotation)) == "The sea")
    #expect(try note(TitledFile.aiff(after: annotation)) == "The sea")
    #expect(try note(TitledFile.aiff()) == nil)
  }

  @Test func `another annotation of an AIFF is named`() throws {
    let first = ascii("ANNO") + big(UInt32(8)) + ascii("The sea ")
    let other = ascii("ANNO") + big(UInt32(8)) + ascii("The wind")

    let places: [(before: [UInt8], after: [UInt8])] = [(first + other, []), (first, other)]
    for (before, after) in places {
      let content = try #require(try recognize(TitledFile.aiff(before: before, after: after)))
      #expect(content.note == "The sea")
      #expect(content.unreadTexts == [.further(name: "ANNO")])
    }
    #expect(try recognize(TitledFile.aiff(before: first + first))?.unreadTexts.isEmpty == true)
  }

  @Test func `an AIFF has the comments on the whole of it, with the moment of the first`() throws {
    func comment(_ seconds: UInt32, _ marker: UInt16, _ text: String) -> [UInt8] {
      let bytes = ascii(text)
      return big(seconds) + big(marker) + big(UInt16(bytes.count)) + bytes + zeros(bytes.count % 2)
    }
    let moment: UInt32 = 2_082_844_800 + 1_700_000_000
    let comments =
      big(UInt16(3)) + comment(moment - 60, 7, "On a place") + comment(moment + 60, 0, "The sea")
      + comment(moment, 0, "Another")
    let chunk = ascii("COMT") + big(UInt32(comments.count)) + comments

    let content = try #require(try recognize(TitledFile.aiff(before: chunk)))

    #expect(content.note == "The sea")
    #expect(content.dates.best == Date(timeIntervalSince1970: 1_700_000_000))
    for count in 0..<comments.count {
      let cut = ascii("COMT") + big(UInt32(count)) + Array(comments[..<count]) + zeros(count % 2)
      #expect(try recognize(TitledFile.aiff(before: cut))?.type == .aiff)
    }
  }

  @Test func `a WAV or an AIFF has what a tag in a chunk says`() throws {
    let texts = [("COMM", "eng\0The sea"), ("TIT2", "Waves"), ("TDRC", "2026-01-31")]
    let frames = texts.flatMap { name, text -> [UInt8] in
      ascii(name) + big(UInt32(text.utf8.count + 1)) + [0, 0, 0] + ascii(text)
    }
    let tag = ascii("ID3") + [3, 0, 0] + TitledFile.syncsafe(frames.count) + frames
    let chunk = ascii("ID3 ") + big(UInt32(tag.count)) + tag
    // Looking through as many chunks for each of the texts would take more than may be read.
    let others = Array(repeatElement(riffChunk("junk", zeros(4096)), count: 300).joined())
    let files = [
      TitledFile.aiff(before: chunk + zeros(tag.count % 2)), TitledFile.aiff(after: chunk),
      TitledFile.wav(after: riffChunk("id3 ", tag)),
      TitledFile.wav(after: others + riffChunk("id3 ", tag)),
    ]
    for file in files {
      let content = try #require(try recognize(file))
      #expect(content.title == "Waves")
      #expect(content.note == "The sea")
      #expect(content.dates.best != nil)
    }
  }

  @Test(arguments: [
    ("title\0Waves\0comments\0The sea\0", "The sea"),
    ("title\0Waves\0comment\0The sea\0", "The sea"),
    ("comment\0Waves\0comments\0The sea\0", "The sea"),
    ("comments\0 \0comment\0The sea\0", "The sea"), ("title\0Waves\0artist\0comment\0", nil),
  ])
  func `a CAF has its comments, or else the comment of ffmpeg`(text: String, expected: String?)
    throws
  {
    let strings = big(UInt32(2)) + ascii(text)
    let information = ascii("info") + big(Int64(strings.count)) + strings

    #expect(try note(TitledFile.caf(after: information)) == expected)
  }

  @Test func `an MP3 has what the APE tag at its end says, before the shorter tag behind it`()
    throws
  {
    let items: [(key: String, text: String)] = [
      ("REPLAYGAIN_TRACK_GAIN", "-3.2 dB"), ("Title", "Waves"), ("COMMENT", "The sea\0The shore"),
      ("Year", "2024-06-03T10:11:12Z"),
    ]
    var bytes: [UInt8] = []
    for (key, text) in items {
      bytes += little(UInt32(text.utf8.count)) + zeros(4)
      bytes += ascii(key) + [0] + ascii(text)
    }
    let size = little(UInt32(bytes.count + 32))
    let count = little(UInt32(items.count))
    let footer = ascii("APETAGEX") + little(UInt32(2000)) + size + count + zeros(12)
    let tag = bytes + footer
    let short = ascii("TAG") + ascii("Wav") + zeros(91) + ascii("The s") + zeros(26)

    for file in [TitledFile.mp3 + tag, TitledFile.mp3 + tag + short] {
      let content = try #require(try recognize(file))
      #expect(content.title == "Waves" && content.note == "The sea")
      #expect(content.dates.best == Date(timeIntervalSince1970: 1_717_409_472))
    }
    // Sizes and numbers that cannot be.
    for wrong: UInt32 in [0, 31, .max] {
      var broken = tag
      broken.replaceSubrange(bytes.count + 12..<bytes.count + 16, with: little(wrong))
      #expect(try recognize(TitledFile.mp3 + broken + short)?.title == "Wav")
    }
    #expect(try recognize(TitledFile.mp3 + footer + short)?.type == .mp3)
  }

  @Test func `the header of an APE tag is no sound`() throws {
    let item = little(UInt32(7)) + zeros(4) + ascii("Comment") + [0] + ascii("The sea")
    let size = little(UInt32(item.count + 32))
    func end(flags: UInt32) -> [UInt8] {
      let numbers = little(UInt32(2000)) + size + little(UInt32(1)) + little(flags)
      return ascii("APETAGEX") + numbers + zeros(8)
    }
    let sound = (0..<50).flatMap { _ in TitledFile.mp3 }
    let bare = sound + item + end(flags: 0)
    let duration = try #require(try recognize(sound)?.facts.duration)
    let headed = sound + end(flags: 0xA000_0000) + item + end(flags: 0x8000_0000)

    for file in [bare, headed] {
      let content = try #require(try recognize(file))
      #expect(content.note == "The sea")
      #expect(content.facts.duration == duration)
    }
  }

  @Test func `an MP3 has the comment of the tag at its end`() throws {
    let tag = ascii("TAG") + zeros(94) + ascii("The sea") + zeros(24)

    #expect(try note(TitledFile.mp3 + tag) == "The sea")
    #expect(try note(TitledFile.mp3 + ascii("TAG") + zeros(125)) == nil)
  }

  @Test func `an M4A has its description`() throws {
    let data = box("data", big(UInt32(1)), zeros(4), ascii("The sea"))
    let names: [[UInt8]] = [ascii("desc"), [0xA9] + ascii("des"), [0xA9] + ascii("cmt")]
    for name in names {
      let item = big(UInt32(8 + data.count)) + name + data
      let handler = box("hdlr", zeros(8), ascii("mdir"), zeros(13))
      let meta = box("meta", zeros(4), handler, box("ilst", item))
      #expect(try note(TitledFile.m4a(meta)) == "The sea")
    }
  }

  @Test(arguments: [true, false])
  func `an M4A of QuickTime has what its keys name`(isInMovie: Bool) throws {
    let names = ["player", "title", "description", "creationdate"]
    let keys = names.map { box("mdta", ascii("com.apple.quicktime." + $0)) }
    let texts = ["x", "Waves", "The sea", "2024-06-03T10:11:12+0200"]
    let items = texts.enumerated().map { number, text -> [UInt8] in
      let data = box("data", big(UInt32(1)), zeros(4), ascii(text))
      return big(UInt32(8 + data.count)) + big(UInt32(number + 1)) + data
    }
    let handler = box("hdlr", zeros(8), ascii("mdta"), zeros(13))
    let table = box("keys", zeros(4), big(UInt32(keys.count)), keys.flatMap { $0 })
    let parts = handler + table + box("ilst", items.flatMap { $0 })
    // QuickTime puts it into the movie and gives it no version.
    let file =
      isInMovie
      ? TitledFile.m4a([], beside: box("meta", parts))
      : TitledFile.m4a(box("meta", zeros(4), parts))

    let content = try #require(try recognize(file))

    #expect(content.title == "Waves" && content.note == "The sea")
    #expect(content.dates.best == Date(timeIntervalSince1970: 1_717_402_272))
  }
}
