import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// The notes of images and voice: kept, found, changed, and no content of a text.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct NoteTests {
  private let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  private func save(_ note: String? = "The beach\nat noon") async throws -> SnippetRow {
    try await store.save(
      SnippetDraft(.bytes(Samples.png), title: "Photo", note: note)
    )
  }

  private func code(of seen: SnippetRow, _ edit: SnippetEdit) async -> SnippetStoreError.Code? {
    await errorCode { try await store.apply(edit, to: seen) }
  }

  @Test func `a note is kept beside the bytes, and its beginning in the row`() async throws {
    let row = try await save(" \n The beach\nat\0 noon \n")

    #expect(row.preview == "The beach at noon")
    #expect(row.revision == 1)
    #expect(row.byteCount == Int64(Samples.png.count))
    #expect(try await store.note(of: row.id) == "The beach\nat noon")
    #expect(try await store.content(of: row.id) == Samples.png)
    #expect(try await store.check().isSound)
  }

  @Test func `a text has no note, and takes none`() async throws {
    let text = try await store.save(SnippetDraft(.text("The beach")))

    #expect(try await store.note(of: text.id) == "")
    #expect(await code(of: text, SnippetEdit(note: "")) == .invalidInput)
    let draft = SnippetDraft(.text("Words"), note: "Others")
    #expect(await errorCode { try await store.save(draft) } == .invalidInput)
    #expect(await errorCode { try await store.note(of: SnippetID(rawValue: 9)) } == .notFound)
  }

  @Test func `a note of more than 64 KiB is refused`() async throws {
    let row = try await save(String(repeating: "é", count: 32_768))
    #expect(try await store.note(of: row.id).utf8.count == 65_536)

    let tooLong = String(repeating: "é", count: 32_769)
    #expect(await code(of: row, SnippetEdit(note: tooLong)) == .invalidInput)
    #expect(await errorCode { _ = try await save(tooLong) } == .invalidInput)
  }

  @Test func `a note is found by its words, and an excerpt shows where`() async throws {
    let row = try await save(String(repeating: "sand ", count: 100) + "lighthouse")

    for isIndexed in [false, true] {
      if isIndexed { try await store.updateSearchIndex() }
      let results = try await store.search("in:text lighthouse")
      #expect(try results.rows(in: 0..<2).map(\.id) == [row.id])
      let excerpt = try #require(try await results.excerpt(of: row.id))
      #expect(excerpt.text.contains("sand lighthouse"))
    }
  }

  @Test func `a changed note is found, and the former one no longer`() async throws {
    let row = try await save()
    try await store.updateSearchIndex()

    let changed = try await store.apply(SnippetEdit(note: "A lighthouse"), to: row.id)

    #expect(changed.preview == "A lighthouse")
    #expect(try await store.foundIDs("lighthouse") == [row.id])
    #expect(try await store.foundIDs("beach").isEmpty)
    let removed = try await store.apply(SnippetEdit(note: " "), to: row.id)
    #expect(removed.preview == "")
    #expect(try await store.note(of: row.id) == "")
    #expect(try await store.foundIDs("lighthouse").isEmpty)
    #expect(try await store.check().isSound)
  }

  @Test func `the inverse brings a note back, also one that was removed`() async throws {
    let seen = try await save()

    let changed = try await store.apply(SnippetEdit(note: "Other"), to: seen)
    #expect(changed.inverse == SnippetEdit(note: "The beach\nat noon"))
    let back = try await store.apply(changed.inverse, to: changed.row)
    #expect(try await store.note(of: seen.id) == "The beach\nat noon")
    let removed = try await store.apply(SnippetEdit(note: ""), to: back.row)
    #expect(removed.inverse == SnippetEdit(note: "The beach\nat noon"))
    let same = try await store.apply(SnippetEdit(note: ""), to: removed.row)
    #expect(same.inverse == SnippetEdit())
  }

  @Test func `a note that others have changed is not written over`() async throws {
    let seen = try await save()
    try await store.apply(SnippetEdit(title: "Sea"), to: seen.id)
    #expect(await code(of: seen, SnippetEdit(note: "Mine")) == nil)

    #expect(await code(of: seen, SnippetEdit(note: "Yours")) == .conflict)
    #expect(await code(of: seen, SnippetEdit(note: "Mine")) == nil)
    #expect(await code(of: seen, SnippetEdit(title: "Photo")) == .conflict)
    #expect(await code(of: seen, SnippetEdit(isPinned: true)) == nil)
  }

  // The row tells no more of it than its beginning.
  @Test func `a long note that may have been changed behind its preview is not written over`()
    async throws
  {
    let seen = try await save(String(repeating: "word ", count: 200))
    try await store.apply(SnippetEdit(isPinned: true), to: seen.id)

    #expect(await code(of: seen, SnippetEdit(note: "Mine")) == .conflict)
    let now = try #require(try store.row(seen.id))
    #expect(await code(of: now, SnippetEdit(note: "Mine")) == nil)
  }

  @Test func `many notes are changed in one go`() async throws {
    let first = try await save()
    let second = try await save(nil)

    let outcomes = await store.applyEach([
      (SnippetEdit(note: "One"), first), (SnippetEdit(note: "Two"), second),
    ])

    #expect(try outcomes.map { try $0.get().row.preview } == ["One", "Two"])
    #expect(try outcomes.map { try $0.get().inverse.note } == ["The beach\nat noon", ""])
  }

  @Test func `a note makes no duplicate of a text`() async throws {
    _ = try await save("The same")

    let report = try await store.save(
      contentsOf: [SnippetDraft(.text("The same"))],
      skipsDuplicates: true
    )

    #expect(report.savedCount == 1)
  }

  @Test func `a purge leaves no trace of a former note`() async throws {
    let row = try await save("needle-in-a-note")
    try await store.apply(SnippetEdit(note: ""), to: row.id)

    _ = try await store.purge()

    let file = try Data(contentsOf: TemporaryDirectory.file("store.sqlite"))
    #expect(file.range(of: Data("needle".utf8)) == nil)
  }
}
