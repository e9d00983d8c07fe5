import ArgumentParser
import CoreBenchmarks
import Foundation
import SnippetMedia
import SnippetStorage

/// Measures the package against other ways of doing the same, both in one run.
@main
struct Benchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Benchmarks",
    abstract: "Measures the package against other ways of doing the same, as one table.",
    discussion: """
      Both sides of a line run in turn, so that both meet the same weather: the ratio is what counts, \
      the times are medians. A line without a goal is there for comparison.

      Run it as a release build, with nothing else to do:
        swift run -c release --package-path Tests/Benchmarks Benchmarks
        swift run -c release --package-path Tests/Benchmarks Benchmarks --filter window
      """
  )

  @Option(
    help: """
      Only groups whose name holds this text: \
      \(Group.allCases.map(\.rawValue).joined(separator: ", ")).
      """
  )
  var filter = ""

  @Option(help: "How many snippets the long list has, 2,000 at least.")
  var rows = 1_000_000

  @Option(help: "How many texts are saved.")
  var texts = 100_000

  @Option(help: "How many megabytes of files are imported.")
  var importMegabytes = 256

  @Option(help: "How many rows are browsed, 1,000 at least.")
  var browsedRows = 5_000

  @Option(help: "How many rows are printed.")
  var printedRows = 100_000

  @Option(help: "How many pictures a window shows, 20,000 at least.")
  var shownPictures = 100_000

  @Flag(help: "Print a line of JSON for each line of the table.")
  var json = false

  @Flag(help: "Also print what the lines on scrolling are drawn from.")
  var details = false

  @Flag(help: .hidden)
  var decodeMedia = false

  @Option(help: .hidden)
  var decodeOne: String?

  @Option(help: .hidden)
  var memoryInto: String?

  @Argument(help: .hidden)
  var program: [String] = []

  /// What is measured together.
  enum Group: String, CaseIterable {
    case importing, notes, windows, opening, starting, changes, edits, saving, indexing, search
    case blobs, seeks, cold, locks, cache, bind, flicks, media, browse, json
    /// Only when they are asked for: a store of many rows, and one of more than a tebibyte.
    case scale, far
    /// Only when it is asked for: what a choice was made by.
    case layout
    /// Only when it is asked for: it needs the trait `GTK`, and what `GTKBenchmarks` says.
    case gtk
  }

  private var groups: [Group] {
    Group.allCases.filter {
      filter.isEmpty ? ![.scale, .far, .layout, .gtk].contains($0) : $0.rawValue.contains(filter)
    }
  }

  func validate() throws {
    guard rows >= 2_000, texts > 0, printedRows > 0, importMegabytes > 0, browsedRows >= 1_000,
      shownPictures >= 20_000
    else {
      throw ValidationError("There must be more rows.")
    }
    guard !groups.isEmpty else { throw ValidationError("No group is named “\(filter)”.") }
  }

  func run() async throws {
    // What this program is to its own workers.
    if decodeMedia { WorkerMedia.runWorker() }
    if let memoryInto, let name = program.first {
      let byteCount = try ChildProcess.run(name, Array(program.dropFirst())).memory
      return try "\(byteCount)".write(toFile: memoryInto, atomically: true, encoding: .utf8)
    }
    if let decodeOne { return try MediaBenchmarks.decode(decodeOne) }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("snippet-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Left behind at worst, where the system clears up.
    defer { try? FileManager.default.removeItem(at: folder) }

    let table = Table(json: json)
    var list: ListFile?
    for (number, group) in groups.enumerated() {
      if list == nil, [.windows, .opening, .changes].contains(group) {
        table.begin("making a list of \(rows) rows")
        list = try await ListFile(in: folder, rowCount: rows)
      }
      table.begin("\(group), \(number + 1) of \(groups.count)")
      try await run(group, list, in: folder, into: table)
    }
    table.begin("done")
  }

  private func run(
    _ group: Group,
    _ list: ListFile?,
    in folder: URL,
    into table: Table
  ) async throws {
    func store() async throws -> SnippetStore {
      try await SnippetStore.open(at: folder.appendingPathComponent("\(group).sqlite"))
    }
    switch group {
    case .windows:
      if let list { try await WindowBenchmarks(file: list).run(into: table) }
    case .opening:
      guard let list else { return }
      let small = try await ListFile(in: folder, rowCount: 1_000)
      try await OpeningBenchmarks(file: list, small: small).run(into: table)
    case .starting:
      try await StartBenchmarks(folder: folder).run(into: table)
    case .changes:
      if let list { try await LiveListBenchmarks(file: list).run(into: table) }
    case .scale:
      table.begin("making a store of \(rows) texts")
      let texts = try await ListFile(in: folder, rowCount: rows, hasTexts: true)
      try await ScaleBenchmarks(file: texts).run(into: table)
    case .far:
      try await FarBlobBenchmarks(folder: folder).run(into: table)
    case .edits:
      try await EditBenchmarks(folder: folder).run(into: table)
    case .search:
      try await SearchBenchmarks(store: store(), textCount: texts).run(into: table)
    case .indexing:
      try await IndexingBenchmarks(folder: folder, textCount: texts).run(into: table)
    case .notes:
      try await NoteBenchmarks(folder: folder, count: texts).run(into: table)
    case .saving:
      try await SaveBenchmarks(folder: folder, count: texts).run(into: table)
    case .blobs:
      try await BlobBenchmarks(folder: folder).run(into: table)
    case .seeks:
      try await SeekBenchmarks(folder: folder).run(into: table)
    case .cold:
      try await ColdBlobBenchmarks(folder: folder).run(into: table)
    case .locks:
      try await LockBenchmarks(folder: folder).run(into: table)
    case .importing:
      try await ImportBenchmarks(folder: folder, megabytes: importMegabytes).run(into: table)
    case .layout:
      try LayoutStudy(folder: folder).run(into: table)
    case .cache:
      try await CacheBenchmarks(store: store()).run(into: table)
    case .bind:
      try await BindBenchmarks(store: store()).run(into: table)
    case .media:
      try MediaBenchmarks(folder: folder).run(into: table)
    case .gtk:
      try await GTKBenchmarks(folder: folder, rowCount: shownPictures).run(into: table)
    case .browse:
      try await BrowseBenchmarks(folder: folder, rowCount: browsedRows).run(into: table)
    case .json:
      let list = try await ListFile(in: folder, rowCount: printedRows)
      try PrintingBenchmarks(file: list).run(into: table)
    case .flicks:
      let scrolling = ScrollBenchmarks(seeds: [1, 2, 3])
      if details { await scrolling.tellDetails(to: table) }
      try await scrolling.run(into: table)
    }
  }
}
