import SnipCore
import SnippetLoading
import TerminalKit

/// The outcome of scrolling a list.
struct ScrollReport: Sendable {
  /// The memory that a scroll may need beside the cache, however long the list and however large
  /// the blobs: 48 MiB.
  static let memoryBesideCache: Int64 = 48 << 20

  let movement: ScrollMovement
  /// The memory of the process before: the program and its libraries.
  let memoryBefore: Int64?
  var rowCount = 0
  var counters = LoaderCounters()
  var cellsCreated = 0
  var cellsReused = 0
  /// Cells that showed the bytes of another snippet.
  var wrongDeliveries = 0
  /// Visible cells that lacked their row, or both their blob and a failure, when all was at rest.
  var unresolvedCells = 0
  /// The times of the synchronous steps on the main thread, in ascending order.
  var stepTimes: [Duration] = []
  /// The most memory that the process held while it scrolled.
  var peakMemory: Int64?
  /// The most memory that a scroll should need: the limit of the cache, and ``memoryBesideCache``.
  var memoryByteLimit: Int64 = 0

  init(movement: ScrollMovement, memoryBefore: Int64?) {
    self.movement = movement
    self.memoryBefore = memoryBefore
  }

  /// The time that a share of the steps did not exceed.
  func stepTime(atShare share: Double) -> Duration {
    guard let last = stepTimes.indices.last else { return .zero }
    return stepTimes[min(last, Int(Double(stepTimes.count) * share))]
  }

  private var cancelledCount: Int { counters.loadsCancelled + counters.loadsWithdrawn }
}

extension ScrollReport {
  /// The report as JSON; the fields are a contract.
  var json: JSONObject {
    func microseconds(atShare share: Double) -> JSONValue {
      .number((stepTime(atShare: share) / .nanoseconds(100)).rounded() / 10)
    }
    var object: JSONObject = [
      "rows": JSONValue(rowCount),
      "viewport": JSONValue(movement.viewport),
      "seed": .string(String(movement.seed)),
      "frames": JSONValue(movement.frameCount),
      "rowsRead": JSONValue(counters.rowsRead),
      "rowReads": JSONValue(counters.rowReads),
      "rowReadsAhead": JSONValue(counters.rowReadsAhead),
      "hits": JSONValue(counters.hits),
      "misses": JSONValue(counters.misses),
      "loads": JSONValue(counters.loadsStarted),
      "loadsFinished": JSONValue(counters.loadsFinished),
      "loadsFailed": JSONValue(counters.loadsFailed),
      "loadsDelayed": JSONValue(counters.loadsDelayed),
      "cancelled": JSONValue(cancelledCount),
      "delivered": JSONValue(counters.delivered),
      "staleDropped": JSONValue(counters.staleDropped),
      "wrongDeliveries": JSONValue(wrongDeliveries),
      "unresolved": JSONValue(unresolvedCells),
      "cellsCreated": JSONValue(cellsCreated),
      "cellsReused": JSONValue(cellsReused),
      "bytesLoaded": JSONValue(counters.bytesLoaded),
      "cacheBytes": JSONValue(counters.cacheCost),
      "cacheEvictions": JSONValue(counters.cacheEvictions),
      "stepMedianMicroseconds": microseconds(atShare: 0.5),
      "stepP99Microseconds": microseconds(atShare: 0.99),
      "stepMaximumMicroseconds": microseconds(atShare: 1),
    ]
    object["peakMemoryBytes"] = peakMemory.map(JSONValue.integer)
    object["memoryBeforeBytes"] = memoryBefore.map(JSONValue.integer)
    object["memoryLimitBytes"] = .integer(memoryByteLimit)
    return object
  }

  /// The report as lines of a name and a text.
  var lines: [(name: String, text: String)] {
    [
      (
        "scrolled",
        """
        \(rowCount) rows, \(movement.viewport) visible, \(movement.frameCount) frames, \
        seed \(movement.seed)
        """
      ),
      (
        "rows",
        """
        \(counters.rowsRead) read, \(counters.rowReads.counted("time")) on the main thread, \
        \(counters.rowReadsAhead.counted("time")) ahead
        """
      ),
      ("cells", "\(cellsCreated) created, \(cellsReused) reused"),
      (
        "blobs",
        """
        \(counters.hits) hits (\(counters.cacheWeakHits) evicted and still shown), \
        \(counters.misses) misses
        """
      ),
      (
        "loads",
        """
        \(counters.loadsStarted) started (\(ByteCountText(Int64(counters.bytesLoaded)))), \
        \(cancelledCount) cancelled, \(counters.loadsFailed) failed, \
        \(counters.loadsDelayed) put off and tried again
        """
      ),
      (
        "delivered",
        """
        \(counters.delivered); stale dropped \(counters.staleDropped); \
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
        cache \(ByteCountText(Int64(counters.cacheCost))), \(counters.cacheEvictions) \
        evicted\(processMemory)
        """
      ),
    ]
  }

  /// The memory that the scroll needed beside what the process had; empty if that is unknown.
  private var processMemory: String {
    guard let peakMemory, let memoryBefore else { return "" }
    return """
      ; process \(ByteCountText(peakMemory)), \
      \(ByteCountText(max(0, peakMemory - memoryBefore))) of it for the scroll \
      (limit \(ByteCountText(memoryByteLimit)))
      """
  }
}
