import CProcess
import Foundation
import SnipCore
import SnippetBase
import SnippetLoading
import SnippetStorage
import TerminalKit

/// Scrolls a list as a user's thumb would, frame by frame, with the loader at work.
@MainActor
struct ScrollRun {
  let store: SnippetStore
  let list: SnippetList
  let movement: ScrollMovement
  let cacheByteLimit: Int

  /// The time that a display with 120 frames a second leaves for one.
  private static let frame = Duration.nanoseconds(8_333_333)
  /// The number of frames between two updates of the progress.
  private static let framesForProgress = 12

  /// Scrolls, then waits until everything is at rest.
  ///
  /// From the first frame to the last, the main thread belongs to the loader: blocking work is done
  /// before, after, or elsewhere.
  func run(in context: CommandContext) async throws -> ScrollReport {
    // Making the store is no part of the scrolling.
    snippet_heap_trim()
    PeakMemory.reset()
    var report = ScrollReport(movement: movement, memoryBefore: PeakMemory.byteCount)
    report.memoryByteLimit = Int64(cacheByteLimit) + ScrollReport.memoryBesideCache
    report.rowCount = try await OwnThreads.result { [list] in try list.count }
    var limits = LoadPipeline.Configuration()
    limits.cacheByteLimit = cacheByteLimit
    let loader = SnippetLoader(list: list, source: StoreBlobs(store), limits: limits)
    defer { loader.close() }
    let screen = PlainScreen(loader)
    try await scroll(screen, &report, in: context)
    await loader.settled()
    try await check(screen, &report)
    report.counters = loader.counters
    report.cellsCreated = screen.createdCount
    report.cellsReused = screen.reusedCount
    report.wrongDeliveries += loader.counters.wrongDeliveries
    report.peakMemory = PeakMemory.byteCount
    return report
  }

  private func scroll(
    _ screen: PlainScreen,
    _ report: inout ScrollReport,
    in context: CommandContext
  ) async throws {
    let bar = ProgressBar(title: "Scrolling", on: context.console.messages)
    defer { bar.finish() }
    let clock = ContinuousClock()
    let start = clock.now
    let positions = ScrollPositions(of: movement, rowCount: report.rowCount)
    for (number, first) in positions.enumerated() {
      try context.interrupts.throwIfRequested()
      // Deliveries arrive while the previous frame is on show.
      try await Task.sleep(until: start + Self.frame * number, clock: clock)
      let visible = first..<min(report.rowCount, first + movement.viewport)
      report.stepTimes.append(clock.measure { screen.show(visible) })
      report.wrongDeliveries += screen.visibleCells.count { !$0.showsItsOwn }
      if number % Self.framesForProgress == 0 {
        let progress = WorkProgress(completedCount: number + 1, totalCount: movement.frameCount)
        // A terminal may be slow.
        OwnThreads.start { bar.update(progress) }
      }
    }
    report.stepTimes.sort()
  }

  /// Compares the screen at rest with the store, byte for byte.
  private func check(_ screen: PlainScreen, _ report: inout ScrollReport) async throws {
    let visible = screen.visible
    let rows = try await OwnThreads.result { [list] in try list.rows(in: visible) }
    report.unresolvedCells = abs(rows.count - screen.visibleCells.count)
    for (row, cell) in zip(rows, screen.visibleCells) {
      guard cell.row == row else {
        report.unresolvedCells += 1
        continue
      }
      switch cell.state {
      case .loaded(let shown):
        guard let blob = row.blobID else { continue }
        if try await store.content(of: blob) != shown.bytes { report.wrongDeliveries += 1 }
      case .idle, .loading:
        if row.blobID != nil { report.unresolvedCells += 1 }
      case .failed: break
      }
    }
  }
}
