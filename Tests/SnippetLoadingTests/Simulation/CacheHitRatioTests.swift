import SnippetTesting
import Testing

/// The order of eviction, judged by what a list looks up.
struct CacheHitRatioTests {
  @Test(arguments: [CacheTrace.browse, .backAndForth, .reader, .recorded(.fling)])
  func `in one list that moves the cache finds all that the best choice finds`(trace: CacheTrace) {
    let seed: UInt64 = 1
    let replay = CacheReplay(trace.accesses(count: 6_000, seed: seed))
    for viewports in [3, 10, 30] {
      let limit = viewports * CacheTrace.viewport * CacheTrace.Sizes.even.meanCost
      let best = replay.bestRatios(byteLimit: limit).objects
      let ratio = replay.ratios(byteLimit: limit).objects
      // But for what is kept from the end of the list until it begins again.
      #expect(ratio >= 0.97 * best, "\(trace), \(viewports) viewports, seed \(seed)")
    }
  }

  @Test(arguments: CacheTrace.Sizes.allCases)
  func `the cache finds most of what the best choice finds`(sizes: CacheTrace.Sizes) {
    let seed: UInt64 = 1
    var shares: [Double] = []
    // Where a leap to any place goes, no cache can know.
    for trace in CacheTrace.allCases where trace != .recorded(.jump) {
      let replay = CacheReplay(trace.accesses(count: 6_000, seed: seed, sizes: sizes))
      for viewports in [3, 10, 30, 100] {
        let limit = viewports * CacheTrace.viewport * sizes.meanCost
        let ratios = replay.ratios(byteLimit: limit)
        let best = replay.bestRatios(byteLimit: limit)
        // The best choice is known for blobs of one size, and by bytes.
        #expect(ratios.bytes <= best.bytes, "\(trace), \(viewports) viewports, seed \(seed)")
        if best.bytes > 0 { shares.append(ratios.bytes / best.bytes) }
      }
    }
    let mean = shares.reduce(0, +) / Double(shares.count)
    #expect(mean >= 0.92, "seed \(seed)")
  }
}
