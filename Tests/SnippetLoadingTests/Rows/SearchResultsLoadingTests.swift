import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct SearchResultsLoadingTests {
  @Test func `a loader shows search results and follows them`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(contentsOf: (0..<40).map { SnippetDraft(.text("word \($0)")) })
    let results = try await store.search("word")
    try await results.finish()
    let loader = SnippetLoader(list: results, store: store)
    let cell = RecordingCell()
    loader.show(visible: 0..<10)
    loader.bind(cell, to: 3)
    #expect(loader.count == 40)
    #expect(cell.row == (try results.row(at: 3)))

    let changed = AsyncStream<Void>.makeStream()
    loader.listChangeHandler = { _ in changed.continuation.yield() }
    try await store.save(SnippetDraft(.text("one more word")))
    for await _ in changed.stream where loader.count == 41 { break }

    #expect(loader.count == 41)
    #expect(loader.rowInMemory(at: 0)?.preview == "one more word")
    loader.close()
  }
}
