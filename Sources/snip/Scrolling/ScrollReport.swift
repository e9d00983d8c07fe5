import SnippetLoading
import SnippetTesting
import TerminalKit

/// The measurements of a scroll.
struct ScrollReport: Sendable {
  /// The quality of the cache's choices, counted over the requests of cells.
  struct CacheShare: Sendable {
    /// The part of the requests that its choices answer by themselves, without loading ahead.
    var found = 0.0
    /// The part that the best choices would answer.
    var possible = 0.0
  }

  let rowCount: Int
  let movement: ScrollMovement
  var counters = LoaderCounters()
  /// The number of cells that showed bytes of another snippet.
  var wrongDeliveries = 0
  /// The number of changes of the store during the scroll.
  var changeCount: Int64 = 0
  /// The number of exact changes, and of reloads, that the screen got.
  var batchCount = 0
  var reloadCount = 0
  /// The number of visible cells at rest with an outdated row, or with neither a blob nor a
  /// failure.
  var unresolvedCells = 0
  /// The durations of the synchronous steps on the main thread, in ascending order.
  var stepTimes: [Duration] = []
  var cacheShare = CacheShare()
  /// The most memory that the process held during the scroll.
  var peakMemory: Int64?
  /// The memory of the process before: the program and its libraries.
  var memoryBefore: Int64?
  /// The intended memory limit of a scroll: the limit of the cache, plus ``memoryBesideCache``.
  var memoryByteLimit: Int64 = 0

  /// The intended memory besides the cache, however long the list and however large the blobs: 48
  /// MiB.
  static let memoryBesideCache: Int64 = 48 << 20

  init(rowCount: Int, movement: ScrollMovement) {
    self.rowCount = rowCount
    self.movement = movement
  }

  /// The time that a share of the steps did not exceed.
  func stepTime(atShare share: Double) -> Duration {
    guard let last = stepTimes.indices.last else { return .zero }
    return stepTimes[min(last, Int(Double(stepTimes.count) * share))]
  }
}

extension ScrollReport.CacheShare {
  init(_ replay: CacheReplay, byteLimit: Int) {
    found = replay.ratios(byteLimit: byteLimit).objects
    possible = replay.bestRatios(byteLimit: byteLimit).objects
  }
}

extension ScrollReport {
  /// The report as JSON; the fields are a contract.
  var json: JSONObject {
    var object: JSONObject = [
      "rows": JSONValue(rowCount),
      "viewport": JSONValue(movement.viewport),
      "pattern": .string(movement.name),
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
      "cancelled": JSONValue(counters.loadsCancelled + counters.loadsWithdrawn),
      "delivered": JSONValue(counters.delivered),
      "staleDropped": JSONValue(counters.staleDropped.total),
      "wrongDeliveries": JSONValue(wrongDeliveries),
      "unresolved": JSONValue(unresolvedCells),
      "changes": .integer(changeCount),
      "batches": JSONValue(batchCount),
      "reloads": JSONValue(reloadCount),
      "rowsReadForChanges": JSONValue(counters.rowsReadForChanges),
      "cellsCreated": JSONValue(counters.cellsCreated),
      "cellsReused": JSONValue(counters.cellsReused),
      "boundCells": JSONValue(counters.boundCells),
      "bytesLoaded": JSONValue(counters.bytesLoaded),
      "cacheBytes": JSONValue(counters.cacheCost),
      "cacheEvictions": JSONValue(counters.cacheEvictions),
      "cacheBypasses": JSONValue(counters.cacheBypasses),
      "cacheWeakHits": JSONValue(counters.cacheWeakHits),
      "cacheHitRatio": .number(Self.rounded(cacheShare.found)),
      "cacheHitRatioPossible": .number(Self.rounded(cacheShare.possible)),
      "stepMedianMicroseconds": .number(Self.microseconds(stepTime(atShare: 0.5))),
      "stepP99Microseconds": .number(Self.microseconds(stepTime(atShare: 0.99))),
      "stepMaximumMicroseconds": .number(Self.microseconds(stepTime(atShare: 1))),
    ]
    object["peakMemoryBytes"] = peakMemory.map(JSONValue.integer)
    object["memoryBeforeBytes"] = memoryBefore.map(JSONValue.integer)
    object["memoryLimitBytes"] = .integer(memoryByteLimit)
    return object
  }

  /// The report as lines, each with a name and a value.
  var lines: [(String, String)] {
    let lines: [(String, String)?] = [
      (
        "scrolled",
        """
        \(rowCount) rows, \(movement.viewport) visible, \(movement.frameCount) frames \
        \(manner)
        """
      ),
      (
        "rows",
        """
        \(counters.rowsRead) read, \(counters.rowReads) times on the main thread, \
        \(counters.rowReadsAhead) times ahead
        """
      ),
      changes,
      ("cells", "\(counters.cellsCreated) created, \(counters.cellsReused) reused"),
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
        \(counters.loadsCancelled + counters.loadsWithdrawn) cancelled, \
        \(counters.loadsFailed) failed, \(counters.loadsDelayed) put off and tried again
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
        "cache",
        """
        hit ratio \(Self.rounded(cacheShare.found)) of \(Self.rounded(cacheShare.possible)) \
        possible without loading ahead; \(counters.cacheEvictions) evicted
        """
      ),
      (
        "memory",
        """
        cache \(ByteCountText(Int64(counters.cacheCost)))\(addedMemory)
        """
      ),
    ]
    return lines.compactMap(\.self)
  }

  /// The changes by another process; `nil` if there were none.
  private var changes: (String, String)? {
    guard changeCount > 0 else { return nil }
    let text = """
      \(changeCount) by another process, told in \(batchCount) batches and \(reloadCount) reloads; \
      \(counters.rowsReadForChanges) rows read for them
      """
    return ("changes", text)
  }

  /// The memory that the scroll added; empty if it is not known.
  private var addedMemory: String {
    guard let peakMemory, let memoryBefore else { return "" }
    return """
      ; process \(ByteCountText(peakMemory)), \
      \(ByteCountText(max(0, peakMemory - memoryBefore))) of it for the scroll \
      (limit \(ByteCountText(memoryByteLimit)))
      """
  }

  private var manner: String {
    switch movement {
    case .thumb: "of \(movement.name), seed \(movement.seed)"
    case .recorded: "as recorded"
    }
  }

  private static func rounded(_ ratio: Double) -> Double {
    (ratio * 1_000).rounded() / 1_000
  }

  private static func microseconds(_ duration: Duration) -> Double {
    (duration / .nanoseconds(100)).rounded() / 10
  }
}
