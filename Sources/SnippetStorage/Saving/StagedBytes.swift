import Foundation
import GRDB

/// The bytes of a staged blob so far, at their place in the store.
struct StagedBytes: ByteSource {
  let id: BlobID
  let chunkCount: Int64
  let chunkSize: Int64
  /// The bytes after the full chunks.
  let tail: Data
  /// The hash, if it was computed on the way.
  var sha256: Data?
  let readers: BlobReaders

  var byteCount: Int64 { chunkCount * chunkSize + Int64(tail.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    let count = Int(min(Int64(buffer.count), byteCount - offset))
    let inChunks = Int(max(0, min(Int64(count), chunkCount * chunkSize - offset)))
    if inChunks > 0 {
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<inChunks])
      guard let layout = BlobLayout(byteCount: chunkCount * chunkSize, chunkSize: chunkSize) else {
        throw DatabaseError.damage("staged blob \(id) has an impossible size")
      }
      try readers.call {
        try readers.withConnection { connection in
          var handle = try BlobHandle(on: connection)
          try handle.read(id, layout, at: offset, into: part)
        }
      }
    }
    let start = Int(offset + Int64(inChunks) - chunkCount * chunkSize)
    if inChunks < count {
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[inChunks..<count])
      tail.dropFirst(start).prefix(part.count).copyBytes(to: part)
    }
    return count
  }
}
