import Foundation
import SnippetLoading

/// A sequence of look-ups played against a cache: that of the loader, and one that knows the
/// future.
///
/// A look-up that finds nothing loads the blob. Blobs on screen stay in memory, as they must, and
/// take their part of the limit; nothing is loaded ahead. So the hits depend only on the choice of
/// blobs to evict.
///
/// ```swift
/// let replay = CacheReplay(CacheTrace.browse.accesses(count: 60_000, seed: 1))
/// let ratios = replay.ratios(byteLimit: 64 << 20)
/// let share = ratios.objects / replay.bestRatios(byteLimit: 64 << 20).objects
/// ```
struct CacheReplay: Sendable {
  /// One look-up.
  struct Access: Hashable, Sendable {
    /// What is looked up.
    var key: LoadKey
    /// The memory it takes, in bytes; always the same for the same key.
    var byteCount: Int
    /// Whether it is on screen from now until it is among those that leave.
    var isShown: Bool
    /// The keys that left the screen since the previous look-up.
    var leaving: [LoadKey]

    /// Makes a look-up.
    ///
    /// - Parameters:
    ///   - key: The key to look up.
    ///   - byteCount: The memory it takes, in bytes.
    ///   - isShown: Whether it is on screen from now until it leaves. The default holds it only for
    ///     the look-up.
    ///   - leaving: The keys that left the screen since the previous look-up. The default is none.
    init(key: LoadKey, byteCount: Int, isShown: Bool = false, leaving: [LoadKey] = []) {
      self.key = key
      self.byteCount = max(0, byteCount)
      self.isShown = isShown
      self.leaving = leaving
    }
  }

  /// The part of all look-ups that found their blob, from 0 to 1.
  struct HitRatios: Hashable, Sendable {
    /// By number.
    var objects: Double
    /// By memory, counting 128 bytes for each blob besides its own, as the cache does.
    var bytes: Double

    /// Makes a pair of ratios.
    ///
    /// - Parameters:
    ///   - objects: By number. The default is none.
    ///   - bytes: By memory. The default is none.
    init(objects: Double = 0, bytes: Double = 0) {
      self.objects = objects
      self.bytes = bytes
    }
  }

  /// The look-ups, in their order.
  let accesses: [Access]
  /// For each look-up, the index of the next one of the same key; their number when there is none.
  private let nextUses: [Int]

  /// Prepares a sequence.
  ///
  /// - Parameter accesses: The look-ups, in their order.
  /// - Complexity: O(*n*).
  init(_ accesses: [Access]) {
    self.accesses = accesses
    var nextUses = [Int](repeating: accesses.count, count: accesses.count)
    var nextUseByKey: [LoadKey: Int] = [:]
    for index in accesses.indices.reversed() {
      if let next = nextUseByKey.updateValue(index, forKey: accesses[index].key) {
        nextUses[index] = next
      }
    }
    self.nextUses = nextUses
  }

  /// The memory that a blob takes of a cache's limit, in bytes.
  ///
  /// - Parameter byteCount: The memory that the blob itself takes.
  /// - Returns: The sum of that and the overhead of keeping the blob.
  static func cost(ofByteCount byteCount: Int) -> Int {
    BlobCache.cost(ofByteCount: byteCount)
  }

  /// Plays the sequence against the cache of the loader, empty at first.
  ///
  /// - Parameter byteLimit: The limit of the cache, in bytes.
  /// - Returns: The part of the look-ups that found their blob.
  /// - Complexity: O(*n*).
  func ratios(byteLimit: Int) -> HitRatios {
    var cache = BlobCache(limit: byteLimit)
    var tally = Tally()
    var shown: [LoadKey] = []
    for access in accesses {
      if !access.leaving.isEmpty {
        shown.removeAll(where: access.leaving.contains)
        cache.pin(shown)
      }
      let cost = Self.cost(ofByteCount: access.byteCount)
      let isFound = cache.blob(for: access.key) != nil
      tally.add(cost: cost, found: isFound ? cost : 0)
      if !isFound {
        let blob = LoadedBlob(key: access.key, bytes: Data(), byteCount: access.byteCount)
        _ = cache.insert(blob)
      }
      if access.isShown, !shown.contains(access.key) {
        shown.append(access.key)
        cache.pin(shown)
      }
    }
    return tally.ratios
  }

  /// Plays the sequence against a cache that knows it beforehand, and so makes the best choices.
  ///
  /// Besides the blobs on screen it keeps those that are used again soonest (L. A. Belady, 1966),
  /// and none that is not worth its place. It may keep a part of a blob, which then counts as a
  /// partial hit. So no cache that keeps the blobs on screen has a higher ratio of bytes. None has
  /// a higher ratio of objects if all blobs have one size and the limit is a multiple of it.
  ///
  /// - Parameter byteLimit: The limit of the cache, in bytes.
  /// - Returns: The part of the look-ups that found their blob.
  /// - Complexity: Nearly O(*n*).
  func bestRatios(byteLimit: Int) -> HitRatios {
    var tally = Tally()
    var best = BestChoice(limit: byteLimit, count: accesses.count)
    // The look-up that brought each visible blob to the screen.
    var shown: [LoadKey: Int] = [:]
    for (now, access) in accesses.enumerated() {
      for key in access.leaving {
        guard let index = shown.removeValue(forKey: key) else { continue }
        let cost = Self.cost(ofByteCount: accesses[index].byteCount)
        best.hide(cost: cost)
        best.keep(cost: cost, until: nextUses[index])
      }
      let cost = Self.cost(ofByteCount: access.byteCount)
      let isShown = shown[access.key] != nil
      tally.add(cost: cost, found: isShown ? cost : best.take(at: now))
      if isShown {
        shown[access.key] = now
      } else if access.isShown {
        shown[access.key] = now
        best.show(cost: cost)
      } else {
        best.keep(cost: cost, until: nextUses[now])
      }
    }
    return tally.ratios
  }

  private struct Tally {
    private var count = 0
    private var cost = 0
    private var foundCount = 0.0
    private var foundCost = 0

    mutating func add(cost: Int, found: Int) {
      count += 1
      self.cost += cost
      foundCount += Double(found) / Double(cost)
      foundCost += found
    }

    var ratios: HitRatios {
      HitRatios(
        objects: count == 0 ? 0 : foundCount / Double(count),
        bytes: cost == 0 ? 0 : Double(foundCost) / Double(cost)
      )
    }
  }
}

/// The content of a cache that knows when everything is used next.
private struct BestChoice {
  private let limit: Int
  /// The amount kept of the blob used next at each look-up.
  private var kept: [Int]
  private var uses: FarthestUse
  private var keptCost = 0
  private var shownCost = 0

  init(limit: Int, count: Int) {
    self.limit = max(0, limit)
    kept = Array(repeating: 0, count: count)
    uses = FarthestUse(count: count)
  }

  mutating func show(cost: Int) {
    shownCost += cost
    makeRoom()
  }

  mutating func hide(cost: Int) { shownCost -= cost }

  mutating func keep(cost: Int, until next: Int) {
    guard next < kept.count else { return }
    kept[next] = cost
    keptCost += cost
    uses.insert(next)
    makeRoom()
  }

  /// Takes the amount kept of the blob used now.
  mutating func take(at now: Int) -> Int {
    defer {
      if kept[now] > 0 { uses.remove(now) }
      keptCost -= kept[now]
      kept[now] = 0
    }
    return kept[now]
  }

  private mutating func makeRoom() {
    // If not even the blobs on screen have room, a cache need not keep all of them.
    let room = shownCost > limit ? limit : limit - shownCost
    while keptCost > room, let farthest = uses.last {
      let givenUp = min(kept[farthest], keptCost - room)
      kept[farthest] -= givenUp
      keptCost -= givenUp
      if kept[farthest] == 0 { uses.remove(farthest) }
    }
  }
}

/// A set of the numbers below a bound, with fast access to its largest.
private struct FarthestUse {
  private var words: [UInt64]
  /// The words that have a bit set.
  private var summary: [UInt64]

  init(count: Int) {
    words = Array(repeating: 0, count: count / 64 + 1)
    summary = Array(repeating: 0, count: words.count / 64 + 1)
  }

  var last: Int? {
    guard let top = summary.lastIndex(where: { $0 != 0 }) else { return nil }
    let word = top * 64 + 63 - summary[top].leadingZeroBitCount
    return word * 64 + 63 - words[word].leadingZeroBitCount
  }

  mutating func insert(_ number: Int) {
    words[number / 64] |= 1 << UInt64(number % 64)
    summary[number / 64 / 64] |= 1 << UInt64(number / 64 % 64)
  }

  mutating func remove(_ number: Int) {
    words[number / 64] &= ~(1 << UInt64(number % 64))
    if words[number / 64] == 0 { summary[number / 64 / 64] &= ~(1 << UInt64(number / 64 % 64)) }
  }
}
