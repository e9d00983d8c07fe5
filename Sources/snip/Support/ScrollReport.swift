import SnippetLoader

/// What happened while a list was scrolled.
struct ScrollReport: Sendable {
  var rowCount = 0
  var viewport = 0
  var pattern = ScrollPattern.fling
  var seed: UInt64 = 0
  var frameCount = 0
  var counters = LoaderCounters()
  /// Cells that showed other bytes than those of their snippet.
  var wrongDeliveries = 0
  /// Visible cells that had neither their blob nor a failure once all was at rest.
  var unresolvedCells = 0
  /// How long each synchronous step took on the main thread, in ascending order.
  var stepTimes: [Duration] = []
  var peakMemory: Int64?

  /// The time that a share of the steps did not exceed.
  func stepTime(atShare share: Double) -> Duration {
    guard let last = stepTimes.indices.last else { return .zero }
    return stepTimes[min(last, Int(Double(stepTimes.count) * share))]
  }
}

extension ScrollReport {
  /// The report as JSON; the fields are a contract.
  var json: JSONObject {
    var object: JSONObject = [
      "rows": JSONValue(rowCount),
      "viewport": JSONValue(viewport),
      "pattern": .string(pattern.rawValue),
      "seed": .string(String(seed)),
      "frames": JSONValue(frameCount),
      "rowsRead": JSONValue(counters.rowsRead),
      "hits": JSONValue(counters.hits),
      "misses": JSONValue(counters.misses),
      "loads": JSONValue(counters.loadsStarted),
      "loadsFinished": JSONValue(counters.loadsFinished),
      "loadsFailed": JSONValue(counters.loadsFailed),
      "cancelled": JSONValue(counters.loadsCancelled + counters.loadsWithdrawn),
      "delivered": JSONValue(counters.delivered),
      "staleDropped": JSONValue(counters.staleDropped.total),
      "wrongDeliveries": JSONValue(wrongDeliveries),
      "unresolvedCells": JSONValue(unresolvedCells),
      "cellsCreated": JSONValue(counters.cellsCreated),
      "cellsReused": JSONValue(counters.cellsReused),
      "bytesLoaded": JSONValue(counters.bytesLoaded),
      "cacheBytes": JSONValue(counters.cacheCost),
      "stepMedianMicroseconds": .number(Self.microseconds(stepTime(atShare: 0.5))),
      "stepP99Microseconds": .number(Self.microseconds(stepTime(atShare: 0.99))),
      "stepMaximumMicroseconds": .number(Self.microseconds(stepTime(atShare: 1))),
    ]
    object["peakMemoryBytes"] = peakMemory.map(JSONValue.integer)
    return object
  }

  /// The report as lines of a name and what there is to say.
  var lines: [(String, String)] {
    [
      (
        "scrolled",
        "\(rowCount) rows, \(viewport) visible, \(frameCount) frames of \(pattern.rawValue), "
          + "seed \(seed)"
      ),
      ("rows", "\(counters.rowsRead) read in \(counters.rowReads) windows"),
      ("cells", "\(counters.cellsCreated) created, \(counters.cellsReused) reused"),
      ("blobs", "\(counters.hits) hits, \(counters.misses) misses"),
      (
        "loads",
        """
        \(counters.loadsStarted) started (\(ByteCountText(Int64(counters.bytesLoaded)))), \
        \(counters.loadsCancelled + counters.loadsWithdrawn) cancelled, \
        \(counters.loadsFailed) failed
        """
      ),
      (
        "delivered",
        """
        \(counters.delivered); stale dropped \(counters.staleDropped.total); \
        wrong deliveries \(wrongDeliveries); unresolved at rest \(unresolvedCells)
        """
      ),
      (
        "step",
        """
        median \(ElapsedText(stepTime(atShare: 0.5))), p99 \(ElapsedText(stepTime(atShare: 0.99))), \
        longest \(ElapsedText(stepTime(atShare: 1)))
        """
      ),
      (
        "memory",
        """
        cache \(ByteCountText(Int64(counters.cacheCost)))\
        \(peakMemory.map { ", peak of the process \(ByteCountText($0))" } ?? "")
        """
      ),
    ]
  }

  private static func microseconds(_ duration: Duration) -> Double {
    (duration / .nanoseconds(100)).rounded() / 10
  }
}
