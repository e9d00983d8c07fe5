package import Foundation
import SnippetBase

/// Bytes that can be read at any place, from any thread.
package protocol ByteSource: Sendable {
  /// The number of bytes.
  var byteCount: Int64 { get }

  /// Fills `buffer` with the bytes from `offset` on, and returns their number, which is less than
  /// requested only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int
}

extension ByteSource {
  /// Returns up to `count` bytes from `offset` on; fewer at the end.
  package func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
    guard offset >= 0, offset < byteCount, count > 0 else { return [] }
    let count = Int(min(Int64(count), byteCount - offset))
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }

  /// Calls `body` with all bytes in order, in pieces of `size` and a shorter last one.
  ///
  /// Throws ``ContentChange`` if there are fewer bytes than expected.
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

  /// Returns the SHA-256 of all bytes, in constant memory.
  package func contentHash(check: () throws -> Void = {}) throws -> Data {
    var hash = ContentHash()
    // Small enough for the cache of the processor.
    try forEachPiece(of: 1 << 18) { piece in
      try check()
      hash.update(piece)
    }
    return hash.finish()
  }
}

/// The bytes differed when they were read a second time.
package struct ContentChange: Error {
  package init() {}
}

/// A part of other bytes.
package struct PartOfSource: ByteSource {
  private let source: any ByteSource
  private let part: Range<Int64>

  /// Takes a part that is within a source.
  package init(source: any ByteSource, part: Range<Int64>) {
    self.source = source
    self.part = part
  }

  package var byteCount: Int64 { part.upperBound - part.lowerBound }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    let count = Int(min(Int64(buffer.count), byteCount - offset))
    let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    return try source.read(into: wanted, at: part.lowerBound + offset)
  }
}

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
    // The copy of a part of `Data` is generic, and takes ten times as long for a few bytes.
    return data.withUnsafeBytes { bytes in
      let part = UnsafeRawBufferPointer(rebasing: bytes[Int(offset)...].prefix(buffer.count))
      buffer.copyMemory(from: part)
      return part.count
    }
  }
}
