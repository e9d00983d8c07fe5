import SnipCore
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SnippetSearchTests {
  // The two begin in this order, since both do so on the main actor, where each goes on until it
  // waits.
  @MainActor
  @Test func `a new search ends the one before`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(contentsOf: (0..<50).map { SnippetDraft(.text("word \($0)")) })
    let search = SnippetSearch(store)

    let former = Task { try await search.results(for: "wor") }
    let latter = Task { try await search.results(for: "word") }

    #expect(await errorCode { try await former.value } == .cancelled)
    let results = try await latter.value
    try await results.finish()
    #expect(try results.count == 50)
  }
}
