import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct TagRulesTests {
  private static let longest = String(repeating: "x", count: 100)

  @Test(arguments: [
    (["b", "a"], ["a", "b"]), ([" a\t b\n"], ["a b"]), (["cafe\u{301}"], ["café"]),
    (["a", "A", "a "], ["a"]), (["É", "é"], ["É", "é"]), (["ﬁ", "fi"], ["fi", "ﬁ"]),
    (["🇩🇪", "👩‍👩‍👧"], ["🇩🇪", "👩‍👩‍👧"]), ([longest], [longest]), (["a\u{0}b"], ["a b"]), ([], []),
  ])
  func `tags are trimmed, composed and given once`(given: [String], kept: [String]) async throws {
    let store = try TemporaryStore.open()

    let saved = try await store.save(SnippetDraft(.text("hello"), tags: given))
    let bare = try await store.save(SnippetDraft(.text("hello")))
    let changed = try await store.apply(SnippetEdit(addedTags: given), to: bare.id)

    // Swift takes texts of either composition for equal; their bytes are not.
    let bytes = kept.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(saved.tags.map { Array($0.utf8) } == bytes)
    #expect(changed.tags.map { Array($0.utf8) } == bytes)
  }

  @Test(arguments: ["", "  \n", "a,b", ",", ",\u{301}", "\u{0}", longest + "x"])
  func `what is no tag is refused, and nothing is changed`(tag: String) async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("hello"), tags: ["a"]))

    for changes in [
      SnippetEdit(title: "new", addedTags: ["good", tag]),
      SnippetEdit(title: "new", removedTags: ["a", tag]),
    ] {
      let error = await #expect(throws: SnippetStoreError.self) {
        try await store.apply(changes, to: row.id)
      }
      #expect(error?.code == .invalidInput)
      #expect(
        error?.description == """
          Could not change snippet 1: “\(tag)” is not a tag. Give a tag of 1 to 100 characters \
          without a comma.
          """
      )
    }
    #expect(try store.row(row.id) == row)
  }

  @Test func `a tag keeps the spelling that it was given first`() async throws {
    let store = try TemporaryStore.open()
    _ = try await store.save(SnippetDraft(.text("a"), tags: ["Home"]))

    let row = try await store.save(SnippetDraft(.text("b"), tags: ["HOME"]))

    #expect(row.tags == ["Home"])
    #expect(try await store.information().tagCount == 1)
  }

  @Test func `a tag is taken off in any spelling`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("a"), tags: ["Café", "b", "c"]))

    let changed = try await store.apply(
      SnippetEdit(removedTags: [" cAFe\u{301}", "B", "unknown"]),
      to: row.id
    )

    #expect(changed.tags == ["c"])
  }

  @Test func `a tag that is put on again stays, one that is taken off and put on too`() async throws
  {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("a"), tags: ["a", "b"]))

    let changed = try await store.apply(
      SnippetEdit(addedTags: ["a", "b"], removedTags: ["b"]),
      to: row.id
    )

    #expect(changed.tags == ["a", "b"])
  }

  @Test(arguments: [
    SnippetEdit(removedTags: ["Recipe"]),
    SnippetEdit(addedTags: ["RECIPE"]),
    SnippetEdit(addedTags: ["Apple", "zest", "b"]),
    SnippetEdit(addedTags: ["Recipe"], removedTags: ["recipe"]),
    SnippetEdit(removedTags: ["ÉTÉ", "soup"]),
  ])
  func `an edit is expected to leave the tags that the store leaves`(
    edit: SnippetEdit
  ) async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("a"), tags: ["recipe", "Soup", "été"]))

    let changed = try await store.apply(edit, to: row.id)

    #expect(row.edited(by: edit).tags == changed.tags)
  }

  @Test func `a tag that nothing carries is gone`() async throws {
    let store = try TemporaryStore.open()
    let first = try await store.save(SnippetDraft(.text("a"), tags: ["shared", "own"]))
    let second = try await store.save(SnippetDraft(.text("b"), tags: ["shared"]))
    #expect(try await store.information().tagCount == 2)

    try await store.apply(SnippetEdit(removedTags: ["shared", "own"]), to: first.id)
    #expect(try await store.information().tagCount == 1)

    try await store.delete([second.id])
    #expect(try await store.information().tagCount == 0)
  }
}
