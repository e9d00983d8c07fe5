import Foundation
@testable import SnippetLoader
import SnippetTestSupport
import Testing

/// The cache against a list that is searched and counted anew each time.
struct BlobCacheModelTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func `random operations leave the cache as the reference has it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limit = 2_000 + random.below(4_000)
    var cache = BlobCache<RecencyOrder>(limit: limit)
    var reference = ReferenceCache(limit: limit)

    for step in 0..<5_000 {
      let key = LoadKey(blob: Int64(random.below(40)))
      switch random.below(100) {
      case 0..<45:
        let bytes = Data(repeating: UInt8(random.below(256)), count: random.below(900))
        #expect(cache.insert(bytes, for: key) == reference.insert(bytes, for: key))
      case 45..<80:
        #expect(cache.bytes(for: key) == reference.bytes(for: key))
      case 80..<85:
        cache.remove(key)
        reference.remove(key)
      case 85..<97:
        let start = Int64(random.below(40))
        let keys = (start..<start + Int64(random.below(6))).map { LoadKey(blob: $0) }
        cache.pin(keys)
        reference.pin(keys)
      default:
        let target = random.below(limit)
        cache.trim(to: target)
        reference.trim(to: target)
      }
      #expect(cache.cost <= limit, "seed \(seed), step \(step)")
      #expect(cache.cost == reference.cost, "seed \(seed), step \(step)")
      #expect(cache.pinnedCost == reference.pinnedCost, "seed \(seed), step \(step)")
      #expect(cache.count == reference.entries.count, "seed \(seed), step \(step)")
      guard reference.entries.allSatisfy({ cache.contains($0.key) }) else {
        Issue.record("The entries differ: seed \(seed), step \(step).")
        return
      }
    }
  }
}

/// Entries in the order of their last use, the oldest first.
private struct ReferenceCache {
  let limit: Int
  var entries: [(key: LoadKey, bytes: Data)] = []
  var pinned: [LoadKey] = []

  var cost: Int { entries.reduce(0) { $0 + $1.bytes.count + 128 } }

  var pinnedCost: Int {
    entries.filter { pinned.contains($0.key) }.reduce(0) { $0 + $1.bytes.count + 128 }
  }

  init(limit: Int) {
    self.limit = limit
  }

  mutating func bytes(for key: LoadKey) -> Data? {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.bytes
  }

  mutating func insert(_ bytes: Data, for key: LoadKey) -> Bool {
    remove(key)
    guard bytes.count + 128 + pinnedCost <= limit else { return false }
    while cost + bytes.count + 128 > limit { evictOldest(includingPinned: false) }
    entries.append((key, bytes))
    return true
  }

  mutating func remove(_ key: LoadKey) {
    entries.removeAll { $0.key == key }
  }

  mutating func pin(_ keys: [LoadKey]) {
    let former = pinned
    pinned = keys
    // What is pinned has no place in the order of use; it gets one when it is let go.
    for key in former.reversed() where !keys.contains(key) { _ = bytes(for: key) }
  }

  mutating func trim(to target: Int) {
    while cost > target { evictOldest(includingPinned: true) }
  }

  private func isKept(_ key: LoadKey) -> Bool { entries.contains { $0.key == key } }

  private mutating func evictOldest(includingPinned: Bool) {
    if let index = entries.firstIndex(where: { !pinned.contains($0.key) }) {
      entries.remove(at: index)
    } else if includingPinned, let key = pinned.last(where: isKept) {
      remove(key)
    }
  }
}
