import SnippetTestSupport

@testable import SnippetRecognition

/// Bytes, followed by zeros up to a size, that counts how many were read.
final class CountingSource: ByteSource {
  let byteCount: Int64
  private let content: MemoryBytes
  private let counter = Counter()

  init(_ bytes: [UInt8], paddedTo byteCount: Int64? = nil) {
    content = MemoryBytes(bytes)
    self.byteCount = byteCount ?? Int64(bytes.count)
  }

  var readByteCount: Int { counter.value }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    let available = min(buffer.count, Int(clamping: byteCount - offset))
    counter.add(available)
    let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<available])
    let count = try content.read(into: wanted, at: offset)
    wanted[count...].initializeMemory(as: UInt8.self, repeating: 0)
    return available
  }
}
