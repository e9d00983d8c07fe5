import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage

/// A blob that is being fetched: in memory if it is one part, otherwise in a temporary file.
final class BlobSpool {
  private let byteCount: Int64
  private var bytes = Data()
  private var hash = ContentHash()
  private var file: SpooledBytes?

  init(byteCount: Int64) {
    self.byteCount = byteCount
  }

  func append(_ part: Data) throws(SyncError) {
    part.withUnsafeBytes { hash.update($0) }
    guard byteCount > Repository.partSize else { return bytes = part }
    do {
      let file = try file ?? SpooledBytes()
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
