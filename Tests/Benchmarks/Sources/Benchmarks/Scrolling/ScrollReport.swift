import CoreBenchmarks
import Foundation

/// What was counted in one or more rehearsals.
struct ScrollFigures {
  /// Frames with a cell in them, times cells.
  var cellFrameCount = 0
  /// Those of them in which the cell had no blob.
  var blankCount = 0
  /// Loads whose bytes were kept.
  var loadCount = 0
  /// Those of them whose bytes went without having been on screen.
  var wastedCount = 0
  /// Loads given to a worker.
  var startCount = 0
  /// Those of them that nobody wanted any more when they ended.
  var cancelledCount = 0
  /// Those of them for rows further away than any range.
  var goneCount = 0
  /// Those of them that began while something on screen waited for a worker, in a list slow enough
  /// for it to be in time.
  var inversionCount = 0
  /// How many rows got their blob after how many frames on screen.
  private(set) var waits: [Int: Int] = [:]

  /// Counts a row that got its blob on screen.
  mutating func note(wait frames: Int) {
    waits[frames, default: 0] += 1
  }

  mutating func add(_ other: Self) {
    cellFrameCount += other.cellFrameCount
    blankCount += other.blankCount
    loadCount += other.loadCount
    wastedCount += other.wastedCount
    startCount += other.startCount
    cancelledCount += other.cancelledCount
    goneCount += other.goneCount
    inversionCount += other.inversionCount
    waits.merge(other.waits, uniquingKeysWith: +)
  }

  /// The number of frames that a share of the rows did not wait longer than.
  func wait(atShare share: Double) -> Int {
    var rest = share * Double(waits.values.reduce(0, +))
    for (frames, count) in waits.sorted(by: { $0.key < $1.key }) {
      rest -= Double(count)
      if rest <= 0 { return frames }
    }
    return 0
  }
}

/// A line of the table.
struct ScrollReport {
  let tuning: String
  let pace: ScrollPace
  let framesPerSecond: Int
  let serviceMilliseconds: Int
  private var figures = ScrollFigures()

  init(tuning: String, pace: ScrollPace, framesPerSecond: Int, serviceMilliseconds: Int) {
    self.tuning = tuning
    self.pace = pace
    self.framesPerSecond = framesPerSecond
    self.serviceMilliseconds = serviceMilliseconds
  }

  mutating func add(_ figures: ScrollFigures) {
    self.figures.add(figures)
  }

  static let header = aligned(
    "flicks through a list",
    "pace",
    "fps",
    "read",
    "wait p50",
    "p95",
    "p99",
    "blank",
    "wasted",
    "cancelled",
    "gone",
    "inversions",
    "goals"
  )

  var line: String {
    Self.aligned(
      tuning,
      pace.rawValue,
      "\(framesPerSecond)",
      "\(serviceMilliseconds) ms",
      "\(figures.wait(atShare: 0.5)) f",
      "\(figures.wait(atShare: 0.95)) f",
      "\(figures.wait(atShare: 0.99)) f",
      percent(figures.blankCount, of: figures.cellFrameCount),
      percent(figures.wastedCount, of: figures.loadCount),
      percent(figures.cancelledCount, of: figures.startCount),
      "\(figures.goneCount)",
      "\(figures.inversionCount)",
      isMet ? "met" : "not met"
    )
  }

  var json: String {
    """
    {"work":"flicks through a list","tuning":"\(tuning)","pace":"\(pace)",\
    "framesPerSecond":\(framesPerSecond),"serviceMilliseconds":\(serviceMilliseconds),\
    "waitFrames":[\(figures.wait(atShare: 0.5)),\(figures.wait(atShare: 0.95)),\
    \(figures.wait(atShare: 0.99))],\
    "blankShare":\(share(figures.blankCount, of: figures.cellFrameCount)),\
    "wastedShare":\(share(figures.wastedCount, of: figures.loadCount)),\
    "cancelledShare":\(share(figures.cancelledCount, of: figures.startCount)),\
    "startsForRowsGone":\(figures.goneCount),"priorityInversions":\(figures.inversionCount),\
    "isMet":\(isMet)}
    """
  }

  /// The line of the table: of the loads, how many were for nothing.
  var row: TableRow {
    TableRow(
      "\(pace) flicks, \(framesPerSecond) fps, reads of \(serviceMilliseconds) ms: wasted",
      Quantity(100 * share(figures.wastedCount, of: figures.loadCount), .percent),
      goal: .condition(
        serviceMilliseconds <= 12 ? "≤ 4 %, none waits" : "≤ 4 %, waits ≤ 50 ms",
        isMet: isMet
      )
    )
  }

  /// Few are loaded for nothing; from a quick source every row has its blob at once, and from a slow
  /// one rows do not wait for long.
  ///
  /// How many rows pass by without their blob is no goal: hasty flicks at 120 frames a second ask a
  /// slow source for more than it can give. An order of loads that knew the whole movement
  /// beforehand would leave 3.4 % of all cells blank in all frames, and have rows wait for 75 ms.
  private var isMet: Bool {
    guard figures.goneCount == 0, figures.inversionCount == 0,
      share(figures.wastedCount, of: figures.loadCount) <= 0.04
    else { return false }
    let longest = figures.wait(atShare: 0.99)
    return serviceMilliseconds <= 12 ? longest == 0 : longest * 1_000 <= 50 * framesPerSecond
  }

  private func share(_ part: Int, of whole: Int) -> Double {
    whole == 0 ? 0 : Double(part) / Double(whole)
  }

  private func percent(_ part: Int, of whole: Int) -> String {
    String(format: "%.2f %%", 100 * share(part, of: whole))
  }

  private static func aligned(_ fields: String...) -> String {
    zip(fields, [22, 6, 4, 6, 9, 6, 6, 9, 9, 10, 6, 11, 0]).map { field, width in
      field + String(repeating: " ", count: max(0, width - field.count))
    }.joined(separator: " ")
  }
}
