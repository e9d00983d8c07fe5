package import Foundation

/// Bytes in memory.
package struct MemoryBytes: ByteSource {
  package let data: Data

  package init(data: Data) {
    self.data = data
  }

  package init(_ bytes: some Sequence<UInt8>) {
    data = Data(bytes)
  }

  package var byteCount: Int64 { Int64(data.count) }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    let start = data.startIndex + Int(offset)
    let end = min(data.endIndex, start + buffer.count)
    return data[start..<end].copyBytes(to: buffer)
  }
}
