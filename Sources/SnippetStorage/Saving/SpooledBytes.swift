import Foundation
import SnippetBase

/// The bytes of a stream, kept until their number and hash are known.
///
/// The temporary file loses its name at once, so nothing is left of it however the process ends.
final class SpooledBytes: ByteSource {
  private let file: OpenFile
  private let count = Lock<Int64>(0)

  init() throws(FileError) {
    let folder = FileManager.default.temporaryDirectory
    file = try OpenFile.temporary(folder.appendingPathComponent("snippet").path)
    FileSystem.remove(file.path)
  }

  var byteCount: Int64 { count.withLock { $0 } }

  /// Appends bytes.
  func append(_ piece: Data) throws {
    let start = byteCount
    try piece.withUnsafeBytes { try file.write($0, at: start) }
    count.withLock { $0 += Int64(piece.count) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    try file.read(into: buffer, at: offset)
  }
}
