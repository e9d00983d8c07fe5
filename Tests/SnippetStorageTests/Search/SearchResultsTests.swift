import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SearchResultsTests {
  private let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  @Test func `results are reached by position like any list`() async throws {
    try await store.save(contentsOf: (0..<500).map { SnippetDraft(.text("word \($0)")) })
    let results = try await store.search("word")
    try await results.finish()

    let rows = try results.rows(in: 0..<results.count)
    #expect(try results.count == 500)
    #expect(try results.rows(in: 490..<600).map(\.id) == rows[490...].map(\.id))
    #expect(try results.row(at: 7)?.id == rows[7].id)
    #expect(try results.row(at: 500) == nil)
    #expect(try results.row(at: -1) == nil)
    #expect(try results.position(of: rows[123].id) == 123)
    #expect(try results.position(of: SnippetID(rawValue: 9_999)) == nil)
    let page = try results.page(10..<12)
    #expect(page.count == 500)
    #expect(page.start == 10)
    #expect(page.rows == Array(rows[10..<12]))
  }

  @Test func `results follow what is saved, changed and deleted`() async throws {
    let first = try await store.save(SnippetDraft(.text("word one")))
    let second = try await store.save(SnippetDraft(.text("other")))
    let results = try await store.search("word")
    try await results.finish()
    let changes = ChangeCounter(results)

    let third = try await store.save(SnippetDraft(.text("a third word")))
    await changes.until { (try? results.count) == 2 }
    #expect(try results.rows(in: 0..<2).map(\.id) == [third.id, first.id])

    try await store.apply(SnippetEdit(text: "now with the word"), to: second.id)
    await changes.until { (try? results.count) == 3 }
    #expect(try results.position(of: second.id) == 0)

    try await store.apply(SnippetEdit(title: "", text: "without it"), to: first.id)
    await changes.until { (try? results.count) == 2 }
    #expect(try results.position(of: first.id) == nil)

    try await store.delete([second.id, third.id])
    await changes.until { (try? results.count) == 0 }
  }

  @Test func `results of conditions and exclusion follow what is changed`() async throws {
    let first = try await store.save(SnippetDraft(.text("word one"), tags: ["a"]))
    let second = try await store.save(SnippetDraft(.text("word two")))
    let third = try await store.save(SnippetDraft(.text("other"), isPinned: true))
    let mixed = try await store.search("(is:pinned OR word) -tag:a -inside")
    let conditions = try await store.search("is:pinned OR size:<9 -tag:a")
    for results in [mixed, conditions] { try await results.finish() }
    let (mixedChanges, otherChanges) = (ChangeCounter(mixed), ChangeCounter(conditions))
    @Sendable func ids(_ results: SearchResults) -> Set<SnippetID>? {
      try? Set(results.rows(in: 0..<100).map(\.id))
    }
    #expect(ids(mixed) == [second.id, third.id])
    #expect(ids(conditions) == [second.id, third.id])

    try await store.apply(SnippetEdit(removedTags: ["a"]), to: first.id)
    await mixedChanges.until { ids(mixed) == [first.id, second.id, third.id] }
    await otherChanges.until { ids(conditions) == [first.id, second.id, third.id] }

    try await store.apply(SnippetEdit(text: "a word, xinsidex"), to: second.id)
    await mixedChanges.until { ids(mixed) == [first.id, third.id] }
    await otherChanges.until { ids(conditions) == [first.id, third.id] }

    try await store.apply(SnippetEdit(isPinned: false), to: third.id)
    await mixedChanges.until { ids(mixed) == [first.id] }
    #expect(ids(conditions)?.contains(first.id) == true)
  }

  @Test func `what is held is brought up to date by the rows that changed or came`() async throws {
    // Nothing but what is changed here is looked at again.
    let store = try TemporaryStore.open(configuration: .withoutLooks)
    try await store.save(contentsOf: (0..<60).map { SnippetDraft(.text("word \($0)")) })
    let results = try await store.search("word")
    try await results.finish()
    let changes = ChangeCounter(results)
    // What was found first is looked at once more, since others may have written meanwhile.
    try await results.finish()
    let held = try results.page(10..<30)

    try await store.save(SnippetDraft(.text("another word")))
    await changes.until { (try? results.count) == 61 }
    try await store.delete([held.rows[4].id])
    await changes.until { (try? results.count) == 60 }
    try await store.apply(SnippetEdit(title: "new"), to: held.rows[9].id)
    @Sendable func update() throws -> RowUpdate {
      try results.update(
        HeldRows(version: held.version, count: held.count, positions: 10..<30),
        at: 10..<30,
        anchoredAt: [RowPlace(id: held.rows[0].id, position: 10)]
      )
    }
    // The title can be read before the results hear of it.
    await changes.until { (try? update().batch).map { $0.isReset || !$0.updated.isEmpty } == true }
    let update = try update()

    #expect(update.anchor == RowMove(id: held.rows[0].id, from: 10, to: 11))
    #expect(update.positions == 11..<31)
    #expect(!update.batch.isReset)
    #expect(update.batch.removed.map(\.id) == [held.rows[4].id])
    #expect(update.batch.inserted.map(\.position) == [0])
    // The changed one, and the one that came into the range at its end.
    #expect(update.rows.keys.sorted() == [19, 30])
    #expect(update.rows[30] == (try results.row(at: 30)))
  }

  @Test func `commits that touch no result leave the history of the results alone`() async throws {
    let results = try await store.search("word")
    try await results.finish()
    let changes = ChangeCounter(results)
    let before = try results.page(0..<9)

    for number in 0..<100 { try await store.save(SnippetDraft(.text("other \(number)"))) }
    let row = try await store.save(SnippetDraft(.text("a word")))
    await changes.until { (try? results.count) == 1 }

    let batch = try #require(try results.changes(since: before.version))
    #expect(batch.inserted == [RowPlace(id: row.id, position: 0)])
    #expect(batch.version == before.version + 1)
  }

  // More records than are followed one by one have everything searched again.
  @Test(arguments: [ListDifference.maximumRecordCount, ListDifference.maximumRecordCount + 1])
  func `results follow a commit of very many snippets`(count: Int) async throws {
    let kept = try await store.save(SnippetDraft(.text("a word"), title: "word"))
    // Otherwise a search does it in the background, which changes the order.
    try await store.updateSearchIndex()
    let results = try await store.search("word")
    try await results.finish()
    let changes = ChangeCounter(results)

    try await store.connections.write(to: "insert many") { db in
      try db.execute(
        sql: """
          WITH RECURSIVE number (value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM number)
          INSERT INTO snippet (kind, title) SELECT 1, 'word' FROM number LIMIT ?
          """,
        arguments: [count]
      )
    }
    await changes.until { (try? results.count) == count + 1 }
    #expect(try results.position(of: kept.id) == count)

    try await store.delete([kept.id])
    await changes.until { (try? results.count) == count }
  }

  @Test func `results follow what the shell writes`() async throws {
    let row = try await store.save(SnippetDraft(.text("other")))
    let results = try await store.search("word")
    let changes = ChangeCounter(results)
    #expect(try results.count == 0)

    _ = try await Shell.sqlite3(
      TemporaryDirectory.file("store.sqlite"),
      // The search has the index brought up to date meanwhile, and the shell waits for nobody.
      "PRAGMA busy_timeout = 10000; "
        + "UPDATE snippet_text SET body = 'the word' WHERE snippet_id = \(row.id.rawValue)"
    )

    await changes.until { (try? results.count) == 1 }
    #expect(try results.row(at: 0)?.id == row.id)
  }

  @Test func `a row that is gone is left out before word of it has come`() async throws {
    try await store.save(contentsOf: (0..<5).map { SnippetDraft(.text("word \($0)")) })
    let results = try await store.search("word")
    try await results.finish()
    results.cancel()
    let rows = try results.rows(in: 0..<5)

    try await store.delete([rows[1].id, rows[2].id])

    #expect(try results.rows(in: 0..<5).map(\.id) == [0, 3, 4].map { rows[$0].id })
    #expect(try results.count == 3)
  }

  @Test func `an excerpt shows the first term among its neighbours`() async throws {
    let filler = String(repeating: "lorem ipsum ", count: 100)
    let row = try await store.save(
      SnippetDraft(.text("\(filler)the Pôtato  soup\n\(filler)"), title: "")
    )
    let results = try await store.search("potato soup")

    let excerpt = try #require(try await results.excerpt(of: row.id, length: 60))

    #expect(excerpt.text.contains("the Pôtato soup  lorem"))
    #expect(excerpt.text.hasPrefix("… "))
    #expect(excerpt.text.hasSuffix(" …"))
    #expect(excerpt.matches.map { String(excerpt.text[$0]) } == ["Pôtato", "soup"])
  }

  @Test func `an excerpt of a picture is none`() async throws {
    let row = try await store.save(SnippetDraft(.bytes(Samples.png), title: "word"))
    let results = try await store.search("word")

    #expect(try await results.excerpt(of: row.id) == nil)
    #expect(try await results.excerpt(of: SnippetID(rawValue: 99)) == nil)
  }

  @Test(
    arguments: [
      ("Grüße aus Köln", "gruss koln", ["Grüß", "Köln"]),
      ("ｶﾞｲﾄﾞブック", "ガイド", ["ｶﾞｲﾄﾞ"]),
      ("東京タワー", "京タ", ["京タ"]),
      ("foo - bar", "foo-bar", ["foo - bar"]),
      ("say \"milk and eggs\"", "\"milk and\"", ["milk and"]),
      ("cafe\u{301} cafe", "café", ["cafe\u{301}", "cafe"]),
      ("nothing", "word", []),
      ("soup with leek", "soup -leek", ["soup"]),
      ("soup with leek", "(soup OR stew) tag:with -(leek -with)", ["soup", "with"]),
    ]
  )
  func `the places of terms are told in the characters of the text`(
    _ text: String,
    _ query: String,
    _ places: [String]
  ) {
    #expect(SearchQuery(query).matches(in: text).map { String(text[$0]) } == places)
  }

  @Test func `places are found in a time that grows with the text`() {
    for (text, query) in [("ab ", "ab"), ("漢", "漢"), ("ab ", "b ab"), ("aaaa ", "aaab")] {
      let count = 200_000
      let matches = SearchQuery("\"\(query)\"").matches(in: String(repeating: text, count: count))
      #expect(query == "aaab" ? matches.isEmpty : !matches.isEmpty, "\(query)")
      if query == text.trimmingCharacters(in: .whitespaces) { #expect(matches.count == count) }
    }
  }

  @Test func `results without a query are none and complete`() async throws {
    let results = try await store.search(" ")

    #expect(results.isComplete)
    #expect(try results.count == 0)
    try await results.finish()
  }
}

/// Waits for changes of results.
private final class ChangeCounter: Sendable {
  private let waiting = Lock<[CheckedContinuation<Void, Never>]>([])
  private let count = Lock(0)
  private let observation = Lock<ChangeObservation?>(nil)

  init(_ results: SearchResults) {
    let observed = results.observeChanges { [weak self] in self?.note() }
    observation.withLock { $0 = observed }
  }

  /// Waits until something holds, which only a change can make true.
  func until(_ condition: @Sendable () -> Bool) async {
    while true {
      let seen = count.withLock { $0 }
      if condition() { return }
      await withCheckedContinuation { continuation in
        let isNew = waiting.withLock { waiting in
          if count.withLock({ $0 }) != seen { return true }
          waiting.append(continuation)
          return false
        }
        if isNew { continuation.resume() }
      }
    }
  }

  private func note() {
    let ready = waiting.withLock { waiting in
      count.withLock { $0 += 1 }
      defer { waiting = [] }
      return waiting
    }
    for continuation in ready { continuation.resume() }
  }
}
