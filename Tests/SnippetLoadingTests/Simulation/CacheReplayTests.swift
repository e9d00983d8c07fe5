@testable import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

struct CacheReplayTests {
  private let overhead = CacheReplay.cost(ofByteCount: 0)

  private func replay(_ blobs: [Int], byteCount: (Int) -> Int = { _ in 100 }) -> CacheReplay {
    CacheReplay(
      blobs.map { CacheReplay.Access(key: LoadKey(blob: Int64($0)), byteCount: byteCount($0)) }
    )
  }

  @Test func `the best choice passes over what is not worth its place`() {
    let replay = replay([1, 2, 3, 1, 2, 4, 1, 2])
    let roomForTwo = 2 * (100 + overhead)

    // Of all look-ups, only the first of each blob finds nothing.
    #expect(replay.bestRatios(byteLimit: roomForTwo).objects == 4.0 / 8)
    // The oldest of two goes, each time just before it is wanted; but for the last but one.
    #expect(replay.ratios(byteLimit: roomForTwo).objects == 0)
    #expect(replay.ratios(byteLimit: roomForTwo + 100 + overhead).objects == 4.0 / 8)
  }

  @Test func `a part of a blob is found in part`() {
    let replay = replay([1, 2, 1, 2])

    let ratios = replay.bestRatios(byteLimit: (100 + overhead) * 3 / 2)

    #expect(ratios.objects == 1.5 / 4)
    #expect(ratios.bytes == 1.5 / 4)
  }

  @Test func `with room for all only the first look-up of each finds nothing`() {
    let replay = replay([1, 2, 3, 1, 1, 2], byteCount: { $0 * 1_000 })

    for ratios in [replay.ratios(byteLimit: 10_000), replay.bestRatios(byteLimit: 10_000)] {
      #expect(ratios.objects == 3.0 / 6)
      #expect(ratios.bytes == Double(4_000 + 3 * overhead) / Double(10_000 + 6 * overhead))
    }
  }

  @Test func `what is on screen stays, and takes its part of the limit`() {
    func look(_ blob: Int64, leaving: [Int64] = []) -> CacheReplay.Access {
      CacheReplay.Access(
        key: LoadKey(blob: blob),
        byteCount: 100,
        isShown: true,
        leaving: leaving.map { LoadKey(blob: $0) }
      )
    }
    // Two rows are on screen; the list goes down by one and comes back.
    let replay = CacheReplay([look(1), look(2), look(3, leaving: [1]), look(1, leaving: [3])])
    let room = 100 + overhead

    for (places, found) in [(2, 0.0), (3, 1)] {
      #expect(replay.ratios(byteLimit: places * room).objects == found / 4)
      #expect(replay.bestRatios(byteLimit: places * room).objects == found / 4)
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `beside what is on screen the best choice is that of a search`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var onScreen: [Int] = []
      var accesses: [CacheReplay.Access] = []
      var looks: [Look] = []
      for _ in 0..<14 {
        let blob = random.below(5)
        let isShown = random.chance(0.6)
        let leaving = onScreen.count > 1 ? [onScreen.removeFirst()] : []
        accesses.append(
          CacheReplay.Access(
            key: LoadKey(blob: Int64(blob)),
            byteCount: 100,
            isShown: isShown,
            leaving: leaving.map { LoadKey(blob: Int64($0)) }
          )
        )
        let former = Set(onScreen)
        if isShown, !onScreen.contains(blob) { onScreen.append(blob) }
        looks.append(Look(blob: blob, leaving: leaving, former: former, onScreen: Set(onScreen)))
      }
      let room = 2 + random.below(3)

      let ratios = CacheReplay(accesses).bestRatios(byteLimit: room * (100 + overhead))

      let most = mostHits(looks[...], kept: [], room: room)
      #expect(abs(ratios.objects * 14 - Double(most)) < 1e-9, "seed \(seed)")
    }
  }

  /// What is looked up, and what is on screen before and after.
  private struct Look {
    let blob: Int
    let leaving: [Int]
    let former: Set<Int>
    let onScreen: Set<Int>
  }

  /// The most hits of any choice of what to keep beside what is on screen.
  private func mostHits(_ looks: ArraySlice<Look>, kept: Set<Int>, room: Int) -> Int {
    guard let look = looks.first else { return 0 }
    var most = 0
    for kept in choices(kept.union(look.leaving), beside: look.former, room: room) {
      let isFound = kept.contains(look.blob) || look.former.contains(look.blob)
      for kept in choices(kept.union([look.blob]), beside: look.onScreen, room: room) {
        let hits = mostHits(looks.dropFirst(), kept: kept, room: room)
        most = max(most, hits + (isFound ? 1 : 0))
      }
    }
    return most
  }

  /// As much as there is room for, in every way.
  private func choices(_ blobs: Set<Int>, beside onScreen: Set<Int>, room: Int) -> [Set<Int>] {
    let blobs = blobs.subtracting(onScreen).sorted()
    let count = min(blobs.count, room - onScreen.count)
    return (0..<1 << blobs.count).compactMap { choice in
      let chosen = blobs.indices.filter { choice >> $0 & 1 == 1 }.map { blobs[$0] }
      return chosen.count == count ? Set(chosen) : nil
    }
  }

  @Test func `nothing is found without room or without look-ups`() {
    for limit in [0, -1] {
      #expect(replay([1, 1]).ratios(byteLimit: limit).objects == 0)
      #expect(replay([1, 1]).bestRatios(byteLimit: limit).bytes == 0)
    }
    #expect(replay([]).ratios(byteLimit: 1_000) == replay([]).bestRatios(byteLimit: 1_000))
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `the best choice is that of a search through all choices`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let blobs = (0..<14).map { _ in random.below(5) }
      let room = 1 + random.below(3)

      let ratios = replay(blobs).bestRatios(byteLimit: room * (100 + overhead))

      let most = mostHits(blobs[...], kept: [], room: room)
      #expect(abs(ratios.objects * Double(blobs.count) - Double(most)) < 1e-9, "seed \(seed)")
    }
  }

  /// The most hits that any choice of what to keep gives.
  private func mostHits(_ blobs: ArraySlice<Int>, kept: Set<Int>, room: Int) -> Int {
    guard let blob = blobs.first else { return 0 }
    let rest = blobs.dropFirst()
    if kept.contains(blob) { return 1 + mostHits(rest, kept: kept, room: room) }
    var most = mostHits(rest, kept: kept, room: room)
    guard rest.contains(blob) else { return most }
    if kept.count < room { return max(most, mostHits(rest, kept: kept.union([blob]), room: room)) }
    for victim in kept {
      let next = kept.subtracting([victim]).union([blob])
      most = max(most, mostHits(rest, kept: next, room: room))
    }
    return most
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `no cache finds more bytes than the best choice`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let blobs = (0..<5_000).map { _ in min(random.below(200), random.below(200)) }
    let replay = replay(blobs, byteCount: { 1 + ($0 * 7_919) % 1_000 })

    for limit in [500, 2_000, 10_000, 50_000] {
      let ratios = replay.ratios(byteLimit: limit)
      let best = replay.bestRatios(byteLimit: limit)
      #expect(ratios.bytes <= best.bytes, "seed \(seed), limit \(limit)")
      #expect(ratios.bytes > 0, "seed \(seed), limit \(limit)")
    }
  }
}
