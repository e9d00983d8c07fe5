@testable import SnippetLoading
import SnippetStorage
import SnippetTesting
import Testing

struct CacheTraceTests {
  private func positions(_ trace: CacheTrace, count: Int = 5_000, seed: UInt64 = 1) -> [Int] {
    trace.accesses(count: count, seed: seed).map { Int($0.key.blobID?.rawValue ?? 0) - 1 }
  }

  @Test(arguments: CacheTrace.allCases)
  func `a trace is as long as wanted, begins at the top and stays in its lists`(trace: CacheTrace) {
    let positions = positions(trace)

    #expect(positions.count == 5_000)
    #expect(positions.prefix(3).contains(0))
    #expect(positions.allSatisfy { (0..<3 * CacheTrace.rowCount).contains($0) })
    #expect(trace.accesses(count: 0, seed: 1).isEmpty)
  }

  @Test(arguments: CacheTrace.allCases)
  func `the same seed gives the same trace`(trace: CacheTrace) {
    #expect(positions(trace) == positions(trace))
    if trace != .recorded(.steady) { #expect(positions(trace) != positions(trace, seed: 2)) }
  }

  @Test(arguments: CacheTrace.allCases)
  func `on screen is a viewport of one list`(trace: CacheTrace) {
    var shown: Set<Int> = []
    for access in trace.accesses(count: 5_000, seed: 1) {
      func position(_ key: LoadKey) -> Int { Int(key.blobID?.rawValue ?? 0) - 1 }
      shown.subtract(access.leaving.map(position))
      if access.isShown { shown.insert(position(access.key)) }
      let first = shown.min() ?? 0
      #expect(shown.allSatisfy { $0 - first < CacheTrace.viewport })
      #expect(access.isShown || trace == .browseAndOpen)
    }
    #expect(!shown.isEmpty)
  }

  @Test func `only three tabs look into three lists`() {
    for trace in CacheTrace.allCases {
      let lists = Set(positions(trace).map { $0 / CacheTrace.rowCount })
      #expect(lists == (trace == .threeTabs ? [0, 1, 2] : [0]))
    }
  }

  @Test func `a fourth of what is looked up is opened, and a few are opened often`() {
    let positions = positions(.browseAndOpen, count: 40_000)
    var counts: [Int: Int] = [:]
    for position in positions { counts[position, default: 0] += 1 }

    let mostOpened = counts.values.max() ?? 0
    #expect((600..<1_500).contains(mostOpened))
  }

  @Test func `a thumb scrolls through every row on its way`() {
    let positions = positions(.backAndForth)

    let steps = zip(positions.dropFirst(), positions).map { abs($0 - $1) }
    #expect(steps.allSatisfy { $0 <= CacheTrace.viewport })
    #expect(Set(positions).count == (positions.max() ?? 0) + 1)
  }

  @Test func `blobs have one size or many, and the same at the same place`() {
    let even = CacheTrace.browse.accesses(count: 2_000, seed: 1)
    let varied = CacheTrace.browse.accesses(count: 2_000, seed: 1, sizes: .varied)

    #expect(Set(even.map(\.byteCount)) == [100_000])
    #expect(even.map(\.key) == varied.map(\.key))
    #expect(varied.allSatisfy { (4_000...1_000_000).contains($0.byteCount) })
    #expect((varied.map(\.byteCount).min() ?? 0) < 10_000)
    #expect((varied.map(\.byteCount).max() ?? 0) > 400_000)
    let sizes = Dictionary(grouping: varied, by: \.key).values.map { Set($0.map(\.byteCount)) }
    #expect(sizes.allSatisfy { $0.count == 1 })
    #expect(CacheTrace.Sizes.even.meanCost == 100_128)
    #expect((150_000..<210_000).contains(CacheTrace.Sizes.varied.meanCost))
  }
}
