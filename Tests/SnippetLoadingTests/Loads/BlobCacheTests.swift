import Foundation
@testable import SnippetLoading
import SnippetTesting
import Testing

struct BlobCacheTests {
  private let overhead = BlobCache.cost(ofByteCount: 0)

  /// A cache with room for a number of blobs of 100 bytes.
  private func cache(roomFor count: Int) -> BlobCache {
    BlobCache(limit: count * (100 + overhead))
  }

  private func insert(_ blob: Int64, into cache: inout BlobCache) -> Bool {
    cache.insert(self.blob(blob, byteCount: 100))
  }

  private func blob(_ number: Int64, byteCount: Int) -> LoadedBlob {
    LoadedBlob(key: LoadKey(blob: number), bytes: Data(count: byteCount))
  }

  private func kept(_ cache: BlobCache, among blobs: ClosedRange<Int64>) -> [Int64] {
    blobs.filter { cache.contains(LoadKey(blob: $0)) }
  }

  @Test func `what was used longest ago goes first`() {
    var cache = cache(roomFor: 3)
    for blob in 1...3 as ClosedRange<Int64> { #expect(insert(blob, into: &cache)) }
    #expect(cache.blob(for: LoadKey(blob: 1)) != nil)

    #expect(insert(4, into: &cache))

    #expect(kept(cache, among: 1...4) == [1, 3, 4])
    #expect(cache.evictionCount == 1)
  }

  @Test func `the last byte that fits is kept and one more is not`() {
    var cache = BlobCache(limit: 100 + overhead)

    #expect(cache.insert(blob(1, byteCount: 100)) == true)
    #expect(cache.cost == cache.limit)
    #expect(cache.insert(blob(2, byteCount: 101)) == false)
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

    #expect(cache.insert(blob(3, byteCount: 200)) == false)

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

  @Test func `a trim to what is pinned takes all else`() {
    var cache = cache(roomFor: 4)
    for blob in 1...4 as ClosedRange<Int64> { #expect(insert(blob, into: &cache)) }
    cache.pin([LoadKey(blob: 2), LoadKey(blob: 9), LoadKey(blob: 3)])

    cache.trimToPinned()

    #expect(kept(cache, among: 1...9) == [2, 3])
    #expect(cache.cost == cache.pinnedCost)
    #expect(cache.evictionCount == 2)
  }

  @Test func `a peek is not a use`() {
    var cache = cache(roomFor: 2)
    for blob in 1...2 as ClosedRange<Int64> { #expect(insert(blob, into: &cache)) }

    #expect(cache.peek(LoadKey(blob: 1)) != nil)
    #expect(cache.peek(LoadKey(blob: 3)) == nil)
    #expect(insert(3, into: &cache))

    #expect(kept(cache, among: 1...3) == [2, 3])
  }

  @Test func `what was decoded counts as well`() {
    var cache = BlobCache(limit: 2_000)
    let key = LoadKey(blob: 1)

    let decoded = LoadedBlob(key: key, bytes: Data(count: 100), content: "text", byteCount: 900)
    #expect(cache.insert(decoded) == true)
    #expect(cache.cost == 900 + overhead)
    #expect(cache.blob(for: key)?.content(as: String.self) == "text")
  }

  @Test func `a blob of any size has a cost`() {
    var cache = BlobCache(limit: .max)
    let key = LoadKey(blob: 1)

    #expect(cache.insert(LoadedBlob(key: key, bytes: Data(), byteCount: .max)) == true)
    #expect(cache.cost == .max)
    #expect(cache.insert(LoadedBlob(key: key, bytes: Data(), byteCount: -1)) == true)
    #expect(cache.cost == overhead)
  }

  @Test func `empty blobs do not fit without end`() {
    var cache = BlobCache(limit: 10 * overhead)

    for number in 1...1_000 as ClosedRange<Int64> {
      #expect(cache.insert(blob(number, byteCount: 0)) == true)
    }

    #expect(cache.count == 10)
  }

  @Test func `a limit of 0 or less keeps nothing`() {
    for limit in [0, -1] {
      var cache = BlobCache(limit: limit)
      #expect(cache.insert(blob(1, byteCount: 0)) == false)
      #expect(cache.cost == 0)
    }
  }
}
