import Foundation
@testable import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

/// The cache, and cells that hold what they show, against lists that are searched and counted anew
/// each time.
struct BlobCacheModelTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func `random operations leave the cache as the reference has it`(seed: UInt64) {
    var world = CacheWorld(seed: seed)
    for step in 0..<2_000 {
      let flaws = world.step()
      guard flaws.isEmpty else {
        Issue.record("seed \(seed), step \(step): \(flaws.joined(separator: " "))")
        return
      }
    }
    #expect(world.cache.weakHitCount > 5)
    #expect(world.cache.evictionCount > 300)
    #expect(world.cache.bypassCount > 5)
  }
}

private struct CacheWorld {
  private(set) var cache: BlobCache
  private var reference: ReferenceCache
  private var random: SeededGenerator
  /// What is on screen.
  private var cells = [LoadedBlob?](repeating: nil, count: 10)
  private var lastSerial = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let limit = 2_000 + random.below(4_000)
    cache = BlobCache(limit: limit)
    reference = ReferenceCache(limit: limit)
  }

  /// Makes a random step.
  ///
  /// - Returns: What is wrong afterwards.
  mutating func step() -> [String] {
    let key = LoadKey(blob: Int64(random.below(40)))
    reference.held = Set(cells.compactMap { $0.map(serial) })
    var flaws: [String] = []
    switch random.below(100) {
    case 0..<35:
      if !insert(key) { flaws.append("The insert of \(key) has another result.") }
    case 35..<65:
      let found = cache.blob(for: key)
      if found.map(serial) != reference.find(key) { flaws.append("Another \(key) was found.") }
      if let found { show(found) }
    case 65..<85:
      cells[random.below(cells.count)] = nil
    case 85..<88:
      cache.remove(key)
      reference.remove(key)
    case 88..<96:
      let start = Int64(random.below(40))
      let keys = (start..<start + Int64(random.below(6))).map { LoadKey(blob: $0) }
      cache.pin(keys)
      reference.pin(keys)
    case 96:
      cache.trimToPinned()
      reference.trim(to: reference.pinnedCost)
    case 97 where random.chance(0.1):
      cache.removeAll()
      reference.removeAll()
    default:
      let target = random.below(cache.limit)
      cache.trim(to: target)
      reference.trim(to: target)
    }
    return flaws + compare()
  }

  private mutating func insert(_ key: LoadKey) -> Bool {
    lastSerial += 1
    let byteCount = random.below(random.chance(0.2) ? 6_000 : 900)
    let blob = LoadedBlob(key: key, bytes: Data(), content: lastSerial, byteCount: byteCount)
    if random.chance(0.5) { show(blob) }
    let entry = ReferenceCache.Entry(key: key, serial: lastSerial, cost: byteCount + 128)
    return cache.insert(blob) == reference.insert(entry)
  }

  private mutating func show(_ blob: LoadedBlob) {
    cells[random.below(cells.count)] = blob
    reference.held = Set(cells.compactMap { $0.map(serial) })
  }

  private func serial(_ blob: LoadedBlob) -> Int { blob.content(as: Int.self) ?? 0 }

  private func compare() -> [String] {
    var reference = reference
    reference.held = Set(cells.compactMap { $0.map(serial) })
    var flaws: [String] = []
    func check(_ isRight: Bool, _ flaw: String) { if !isRight { flaws.append(flaw) } }
    check(cache.cost <= cache.limit, "It is over its limit.")
    check(cache.cost == reference.cost, "The cost is \(cache.cost), not \(reference.cost).")
    check(cache.pinnedCost == reference.pinnedCost, "The pinned cost is \(cache.pinnedCost).")
    check(cache.count == reference.entries.count, "The count is \(cache.count).")
    check(cache.evictionCount == reference.evictionCount, "The evictions are miscounted.")
    check(cache.weakHitCount == reference.weakHitCount, "The weak hits are miscounted.")
    check(cache.weakBlobs.count <= max(16, 2 * cells.count), "\(cache.weakBlobs.count) weak ones.")
    for key in (0..<40).map({ LoadKey(blob: $0) }) {
      check(cache.keeps(key) == reference.keeps(key), "\(key) is kept, or is not.")
      check(cache.peek(key).map(serial) == reference.peek(key), "Another \(key) is seen.")
      check(cache.contains(key) == (reference.peek(key) != nil), "\(key) is here, or is not.")
    }
    return flaws
  }
}

/// Entries in the order of their last use, the oldest first; blobs by serial number, so that the
/// reference holds none.
private struct ReferenceCache {
  struct Entry {
    let key: LoadKey
    let serial: Int
    let cost: Int
  }

  let limit: Int
  /// What cells hold.
  var held: Set<Int> = []
  private(set) var entries: [Entry] = []
  private(set) var evictionCount = 0
  private(set) var weakHitCount = 0
  private var weak: [LoadKey: Entry] = [:]
  private var pinned: [LoadKey] = []

  init(limit: Int) {
    self.limit = limit
  }

  var cost: Int { entries.reduce(0) { $0 + $1.cost } }

  var pinnedCost: Int {
    entries.filter { pinned.contains($0.key) }.reduce(0) { $0 + $1.cost }
  }

  func keeps(_ key: LoadKey) -> Bool { entries.contains { $0.key == key } }

  func peek(_ key: LoadKey) -> Int? {
    (entries.first { $0.key == key } ?? aliveWeak(key))?.serial
  }

  mutating func find(_ key: LoadKey) -> Int? {
    if touch(key) { return entries.last?.serial }
    guard let entry = aliveWeak(key) else { return nil }
    weakHitCount += 1
    if keep(entry) { weak[key] = nil }
    return entry.serial
  }

  mutating func insert(_ entry: Entry) -> Bool {
    remove(entry.key)
    if keep(entry) { return true }
    weak[entry.key] = entry
    return false
  }

  mutating func remove(_ key: LoadKey) {
    entries.removeAll { $0.key == key }
    weak[key] = nil
  }

  mutating func removeAll() {
    entries = []
    weak = [:]
    pinned = []
  }

  mutating func pin(_ keys: [LoadKey]) {
    guard keys != pinned else { return }
    let former = pinned
    pinned = keys
    // What is pinned has no place in the order of use; it gets one when it is let go.
    for key in former.reversed() where !keys.contains(key) { _ = touch(key) }
    for key in keys {
      if let entry = aliveWeak(key), keep(entry) { weak[key] = nil }
    }
  }

  mutating func trim(to target: Int) {
    while cost > target { evictOldest(includingPinned: true) }
  }

  private func aliveWeak(_ key: LoadKey) -> Entry? {
    weak[key].flatMap { held.contains($0.serial) ? $0 : nil }
  }

  private mutating func touch(_ key: LoadKey) -> Bool {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return false }
    entries.append(entries.remove(at: index))
    return true
  }

  private mutating func keep(_ entry: Entry) -> Bool {
    guard entry.cost + pinnedCost <= limit else { return false }
    while cost + entry.cost > limit { evictOldest(includingPinned: false) }
    entries.append(entry)
    return true
  }

  private mutating func evictOldest(includingPinned: Bool) {
    if let index = entries.firstIndex(where: { !pinned.contains($0.key) }) {
      evict(at: index)
    } else if includingPinned, let key = pinned.last(where: keeps),
      let index = entries.firstIndex(where: { $0.key == key })
    {
      evict(at: index)
    }
  }

  private mutating func evict(at index: Int) {
    let entry = entries.remove(at: index)
    evictionCount += 1
    if held.contains(entry.serial) { weak[entry.key] = entry }
  }
}
