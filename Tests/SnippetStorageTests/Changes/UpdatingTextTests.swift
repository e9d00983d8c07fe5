import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// A short text is kept beside its row, a long one in a blob; an edit goes from any to any.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct UpdatingTextTests {
  private static let texts = [
    "", "hello", "Grüße\nund 牛乳", String(repeating: "x", count: 65_536),
    String(repeating: "x", count: 65_537), Samples.longText("a"), Samples.longText("é"),
    "a\u{0}b", "\u{FEFF}with a mark", "\u{FEFF}",
  ]

  @Test(arguments: texts.indices, texts.indices)
  func `a text becomes another one, wherever either is kept`(
    oldIndex: Int,
    newIndex: Int
  ) async throws {
    let (old, new) = (Self.texts[oldIndex], Self.texts[newIndex])
    let store = try TemporaryStore.inMemory()
    let row = try await store.save(SnippetDraft(.text(old), title: "title"))

    let changed = try await store.apply(SnippetEdit(text: new), to: row.id)

    let text = try await store.text(of: row.id)
    let content = try await store.content(of: row.id)
    // A byte order mark is kept with the bytes, and is no part of the text.
    let marked = new.unicodeScalars.first == "\u{FEFF}"
    #expect(text.unicodeScalars.elementsEqual(new.unicodeScalars.dropFirst(marked ? 1 : 0)))
    #expect(content == Data(new.utf8))
    #expect(changed.byteCount == Int64(new.utf8.count))
    #expect(changed.title == "title")
    #expect(changed.mediaType == "text/plain")
    let asDraft = try await store.save(SnippetDraft(.text(new), title: "title"))
    #expect(changed.preview == asDraft.preview)
    #expect((changed.blobID == nil) == (asDraft.blobID == nil))
    try await store.delete([asDraft.id])
    #expect(try await store.information().blobCount == (changed.blobID == nil ? 0 : 1))
  }

  @Test(arguments: texts.indices, texts.indices)
  func `a title that was made of a text follows it, wherever either is kept`(
    oldIndex: Int,
    newIndex: Int
  ) async throws {
    let store = try TemporaryStore.inMemory()
    let row = try await store.save(SnippetDraft(.text(Self.texts[oldIndex])))

    let outcome = try await store.apply(SnippetEdit(text: Self.texts[newIndex]), to: row)
    let back = try await store.apply(outcome.inverse, to: outcome.row)

    let asDraft = try await store.save(SnippetDraft(.text(Self.texts[newIndex])))
    #expect(outcome.row.title == asDraft.title)
    #expect(back.row.title == row.title)
  }

  @Test func `a title that an earlier version made of a rule follows the text too`() async throws {
    let store = try TemporaryStore.open()
    let text = "---\ntags: [a]\n---\nMilk"
    let new = try await store.save(SnippetDraft(.text(text)))
    let old = try await store.save(SnippetDraft(.text(text + " "), title: "---"))
    #expect(new.title == "Milk" && old.title == "---")

    let edit = SnippetEdit(text: "---\ntags: [a]\n---\nBread")
    #expect(try await store.apply(edit, to: new.id).title == "Bread")
    #expect(try await store.apply(edit, to: old.id).title == "Bread")
  }

  @Test func `an undo of a text leaves a title that another program gave since`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("Milk")))
    let outcome = try await store.apply(SnippetEdit(text: "Bread"), to: row)
    try await store.apply(SnippetEdit(title: "Shopping"), to: row.id)

    let back = try await store.apply(outcome.inverse, to: outcome.row)

    #expect(outcome.inverse == SnippetEdit(text: "Milk"))
    #expect(back.row.title == "Shopping" && back.row.preview == "Milk")
  }

  @Test func `a title that somebody gave stays, also where the edit gives one`() async throws {
    let store = try TemporaryStore.open()
    let given = try await store.save(SnippetDraft(.text("Milk\neggs"), title: "Shopping"))
    let made = try await store.save(SnippetDraft(.text("Milk\neggs")))
    let latin = Data("Gr\u{FC}\u{DF}e\naus K\u{F6}ln".unicodeScalars.map { UInt8($0.value) })
    let encoded = try await store.save(SnippetDraft(.bytes(latin), kind: .text))

    let edit = SnippetEdit(text: "Bread\nand wine")
    #expect(try await store.apply(edit, to: given.id).title == "Shopping")
    #expect(try await store.apply(edit, to: made.id).title == "Bread")
    #expect(try await store.apply(edit, to: encoded.id).title == "Bread")
    #expect(
      try await store.apply(SnippetEdit(title: "List", text: "x"), to: made.id).title == "List"
    )
    #expect(try await store.apply(SnippetEdit(text: "y"), to: made.id).title == "List")
  }

  @Test func `a text that stops being a blob frees it`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text(Samples.longText())))
    let blob = try #require(row.blobID)

    try await store.apply(SnippetEdit(text: "short"), to: row.id)

    #expect(await errorCode { try await store.content(of: blob) } == .notFound)
    #expect(try await store.information().blobByteCount == 0)
  }

  @Test func `a blob that another snippet uses stays`() async throws {
    let store = try TemporaryStore.open()
    let first = try await store.save(SnippetDraft(.text(Samples.longText("a"))))
    let second = try await store.save(SnippetDraft(.text(Samples.longText("a"))))
    #expect(first.blobID == second.blobID)

    try await store.apply(SnippetEdit(text: Samples.longText("b")), to: first.id)

    let text = try await store.text(of: second.id)
    #expect(text == Samples.longText("a"))
    #expect(try await store.information().blobCount == 2)
  }

  @Test func `a text becomes one that the store has already`() async throws {
    let store = try TemporaryStore.open()
    let first = try await store.save(SnippetDraft(.text(Samples.longText("a"))))
    let second = try await store.save(SnippetDraft(.text("short")))

    let changed = try await store.apply(
      SnippetEdit(text: Samples.longText("a")),
      to: second.id
    )

    #expect(changed.blobID == first.blobID)
    #expect(try await store.information().blobCount == 1)
  }

  @Test(arguments: [SnippetKind.image, .voice])
  func `an image or a recording takes no text`(kind: SnippetKind) async throws {
    let store = try TemporaryStore.open()
    var draft = Samples.image(Samples.bytes(10), title: "old")
    draft.kind = kind
    let row = try await store.save(draft)

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.apply(SnippetEdit(title: "new", text: "a text"), to: row.id)
    }

    #expect(error?.code == .invalidInput)
    #expect(
      error?.description == """
        Could not change snippet 1: it is of kind \(kind.name), not a text. Nothing was changed. \
        Change its title or tags, or save the text as a new snippet.
        """
    )
    #expect(try store.row(row.id) == row)
  }

  @Test func `an edited text in another encoding becomes UTF-8`() async throws {
    let store = try TemporaryStore.open()
    let letters = "Grüße aus dem schönen Köln, und viele Küsse".unicodeScalars
    let latin = Data(letters.map { UInt8($0.value) })
    let row = try await store.save(SnippetDraft(.bytes(latin), kind: .text))
    #expect(row.blobID != nil)

    let changed = try await store.apply(SnippetEdit(text: "Grüße"), to: row.id)

    let content = try await store.content(of: row.id)
    #expect(content == Data("Grüße".utf8))
    #expect(changed.blobID == nil)
    #expect(changed.mediaType == "text/plain")
  }
}
