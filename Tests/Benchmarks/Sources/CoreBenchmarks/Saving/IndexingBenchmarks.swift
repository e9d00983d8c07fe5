import Foundation
import SnippetStorage

/// Indexing many texts, all of them at once and a few after each batch that was saved.
package struct IndexingBenchmarks {
  let folder: URL
  let textCount: Int

  /// As many as an import saves in each transaction.
  private static let batchCount = 500

  private var goal: Goal {
    .atMost(Quantity(.microseconds(textCount < 1_000_000 ? 12 : 15)))
  }

  package init(folder: URL, textCount: Int) {
    self.folder = folder
    self.textCount = textCount
  }

  package func run(into table: Table) async throws {
    let timeInC = try indexInC()
    let bulk = try await open("bulk")
    try await bulk.save(contentsOf: (0..<textCount).lazy.map(SearchedTextExamples.draft))
    try await add("index \(textCount) texts at once, each", timeInC, atMost: 1.6, to: table) {
      add in
      try await add { try await bulk.updateSearchIndex() }
    }
    try await bulk.close()

    let growing = try await open("growing")
    let work = "index \(textCount) texts, \(Self.batchCount) at a time, each"
    try await add(work, timeInC, atMost: 2.6, to: table) { add in
      for start in stride(from: 0, to: textCount, by: Self.batchCount) {
        let batch = start..<min(start + Self.batchCount, textCount)
        try await growing.save(contentsOf: batch.lazy.map(SearchedTextExamples.draft))
        try await add { try await growing.updateSearchIndex() }
      }
    }
    try await growing.close()
  }

  /// Inserts the same texts into a table of FTS5 with its own tokenizer.
  private func indexInC() throws -> Duration {
    let texts = (0..<textCount).map(SearchedTextExamples.text)
    let raw = try RawDatabase(
      folder.appendingPathComponent("indexing-in-c.sqlite").path,
      isReadOnly: false
    )
    try raw.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    try raw.run("CREATE VIRTUAL TABLE words USING fts5(body, prefix = '1 2')")
    let insert = try raw.prepare("INSERT INTO words (body) VALUES (?)")
    return try ContinuousClock().measure {
      for start in stride(from: 0, to: textCount, by: Self.batchCount) {
        try raw.run("BEGIN IMMEDIATE")
        for text in texts[start..<min(start + Self.batchCount, textCount)] {
          insert.bind(text, at: 1)
          try insert.run()
        }
        try raw.run("COMMIT")
      }
    }
  }

  private func open(_ name: String) async throws -> SnippetStore {
    try await SnippetStore.open(at: folder.appendingPathComponent("indexing-\(name).sqlite"))
  }

  /// Adds lines with the time and the processor time of the parts that `body` adds.
  private func add(
    _ work: String,
    _ timeInC: Duration,
    atMost most: Double,
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
      TableRow(
        work,
        Quantity(time / textCount),
        against: "FTS5 in C",
        Quantity(timeInC / textCount),
        goal: .ratio(atMost: most)
      )
    )
    try table.add(
      TableRow("the same, processor time", Quantity(processorTime / textCount), goal: .none)
    )
  }
}

/// The time for which processors worked, which other programs hardly change.
enum ProcessorTime {
  /// The time of all threads of this process so far, in the program and in the system.
  static var used: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
