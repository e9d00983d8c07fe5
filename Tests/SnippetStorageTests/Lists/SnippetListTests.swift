import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SnippetListTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `a list sees what another store commits at its next call`() async throws {
    let (store, other) = (try TemporaryStore.open(), try TemporaryStore.open())
    let list = store.list()
    #expect(try list.count == 0)

    let row = try await other.save(SnippetDraft(.text("hello"), createdAt: Samples.date))
    #expect(try list.rows(in: 0..<9) == [row])
    #expect(try list.position(of: row.id) == 0)

    let changed = try await other.apply(SnippetEdit(title: "other"), to: row.id)
    #expect(try list.row(at: 0) == changed)

    try await other.delete([row.id])
    #expect(try list.position(of: row.id) == nil)
    #expect(try list.rows(in: 0..<9) == [])
  }

  @Test func `a list sees what the shell commits at its next call`() async throws {
    let store = try TemporaryStore.open()
    let list = store.list(order: .byTitle)
    #expect(try list.count == 0)

    _ = try await Shell.sqlite3(
      file,
      """
      INSERT INTO snippet (kind, title) VALUES (1, 'b'), (1, 'a');
      INSERT INTO snippet_text VALUES (1, 'the body');
      """
    )
    #expect(try list.rows(in: 0..<9).map(\.title) == ["a", "b"])
    #expect(try list.rows(in: 0..<9).map(\.preview) == ["", "the body"])

    _ = try await Shell.sqlite3(file, "UPDATE snippet SET title = 'c' WHERE title = 'a'")
    #expect(try list.rows(in: 0..<9).map(\.title) == ["b", "c"])
    #expect(try list.position(of: SnippetID(rawValue: 2)) == 1)
  }

  @Test func `a filtered list follows the tags`() async throws {
    let store = try TemporaryStore.open()
    let ids = try await (0..<3).asyncMap { try await store.save(SnippetDraft(.text("\($0)"))).id }
    let list = store.list(SnippetFilter(tags: ["a", "B"]), order: .oldestFirst)

    try await store.apply(SnippetEdit(addedTags: ["A", "b"]), to: ids[1])
    try await store.apply(SnippetEdit(addedTags: ["a"]), to: ids[2])

    #expect(try list.rows(in: 0..<9).map(\.id) == [ids[1]])
    try await store.apply(SnippetEdit(removedTags: ["a"]), to: ids[1])
    #expect(try list.count == 0)
  }

  @Test func `a list serves many threads at once`() async throws {
    let store = try TemporaryStore.open()
    let texts = (0..<300).map { SnippetDraft(.text("\($0)"), createdAt: Samples.date) }
    try await store.saveAll(texts)
    let list = store.list(order: .oldestFirst)

    let windows = try await Threads.atOnce(4) { number in
      try (0..<10).map { _ in try list.rows(in: number * 70..<number * 70 + 50).map(\.title) }
    }

    for (number, found) in windows.enumerated() {
      let expected = (number * 70..<number * 70 + 50).map(String.init)
      #expect(found == Array(repeating: expected, count: 10))
    }
  }

  // A reader that looks while another one writes sees one state or the other.
  @Test func `a window and the rest of the list are of one state`() async throws {
    let store = try TemporaryStore.open()
    let list = store.list(order: .oldestFirst)
    let drafts = (0..<40).map { SnippetDraft(.text("\($0)"), createdAt: Samples.date) }

    let counts = try await Threads.atOnce(2) { number -> [Int] in
      if number == 0 {
        for _ in 0..<10 { try await store.saveAll(drafts) }
        return []
      }
      return try (0..<50).map { _ in try list.rows(in: 0..<1000).count }
    }

    #expect(counts[1].allSatisfy { $0 % 40 == 0 })
    #expect(counts[1] == counts[1].sorted())
    #expect(try list.count == 400)
  }

  @Test func `a list says what it holds and how it is ordered`() throws {
    let store = try TemporaryStore.inMemory()
    let filter = SnippetFilter(kinds: [.voice])

    let list = store.list(filter, order: .byTitle)

    #expect(list.filter == filter)
    #expect(list.order == .byTitle)
    #expect(store.list().order == .newestFirst)
  }

  @Test func `a tag is looked for as it is spelled, whatever its composition`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("hello"), tags: ["cafe\u{301}"]))

    let list = store.list(SnippetFilter(tags: [" cafe\u{301} "]))

    #expect(row.tags == ["café"])
    #expect(try list.rows(in: 0..<9) == [row])
  }

  @Test func `rows and tags keep every character`() async throws {
    let store = try TemporaryStore.open()
    let tags = ["a\u{1F}b", "\u{1B}[31m", "🇩🇪", "a;b", "x\u{202E}y"]

    let row = try await store.save(
      SnippetDraft(.text("hello"), title: "\u{1F} \u{7F}\u{200D}", tags: tags)
    )

    #expect(row.tags.sorted() == tags.sorted())
    #expect(row.title == "\u{1F} \u{7F}\u{200D}")
    #expect(try store.list().row(at: 0) == row)
  }
}

extension SnippetStore {
  /// Saves all the drafts, none of which may fail, and blocks meanwhile.
  fileprivate func saveAll(_ drafts: [SnippetDraft]) async throws {
    let report = try await save(contentsOf: drafts)
    #expect(report.savedCount == drafts.count)
  }
}
