import CoreBenchmarks
import Foundation
import SnippetLoading
import SnippetStorage

/// The blobs of a screen that nobody has read since the machine was started, to their cells.
@MainActor
struct ColdBlobBenchmarks {
  let folder: URL

  private static let rowCount = 300
  private static let viewport = 30
  private static let byteCount = 100_000
  private static let rounds = 15

  func run(into table: Table) async throws {
    let paths = try await makeSamples()
    var times: (ours: [Times], unmapped: [Times], others: [Duration]) = ([], [], [])
    let clock = ContinuousClock()
    for round in 0..<Self.rounds {
      let start = round * 7919 % (Self.rowCount - Self.viewport)
      let visible = start..<start + Self.viewport
      times.ours.append(try await showRows(visible, maps: true, clock))
      times.unmapped.append(try await showRows(visible, maps: false, clock))
      for path in paths[visible] { try forget(path) }
      times.others.append(
        try clock.measure {
          for path in paths[visible] { try PlainFile.read(path, Self.byteCount) }
        }
      )
    }
    // A page of mapped memory brings as much with it as the system reads ahead, on both its sides:
    // 128 KiB as most are set, which is a blob of these; some are set to megabytes.
    let work = "30 blobs of 100 kB, cold, to their cells"
    let (ours, unmapped) = (times.ours.map(\.toCells), times.unmapped.map(\.toCells))
    try table.add(row(work, ours, times.others, .ratio(atMost: 1.1)))
    // What is opened later makes the first rows come sooner, and the first blobs later.
    try table.add(row("the same with opening the store", times.ours.map(\.whole), times.others))
    try table.add(row("the same without mapping", unmapped, times.others, .ratio(atMost: 1.25)))
  }

  /// The times until the last blob is in its cell.
  private struct Times {
    /// From the moment at which the rows are on show.
    var toCells: Duration
    /// From the opening of the store.
    var whole: Duration
  }

  private func row(
    _ work: String,
    _ ours: [Duration],
    _ others: [Duration],
    _ goal: Goal = .none
  ) -> TableRow {
    TableRow(
      work,
      Quantity(ours.sorted()[Self.rounds / 2]),
      against: "one thread reading 30 files",
      Quantity(others.sorted()[Self.rounds / 2]),
      goal: goal
    )
  }

  private var storeURL: URL { folder.appendingPathComponent("cold.sqlite") }

  /// Opens the store anew, so that nothing of it is in memory, and shows some rows.
  private func showRows(
    _ visible: Range<Int>,
    maps: Bool,
    _ clock: ContinuousClock
  ) async throws -> Times {
    try forget(storeURL.path)
    let opening = clock.now
    var configuration = SnippetStore.Configuration()
    configuration.mapsBlobs = maps
    let store = try await SnippetStore.open(at: storeURL, configuration: configuration)
    let list = store.list()
    let loader = SnippetLoader(list: list, store: store)
    // The rows are on show before their blobs are asked for.
    guard try list.rows(in: visible).count == visible.count else {
      throw RawError(message: "no rows")
    }
    let cells = visible.map { _ in ClockedCell() }
    let begin = clock.now
    loader.show(visible: visible)
    for (cell, position) in zip(cells, visible) { loader.bind(cell, to: position) }
    // More is loaded afterwards, for the rows below.
    await loader.settled()
    loader.close()
    try await store.close()
    let times = cells.compactMap(\.time)
    guard times.count == cells.count, cells.allSatisfy({ $0.byteCount == Self.byteCount }),
      let last = times.max()
    else { throw RawError(message: "a cell without its blob") }
    return Times(toCells: begin.duration(to: last), whole: opening.duration(to: last))
  }

  private func makeSamples() async throws -> [String] {
    let store = try await SnippetStore.open(at: storeURL)
    var paths: [String] = []
    for number in 0..<Self.rowCount {
      let bytes = Data.random(count: Self.byteCount)
      try await store.save(SnippetDraft(.bytes(bytes), kind: .image, mediaType: "image/x-random"))
      paths.append(folder.appendingPathComponent("cold-\(number).bin").path)
      try bytes.write(to: URL(fileURLWithPath: paths[number]))
    }
    try await store.close()
    sync()
    return paths
  }

  /// Takes what is known of a file out of the system's memory; no store has it open.
  private func forget(_ path: String) throws {
    #if os(Linux)
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    guard fdatasync(descriptor) == 0, posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0
    else { throw RawError(message: "cannot forget \(path)") }
    #else
    throw RawError(message: "a file cannot be forgotten here")
    #endif
  }
}

/// A cell that notes when its blob came.
@MainActor
private final class ClockedCell: SnippetCell {
  private(set) var time: ContinuousClock.Instant?
  private(set) var byteCount = 0

  func prepareForReuse() {}

  func show(_ row: SnippetRow, changing fields: SnippetFields) {}

  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe) {
    guard case .loaded(let blob) = state else { return }
    time = .now
    byteCount = blob.bytes.count
  }
}
