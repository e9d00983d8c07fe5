@testable import SnippetLoading
import SnippetTesting
import Testing

/// The order of eviction, judged by what a list looks up.
struct CacheHitRatioTests {
  @Test(arguments: CacheTrace.Sizes.allCases)
  func `the cache finds most of what the best choice finds`(sizes: CacheTrace.Sizes) {
    let seed: UInt64 = 1
    var shares: [Double] = []
    for trace in CacheTrace.allCases {
      let replay = CacheReplay(trace.accesses(count: 12_000, seed: seed, sizes: sizes))
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
    #expect(mean >= 0.72, "seed \(seed)")
  }
}
