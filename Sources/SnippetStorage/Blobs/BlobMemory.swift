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
    guard let start = Self.memory(byteCount) else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  /// Some of the bytes.
  func part(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: bytes[range])
  }

  /// Takes a copy of some bytes, in place of those there were.
  ///
  /// - Returns: How many.
  @discardableResult
  mutating func copy(_ source: UnsafeRawBufferPointer) throws -> Int {
    try allocate(source.count)
    bytes.copyMemory(from: source)
    return source.count
  }

  /// The bytes as a value; the memory is empty afterwards.
  mutating func takeData() -> Data {
    guard let start = bytes.baseAddress else { return Data() }
    defer { bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    return Data(bytesNoCopy: start, count: bytes.count, deallocator: .free)
  }

  private static func memory(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    #if os(Linux)
    // A block this large is always new from the system; in 4 kB pages, getting it takes longer than
    // filling it: 65 ms for 100 MB, in large pages 15.
    if byteCount >= 32 << 20 {
      var start: UnsafeMutableRawPointer?
      guard posix_memalign(&start, 2 << 20, byteCount) == 0 else { return nil }
      // Advice: without it all is as it would be.
      madvise(start, byteCount, MADV_HUGEPAGE)
      return start
    }
    #endif
    return malloc(byteCount)
  }
}
