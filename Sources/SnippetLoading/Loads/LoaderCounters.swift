/// Counts of the work that a loader has done since it was made, and of what it holds now.
///
/// `loadsStarted` is always the sum of `loadsFinished`, `loadsFailed`, `loadsCancelled` and
/// `loadsRunning`.
public struct LoaderCounters: Hashable, Sendable {
  /// Rows read from the list.
  public var rowsRead = 0
  /// Rows read because they were new or changed, while other rows were in memory; the rest of
  /// ``rowsRead`` scrolled into the window.
  public var rowsReadForChanges = 0
  /// Reads of rows on the main actor.
  public var rowReads = 0
  /// Reads of rows off the main actor.
  public var rowReadsAhead = 0
  /// Cells that are bound now.
  public var boundCells = 0
  /// Requests answered from memory, within the call.
  public var hits = 0
  /// Requests that had to wait for a load.
  public var misses = 0
  /// Loads given to a worker.
  public var loadsStarted = 0
  /// Loads that finished and were wanted.
  public var loadsFinished = 0
  /// Loads that failed while they were wanted, counting every attempt.
  public var loadsFailed = 0
  /// Failed loads that were to be retried later.
  public var loadsDelayed = 0
  /// Loads cancelled while they ran.
  public var loadsCancelled = 0
  /// Loads that left the queue before they started.
  public var loadsWithdrawn = 0
  /// Loads that a worker has now.
  public var loadsRunning = 0
  /// The bytes of all finished loads.
  public var bytesLoaded = 0
  /// Results given to a cell: hits, late bytes and failures.
  public var delivered = 0
  /// Deliveries dropped because the binding that asked has ended.
  public var staleDropped = 0
  /// Deliveries for another blob than the cell's, caught before they were shown.
  ///
  /// Must always be 0.
  public var wrongDeliveries = 0
  /// The bytes of memory that the cache takes now, with 128 bytes for each blob.
  public var cacheCost = 0
  /// The number of blobs in the cache now.
  public var cacheCount = 0
  /// Blobs evicted from the cache for lack of room.
  public var cacheEvictions = 0
  /// Blobs that the cache had no room for.
  public var cacheBypasses = 0
  /// Evicted blobs that were found again because other code still held them.
  public var cacheWeakHits = 0

  /// Makes counters that are all 0.
  public init() {}
}
