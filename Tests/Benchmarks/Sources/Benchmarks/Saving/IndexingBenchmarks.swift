import Foundation
import SnippetStorage

/// Indexing many texts, all of them at once and a few after each batch that was saved.
struct IndexingBenchmarks {
  let folder: URL
  let textCount: Int

  /// As many as an import saves in each transaction.
  private static let batchCount = 500

  private var goal: Goal {
    .atMost(Quantity(.microseconds(textCount < 1_000_000 ? 12 : 15)))
  }

  func run(into table: Table) async throws {
    let bulk = try await open("bulk")
    try await bulk.save(contentsOf: (0..<textCount).lazy.map(SearchedTextExamples.draft))
    try await add("index \(textCount) texts at once, each", to: table) { add in
      try await add { try await bulk.updateSearchIndex() }
    }
    try await bulk.close()

    let growing = try await open("growing")
    try await add("index \(textCount) texts, \(Self.batchCount) at a time, each", to: table) {
      add in
      for start in stride(from: 0, to: textCount, by: Self.batchCount) {
        let batch = start..<min(start + Self.batchCount, textCount)
        try await growing.save(contentsOf: batch.lazy.map(SearchedTextExamples.draft))
        try await add { try await growing.updateSearchIndex() }
      }
    }
    try await growing.close()
  }

  private func open(_ name: String) async throws -> SnippetStore {
    try await SnippetStore.open(at: folder.appendingPathComponent("indexing-\(name).sqlite"))
  }

  /// Adds a line with the time, and one with the processor time, of the parts that `body` adds.
  private func add(
    _ work: String,
    to table: Table,
    _ body: (_ add: (() async throws -> Void) async throws -> Void) async throws -> Void
  ) async throws {
    var (time, processorTime) = (Duration.zero, Duration.zero)
    try await body { part in
      let (start, used) = (ContinuousClock.now, ProcessorTime.used)
      try await part()
      time += start.duration(to: .now)
      processorTime += ProcessorTime.used - used
    }
    try table.add(TableRow(work, Quantity(time / textCount), goal: goal))
    try table.add(
      TableRow("the same, processor time", Quantity(processorTime / textCount), goal: .none)
    )
  }
}

/// Texts in several scripts.
enum SearchedTextExamples {
  private static let words = [
    "potato", "soup", "leek", "milk", "harbour", "Köln", "naïve", "東京都", "牛乳を", "서울에서",
    "привет", "Ἀθῆναι", "c++", "invoice", "meeting", "garden", "train", "window", "letter", "river",
  ]

  /// The draft of a text of 24 words and its number.
  static func draft(_ number: Int) -> SnippetDraft {
    let words = (0..<24).map { Self.words[(number &* 31 &+ $0 &* $0 &* 7) % Self.words.count] }
    return SnippetDraft(.text("\(words.joined(separator: " ")) no\(number)"), title: "")
  }
}
