import CProcess
import Foundation
import SnipCore
import SnippetBase
import SnippetLoading
import SnippetStorage
import SnippetTesting
import TerminalKit

/// Scrolls a list as a user's thumb would, frame by frame, with the loader at work.
@MainActor
struct ScrollRun {
  let store: SnippetStore
  let list: SnippetList
  let movement: ScrollMovement
  let cacheByteLimit: Int
  /// The number of edits that another process makes during the scroll.
  var editCount = 0
  /// Records everything that the loader does.
  var trace = LoaderTrace(capacity: 1_000_000)

  /// The longest wait before checking for a request to end.
  private static let longestWait = Duration.milliseconds(100)

  /// The number of frames between two updates of the progress.
  private static let framesForProgress = 12

  /// Scrolls, then waits until everything is at rest.
  ///
  /// From the first frame to the last, the main thread belongs to the loader: blocking work is done
  /// before, after, or elsewhere.
  func run(in context: CommandContext) async throws -> ScrollReport {
    // The memory for making the store is not part of the scrolling.
    snippet_heap_trim()
    PeakMemory.reset()
    let memoryBefore = PeakMemory.byteCount
    let rowCount = try await OwnThreads.result { [list] in try list.count }
    let loader = makeLoader()
    defer { loader.close() }
    // Count before changes are observed: changes of an uncounted list are reloads.
    _ = loader.count
    let tally = ChangeTally()
    let screen = SimulatedScreen(loader: loader, viewport: movement.viewport)
    var report = ScrollReport(rowCount: rowCount, movement: movement)
    report.memoryBefore = memoryBefore
    report.memoryByteLimit = Int64(cacheByteLimit) + ScrollReport.memoryBesideCache
    report.stepTimes.reserveCapacity(movement.frameCount)
    let firstChange = try await store.lastChange
    let editor = try startEditor()
    if editor != nil {
      loader.listChangeHandler = { [weak screen] change in
        tally.add(change)
        screen?.update(by: change)
      }
    }
    let bar = ProgressBar(title: "Scrolling", on: context.console.messages)
    defer { bar.finish() }
    let clock = ContinuousClock()
    let start = clock.now
    for frame in movement.frames(rowCount: rowCount) {
      // Deliveries arrive while the previous frame is on show.
      try await wait(until: start + frame.time, clock, context.interrupts)
      report.stepTimes.append(clock.measure { screen.show(frame) })
      report.wrongDeliveries += screen.visibleCells.count { !$0.showsBytesOfItsSize }
      if report.stepTimes.count % Self.framesForProgress == 1 {
        let progress = WorkProgress(
          completedCount: report.stepTimes.count,
          totalCount: movement.frameCount
        )
        // A terminal may be slow.
        OwnThreads.start { bar.update(progress) }
      }
    }
    if let editor {
      try await editor.finish()
      let change = loader.rowsDidChange()
      tally.add(change)
      screen.update(by: change)
    }
    await loader.settled()
    report.changeCount = try await store.lastChange.rawValue - firstChange.rawValue
    report.batchCount = tally.batchCount
    report.reloadCount = tally.reloadCount
    try await look(at: screen, &report)
    report.stepTimes.sort()
    report.counters = loader.counters
    report.wrongDeliveries += loader.counters.wrongDeliveries
    report.cacheShare = await OwnThreads.result { [trace, cacheByteLimit] in
      ScrollReport.CacheShare(CacheReplay(LoaderRecording(trace)), byteLimit: cacheByteLimit)
    }
    report.peakMemory = PeakMemory.byteCount
    return report
  }

  private func makeLoader() -> SnippetLoader {
    var limits = LoadPipeline.Configuration()
    limits.cacheByteLimit = cacheByteLimit
    return SnippetLoader(
      list: list,
      source: store,
      limits: limits,
      environment: LoaderEnvironment(trace: trace)
    )
  }

  /// Lets another process edit the store during the movement.
  private func startEditor() throws -> OtherEditor? {
    guard editCount > 0, let file = store.url else { return nil }
    let last = movement.frames(rowCount: 0).reduce(Duration.zero) { max($0, $1.time) }
    return try OtherEditor(of: file, count: editCount, seed: movement.seed, over: last)
  }

  private func wait(
    until time: ContinuousClock.Instant,
    _ clock: ContinuousClock,
    _ interrupts: Interrupts
  ) async throws {
    repeat {
      try interrupts.throwIfRequested()
      try await Task.sleep(until: min(time, clock.now + Self.longestWait), clock: clock)
    } while clock.now < time
  }

  /// Compares the screen at rest with the store, byte for byte.
  private func look(at screen: SimulatedScreen, _ report: inout ScrollReport) async throws {
    var shown: [LoadedBlob] = []
    let visible = screen.visible
    let rows = try await OwnThreads.result { [list] in try list.rows(in: visible) }
    report.unresolvedCells = abs(rows.count - screen.visibleCells.count)
    for (row, cell) in zip(rows, screen.visibleCells) {
      guard cell.row == row else {
        report.unresolvedCells += 1
        continue
      }
      guard row.blobID != nil else { continue }
      switch cell.state {
      case .loaded(let loaded): shown.append(loaded)
      case .failed: break
      case .idle, .loading: report.unresolvedCells += 1
      }
    }
    for loaded in shown {
      guard let blob = loaded.key.blobID else { continue }
      if try await store.blob(blob) != loaded.bytes { report.wrongDeliveries += 1 }
    }
  }
}

/// The changes of the list that the screen got.
@MainActor
private final class ChangeTally {
  var batchCount = 0
  var reloadCount = 0

  func add(_ change: ListChange) {
    if change.batch == nil { reloadCount += 1 } else { batchCount += 1 }
  }
}

extension SimulatedCell {
  /// Whether the bytes on show, if any, belong to the snippet on show and are complete.
  fileprivate var showsBytesOfItsSize: Bool {
    guard case .loaded(let blob) = state else { return true }
    return row.map { $0.blobID == blob.key.blobID && $0.byteCount == blob.byteCount } ?? false
  }
}
