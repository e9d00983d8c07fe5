package import Foundation
import SnippetBase

/// Bytes that can be read at any place, from any thread.
package protocol ByteSource: Sendable {
  /// How many bytes there are.
  var byteCount: Int64 { get }

  /// Fills `buffer` with the bytes from `offset` on.
  ///
  /// - Returns: How many bytes were read: fewer than asked for only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int
}

extension ByteSource {
  /// Up to `count` bytes from `offset` on; fewer at the end.
  package func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
    guard offset >= 0, offset < byteCount, count > 0 else { return [] }
    let count = Int(min(Int64(count), byteCount - offset))
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }

  /// Calls `body` with all the bytes in order, in pieces of `size` and a shorter last one.
  ///
  /// Throws ``ContentChange`` when there are fewer bytes than there were.
  package func forEachPiece(
    of size: Int = 1 << 20,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let total = byteCount
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(min(Int64(size), max(total, 1))),
      alignment: 16
    )
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while offset < total {
      let wanted = Int(min(Int64(buffer.count), total - offset))
      let count = try read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]),
        at: offset
      )
      guard count == wanted else { throw ContentChange() }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
  }

  /// The SHA-256 of all the bytes, in constant memory.
  package func contentHash(check: () throws -> Void = {}) throws -> Data {
    var hash = ContentHash()
    // No more than what the processor keeps at hand.
    try forEachPiece(of: 1 << 18) { piece in
      try check()
      hash.update(piece)
    }
    return hash.finish()
  }
}

/// The bytes were not the same when they were read a second time.
package struct ContentChange: Error {
  package init() {}
}
