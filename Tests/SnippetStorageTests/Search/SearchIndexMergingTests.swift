import GRDB
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// How many segments of the index FTS5 merges.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SearchIndexMergingTests {
  private let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  private func mergedCount() throws -> Int64? {
    try store.connections.read(.scans, to: "read a setting") { db in
      try db.number("SELECT v FROM search_index_config WHERE k = 'automerge'")
    }
  }

  @Test func `eight segments are merged into one`() async throws {
    try await store.updateSearchIndex()

    #expect(try mergedCount() == 8)
  }

  @Test func `an index with another setting is taken over`() async throws {
    try await store.updateSearchIndex()
    try await store.connections.write(to: "change a setting") { db in
      try db.execute(
        sql: "INSERT INTO search_index (search_index, rank) VALUES ('automerge', 2)"
      )
    }

    try await store.updateSearchIndex()

    #expect(try mergedCount() == 8)
  }
}
