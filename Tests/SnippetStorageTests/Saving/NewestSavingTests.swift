import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Histories of the newest snippets: once each, and no more than a limit.
@Suite(.temporaryDirectory)
struct NewestSavingTests {
  let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  private static let contents: [SnippetContent] = [
    .text("A text"), .text(""), .text(String(repeating: "long ", count: 20_000)),
    .bytes(Samples.png), .bytes(Samples.wav(frameCount: 800)),
  ]

  private func draft(_ text: String, _ tags: String..., age: TimeInterval = 0) -> SnippetDraft {
    SnippetDraft(.text(text), tags: tags, createdAt: Date() - age)
  }

  private var titles: [String] {
    get throws { try store.list().rows(in: 0..<20).map(\.title) }
  }

  @Test(arguments: contents)
  func `equal content comes to the top, and keeps its title, tags and pin`(
    content: SnippetContent
  ) async throws {
    let known = SnippetDraft(
      content,
      title: "known",
      tags: ["x"],
      isPinned: true,
      createdAt: Samples.date
    )
    let first = try await store.save(known)
    try await store.save(draft("between", age: 60))

    let saved = try await store.saveNewest(SnippetDraft(content, title: "again"))

    #expect(!saved.isNew && saved.row.id == first.id && saved.trashed.isEmpty)
    #expect(saved.row.createdAt == saved.row.modifiedAt && saved.row.createdAt > first.createdAt)
    #expect(saved.row.tags == ["x"] && saved.row.isPinned)
    #expect(try titles == ["known", "between"])
    #expect(try await store.check().isSound)
  }

  @Test func `another content, one with other tags and one in the trash are no equals`()
    async throws
  {
    let trashed = try await store.save(draft("one", "clip"))
    try await store.moveToTrash([trashed.id])
    try await store.save(draft("one"))
    try await store.save(draft("two", "clip"))

    let saved = try await store.saveNewest(draft("one", "CLIP"))

    #expect(saved.isNew)
    #expect(try await !store.saveNewest(draft("one", "clip")).isNew)
    #expect(try await store.saveNewest(draft("one", "clip"), isOnce: false).isNew)
  }

  @Test func `the oldest beyond a limit go to the trash, but none that is pinned or not of it`()
    async throws
  {
    for age in 1...6 {
      try await store.save(draft("\(age)", "clip", age: TimeInterval(age) * 60))
    }
    try await store.apply(SnippetEdit(isPinned: true), to: SnippetID(rawValue: 5))
    try await store.save(draft("a note", age: 9999))

    let saved = try await store.saveNewest(draft("new", "clip"), keeping: 3)

    #expect(saved.trashed.map(\.rawValue) == [3, 4, 6])
    #expect(try titles == ["new", "1", "2", "5", "a note"])
    #expect(try store.list(.trash).count == 3)
    let again = try await store.saveNewest(draft("2", "clip"), keeping: 3)
    #expect(again.trashed.isEmpty && !again.isNew)
    #expect(try titles == ["2", "new", "1", "5", "a note"])
    #expect(try await store.saveNewest(draft("x"), keeping: 2).trashed.count == 3)
  }

  @Test func `a clock that is set back and put right again sends nothing new to the trash`()
    async throws
  {
    let clock = Lock(Samples.date)
    let store = try TemporaryStore.open { $0.now = { clock.withLock { $0 } } }
    func add(_ text: String) async throws -> [String] {
      clock.withLock { $0 += 600 }
      let saved = try await store.saveNewest(
        SnippetDraft(.text(text), tags: ["clip"]),
        keeping: 3
      )
      return try saved.trashed.map { try #require(try store.row($0)).title }
    }
    for text in ["1", "2", "3"] { #expect(try await add(text) == []) }

    clock.withLock { $0 -= 3 * 86_400 }
    #expect(try await add("4") == ["1"])
    #expect(try await add("5") == ["2"])
    #expect(try await add("4") == [])
    #expect(try await add("6") == ["3"])
    clock.withLock { $0 += 3 * 86_400 }
    #expect(try await add("7") == ["5"])

    #expect(try store.list().rows(in: 0..<9).map(\.title) == ["7", "6", "4"])
  }

  @Test func `a draft with a date of its own is as old as it says`() async throws {
    for age in 1...2 { try await store.save(draft("\(age)", age: TimeInterval(age) * 60)) }

    let saved = try await store.saveNewest(draft("old", age: 9999), keeping: 2)

    #expect(saved.trashed == [saved.row.id])
  }

  // One of two writers adds the text, and all later saves find it.
  @Test func `two writers of the same text make one snippet`() async throws {
    let other = try TemporaryStore.open()

    let saves = try await withThrowingTaskGroup(of: NewestSave.self) { group in
      for number in 0..<40 {
        let store = number % 2 == 0 ? store : other
        group.addTask {
          try await store.saveNewest(SnippetDraft(.text("same"), tags: ["clip"]), keeping: 1)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    #expect(saves.count { $0.isNew } == 1)
    #expect(Set(saves.map(\.row.id)).count == 1)
    #expect(try store.list().count == 1)
    #expect(try store.list(.trash).count == 0)
  }
}
