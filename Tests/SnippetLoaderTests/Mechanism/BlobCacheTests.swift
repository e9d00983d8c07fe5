import Foundation
@testable import SnippetLoader
import SnippetTestSupport
import Testing

struct BlobCacheTests {
  private let overhead = BlobCache<RecencyOrder>.cost(ofByteCount: 0)

  /// A cache with room for a number of blobs of 100 bytes.
  private func cache(roomFor count: Int) -> BlobCache<RecencyOrder> {
    BlobCache(limit: count * (100 + overhead))
  }

  private func insert(_ blob: Int64, into cache: inout BlobCache<RecencyOrder>) -> Bool {
    cache.insert(Data(repeating: UInt8(blob), count: 100), for: LoadKey(blob: blob))
  }

  private func kept(_ cache: BlobCache<RecencyOrder>, among blobs: ClosedRange<Int64>) -> [Int64] {
    blobs.filter { cache.contains(LoadKey(blob: $0)) }
  }

  @Test func `what was used longest ago goes first`() {
    var cache = cache(roomFor: 3)
    for blob in 1...3 as ClosedRange<Int64> { #expect(insert(blob, into: &cache)) }
    #expect(cache.bytes(for: LoadKey(blob: 1)) != nil)

    #expect(insert(4, into: &cache))

    #expect(kept(cache, among: 1...4) == [1, 3, 4])
    #expect(cache.evictionCount == 1)
  }

  @Test func `the last byte that fits is kept and one more is not`() {
    var cache = BlobCache<RecencyOrder>(limit: 100 + overhead)

    #expect(cache.insert(Data(count: 100), for: LoadKey(blob: 1)) == true)
    #expect(cache.cost == cache.limit)
    #expect(cache.insert(Data(count: 101), for: LoadKey(blob: 2)) == false)
    #expect(kept(cache, among: 1...2) == [1])
    #expect(cache.bypassCount == 1)
  }

  @Test func `what is pinned is not evicted for room`() {
    var cache = cache(roomFor: 3)
    cache.pin([LoadKey(blob: 1), LoadKey(blob: 2)])

    for blob in 1...6 as ClosedRange<Int64> { #expect(insert(blob, into: &cache)) }

    #expect(kept(cache, among: 1...6) == [1, 2, 6])
  }

  @Test func `a blob without room beside the pinned ones is not kept and evicts nothing`() {
    var cache = cache(roomFor: 2)
    for blob in 1...2 as ClosedRange<Int64> { #expect(insert(blob, into: &cache)) }
    cache.pin([LoadKey(blob: 1)])

    #expect(cache.insert(Data(count: 200), for: LoadKey(blob: 3)) == false)

    #expect(kept(cache, among: 1...3) == [1, 2])
    #expect(cache.evictionCount == 0)
  }

  @Test func `what is no longer pinned counts as just used, the most precious last`() {
    var cache = cache(roomFor: 3)
    for blob in 1...3 as ClosedRange<Int64> { #expect(insert(blob, into: &cache)) }
    cache.pin([LoadKey(blob: 1), LoadKey(blob: 2)])
    cache.pin([])

    #expect(insert(4, into: &cache))
    #expect(insert(5, into: &cache))

    #expect(kept(cache, among: 1...5) == [1, 4, 5])
  }

  @Test func `a trim takes what is pinned last and the most precious at the end`() {
    var cache = cache(roomFor: 4)
    for blob in 1...4 as ClosedRange<Int64> { #expect(insert(blob, into: &cache)) }
    cache.pin([LoadKey(blob: 1), LoadKey(blob: 3)])

    cache.trim(to: 100 + overhead)
    #expect(kept(cache, among: 1...4) == [1])

    cache.trim(to: 0)
    #expect(cache.count == 0)
    #expect(cache.cost == 0)
    #expect(cache.pinnedCost == 0)
  }

  @Test func `empty blobs do not fit without end`() {
    var cache = BlobCache<RecencyOrder>(limit: 10 * overhead)

    for blob in 1...1_000 as ClosedRange<Int64> {
      #expect(cache.insert(Data(), for: LoadKey(blob: blob)) == true)
    }

    #expect(cache.count == 10)
  }

  @Test func `a limit of 0 or less keeps nothing`() {
    for limit in [0, -1] {
      var cache = BlobCache<RecencyOrder>(limit: limit)
      #expect(cache.insert(Data(), for: LoadKey(blob: 1)) == false)
      #expect(cache.cost == 0)
    }
  }
}
