import GRDB
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct SearchModelTests {
  private var random = SeededGenerator()

  /// How far the index is brought up to date before a search.
  enum Indexing: CaseIterable, Sendable {
    case none, partly, wholly
  }

  @Test(arguments: Indexing.allCases)
  func `every search finds just what comparing the texts finds`(_ indexing: Indexing) async throws {
    var random = random
    let store = try TemporaryStore.open()
    var model: [SnippetID: SearchedSnippet] = [:]
    for _ in 0..<12 {
      for _ in 0..<10 { try await edit(&model, of: store, &random) }
      if random.chance(0.25) { try loseRecord(of: store) }
      switch indexing {
      case .none: break
      case .partly: try bringUpToDate(store, count: random.below(8))
      case .wholly: try await store.updateSearchIndex()
      }
      for _ in 0..<15 {
        let wanted = ModelQuery.random(in: model.values.flatMap { $0.texts(nil) }, &random)
        let query = wanted.query
        let matching = model.filter { wanted.isTrue(of: $0.value) ?? false }
        #expect(try SearchQuery(parsing: query.text) == query, "\(query.text.debugDescription)")
        for isInTrash in [false, true] {
          let expected = Set(matching.filter { $0.value.isInTrash == isInTrash }.keys)

          let found = try await found(query, isInTrash, in: store, indexing)

          #expect(Set(found) == expected, "\(query.text.debugDescription), \(isInTrash)")
          #expect(found.count == Set(found).count)
        }
      }
    }
  }

  /// Without the background work of the store, so that the index is what the test says.
  private func found(
    _ query: SearchQuery,
    _ isInTrash: Bool,
    in store: SnippetStore,
    _ indexing: Indexing
  ) async throws -> [SnippetID] {
    let run = SearchRun(query, filter: SnippetFilter(isInTrash: isInTrash))
    guard !query.isEmpty else { return [] }
    return try await store.connections.read(.scans, to: "search") { db in
      let all = try run.all(in: db)
      let (first, isIndexed) = try run.first(5, in: db)
      #expect(first == Array(all.prefix(first.count)))
      #expect(isIndexed || indexing != .wholly)
      #expect(try run.matches(among: all, in: db) == all)
      return all.map(SnippetID.init(rawValue:))
    }
  }

  private func bringUpToDate(_ store: SnippetStore, count: Int) throws {
    try store.connections.write(to: "index") { db in
      var (rest, longTexts) = (count, LongTexts())
      _ = try SearchIndex.catchUp(
        until: {
          defer { rest -= 1 }
          return rest <= 0
        },
        &longTexts,
        in: db
      )
    }
  }

  /// So many changes that the first of them are recorded no longer.
  private func loseRecord(of store: SnippetStore) throws {
    try store.connections.write(to: "lose the record") { db in
      try db.execute(sql: "DELETE FROM change")
    }
  }

  /// The tags in the order in which they are searched: phrases go across them.
  private func tags(of id: SnippetID, in store: SnippetStore) async throws -> [String] {
    try await store.connections.read(.scans, to: "read tags") { db in
      try SearchedTexts(id, in: db)?.facts.tags ?? []
    }
  }

  /// Saves, changes or deletes a snippet, by the store or by the shell's SQL.
  private func edit(
    _ model: inout [SnippetID: SearchedSnippet],
    of store: SnippetStore,
    _ random: inout SeededGenerator
  ) async throws {
    func texts() -> SearchedSnippet {
      let title = SearchModel.text(&random).replacing("\u{1B}", with: "-")
        .replacing("\n", with: " ")
      let tags = (0..<random.below(3)).map { _ in
        random.chance(0.7)
          ? SearchModel.tag(&random) : SearchModel.word(&random).replacing("\u{1B}", with: "-")
      }
      // As the store has them: in the order of their numbers, each once whatever its case.
      return SearchedSnippet(
        title: title,
        tags: Set(tags).sorted(),
        body: SearchModel.text(&random),
        isPinned: random.chance(0.3),
        createdAt: SearchModel.date(&random)
      )
    }
    let known = model.keys.sorted { $0.rawValue < $1.rawValue }.randomElement(using: &random)
    switch random.below(9) {
    case 0:
      guard let known else { return }
      try await store.delete([known])
      model[known] = nil
    case 1:
      guard let known, model[known]?.isInTrash == false else { return }
      let changed = texts()
      try await store.apply(
        SnippetEdit(title: changed.title, text: changed.body),
        to: known
      )
      model[known]?.title = changed.title
      model[known]?.body = changed.body
    case 2:
      guard let known else { return }
      if random.chance(0.5) {
        try await store.moveToTrash([known])
        model[known]?.isInTrash = true
      } else {
        let date = random.chance(0.5) ? "NULL" : "5"
        let output = try await Shell.sqlite3(
          TemporaryDirectory.file("store.sqlite"),
          "UPDATE snippet SET deleted_at = \(date) WHERE id = \(known.rawValue)"
        )
        #expect(output.status == 0, "the shell said: \(output.standardError)")
        model[known]?.isInTrash = date != "NULL"
      }
    case 3:
      guard let known else { return }
      try await store.undelete([known])
      model[known]?.isInTrash = false
    case 4:
      guard let known else { return }
      let text = SearchModel.text(&random).replacing("'", with: "’").replacing("\u{1B}", with: "")
      let output = try await Shell.sqlite3(
        TemporaryDirectory.file("store.sqlite"),
        "UPDATE snippet_text SET body = '\(text)' WHERE snippet_id = \(known.rawValue)"
      )
      #expect(output.status == 0, "the shell said: \(output.standardError)")
      model[known]?.body = text
    default:
      var texts = texts()
      let row = try await store.save(
        SnippetDraft(
          .text(texts.body),
          title: texts.title,
          tags: texts.tags,
          isPinned: texts.isPinned,
          createdAt: texts.createdAt
        )
      )
      texts.tags = try await tags(of: row.id, in: store)
      model[row.id] = texts
    }
  }
}
