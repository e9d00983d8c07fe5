import Foundation
import GRDB

/// Memory that becomes `Data` without a copy and is not filled with zeros first.
struct BlobMemory: ~Copyable {
  private(set) var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit {
    free(bytes.baseAddress)
  }

  /// Allocates a number of bytes, and frees the previous ones.
  mutating func allocate(_ byteCount: Int) throws {
    free(bytes.baseAddress)
    bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    guard byteCount > 0 else { return }
    guard let start = Self.memory(byteCount) else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  /// Replaces the memory with a copy of bytes, and returns their number.
  @discardableResult
  mutating func copy(_ source: UnsafeRawBufferPointer) throws -> Int {
    try allocate(source.count)
    bytes.copyMemory(from: source)
    return source.count
  }

  /// Returns the bytes as a value, and leaves the memory empty.
  mutating func takeData() -> Data {
    guard let start = bytes.baseAddress else { return Data() }
    defer { bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    return Data(bytesNoCopy: start, count: bytes.count, deallocator: .free)
  }

  private static func memory(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    #if os(Linux)
    // A block this large always comes fresh from the system. In 4 kB pages that takes longer than
    // filling it: 65 ms for 100 MB, and 15 ms in large pages.
    if byteCount >= 32 << 20 {
      var start: UnsafeMutableRawPointer?
      guard posix_memalign(&start, 2 << 20, byteCount) == 0 else { return nil }
      // Only advice; the memory is usable without it.
      madvise(start, byteCount, MADV_HUGEPAGE)
      return start
    }
    #endif
    return malloc(byteCount)
  }
}
