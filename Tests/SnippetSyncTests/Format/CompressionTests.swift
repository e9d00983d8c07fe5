import Foundation
import Testing

@testable import SnippetSync

struct CompressionTests {
  @Test(arguments: [0, 1, 100, 300_000]) func `compressed bytes come back`(count: Int) {
    let bytes = FormatFixture.bytes(count)

    let packed = Compression.deflate(bytes)

    #expect(Compression.inflate(packed, limit: count) == bytes)
    #expect(Compression.inflate((Data(count: 5) + packed)[5...], limit: count + 9) == bytes)
  }

  @Test func `a stream of more bytes than the limit is refused`() {
    let packed = Compression.deflate(Data(count: 50 << 20))

    #expect(packed.count < 60_000)
    #expect(Compression.inflate(packed, limit: 8 << 20) == nil)
    #expect(Compression.inflate(packed, limit: 50 << 20 - 1) == nil)
    #expect(Compression.inflate(packed, limit: 50 << 20)?.count == 50 << 20)
  }

  @Test func `a stream that is cut off, damaged or followed by bytes is refused`() {
    let packed = Compression.deflate(Data("Milk, bread, milk, bread".utf8))

    for count in 0..<packed.count {
      #expect(Compression.inflate(packed.prefix(count), limit: 100) == nil)
    }
    #expect(Compression.inflate(packed + [0], limit: 100) == nil)
    #expect(Compression.inflate(packed + packed, limit: 100) == nil)
    #expect(Compression.inflate(Data("no stream".utf8), limit: 100) == nil)
    #expect(Compression.inflate(packed.dropLast() + [packed.last! ^ 1], limit: 100) == nil)
  }
}
