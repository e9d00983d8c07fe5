import SnippetLoader

/// What a rehearsal is given: a list, a thumb, a source and a tuning.
struct ScrollScenario {
  let rowCount = 10_000
  let viewport = 12
  let blobByteCount = 1_000
  let cachedRowCount = 120
  let workerCount = 4
  let reservedWorkers = 1
  let duration = Duration.seconds(600)
  let framesPerSecond: Int
  /// The median time of a read.
  let serviceTime: Duration
  /// The spread of the times: the standard deviation of their logarithm.
  let serviceSpread = 0.5
  let ranges: SnippetLoader.RangeTuning
  let seed: UInt64

  var frameCount: Int { Int(duration / .seconds(1)) * framesPerSecond }

  /// How far the ranges go at most, in viewports.
  var widestReach: Double {
    let ranges = ranges[.full]
    return [ranges.display, ranges.preload].map { max($0.leading.most, $0.trailing.most) }.max()
      ?? 0
  }

  var configuration: SnippetLoader.Configuration {
    var configuration = SnippetLoader.Configuration()
    configuration.workerCount = workerCount
    configuration.reservedVisibleWorkers = reservedWorkers
    // What keeping a blob takes is counted too.
    configuration.cacheByteLimit = cachedRowCount * (blobByteCount + 128)
    configuration.ranges = ranges
    return configuration
  }
}
