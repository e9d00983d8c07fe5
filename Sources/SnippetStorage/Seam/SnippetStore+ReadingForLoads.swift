package import Foundation
import GRDB
import SnippetBase

/// Used by SnippetLoading and SnippetMedia, whose workers may block.
extension SnippetStore {
  /// Opens the connections for blobs on another thread, so that the first loads need not.
  package func prepareForLoads() {
    blobReaders.openAhead()
  }

  /// Reads a blob for a worker that may stop waiting for it, without checking it against its hash.
  ///
  /// `check` receives the size of the blob before each MiB but the first, and at least once, while
  /// nothing is held. An error that it throws ends the reading.
  package func blockingContent(of id: BlobID, check: (Int64) throws -> Void) throws -> Data {
    do {
      return try blobReaders.data(of: id, check: check)
    } catch let error where error is DatabaseError || error is BlobDeletion {
      throw SnippetStoreError(error, during: "read blob \(id)")
    }
  }

  /// Reads some bytes of a blob as ``content(of:in:)`` does, and blocks.
  package func blockingContent(
    of id: BlobID,
    in range: Range<Int64>
  ) throws(SnippetStoreError) -> Data {
    var cursor = try ContentCursor(.blob(id), in: range, blobReaders: blobReaders)
    return try cursor.readToEnd()
  }

  /// Reads the bytes of a snippet as ``content(of:in:)`` does, and blocks.
  package func blockingContent(
    of id: SnippetID,
    in range: Range<Int64>? = nil
  ) throws(SnippetStoreError) -> Data {
    var cursor = try ContentCursor(.snippet(id), in: range, blobReaders: blobReaders)
    return try cursor.readToEnd()
  }
}
