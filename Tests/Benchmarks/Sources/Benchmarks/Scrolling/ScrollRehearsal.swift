import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTesting
import Synchronization

/// One run of a scenario: a thumb, a screen and a loader, frame by frame.
@MainActor
final class ScrollRehearsal {
  private let scenario: ScrollScenario
  private let workers: VirtualWorkers
  private let scheduler = TurnScheduler()
  private let rowReads = NextFrameReads()
  private let loader: SnippetLoader
  private let screen: SimulatedScreen
  private var figures = ScrollFigures()
  /// How many frames each row on screen has waited, and whether it has its blob.
  private var stays: [Int: (waited: Int, isLoaded: Bool)] = [:]
  /// The positions whose last load has not been on screen.
  private var unseen: Set<Int> = []
  /// The first visible row of the last frames, the newest last.
  private var latest: [Int] = []

  init(_ scenario: ScrollScenario) {
    self.scenario = scenario
    let workers = VirtualWorkers(
      times: RandomTimes(
        median: scenario.serviceTime,
        spread: scenario.serviceSpread,
        seed: scenario.seed
      ),
      byteCount: scenario.blobByteCount
    )
    self.workers = workers
    let rows = NumberedRows(count: scenario.rowCount, byteCount: scenario.blobByteCount)
    var surroundings = LoaderSurroundings()
    surroundings.executeLoad = { workers.execute($0) }
    surroundings.executeRowRead = { [rowReads] in rowReads.execute($0) }
    surroundings.schedule = { [scheduler] in scheduler.schedule($0) }
    surroundings.now = { workers.now }
    loader = SnippetLoader(
      list: rows,
      source: workers,
      configuration: scenario.limits.list,
      limits: scenario.limits.loads,
      surroundings: surroundings
    )
    screen = SimulatedScreen(loader: loader, viewport: scenario.viewport)
  }

  /// Plays the scenario to its end.
  func run() -> ScrollFigures {
    let start = workers.now
    let frame = Duration.seconds(1) / scenario.framesPerSecond
    for (number, first) in scenario.thumb.enumerated() {
      let instant = start + frame * number
      finishReads(until: instant)
      workers.now = instant
      rowReads.runAll()
      scheduler.runAll()
      screen.scroll(to: first)
      note(first)
      followStarts()
      scheduler.runAll()
      look()
    }
    finishReads(until: workers.now + .seconds(60))
    loader.close()
    figures.wastedCount += unseen.count
    figures.cancelledCount = workers.cancelledCount
    return figures
  }

  /// Remembers where the list was for a tenth of a second.
  private func note(_ first: Int) {
    latest.append(first)
    if latest.count > scenario.framesPerSecond / 10 { latest.removeFirst() }
  }

  /// Whether the list moves so slowly that half of the workers can follow.
  ///
  /// A faster one may well ask first for what comes: what is visible would be late.
  private var isCalm: Bool {
    guard let former = latest.first, let first = latest.last, latest.count > 1 else { return true }
    let seconds = Double(latest.count - 1) / Double(scenario.framesPerSecond)
    let loads = Double(abs(first - former)) / seconds * (scenario.serviceTime / .seconds(1))
    return loads < Double(scenario.workerCount) / 2
  }

  // MARK: - Reads

  private func finishReads(until instant: ContinuousClock.Instant) {
    while let read = workers.next, read.end <= instant {
      workers.now = read.end
      let finished = loader.counters.loadsFinished
      workers.endRead(read)
      if loader.counters.loadsFinished > finished {
        noteLoad(of: NumberedRows.position(of: read.key))
      }
      scheduler.runAll()
      followStarts()
    }
  }

  private func noteLoad(of position: Int) {
    figures.loadCount += 1
    // Loaded before, and gone from the cache without having been on screen.
    if !unseen.insert(position).inserted { figures.wastedCount += 1 }
  }

  /// Looks at the reads that have just begun: whether they are the right ones.
  private func followStarts() {
    let begun = workers.beginReads().map { NumberedRows.position(of: $0.key) }
    guard !begun.isEmpty else { return }
    figures.startCount += begun.count
    let visible = screen.visible
    let running = Set(workers.running.map { NumberedRows.position(of: $0.key) })
    let waiting = zip(visible, screen.visibleCells).count { position, cell in
      cell.isLoading && !running.contains(position)
    }
    let reach = Int((Double(visible.count) * scenario.widestReach).rounded(.up))
    for position in begun where !visible.contains(position) {
      if waiting > 0, isCalm { figures.inversionCount += 1 }
      let distance = max(visible.lowerBound - position, position - visible.upperBound + 1)
      if distance > reach { figures.goneCount += 1 }
    }
  }

  // MARK: - Screen

  /// Looks at one frame as it is shown.
  private func look() {
    let visible = screen.visible
    for position in stays.keys where !visible.contains(position) {
      stays[position] = nil
    }
    for (position, cell) in zip(visible, screen.visibleCells) {
      figures.cellFrameCount += 1
      var stay = stays[position] ?? (waited: 0, isLoaded: false)
      if case .loaded = cell.state {
        unseen.remove(position)
        if !stay.isLoaded { figures.note(wait: stay.waited) }
        stay.isLoaded = true
      } else {
        stay.waited += 1
        figures.blankCount += 1
      }
      stays[position] = stay
    }
  }
}

/// Deliveries, made when the rehearsal says so.
private final class TurnScheduler: Sendable {
  private let works = Mutex<[@MainActor @Sendable () -> Void]>([])

  func schedule(_ work: @escaping @MainActor @Sendable () -> Void) {
    works.withLock { $0.append(work) }
  }

  @MainActor
  func runAll() {
    while let work = works.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
  }
}

/// Reads of rows, which are there in the frame after the one that asked for them.
private final class NextFrameReads: Sendable {
  private let works = Mutex<[@Sendable () -> Void]>([])

  func execute(_ work: @escaping @Sendable () -> Void) {
    works.withLock { $0.append(work) }
  }

  func runAll() {
    while let work = works.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
  }
}

/// A list of pictures; the row at each position has the blob with the next number.
private struct NumberedRows: RowList {
  let count: Int
  let byteCount: Int

  static func position(of key: LoadKey) -> Int { Int(key.blobID?.rawValue ?? 0) - 1 }

  func page(_ positions: Range<Int>) -> SnippetPage {
    let positions = positions.clamped(to: 0..<count)
    let rows = positions.map { position in
      SnippetRow(
        id: SnippetID(rawValue: Int64(position) + 1),
        uuid: UUID(),
        kind: .image,
        title: "",
        createdAt: .distantPast,
        modifiedAt: .distantPast,
        byteCount: Int64(byteCount),
        mediaType: "image/png",
        blobID: BlobID(rawValue: Int64(position) + 1)
      )
    }
    return SnippetPage(version: 1, count: count, start: positions.lowerBound, rows: rows)
  }
}

extension SimulatedCell {
  fileprivate var isLoading: Bool {
    if case .loading = state { true } else { false }
  }
}
