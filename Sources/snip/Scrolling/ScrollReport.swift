import SnippetLoading
import SnippetTesting
import TerminalKit

/// What happened while a list was scrolled.
struct ScrollReport: Sendable {
  /// How well the cache chooses what to keep, counted over what the cells asked for.
  struct CacheShare: Sendable {
    /// The part of the asks that its choice answers by itself, without anything loaded ahead.
    var found = 0.0
    /// The part that the best choice would answer.
    var possible = 0.0
  }

  let rowCount: Int
  let movement: ScrollMovement
  var counters = LoaderCounters()
  /// Cells that showed other bytes than those of their snippet.
  var wrongDeliveries = 0
  /// How many changes of the store were recorded meanwhile.
  var changeCount: Int64 = 0
  /// How often the screen was told exactly what became of the list, and how often to reload.
  var batchCount = 0
  var reloadCount = 0
  /// Visible cells that had not their row as it is, or neither their blob nor a failure, once all
  /// was at rest.
  var unresolvedCells = 0
  /// How long each synchronous step took on the main thread, in ascending order.
  var stepTimes: [Duration] = []
  var cacheShare = CacheShare()
  /// The most memory that the process has held while it scrolled.
  var peakMemory: Int64?
  /// What the process held before: the program and its libraries.
  var memoryBefore: Int64?
  /// What a scroll is meant to need at most: what the cache may hold, and ``memoryBesideCache``.
  var memoryByteLimit: Int64 = 0

  /// What a scroll may need beside the cache, however long the list and however large the blobs:
  /// 48 MiB.
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
      "staleDropped": JSONValue(counters.staleDropped),
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

  /// The report as lines of a name and what there is to say.
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

  /// What another process did meanwhile; nothing where nobody did anything.
  private var changes: (String, String)? {
    guard changeCount > 0 else { return nil }
    let text = """
      \(changeCount) by another process, told in \(batchCount) batches and \(reloadCount) reloads; \
      \(counters.rowsReadForChanges) rows read for them
      """
    return ("changes", text)
  }

  /// What the scroll has needed beside what the process had; nothing where that cannot be told.
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
