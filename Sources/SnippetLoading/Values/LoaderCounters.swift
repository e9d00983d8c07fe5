/// What a loader has done since it was made, and what it holds now.
///
/// `loadsStarted` is always the sum of `loadsFinished`, `loadsFailed`, `loadsCancelled` and
/// `loadsRunning`.
public struct LoaderCounters: Hashable, Sendable {
  /// The deliveries that came too late for the binding that asked, by what became of it.
  public struct StaleDrops: Hashable, Sendable {
    /// The cell was unbound.
    public var unbound = 0
    /// The cell was bound again, or had its blob from memory in the meantime.
    public var rebound = 0
    /// The cell no longer exists.
    public var cellGone = 0

    /// All of them.
    public var total: Int { unbound + rebound + cellGone }
  }

  /// Rows read from the list.
  public var rowsRead = 0
  /// Reads of rows on the main actor, which had to be there at once.
  public var rowReads = 0
  /// Reads of rows apart from the main actor.
  public var rowReadsAhead = 0
  /// Cells that are bound now.
  public var boundCells = 0
  /// Asks of a cell that were answered from memory, within the call.
  public var hits = 0
  /// Asks of a cell that had to wait for a load, its own or a running one.
  public var misses = 0
  /// Loads given to a worker.
  public var loadsStarted = 0
  /// Loads whose bytes came and were wanted.
  public var loadsFinished = 0
  /// Loads that failed while they were wanted, every attempt counted.
  public var loadsFailed = 0
  /// Of the failed ones, those after which another attempt was put off for a while.
  public var loadsDelayed = 0
  /// Loads that nobody wanted any more while they ran; nothing of them was kept.
  public var loadsCancelled = 0
  /// Loads that left the queue before they started.
  public var loadsWithdrawn = 0
  /// Loads that a worker has now.
  public var loadsRunning = 0
  /// The bytes of all finished loads.
  public var bytesLoaded = 0
  /// Results given to a cell: hits, late bytes and failures.
  public var delivered = 0
  /// Deliveries dropped because the binding that asked is over.
  public var staleDropped = StaleDrops()
  /// Deliveries of bytes other than those the cell is bound to, caught before they were shown.
  ///
  /// Must always be 0.
  public var wrongDeliveries = 0
  /// Cells made because none could be used again.
  public var cellsCreated = 0
  /// Cells used again.
  public var cellsReused = 0
  /// The bytes of memory that the cache takes now: every blob, and 128 bytes for each.
  public var cacheCost = 0
  /// The number of blobs in the cache now.
  public var cacheCount = 0
  /// Blobs evicted from the cache for lack of room.
  public var cacheEvictions = 0
  /// Blobs that the cache had no room for.
  public var cacheBypasses = 0
  /// Blobs that the cache had let go of, and found again because somebody still held them.
  public var cacheWeakHits = 0

  /// Makes counters that are all 0.
  public init() {}
}
