/// Keeps blobs in memory, never more bytes of them than the limit.
///
/// After every operation ``cost`` is the exact sum of the entries' costs and at most ``limit``.
/// Pinned blobs are never evicted to make room, only by a trim that goes below their size. A blob
/// that would need such room is not kept, and neither is one larger than the limit. A blob that is
/// not kept, or no longer, is still found as long as other code holds it, and costs nothing: its
/// memory is taken anyway. All operations are O(1), except pinning and trimming, which take a step
/// for each entry they touch.
package struct BlobCache: Sendable {
  private struct Entry {
    /// `nil` in a free slot.
    var blob: LoadedBlob?
    var isPinned: Bool
  }

  /// The most bytes that may be kept.
  private(set) var limit: Int
  /// The bytes kept now: those of every blob, with an overhead for each.
  private(set) var cost = 0
  /// The part of ``cost`` that is pinned.
  private(set) var pinnedCost = 0
  /// The number of entries evicted, for lack of room or by a trim.
  private(set) var evictionCount = 0
  /// The number of blobs not kept because no room could be made for them.
  private(set) var bypassCount = 0
  /// The number of look-ups that found a blob held only by other code.
  private(set) var weakHitCount = 0

  private var entries: [Entry] = []
  private var freeSlots: [Int] = []
  private var slotByKey = SlotIndex()
  /// All entries that are not pinned.
  private var evictable = RecencyOrder()
  private var pinnedKeys: Set<LoadKey> = []
  private var pinnedSequence: [LoadKey] = []
  /// Evicted blobs that other code may still hold; blobs kept here are not among them.
  private(set) var weakBlobs = WeakBlobs()

  /// Whether evicted blobs are kept for ``takeDiscarded()``, so that the owner of the cache frees
  /// them outside of its lock.
  var keepsDiscarded = false
  private var discarded: [LoadedBlob] = []

  package init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// The number of entries kept.
  var count: Int { slotByKey.count }

  /// The cost of a blob: its memory and an overhead for keeping it.
  ///
  /// The overhead is 128 bytes, about the size of the object, the entry, its links and its place
  /// among the keys. Without it any number of empty blobs would fit.
  package static func cost(ofByteCount byteCount: Int) -> Int {
    let (cost, isOverflow) = byteCount.addingReportingOverflow(128)
    return isOverflow ? .max : cost
  }

  /// Whether a blob is kept here; a blob held only by other code is not.
  func keeps(_ key: LoadKey) -> Bool { slotByKey[key] != nil }

  /// Whether a look-up would find a blob.
  func contains(_ key: LoadKey) -> Bool { keeps(key) || weakBlobs[key] != nil }

  /// Finds a blob without noting the use.
  func peek(_ key: LoadKey) -> LoadedBlob? {
    guard let slot = slotByKey[key] else { return weakBlobs[key] }
    return entries[slot].blob
  }

  /// Finds a blob and notes the use.
  ///
  /// A blob held only by other code is kept again if there is room for it.
  package mutating func blob(for key: LoadKey) -> LoadedBlob? {
    guard let slot = slotByKey[key] else { return weakBlob(for: key) }
    if !entries[slot].isPinned { evictable.touch(slot) }
    return entries[slot].blob
  }

  /// Keeps a blob, in place of another one with the same key.
  ///
  /// - Returns: Whether there was room for it.
  package mutating func insert(_ blob: LoadedBlob) -> Bool {
    remove(blob.key)
    if keep(blob) { return true }
    bypassCount += 1
    weakBlobs.insert(blob)
    return false
  }

  /// Forgets a blob, even if other code holds it; it does not count as evicted.
  mutating func remove(_ key: LoadKey) {
    weakBlobs.remove(key)
    if let slot = slotByKey[key] { vacate(slot) }
  }

  /// Forgets all blobs, even held ones, and all pins.
  mutating func removeAll() {
    var empty = Self(limit: limit)
    empty.evictionCount = evictionCount
    empty.bypassCount = bypassCount
    empty.weakHitCount = weakHitCount
    empty.keepsDiscarded = keepsDiscarded
    if keepsDiscarded { empty.discarded = discarded + entries.compactMap(\.blob) }
    self = empty
  }

  /// Pins these keys and no others, the most precious first, whether their blobs are kept yet or
  /// not.
  ///
  /// Blobs that are no longer pinned count as just used, the most precious last. Pinned blobs that
  /// other code holds are kept again as far as there is room.
  package mutating func pin(_ keys: [LoadKey]) {
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
    guard !weakBlobs.isEmpty else { return }
    for key in keys {
      if let blob = weakBlobs[key] { keepAgain(blob) }
    }
  }

  /// Evicts until at most a number of bytes is kept: pinned blobs last, and the most precious of
  /// those at the very end.
  mutating func trim(to target: Int) {
    while cost > target, let victim = evictable.victim {
      evict(victim)
    }
    for key in pinnedSequence.reversed() {
      guard cost > target else { return }
      if let slot = slotByKey[key] { evict(slot) }
    }
  }

  /// Evicts everything that is not pinned.
  mutating func trimToPinned() {
    trim(to: pinnedCost)
  }

  /// Whether there are evicted blobs to take.
  var hasDiscarded: Bool { !discarded.isEmpty }

  /// Notes a blob that is no longer held, although it was never kept here.
  mutating func discard(_ blob: LoadedBlob) { discarded.append(blob) }

  /// The blobs evicted or discarded since the last call.
  mutating func takeDiscarded() -> [LoadedBlob] {
    guard !discarded.isEmpty else { return [] }
    defer { discarded = [] }
    return discarded
  }

  // MARK: - Entries

  private mutating func weakBlob(for key: LoadKey) -> LoadedBlob? {
    guard let blob = weakBlobs[key] else {
      weakBlobs.remove(key)
      return nil
    }
    weakHitCount += 1
    keepAgain(blob)
    return blob
  }

  private mutating func keepAgain(_ blob: LoadedBlob) {
    if keep(blob) { weakBlobs.remove(blob.key) }
  }

  /// Keeps a blob whose key is not kept, if room can be made for it.
  private mutating func keep(_ blob: LoadedBlob) -> Bool {
    let newCost = Self.cost(ofByteCount: blob.byteCount)
    guard newCost <= limit - pinnedCost else { return false }
    while cost > limit - newCost, let victim = evictable.victim {
      evict(victim)
    }
    let isPinned = pinnedKeys.contains(blob.key)
    let slot = place(Entry(blob: blob, isPinned: isPinned))
    slotByKey.insert(slot, for: blob.key)
    cost += newCost
    if isPinned {
      pinnedCost += newCost
    } else {
      evictable.insert(slot)
    }
    return true
  }

  private mutating func setPinned(_ isPinned: Bool, _ key: LoadKey) {
    guard let slot = slotByKey[key], let blob = entries[slot].blob,
      entries[slot].isPinned != isPinned
    else { return }
    entries[slot].isPinned = isPinned
    if isPinned {
      evictable.remove(slot)
      pinnedCost += Self.cost(ofByteCount: blob.byteCount)
    } else {
      evictable.insert(slot)
      pinnedCost -= Self.cost(ofByteCount: blob.byteCount)
    }
  }

  private mutating func evict(_ slot: Int) {
    evictionCount += 1
    // Most evicted blobs left the screen long ago, and no code can get hold of them any more. Weak
    // references to those too would make an insert with an eviction take two to five times as long.
    let isHeldElsewhere = !isKnownUniquelyReferenced(&entries[slot].blob)
    let blob = vacate(slot)
    if isHeldElsewhere, let blob { weakBlobs.insert(blob) }
  }

  @discardableResult
  private mutating func vacate(_ slot: Int) -> LoadedBlob? {
    guard let blob = entries[slot].blob.take() else { return nil }
    let entryCost = Self.cost(ofByteCount: blob.byteCount)
    if entries[slot].isPinned {
      pinnedCost -= entryCost
    } else {
      evictable.remove(slot)
    }
    cost -= entryCost
    freeSlots.append(slot)
    slotByKey.remove(blob.key)
    if keepsDiscarded { discarded.append(blob) }
    return blob
  }

  private mutating func place(_ entry: Entry) -> Int {
    if let slot = freeSlots.popLast() {
      entries[slot] = entry
      return slot
    }
    entries.append(entry)
    return entries.count - 1
  }
}

/// Evicted blobs that other code still held at the time.
///
/// An entry whose blob is gone is found late: by a look-up, or by a sweep. A sweep runs when there
/// are twice as many entries as the last one left. Half of the entries it visits are then new,
/// which makes adding O(1) on average and bounds the memory for dead ones.
struct WeakBlobs: Sendable {
  private struct Reference {
    weak var blob: LoadedBlob?
  }

  /// The number of entries below which a sweep is not worth it.
  static let leastSwept = 16

  private var references: [LoadKey: Reference] = [:]
  private var sweptCount = WeakBlobs.leastSwept

  /// The number of entries, dead ones included.
  var count: Int { references.count }

  var isEmpty: Bool { references.isEmpty }

  /// The blob, if any code still holds it.
  subscript(key: LoadKey) -> LoadedBlob? {
    // Nearly always there are none.
    references.isEmpty ? nil : references[key]?.blob
  }

  mutating func insert(_ blob: LoadedBlob) {
    references[blob.key] = Reference(blob: blob)
    guard count > sweptCount else { return }
    references = references.filter { $0.value.blob != nil }
    sweptCount = max(Self.leastSwept, 2 * count)
  }

  mutating func remove(_ key: LoadKey) {
    guard !references.isEmpty else { return }
    references[key] = nil
  }
}
