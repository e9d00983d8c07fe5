import Foundation
@testable import SnippetLoading
import SnippetTesting
import Testing

/// What the cache has evicted while a cell still shows it.
struct BlobCacheWeakTests {
  private let overhead = BlobCache.cost(ofByteCount: 0)

  private func cache(roomFor count: Int) -> BlobCache {
    BlobCache(limit: count * (100 + overhead))
  }

  private func blob(_ number: Int64, byteCount: Int = 100) -> LoadedBlob {
    LoadedBlob(key: LoadKey(blob: number), bytes: Data(count: byteCount))
  }

  @Test func `an evicted blob that a cell shows is found, and is kept again`() {
    var cache = cache(roomFor: 1)
    let shown = blob(1)
    #expect(cache.insert(shown) == true)
    #expect(cache.insert(blob(2)) == true)
    #expect(!cache.keeps(shown.key))
    #expect(cache.contains(shown.key))

    #expect(cache.blob(for: shown.key) === shown)

    #expect(cache.keeps(shown.key))
    #expect(!cache.contains(LoadKey(blob: 2)))
    #expect(cache.weakHitCount == 1)
    #expect(cache.weakBlobs.isEmpty)
    #expect(cache.cost == cache.limit)
  }

  @Test func `an evicted blob that nobody holds leaves nothing`() {
    var cache = cache(roomFor: 1)
    for number in 1...100 as ClosedRange<Int64> { #expect(cache.insert(blob(number)) == true) }

    #expect(cache.evictionCount == 99)
    #expect(cache.weakBlobs.isEmpty)
    #expect(cache.blob(for: LoadKey(blob: 1)) == nil)
  }

  @Test func `a blob is no longer found once the cell lets go`() {
    var cache = cache(roomFor: 1)
    var shown: LoadedBlob? = blob(1)
    if let shown { #expect(cache.insert(shown) == true) }
    #expect(cache.insert(blob(2)) == true)
    #expect(cache.peek(LoadKey(blob: 1)) === shown)

    shown = nil

    #expect(!cache.contains(LoadKey(blob: 1)))
    #expect(cache.peek(LoadKey(blob: 1)) == nil)
    #expect(cache.blob(for: LoadKey(blob: 1)) == nil)
    #expect(cache.weakHitCount == 0)
    #expect(cache.weakBlobs.isEmpty)
  }

  @Test func `a blob without room is found as long as a cell shows it, and never kept`() {
    var cache = cache(roomFor: 2)
    let large = blob(1, byteCount: 1_000)
    #expect(cache.insert(large) == false)
    #expect(cache.insert(blob(2)) == true)

    for _ in 0..<3 { #expect(cache.blob(for: large.key) === large) }

    #expect(cache.weakHitCount == 3)
    #expect(cache.bypassCount == 1)
    #expect(!cache.keeps(large.key))
    #expect(cache.keeps(LoadKey(blob: 2)))
  }

  @Test func `what was trimmed away is kept again with its pin`() {
    var cache = cache(roomFor: 3)
    let shown = [blob(1), blob(2)]
    for blob in shown { #expect(cache.insert(blob) == true) }
    cache.pin(shown.map(\.key))
    cache.trim(to: 0)
    #expect(cache.cost == 0)

    // What shows a blob holds it.
    withExtendedLifetime(shown) { cache.pin(shown.map(\.key) + [LoadKey(blob: 3)]) }

    #expect(cache.pinnedCost == 2 * (100 + overhead))
    #expect(cache.weakBlobs.isEmpty)
  }

  @Test func `what is forgotten is not found, even while a cell holds it`() {
    var cache = cache(roomFor: 1)
    let shown = [blob(1), blob(2), blob(3)]
    for blob in shown { #expect(cache.insert(blob) == true) }

    cache.remove(LoadKey(blob: 1))
    #expect(!cache.contains(LoadKey(blob: 1)))
    #expect(cache.contains(LoadKey(blob: 2)))
    cache.removeAll()

    for blob in shown { #expect(cache.blob(for: blob.key) == nil) }
    #expect(cache.evictionCount == 2)
  }

  @Test func `another blob of the same key takes the place of the one a cell shows`() {
    var cache = cache(roomFor: 1)
    let former = blob(1)
    #expect(cache.insert(former) == true)
    #expect(cache.insert(blob(2)) == true)
    let newer = blob(1)

    #expect(cache.insert(newer) == true)

    #expect(cache.blob(for: newer.key) === newer)
    #expect(cache.weakHitCount == 0)
  }

  @Test func `what cells release does not pile up`() {
    var cache = cache(roomFor: 1)
    var shown: [LoadedBlob] = []
    for number in 1...10_000 as ClosedRange<Int64> {
      shown.append(blob(number))
      if shown.count > 12 { shown.removeFirst() }
      if let last = shown.last { #expect(cache.insert(last) == true) }
      // A sweep leaves 12 at most, and the next comes at twice as many.
      #expect(cache.weakBlobs.count <= 24)
    }
    for blob in shown { #expect(cache.contains(blob.key)) }
  }
}
