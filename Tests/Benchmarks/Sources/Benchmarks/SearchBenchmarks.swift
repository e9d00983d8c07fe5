import CoreBenchmarks
import Foundation
import SnippetStorage

/// The first page of search results, against comparing every text.
struct SearchBenchmarks {
  let store: SnippetStore
  let textCount: Int

  init(store: SnippetStore, textCount: Int) {
    self.store = store
    self.textCount = textCount
  }

  func run(into table: Table) async throws {
    try await store.save(contentsOf: (0..<textCount).lazy.map(SearchedTextExamples.draft))
    try await store.updateSearchIndex()
    let clock = ContinuousClock()
    let queries = [
      ("one word", "harbour"), ("two words", "potato soup"), ("a rare word", "no777"),
      ("one letter", "p"), ("Chinese", "京"), ("Japanese", "牛乳"), ("an accent", "koln"),
      ("a phrase", "\"c++ invoice\""),
    ]
    for (name, query) in queries {
      var times: [Duration] = []
      for _ in 0..<20 {
        let start = clock.now
        let results = try await store.search(SearchQuery(query))
        _ = try results.rows(in: 0..<50)
        times.append(start.duration(to: clock.now))
        results.cancel()
      }
      let compared = try await clock.measure {
        try await store.search(SearchQuery(query)).finish()
      }
      try table.add(
        TableRow(
          "first 50 of \(textCount) texts, \(name)",
          Quantity(times.sorted()[times.count / 2]),
          against: "compare every text",
          Quantity(compared),
          goal: .atMost(Quantity(.milliseconds(textCount < 1_000_000 ? 3 : 6)))
        )
      )
    }
  }
}
