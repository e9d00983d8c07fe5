import Foundation
import SnippetBase

/// Bytes of a stream, kept until their number and hash are known.
///
/// The temporary file loses its name as soon as it is made, so that nothing is left of it, however
/// the process ends.
final class SpooledBytes: ByteSource {
  private let descriptor: Int32
  private let path: String
  private let count = Lock<Int64>(0)

  init() throws {
    let pattern = FileManager.default.temporaryDirectory.appendingPathComponent("snippet-XXXXXX")
    var template = Array(pattern.path.utf8CString)
    descriptor = mkstemp(&template)
    path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    guard descriptor >= 0 else { throw FileError(path) }
    unlink(path)
  }

  deinit {
    close(descriptor)
  }

  var byteCount: Int64 { count.withLock { $0 } }

  /// Adds bytes at the end.
  func append(_ piece: Data) throws {
    let start = byteCount
    try piece.withUnsafeBytes { bytes in
      try writeFully(descriptor, bytes, at: start, path: path)
    }
    count.withLock { $0 += Int64(piece.count) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    try readFully(descriptor, into: buffer, at: offset, path: path)
  }
}
