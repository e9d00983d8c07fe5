import ArgumentParser
import Foundation
import SnippetStore

/// Measures the package against other ways of doing the same, both in one run.
@main
struct Benchmarks: AsyncParsableCommand {
  @Option(help: "Only work whose name holds this text.")
  var filter = ""

  @Option(help: "How many snippets the lists have.")
  var rows = 100_000

  @Flag(help: "Print a line of JSON for each work.")
  var json = false

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("snippet-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    if !json { print(line("work", "ours", "other side", "ratio", "goal", "", "other")) }
    if isWanted("50 rows at a window") {
      let url = folder.appendingPathComponent("list.sqlite")
      let store = try SnippetStore(at: url)
      try saveRows(in: store)
      try ListBenchmarks(store: store, path: url.path, rowCount: rows).run().forEach(tell)
    }
    if isWanted("one change in a list") {
      let url = folder.appendingPathComponent("live.sqlite")
      let store = try SnippetStore(at: url)
      try saveRows(in: store)
      let live = LiveListBenchmarks(store: store, path: url.path, rowCount: rows)
      for report in try await live.run() { print(json ? report.json : report.line) }
    }
    if isWanted("read a blob") {
      let store = try SnippetStore(at: folder.appendingPathComponent("blobs.sqlite"))
      try BlobBenchmarks(store: store, folder: folder).run().forEach(tell)
    }
    if isWanted("cache look-ups") {
      let store = try SnippetStore(at: folder.appendingPathComponent("cache.sqlite"))
      try await CacheBenchmarks(store: store).run().forEach(tell)
    }
    if isWanted("bind with a hit") {
      let store = try SnippetStore(at: folder.appendingPathComponent("bind.sqlite"))
      let report = try await BindBenchmarks(store: store).run()
      print(json ? report.json : report.line)
    }
    if isWanted("hit ratios") {
      HitRatioStudy().run().forEach { print(json ? $0.json : $0.line) }
    }
    if isWanted("flicks through a list") {
      await MainActor.run { ScrollBenchmarks(seeds: [1, 2, 3]).run(json: json) }
    }
    if isWanted("save texts") {
      try SaveBenchmarks(folder: folder, count: 100_000).run().forEach(tell)
    }
  }

  private func saveRows(in store: SnippetStore) throws {
    try store.save(
      contentsOf: (0..<rows).lazy.map { number in
        SnippetDraft(
          .text("The text of row \(number), as short as most notes are."),
          title: "Row \(number)",
          createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number))
        )
      }
    )
  }

  private func isWanted(_ work: String) -> Bool {
    filter.isEmpty || work.contains(filter)
  }

  private func tell(_ measurement: Measurement) {
    let isMet = measurement.ratio <= measurement.goal
    if json {
      print(
        """
        {"work":"\(measurement.work)","other":"\(measurement.other)",\
        "oursMicroseconds":\(measurement.ours / .microseconds(1)),\
        "othersMicroseconds":\(measurement.others / .microseconds(1)),\
        "ratio":\(measurement.ratio),"goal":\(measurement.goal),"isMet":\(isMet)}
        """
      )
      return
    }
    print(
      line(
        measurement.work,
        microseconds(measurement.ours),
        microseconds(measurement.others),
        String(format: "%.3f", measurement.ratio),
        String(format: "≤ %.3f", measurement.goal),
        isMet ? "met" : "not met",
        measurement.other
      )
    )
  }

  private func microseconds(_ duration: Duration) -> String {
    String(format: "%.1f µs", duration / .microseconds(1))
  }

  private func line(_ fields: String...) -> String {
    zip(fields, [34, 14, 14, 8, 9, 9, 0]).map { field, width in
      field + String(repeating: " ", count: max(0, width - field.count))
    }.joined(separator: " ")
  }
}
