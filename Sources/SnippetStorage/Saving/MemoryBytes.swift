import Foundation

/// Bytes in memory.
struct MemoryBytes: ByteSource {
  let data: Data

  init(data: Data) {
    self.data = data
  }

  init(_ bytes: some Sequence<UInt8>) {
    data = Data(bytes)
  }

  var byteCount: Int64 { Int64(data.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    let start = data.startIndex + Int(offset)
    let end = min(data.endIndex, start + buffer.count)
    return data[start..<end].copyBytes(to: buffer)
  }
}
