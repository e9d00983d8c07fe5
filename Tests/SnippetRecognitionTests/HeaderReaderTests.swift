import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct HeaderReaderTests {
  private let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  @Test func `bytes are the same wherever and in whatever order they are read`() throws {
    var reader = try HeaderReader(MemoryBytes(content))

    for (offset, count) in [(0, 1), (2040, 16), (150_000, 3), (149_999, 3), (199_990, 10), (5, 0)] {
      let bytes = try reader.bytes(at: Int64(offset), count: count)

      #expect(bytes == Array(content[offset..<offset + count]))
    }
  }

  @Test(arguments: [
    (-1, 1), (0, -1), (199_999, 2), (200_001, 0), (.max, 1), (.max, .max), (.min, 4), (0, 65_537),
  ])
  func `what is not there is out of reach`(offset: Int64, count: Int) throws {
    var reader = try HeaderReader(MemoryBytes(content))

    #expect(throws: HeaderReader.OutOfReach.self) { try reader.bytes(at: offset, count: count) }
  }

  @Test func `more than a header may need is out of reach`() throws {
    var reader = try HeaderReader(MemoryBytes(zeros(4 << 20)))
    var byteCount = 0

    #expect(throws: HeaderReader.OutOfReach.self) {
      for index in 0..<64 {
        byteCount += try reader.bytes(at: Int64(index) << 16, count: 1 << 16).count
      }
    }
    #expect((900_000...HeaderReader.maximumByteCount).contains(byteCount))
  }

  @Test func `numbers are read in either order`() throws {
    var reader = try HeaderReader(MemoryBytes([1, 2, 3, 4, 5, 6, 7, 8] as [UInt8]))

    #expect(try reader.number(UInt8.self, at: 2, .bigEndian) == 3)
    #expect(try reader.number(UInt16.self, at: 0, .bigEndian) == 0x0102)
    #expect(try reader.number(UInt32.self, at: 4, .littleEndian) == 0x0807_0605)
    #expect(try reader.number(UInt64.self, at: 0, .bigEndian) == 0x0102_0304_0506_0708)
  }

  @Test func `a word is not spelled where the content ends`() throws {
    var reader = try HeaderReader(MemoryBytes(ascii("RIFFWA")))

    #expect(try reader.spells("RIFF", at: 0))
    #expect(try !reader.spells("RIFX", at: 0))
    #expect(try !reader.spells("WAVE", at: 4))
  }

  @Test func `a file that became shorter is out of reach`() throws {
    var reader = try HeaderReader(ShrunkSource())

    #expect(throws: HeaderReader.OutOfReach.self) { try reader.bytes(at: 50_000, count: 4) }
  }
}

/// Says that it is longer than it is.
private struct ShrunkSource: ByteSource {
  let byteCount: Int64 = 100_000

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    guard offset < 10_000 else { return 0 }
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    return buffer.count
  }
}
