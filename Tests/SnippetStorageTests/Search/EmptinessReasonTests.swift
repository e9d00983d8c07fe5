import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Why a list or a search is empty.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct EmptinessReasonTests {
  private let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  @Test(arguments: [false, true])
  func `a store without snippets is the first reason`(isInTrash: Bool) async throws {
    let filter = SnippetFilter(tags: ["home"], isInTrash: isInTrash)

    #expect(try await store.emptinessReason(for: "milk", in: filter) == .storeIsEmpty)
  }

  @Test func `the trash may be empty, or hold everything`() async throws {
    let ids = [try await save("Milk"), try await save("Tea")]

    let trash = SnippetFilter(isInTrash: true)
    #expect(try await store.emptinessReason(for: "milk", in: trash) == .trashIsEmpty)
    try await store.moveToTrash(ids)
    #expect(try await store.emptinessReason(for: "milk") == .allInTrash(2))
  }

  @Test(arguments: [
    ("kitchn", "kitchen"), ("cafe", "Café"), ("kit", "kitchen"), ("kitchen table", "kitchen"),
    ("zebra", nil), ("!", nil),
  ])
  func `a tag that is not there is named with the most similar one`(
    tag: String,
    nearest: String?
  ) async throws {
    try await save("Milk", tags: ["kitchen", "Café"])

    let reason = try await store.emptinessReason(in: SnippetFilter(tags: [tag], isPinned: true))

    #expect(reason == .noSuchTag(tag, nearest: nearest))
  }

  @Test(arguments: [
    (SnippetFilter(kinds: [.voice]), "milk"), (SnippetFilter(isPinned: true), "milk"),
    (SnippetFilter(createdAt: Date.distantPast..<Samples.date), "milk"),
    (SnippetFilter.all, "milk size:>1gb"),
  ])
  func `a condition that nothing meets is named`(
    filter: SnippetFilter,
    query: String
  ) async throws {
    try await save("Milk")

    let reason = try await store.emptinessReason(for: SearchQuery(query), in: filter)

    guard case .nothingMeets(let condition) = reason else {
      Issue.record("\(reason)")
      return
    }
    let alone = try #require(SnippetFilter.all.narrowed(by: condition))
    let opposite = try #require(SnippetFilter.all.narrowed(by: !condition))
    #expect(try store.list(alone).count == 0)
    #expect(try store.list(opposite).count == 1)
  }

  @Test func `conditions that are met apart and not together are said to be that`() async throws {
    try await save("Milk", tags: ["home"])
    try await save("Tea", isPinned: true)

    let filter = SnippetFilter(tags: ["home"], isPinned: true)
    #expect(try await store.emptinessReason(in: filter) == .nothingMeetsAll)
    #expect(try await store.emptinessReason(for: "milk", in: filter) == .nothingMeetsAll)
  }

  @Test func `a word may be a tag, or may not be found`() async throws {
    try await save("Milk", tags: ["Home"])

    #expect(try await store.emptinessReason(for: "tea #home") == .wordIsTag("Home"))
    #expect(try await store.emptinessReason(for: "tea #work") == .wordsNotFound(longTextCount: 0))
  }

  @Test func `texts of which only a part was searched are counted`() async throws {
    try await save("Milk")
    try await save(String(repeating: "many words ", count: 400_000))

    #expect(try await store.emptinessReason(for: "tea") == .wordsNotFound(longTextCount: 1))
  }

  @discardableResult
  private func save(
    _ text: String,
    tags: [String] = [],
    isPinned: Bool = false
  ) async throws -> SnippetID {
    let draft = SnippetDraft(.text(text), tags: tags, isPinned: isPinned, createdAt: Date())
    return try await store.save(draft).id
  }
}
