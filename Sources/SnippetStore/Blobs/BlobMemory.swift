import Foundation
import GRDB

/// Memory that becomes `Data` without a copy, and that nobody fills with zeros first.
struct BlobMemory: ~Copyable {
  private(set) var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit {
    free(bytes.baseAddress)
  }

  /// Makes room for so many bytes, in place of those there were.
  mutating func allocate(_ byteCount: Int) throws {
    free(bytes.baseAddress)
    bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    guard byteCount > 0 else { return }
    guard let start = malloc(byteCount) else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  /// The bytes as a value; the memory is empty afterwards.
  mutating func takeData() -> Data {
    guard let start = bytes.baseAddress else { return Data() }
    defer { bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    return Data(bytesNoCopy: start, count: bytes.count, deallocator: .free)
  }
}
