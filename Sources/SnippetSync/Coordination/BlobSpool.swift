import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage

/// A blob that is being fetched: in memory if it is one part, otherwise in a temporary file.
final class BlobSpool {
  private let byteCount: Int64
  private var bytes = Data()
  private var hash = ContentHash()
  private var file: SpoolFile?

  init(byteCount: Int64) {
    self.byteCount = byteCount
  }

  func append(_ part: Data) throws(SyncError) {
    part.withUnsafeBytes { hash.update($0) }
    guard byteCount > Repository.partSize else { return bytes.append(part) }
    do {
      let file = try file ?? SpoolFile()
      try file.append(part)
      self.file = file
    } catch {
      throw SyncError(
        .failed,
        "fetch a blob",
        because: "the temporary folder cannot be written (\(error))",
        do: "Make room there.",
        underlying: error
      )
    }
  }

  /// Returns the blob, whose bytes have been compared with their hash.
  func finish(_ sha256: Data) throws(SyncError) -> PreparedBlob {
    guard hash.finish() == sha256 else {
      throw SyncError(
        .damaged,
        "fetch a blob",
        because: "its bytes are not those that its hash was taken of",
        do: "Check the repository (snip sync check --read)."
      )
    }
    return PreparedBlob(sha256: sha256, source: file ?? MemoryBytes(data: bytes))
  }
}

/// Bytes in a file that has no name, so that it goes with the process.
private final class SpoolFile: ByteSource {
  private let handle: FileHandle
  private let count = Lock<Int64>(0)

  init() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("snippet-\(UUID().uuidString)").path
    guard
      FileManager.default.createFile(
        atPath: path,
        contents: nil,
        attributes: [.posixPermissions: 0o600]
      )
    else { throw CocoaError(.fileWriteUnknown) }
    handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    unlink(path)
  }

  var byteCount: Int64 { count.withLock(\.self) }

  func append(_ data: Data) throws {
    try handle.seekToEnd()
    try handle.write(contentsOf: data)
    count.withLock { $0 += Int64(data.count) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    let count = pread(handle.fileDescriptor, buffer.baseAddress, buffer.count, off_t(offset))
    guard count >= 0 else { throw CocoaError(.fileReadUnknown) }
    return count
  }
}
