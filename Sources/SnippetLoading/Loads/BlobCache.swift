/// Blobs in memory, never more bytes of them than the limit.
///
/// After every operation ``cost`` is the exact sum of the entries' costs and at most ``limit``.
/// What is pinned is never evicted to make room, only by a trim that reaches below all that is not
/// pinned; a blob that would need such room is not kept, and neither is one that is larger than the
/// limit. What is not kept, or no longer, is still found for as long as somebody else holds it, and
/// costs nothing: its memory is taken anyway. All operations are O(1), apart from pinning and
/// trimming, which take a step for each entry concerned.
package struct BlobCache: Sendable {
  private struct Entry {
    /// `nil` in a slot that is free.
    var blob: LoadedBlob?
    var isPinned: Bool
  }

  /// The most bytes that may be kept.
  private(set) var limit: Int
  /// The bytes kept now: those of every blob, and an overhead for each.
  private(set) var cost = 0
  /// The part of ``cost`` that is pinned.
  private(set) var pinnedCost = 0
  /// How many entries were evicted, for lack of room or by a trim.
  private(set) var evictionCount = 0
  /// How many blobs were not kept because there was no room that might be used for them.
  private(set) var bypassCount = 0
  /// How many look-ups found a blob that only somebody else held.
  private(set) var weakHitCount = 0

  private var entries: [Entry] = []
  private var freeSlots: [Int] = []
  private var slotByKey = SlotIndex()
  /// All entries that are not pinned.
  private var evictable = RecencyOrder()
  private var pinnedKeys: Set<LoadKey> = []
  private var pinnedSequence: [LoadKey] = []
  /// What may be held by somebody else; what is kept is not among it.
  private var weakBlobs = WeakBlobs()

  /// Whether evicted blobs are kept for ``takeDiscarded()``, so that the owner of the cache frees
  /// them outside of its lock.
  var keepsDiscarded = false
  private var discarded: [LoadedBlob] = []

  package init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// How many entries are kept.
  var count: Int { slotByKey.count }

  /// How many entries there are for blobs that are not kept, dead ones included.
  var weakCount: Int { weakBlobs.count }

  /// What a blob costs: the memory it takes, and what keeping it takes.
  ///
  /// The latter is 128 bytes: about what the object, the entry, its links and its place among the
  /// keys come to. Without it any number of empty blobs would fit.
  package static func cost(ofByteCount byteCount: Int) -> Int {
    let (cost, isOverflow) = byteCount.addingReportingOverflow(128)
    return isOverflow ? .max : cost
  }

  /// Whether a blob is kept here; one that somebody else holds is not.
  func keeps(_ key: LoadKey) -> Bool { slotByKey[key] != nil }

  /// Whether a look-up would find a blob.
  func contains(_ key: LoadKey) -> Bool { keeps(key) || weakBlobs[key] != nil }

  /// Finds a blob without noting the use.
  func peek(_ key: LoadKey) -> LoadedBlob? {
    guard let slot = slotByKey[key] else { return weakBlobs[key] }
    return entries[slot].blob
  }

  /// Finds a blob and notes the use; one that only somebody else held is kept again if there is
  /// room for it.
  package mutating func blob(for key: LoadKey) -> LoadedBlob? {
    guard let slot = slotByKey[key] else { return weakBlob(for: key) }
    if !entries[slot].isPinned { evictable.touch(slot) }
    return entries[slot].blob
  }

  /// Keeps a blob, in place of the one with the same key.
  ///
  /// - Returns: Whether there was room for it.
  package mutating func insert(_ blob: LoadedBlob) -> Bool {
    remove(blob.key)
    if keep(blob) { return true }
    bypassCount += 1
    weakBlobs.insert(blob)
    return false
  }

  /// Forgets a blob, even if it is held; it does not count as evicted.
  mutating func remove(_ key: LoadKey) {
    weakBlobs.remove(key)
    if let slot = slotByKey[key] { vacate(slot) }
  }

  /// Forgets all blobs, even held ones, and what is pinned.
  mutating func removeAll() {
    var empty = Self(limit: limit)
    empty.evictionCount = evictionCount
    empty.bypassCount = bypassCount
    empty.weakHitCount = weakHitCount
    empty.keepsDiscarded = keepsDiscarded
    if keepsDiscarded { empty.discarded = discarded + entries.compactMap(\.blob) }
    self = empty
  }

  /// Pins these keys and no others, the most precious first, whether they are kept yet or not.
  ///
  /// What is no longer pinned counts as just used, the most precious last. What is pinned and held
  /// by somebody else is kept again as far as there is room.
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

  /// Evicts until no more than a number of bytes is kept: what is pinned last, and the most
  /// precious of that at the very end.
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

  /// The blobs evicted since the last call.
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

  /// Keeps a blob whose key is not kept, if there is room that may be used for it.
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
    // Most of what is evicted left the screen long ago, and nobody can come to hold it any more. A
    // weak reference to that too would make an insert with an eviction take two to five times as
    // long.
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

/// Blobs that were evicted while somebody else held them.
///
/// What nobody holds any more is found out late: by a look-up, or by a sweep. A sweep comes when
/// there are twice as many entries as the last one left, so that half of what it visits was added
/// since, which makes adding O(1) in the mean and bounds what the dead ones take.
struct WeakBlobs: Sendable {
  private struct Reference {
    weak var blob: LoadedBlob?
  }

  /// The number of entries below which no sweep is worth its while.
  static let leastSwept = 16

  private var references: [LoadKey: Reference] = [:]
  private var sweptCount = WeakBlobs.leastSwept

  /// The number of entries, dead ones included.
  var count: Int { references.count }

  var isEmpty: Bool { references.isEmpty }

  /// The blob, if somebody holds it still.
  subscript(key: LoadKey) -> LoadedBlob? {
    // Nearly always there are none.
    references.isEmpty ? nil : references[key]?.blob
  }

  mutating func insert(_ blob: LoadedBlob) {
    references[blob.key] = Reference(blob: blob)
    guard references.count > sweptCount else { return }
    references = references.filter { $0.value.blob != nil }
    sweptCount = max(Self.leastSwept, 2 * references.count)
  }

  mutating func remove(_ key: LoadKey) {
    guard !references.isEmpty else { return }
    references[key] = nil
  }
}
