import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct UpdatingTests {
  /// When everything in these tests happens.
  private static let now = Date(timeIntervalSince1970: 1_800_000_000.123)

  @Test func `an update returns the new row and changes nothing else`() async throws {
    let store = try TemporaryStore.open { $0.now = { Self.now } }
    let image = Samples.image(Samples.bytes(10), title: "old", tags: ["a"], createdAt: Samples.date)
    let before = try await store.save(image)

    let after = try await store.apply(SnippetEdit(title: "new"), to: before.id)

    #expect(after.title == "new")
    #expect(after.modifiedAt == Self.now)
    #expect(after.revision > before.revision)
    #expect(after.createdAt == Samples.date)
    #expect(after.uuid == before.uuid)
    #expect(after.tags == before.tags)
    #expect(after.blobID == before.blobID)
    #expect(after.mediaType == before.mediaType)
    #expect(after.byteCount == before.byteCount)
    #expect(try store.row(before.id) == after)
  }

  @Test func `all changes are made together`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("old"), title: "old", tags: ["a", "b"]))

    let changed = try await store.apply(
      SnippetEdit(
        title: "new",
        text: "new text",
        isPinned: true,
        addedTags: ["c"],
        removedTags: ["a"]
      ),
      to: row.id
    )

    #expect(changed.title == "new")
    #expect(changed.preview == "new text")
    #expect(changed.isPinned)
    #expect(changed.tags == ["b", "c"])
  }

  @Test func `a snippet that is not there is not found`() async throws {
    let store = try TemporaryStore.open()

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.apply(SnippetEdit(title: "new"), to: SnippetID(rawValue: 7))
    }

    #expect(error?.code == .notFound)
    #expect(
      error?.description == """
        Could not change snippet 7: there is no snippet 7. It was \
        deleted, or there never was one.
        """
    )
  }

  @Test func `several snippets are changed alike, each once, in one transaction`() async throws {
    let store = try TemporaryStore.open { $0.now = { Self.now } }
    let rows = [
      try await store.save(SnippetDraft(.text("one"), tags: ["a"])),
      try await store.save(Samples.image(Samples.bytes(10), title: "two")),
    ]
    let ids = rows.map(\.id)

    let changed = try await store.apply(
      SnippetEdit(isPinned: true, addedTags: ["b"], removedTags: ["a"]),
      to: [ids[1], ids[0], ids[1]]
    )

    #expect(changed.map(\.id) == [ids[1], ids[0]])
    #expect(changed.allSatisfy { $0.isPinned && $0.tags == ["b"] && $0.modifiedAt == Self.now })
    #expect(try ids.map { try store.row($0) } == [changed[1], changed[0]])
    #expect(try await store.apply(SnippetEdit(title: "x"), to: []).isEmpty)
  }

  @Test(arguments: [false, true])
  func `where one of several cannot be changed, none is`(isInTrash: Bool) async throws {
    let store = try TemporaryStore.open()
    let kept = try await store.save(SnippetDraft(.text("kept")))
    let other = try await store.save(SnippetDraft(.text("other")))
    if isInTrash {
      try await store.moveToTrash([other.id])
    } else {
      try await store.delete([other.id])
    }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.apply(SnippetEdit(title: "new"), to: [kept.id, other.id])
    }

    #expect(error?.code == (isInTrash ? .inTrash : .notFound))
    #expect(error?.operation == "change snippet \(other.id)")
    #expect(try store.row(kept.id) == kept)
  }

  @Test func `a long text becomes that of each of several, in one blob`() async throws {
    let store = try TemporaryStore.open()
    let ids = [
      try await store.save(SnippetDraft(.text("one"))).id,
      try await store.save(SnippetDraft(.text("two"))).id,
    ]
    let text = Samples.longText()

    let rows = try await store.apply(SnippetEdit(text: text), to: ids)

    #expect(rows[0].blobID != nil && rows[0].blobID == rows[1].blobID)
    for id in ids { #expect(try await store.text(of: id) == text) }
  }

  @Test func `pins come and go`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("hello")))

    let pinned = try await store.apply(SnippetEdit(isPinned: true), to: row.id)
    let kept = try await store.apply(SnippetEdit(title: "other"), to: row.id)
    let unpinned = try await store.apply(SnippetEdit(isPinned: false), to: row.id)

    #expect([row, pinned, kept, unpinned].map(\.isPinned) == [false, true, true, false])
  }

  @Test(arguments: [
    ("", ""), (" \t a \n\r\n b\u{2029}c\u{A0}", "a b c"), ("\u{0}a\u{0}b", "a b"),
    ("👩‍👩‍👧", "👩‍👩‍👧"), (String(repeating: "é", count: 1000), String(repeating: "é", count: 1000)),
  ])
  func `a title is folded to one line`(title: String, folded: String) async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("hello"), title: "old"))

    let changed = try await store.apply(SnippetEdit(title: title), to: row.id)

    #expect(changed.title == folded)
  }

  @Test func `a title that is too long is refused, and nothing is changed`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("hello")))

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.apply(
        SnippetEdit(title: String(repeating: "a", count: 1001), isPinned: true),
        to: row.id
      )
    }

    #expect(error?.code == .invalidInput)
    #expect(
      error?.description == """
        Could not change snippet 1: the title is longer than 1,000 characters. Give a shorter one.
        """
    )
    #expect(try store.row(row.id) == row)
  }

  @Test(
    arguments: [
      (1e15, 253_402_300_799_999), (-1e15, -62_135_596_800_000), (.infinity, 0), (.nan, 0),
      (-0.0006, -1),
    ] as [(Double, Int)]
  )
  func `a clock that is out of its mind is held within the calendar`(
    seconds: Double,
    milliseconds: Int
  ) async throws {
    let store = try TemporaryStore.open { $0.now = { Date(timeIntervalSince1970: seconds) } }

    let saved = try await store.save(SnippetDraft(.text("hello")))
    let changed = try await store.apply(SnippetEdit(title: "other"), to: saved.id)

    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    #expect(saved.createdAt == date)
    #expect(changed.modifiedAt == date)
  }

  @Test func `every update raises the revision`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("hello")))
    let changes = [
      SnippetEdit(), SnippetEdit(title: "a"), SnippetEdit(title: "a"),
      SnippetEdit(text: "b"), SnippetEdit(text: Samples.longText()),
      SnippetEdit(addedTags: ["c"]), SnippetEdit(removedTags: ["c"]),
    ]

    var revisions = [row.revision]
    for change in changes {
      revisions.append(try await store.apply(change, to: row.id).revision)
    }

    #expect(Set(revisions).count == revisions.count)
    #expect(revisions == revisions.sorted())
  }
}
