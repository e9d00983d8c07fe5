import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// A search that cannot be done to its end says so, and goes on once it can.
///
/// What is found first is found by the index alone; what is inside words is looked for in the words
/// of each snippet, and a page of those is lost.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SearchFailureTests {
  private static let count = 300

  private let file = TemporaryDirectory.file("store.sqlite")

  init() async throws {
    let store = try SnippetStore(at: file)
    let filler = String(repeating: "some other words ", count: 30)
    try await store.save(
      contentsOf: (0..<Self.count).map { SnippetDraft(.text("word \($0) \(filler)")) }
    )
    try await store.updateSearchIndex()
    try await store.close()
  }

  @Test func `waiting for a search that fails ends with its error`() async throws {
    _ = try await LostPage(of: "search_index_content", in: file)
    let store = try SnippetStore(at: file)
    let results = try await store.search("word")

    #expect(await errorCode { try await results.finish() } == .damaged)
    #expect(!results.isComplete)
    #expect(results.failure?.code == .damaged)
    #expect(await errorCode { try await results.finish() } == .damaged)
    #expect(try results.count == 256)
    try await store.close()
  }

  @Test func `a search that finds nothing before it fails throws its error`() async throws {
    _ = try await LostPage(of: "search_index_content", in: file)
    let store = try SnippetStore(at: file)

    #expect(await errorCode { try await store.search("ord") } == .damaged)
    try await store.close()
  }

  @Test func `the next change looks at everything again`() async throws {
    let page = try await LostPage(of: "search_index_content", in: file)
    let store = try SnippetStore(at: file)
    let results = try await store.search("word")
    #expect(await errorCode { try await results.finish() } == .damaged)

    try await page.comeBack()
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    let observation = results.observeChanges { continuation.yield() }
    try await store.save(SnippetDraft(.text("one more word")))
    for await _ in changes where results.isComplete { break }

    try await results.finish()
    let (count, all) = (try results.count, Self.count + 1)
    #expect(count == all)
    let inside = try await store.foundIDs("ord").count
    #expect(inside == all)
    observation.cancel()
    try await store.close()
  }

  /// A search whose reader is held until the hold ends.
  private func heldSearch(in store: SnippetStore) async -> (results: SearchResults, hold: Hold) {
    let hold = await Hold { hold in
      try store.connections.read(.scans, to: "hold") { _ in hold() }
    }
    let results = SearchResults(
      SearchRun(SearchQuery("word"), filter: .all),
      filter: .all,
      ids: [],
      isComplete: false,
      connections: store.connections
    )
    results.start(observing: store.changeFeed)
    return (results, hold)
  }

  @Test func `who waits for a search stops with the task`() async throws {
    let store = try SnippetStore(at: file)
    let (results, hold) = await heldSearch(in: store)
    let waiting = Task { try await results.finish() }
    waiting.cancel()

    #expect(await errorCode { try await waiting.value } == .cancelled)
    #expect(results.failure == nil)
    try await hold.end()
    try await results.finish()
    try await store.close()
  }

  @Test func `a search that is cancelled says so`() async throws {
    let store = try SnippetStore(at: file)
    let results = try await store.search("word")
    results.cancel()

    // Unless it was done before.
    let code = await errorCode { try await results.finish() }
    let expected: SnippetStoreError.Code? = results.isComplete ? nil : .cancelled
    #expect(code == expected)
    try await store.close()
  }

  @Test func `a search that has failed keeps its reason when it is cancelled`() async throws {
    _ = try await LostPage(of: "search_index_content", in: file)
    let store = try SnippetStore(at: file)
    let results = try await store.search("word")
    #expect(await errorCode { try await results.finish() } == .damaged)

    results.cancel()

    #expect(results.failure?.code == .damaged)
    #expect(await errorCode { try await results.finish() } == .damaged)
    try await store.close()
  }

  @Test func `observers hear that a search is cancelled`() async throws {
    let store = try SnippetStore(at: file)
    let (results, hold) = await heldSearch(in: store)
    let codes = Lock<[SnippetStoreError.Code]>([])
    let observation = results.observeChanges { [weak results] in
      if let code = results?.failure?.code { codes.withLock { $0.append(code) } }
    }

    results.cancel()

    #expect(codes.withLock { $0 } == [.cancelled])
    observation.cancel()
    try await hold.end()
    try await store.close()
  }
}
