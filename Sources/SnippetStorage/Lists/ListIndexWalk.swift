import GRDB

/// A walk along a whole list that can pause.
struct ListIndexWalk {
  private let query: ListQuery
  private var version: DataVersion?
  /// The keys between neighbouring blocks; see ``ListIndex``.
  private(set) var fences: [SortKey] = []
  private var identities: [Int64] = []
  private var count = 0
  private var storeCount = 0
  private var last: SortKey?
  /// The last key of a block, until the first of the next has been seen.
  private var beforeFence: SortKey?
  /// The number of times that the walk has begun again because the list changed.
  private(set) var restartCount = -1

  /// The most rows to walk before others get their turn: about a millisecond.
  static let step = 1 << 14

  init(_ query: ListQuery) {
    self.query = query
  }

  /// Walks at most `step` rows in another snapshot, from the start if the store has changed.
  ///
  /// Returns the index once the end is reached.
  mutating func advance(by step: Int, in db: Database) throws -> ListIndex? {
    let current = try DataVersion(db)
    if version != current {
      let restartCount = restartCount + 1
      self = ListIndexWalk(query)
      self.restartCount = restartCount
      version = current
      if !query.source.isUnfiltered {
        storeCount = Int(try db.number("SELECT count(*) FROM snippet") ?? 0)
      }
    }
    // The last key of the previous step is the first of this one.
    let skipped = last == nil ? 0 : 1
    var keys = try query.keys(from: last, limit: step + skipped, in: db)
    var walked = 0
    while let key = try keys.next() {
      walked += 1
      if walked <= skipped { continue }
      if count % ListIndex.stride == ListIndex.stride - 1 {
        beforeFence = try SortKey(key)
      } else if count % ListIndex.stride == 0, let beforeFence {
        fences.append(try query.fence(after: beforeFence, before: SortKey(key)))
      }
      // Stop collecting ids once there are too many; memory must not grow during the walk.
      if !query.source.isUnfiltered, ListIndex.isFew(identities.count, of: storeCount) {
        identities.append(try key.number(1))
      }
      count += 1
      if walked == step + skipped { last = try SortKey(key) }
    }
    guard walked < step + skipped else { return nil }
    return try ListIndex(
      fences: fences,
      identities: identities,
      count: count,
      storeCount: storeCount,
      version: current,
      in: db
    )
  }
}
