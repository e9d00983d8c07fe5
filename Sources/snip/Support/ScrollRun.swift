import Foundation
import SnippetLoader
import SnippetStore

/// Scrolls a list as a user's thumb would, frame by frame, with the loader at work.
@MainActor
struct ScrollRun {
  let store: SnippetStore
  let list: SnippetList
  let viewport: Int
  let pattern: ScrollPattern
  let seed: UInt64
  let frameCount: Int
  let cacheByteLimit: Int

  /// What a display with 120 frames a second leaves for one.
  private static let frame = Duration.nanoseconds(8_333_333)

  /// Scrolls, then waits until all is at rest.
  func run(in context: CommandContext) async throws -> ScrollReport {
    let rowCount = try list.count
    var configuration = SnippetLoader.Configuration()
    configuration.cacheByteLimit = cacheByteLimit
    let rows = ListRows(list)
    let loader = SnippetLoader(rows: rows, source: store, configuration: configuration)
    defer { loader.close() }
    let screen = SimulatedScreen(loader: loader, rows: rows, viewport: viewport)
    let thumb = ScrollSimulation(
      rowCount: rowCount,
      viewport: viewport,
      pattern: pattern,
      seed: seed,
      steps: frameCount
    )

    var report = ScrollReport(
      rowCount: rowCount,
      viewport: viewport,
      pattern: pattern,
      seed: seed,
      frameCount: frameCount
    )
    let bar = ProgressBar(title: "Scrolling", on: context.console.messages)
    defer { bar.finish() }
    let clock = ContinuousClock()
    var nextFrame = clock.now
    for first in thumb {
      try context.interrupts.throwIfRequested()
      report.stepTimes.append(clock.measure { screen.scroll(to: first) })
      report.wrongDeliveries += screen.visibleCells.count { !$0.showsBytesOfItsSize }
      bar.update(
        WorkProgress(completedCount: report.stepTimes.count, totalCount: frameCount)
      )
      nextFrame += Self.frame
      // Deliveries come in while the frame is on show.
      try await Task.sleep(until: nextFrame, clock: clock)
    }
    await loader.settled()
    try look(at: screen.visibleCells, &report)
    report.stepTimes.sort()
    report.counters = loader.counters
    report.wrongDeliveries += loader.counters.wrongDeliveries
    report.peakMemory = PeakMemory.byteCount
    return report
  }

  /// Compares what stands on the screen at rest with the store, byte for byte.
  private func look(at cells: [SimulatedCell], _ report: inout ScrollReport) throws {
    for cell in cells {
      guard let row = cell.row, let blob = row.blobID else { continue }
      switch cell.state {
      case .loaded(let loaded):
        if try store.blob(blob) != loaded.bytes { report.wrongDeliveries += 1 }
      case .failed:
        break
      case .idle, .loading:
        report.unresolvedCells += 1
      }
    }
  }
}

extension SimulatedCell {
  /// Whether the bytes on show, if any, are as many as those of the snippet on show.
  fileprivate var showsBytesOfItsSize: Bool {
    guard case .loaded(let blob) = state else { return true }
    return row.map { Int64(blob.bytes.count) == $0.byteCount } ?? false
  }
}
