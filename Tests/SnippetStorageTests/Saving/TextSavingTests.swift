import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory)
struct TextSavingTests {
  let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open { $0.now = { Samples.date } }
  }

  @Test func `a text becomes a row that tells what it is`() async throws {
    let row = try await store.save(SnippetDraft(.text("  Milk,\teggs \n\n and bread\n")))

    #expect(row.kind == .text)
    #expect(row.mediaType == "text/plain")
    #expect(row.title == "Milk, eggs")
    #expect(row.preview == "Milk, eggs and bread")
    #expect(row.byteCount == 26)
    #expect(row.createdAt == Samples.date)
    #expect(row.modifiedAt == Samples.date)
    #expect(!row.isPinned)
    #expect(row.tags.isEmpty)
    #expect(row.facts == MediaFacts())
    #expect(row.revision == 1)
    #expect(try store.row(row.id) == row)
  }

  @Test(arguments: [
    "a" + String(repeating: "\u{301}", count: 30) + "bcd", "a \u{301}b",
    "a" + String(repeating: "\u{301}", count: 2_000) + "b", "\u{600} b",
  ])
  func `the preview of a text with any marks stays as it is saved`(text: String) async throws {
    let earlier = Samples.date - 60
    var draft = SnippetDraft(.text(text))
    draft.modifiedAt = earlier

    let row = try await store.save(draft)

    #expect(row.revision == 1)
    #expect(row.modifiedAt == earlier)
    #expect(text.unicodeScalars.starts(with: row.preview.unicodeScalars))
    #expect(try store.row(row.id) == row)
    let other = try await store.save(SnippetDraft(.text("other")))
    let edited = try await store.apply(SnippetEdit(text: text), to: other.id)
    #expect(edited.preview == row.preview)
  }

  @Test func `what a draft gives is taken`() async throws {
    let uuid = UUID()

    let row = try await store.save(
      SnippetDraft(
        .text("body"),
        title: "  A\n title ",
        tags: ["b", " a ", "B", "e\u{301}t\u{E9}"],
        isPinned: true,
        createdAt: Samples.date - 1.5,
        uuid: uuid
      )
    )

    #expect(row.title == "A title")
    #expect(row.tags == ["a", "b", "\u{E9}t\u{E9}"])
    #expect(row.isPinned)
    #expect(row.createdAt == Samples.date - 1.5)
    #expect(row.uuid == uuid)
  }

  @Test func `the media type that a draft gives is taken`() async throws {
    let text = try await store.save(SnippetDraft(.text("# Milk"), mediaType: "text/markdown"))
    let bytes = try await store.save(
      SnippetDraft(.bytes(Data("# Eggs".utf8)), mediaType: "text/markdown")
    )

    #expect(text.mediaType == "text/markdown")
    #expect(bytes.mediaType == "text/markdown")
  }

  @Test func `a new identity sorts by the date of the snippet`() async throws {
    let later = try await store.save(SnippetDraft(.text("later"), createdAt: Samples.date))
    let earlier = try await store.save(SnippetDraft(.text("earlier"), createdAt: Samples.date - 1))

    #expect(earlier.uuid.uuidString < later.uuid.uuidString)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_048_577])
  func `a text of any size is kept byte for byte`(_ byteCount: Int) async throws {
    let text = String(repeating: "Snippet\n", count: byteCount / 8 + 1).prefix(byteCount)

    let row = try await store.save(SnippetDraft(.text(String(text))))

    #expect(row.byteCount == Int64(byteCount))
    #expect((row.blobID == nil) == (byteCount <= 65_536))
    #expect(try await store.content(of: row.id) == Data(text.utf8))
    #expect(try await store.text(of: row.id) == text)
  }

  @Test func `a text in another encoding is kept byte for byte and read as text`() async throws {
    for sample in EncodedText.all {
      let row = try await store.save(SnippetDraft(.bytes(sample.bytes)))

      #expect(row.kind == .text, "\(sample.testDescription)")
      #expect(row.title == sample.title, "\(sample.testDescription)")
      #expect(try await store.content(of: row.id) == sample.bytes, "\(sample.testDescription)")
      #expect(try await store.text(of: row.id) == sample.text, "\(sample.testDescription)")
    }
  }

  @Test func `a text with NUL is kept byte for byte`() async throws {
    let row = try await store.save(SnippetDraft(.text("before\0after")))

    #expect(row.title == "before after")
    #expect(row.byteCount == 12)
    #expect(try await store.content(of: row.id) == Data("before\0after".utf8))
    #expect(try await store.text(of: row.id) == "before\0after")
  }

  @Test func `a preview goes on behind a NUL`() async throws {
    let row = try await store.save(SnippetDraft(.text("before\0after")))

    #expect(row.preview == "before after")
  }

  @Test func `a tag stays one tag whatever is in it`() async throws {
    let row = try await store.save(SnippetDraft(.text("a"), tags: ["one\u{1F}tag", "a\0b"]))

    #expect(row.tags == ["a b", "one\u{1F}tag"])
  }

  @Test(arguments: ["text", "/plain", "text/", "", "text/a\nb", "a/b\0"])
  func `a media type without its two parts is refused`(_ mediaType: String) async throws {
    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.save(SnippetDraft(.text("a"), mediaType: mediaType))
    }

    #expect(error?.code == .invalidInput)
    #expect(try store.list().count == 0)
  }

  @Test func `a body that somebody else wrote is read as it is`() async throws {
    let row = try await store.save(SnippetDraft(.text("short")))

    let output = try await Shell.sqlite3(
      TemporaryDirectory.file("store.sqlite"),
      "UPDATE snippet_text SET body = 'needle' || CAST(x'FFC3' AS TEXT)"
    )

    #expect(output == Shell.Output(standardOutput: ""))
    #expect(try await store.content(of: row.id) == Data("needle".utf8) + [0xFF, 0xC3])
    #expect(try await store.text(of: row.id) == "needle\u{FFFD}\u{FFFD}")
    #expect(try await store.foundIDs("needle") == [row.id])
  }

  @Test(.seeded) func `whatever bytes are taken are given back`() async throws {
    var random = SeededGenerator()
    let parts: [[UInt8]] = [
      Array("plain ".utf8), Array("日本".utf8), Array("é".utf8), [0x0A], [0xC0, 0x80], [0xED, 0xA0],
      [0xF4, 0x90], [0x82, 0xA0], [0xFF, 0xFE], [0xEF, 0xBB, 0xBF], [0x00], [0x1B, 0x24, 0x42],
    ]

    for _ in 0..<300 {
      let bytes = Data((0..<random.below(12)).flatMap { _ in random.element(of: parts) })
      do {
        let row = try await store.save(SnippetDraft(.bytes(bytes)))
        #expect(try await store.content(of: row.id) == bytes, "\(bytes as NSData)")
        #expect(row.byteCount == Int64(bytes.count))
      } catch {
        #expect(error.code == .unsupportedContent, "\(bytes as NSData)")
      }
    }
  }

  @Test(arguments: ["👨‍👩‍👧‍👦", "e" + String(repeating: "\u{301}", count: 20), "👨‍👩‍👧‍👦 "])
  func `a store takes the preview and the title of any text`(character: String) async throws {
    let text = String(repeating: character, count: 300)

    let row = try await TemporaryStore.open().save(SnippetDraft(.text(text)))

    #expect(row.preview.unicodeScalars.count < 1000 && !row.preview.isEmpty)
    #expect(row.title.unicodeScalars.count <= 1000 && !row.title.isEmpty)
  }
}

/// A text in an encoding that cannot be kept as text.
struct EncodedText: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var bytes: Data
  var text: String
  var title: String

  static let all = [
    EncodedText(
      "UTF-8 with BOM",
      Data([0xEF, 0xBB, 0xBF] + Array("Grüße".utf8)),
      "Grüße",
      "Grüße"
    ),
    EncodedText(
      "UTF-16 LE",
      Data([0xFF, 0xFE]) + Data("Grüße 牛乳".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
      "Grüße 牛乳",
      "Grüße 牛乳"
    ),
    EncodedText(
      "Shift_JIS",
      Data(
        Array(repeating: [0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x82, 0xC5, 0x82, 0xB7], count: 9)
          .joined()
      ),
      String(repeating: "テストです", count: 9),
      String(repeating: "テストです", count: 9)
    ),
  ]

  private init(_ name: String, _ bytes: Data, _ text: String, _ title: String) {
    (testDescription, self.bytes, self.text, self.title) = (name, bytes, text, title)
  }
}
