/// Blobs in memory, never more bytes of them than the limit.
///
/// After every operation ``cost`` is the exact sum of the entries' costs and at most ``limit``. What
/// is pinned is never evicted to make room, only by a trim that reaches below all that is not
/// pinned; a blob that would need such room is not kept, and neither is one that is larger than
/// the limit. All operations are O(1), apart from pinning and trimming, which take a step for each
/// entry concerned.
struct BlobCache<Order: EvictionOrder>: Sendable {
  private struct Entry {
    var blob: LoadedBlob
    var isPinned: Bool
  }

  /// The most bytes that may be kept.
  private(set) var limit: Int
  /// The bytes kept now: those of every blob, and an overhead for each.
  private(set) var cost = 0
  /// The part of ``cost`` that is pinned.
  private(set) var pinnedCost = 0
  /// How many entries were evicted for lack of room.
  private(set) var evictionCount = 0
  /// How many blobs were not kept because there was no room that might be used for them.
  private(set) var bypassCount = 0

  private var slots: [Entry?] = []
  private var freeSlots: [Int] = []
  private var slotByKey: [LoadKey: Int] = [:]
  /// All entries that are not pinned.
  private var evictable = Order()
  private var pinnedKeys: Set<LoadKey> = []
  private var pinnedSequence: [LoadKey] = []

  init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// How many entries are kept.
  var count: Int { slotByKey.count }

  /// What a blob of a size costs: its bytes and what keeping it takes.
  ///
  /// Without the overhead any number of empty blobs would fit.
  static func cost(ofByteCount byteCount: Int) -> Int {
    let (cost, isOverflow) = byteCount.addingReportingOverflow(128)
    return isOverflow ? .max : cost
  }

  func contains(_ key: LoadKey) -> Bool { slotByKey[key] != nil }

  /// Finds a blob and notes the use.
  mutating func blob(for key: LoadKey) -> LoadedBlob? {
    guard let slot = slotByKey[key], let entry = slots[slot] else { return nil }
    if !entry.isPinned { evictable.touch(slot) }
    return entry.blob
  }

  /// Finds a blob without noting the use.
  func peek(_ key: LoadKey) -> LoadedBlob? {
    slotByKey[key].flatMap { slots[$0]?.blob }
  }

  /// Keeps a blob, in place of the one with the same key.
  ///
  /// - Returns: Whether there was room for it.
  mutating func insert(_ blob: LoadedBlob) -> Bool {
    let key = blob.key
    remove(key)
    let newCost = Self.cost(ofByteCount: blob.byteCount)
    guard newCost <= limit - pinnedCost else {
      bypassCount += 1
      return false
    }
    while cost > limit - newCost, let victim = evictable.victim {
      evict(victim)
    }
    let isPinned = pinnedKeys.contains(key)
    let slot = place(Entry(blob: blob, isPinned: isPinned))
    slotByKey[key] = slot
    cost += newCost
    if isPinned {
      pinnedCost += newCost
    } else {
      evictable.insert(slot)
    }
    return true
  }

  /// Forgets a blob; it does not count as evicted.
  mutating func remove(_ key: LoadKey) {
    guard let slot = slotByKey[key] else { return }
    vacate(slot)
  }

  mutating func removeAll() {
    var empty = Self(limit: limit)
    empty.evictionCount = evictionCount
    empty.bypassCount = bypassCount
    self = empty
  }

  /// Pins these keys and no others, the most precious first, whether they are kept yet or not.
  ///
  /// What is no longer pinned counts as just used, the most precious last.
  mutating func pin(_ keys: [LoadKey]) {
    guard keys != pinnedSequence else { return }
    let former = pinnedSequence
    pinnedKeys.removeAll(keepingCapacity: true)
    pinnedKeys.formUnion(keys)
    pinnedSequence = keys
    for key in former.reversed() where !pinnedKeys.contains(key) {
      setPinned(false, key)
    }
    for key in keys {
      setPinned(true, key)
    }
  }

  /// Evicts until no more than a number of bytes is kept: what is pinned last, and the most precious
  /// of that at the very end.
  mutating func trim(to target: Int) {
    while cost > target, let victim = evictable.victim {
      evict(victim)
    }
    for key in pinnedSequence.reversed() {
      guard cost > target else { return }
      if let slot = slotByKey[key] { evict(slot) }
    }
  }

  private mutating func setPinned(_ isPinned: Bool, _ key: LoadKey) {
    guard let slot = slotByKey[key], let entry = slots[slot], entry.isPinned != isPinned else {
      return
    }
    slots[slot]?.isPinned = isPinned
    let entryCost = Self.cost(ofByteCount: entry.blob.byteCount)
    if isPinned {
      evictable.remove(slot)
      pinnedCost += entryCost
    } else {
      evictable.insert(slot)
      pinnedCost -= entryCost
    }
  }

  private mutating func evict(_ slot: Int) {
    evictionCount += 1
    vacate(slot)
  }

  private mutating func vacate(_ slot: Int) {
    guard let entry = slots[slot] else { return }
    let entryCost = Self.cost(ofByteCount: entry.blob.byteCount)
    if entry.isPinned {
      pinnedCost -= entryCost
    } else {
      evictable.remove(slot)
    }
    cost -= entryCost
    slots[slot] = nil
    freeSlots.append(slot)
    slotByKey[entry.blob.key] = nil
  }

  private mutating func place(_ entry: Entry) -> Int {
    if let slot = freeSlots.popLast() {
      slots[slot] = entry
      return slot
    }
    slots.append(entry)
    return slots.count - 1
  }
}
