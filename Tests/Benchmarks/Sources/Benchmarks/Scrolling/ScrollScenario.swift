import SnippetLoading
import SnippetTesting

/// How a thumb moves.
enum ScrollPace: String, CaseIterable {
  /// Flicks of five viewports or so, one after the other: some 30 rows in a second on the average
  /// at 60 frames, up to 200 at times, which is more than a slow source can give.
  case hasty
  /// Flicks a sixth as far, as of somebody who reads: some five rows in a second.
  case calm
}

/// What a rehearsal is given: a list, a thumb, a source and a tuning.
struct ScrollScenario {
  let rowCount = 10_000
  let viewport = 12
  let blobByteCount = 1_000
  let cachedRowCount = 120
  let workerCount = 4
  let reservedWorkers = 1
  let duration = Duration.seconds(600)
  let pace: ScrollPace
  let framesPerSecond: Int
  /// The median time of a read.
  let serviceTime: Duration
  /// The spread of the times: the standard deviation of their logarithm.
  let serviceSpread = 0.5
  let ranges: RangeTuning
  let seed: UInt64

  /// The thumb, which makes a step in each frame.
  var thumb: ScrollSimulation {
    ScrollSimulation(
      rowCount: rowCount,
      viewport: pace == .hasty ? viewport : viewport / 6,
      pattern: .fling,
      seed: seed,
      steps: Int(duration / .seconds(1)) * framesPerSecond
    )
  }

  /// How far the ranges go at most, in viewports.
  var widestReach: Double { ranges.widestReach }

  var limits: ScriptedLoader.Limits {
    var limits = ScriptedLoader.Limits()
    limits.workerCount = workerCount
    limits.reservedVisibleWorkers = reservedWorkers
    // What keeping a blob takes is counted too.
    limits.cacheByteLimit = cachedRowCount * (blobByteCount + 128)
    limits.ranges = ranges
    return limits
  }
}
