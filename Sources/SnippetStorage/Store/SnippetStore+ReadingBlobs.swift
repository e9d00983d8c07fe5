public import Foundation
import SnippetBase

extension SnippetStore {
  /// Reads the bytes of a blob, without checking them against its hash.
  ///
  /// The check would take longer than the reading. Read the content of the snippet to have it.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - range: The bytes to read; all by default. Bytes beyond the end are left out.
  /// - Returns: The bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.damaged` if chunks are missing; `.cancelled`
  ///   if the task was cancelled before reading began.
  /// - Complexity: O(*m*) for *m* bytes, wherever in the blob they are.
  public func content(
    of id: BlobID,
    in range: Range<Int64>? = nil
  ) async throws(SnippetStoreError) -> Data {
    let blobReaders = blobReaders
    return try await OwnThreads.run(to: "read blob \(id)") { _ in
      try blobReaders.data(of: id, in: range)
    }
  }

  /// Reads several blobs at once, for the rows on a screen.
  ///
  /// Up to 4 MiB are read in one snapshot, which is cheaper than a snapshot for each blob. The
  /// bytes are not checked against their hashes.
  ///
  /// - Parameter ids: The blobs to read; duplicates are read once.
  /// - Returns: The bytes of each blob; missing blobs are left out.
  /// - Throws: ``SnippetStoreError``: `.damaged` if chunks of a blob are missing. The error names
  ///   the blob, and you can still read the others. `.cancelled` if the task was cancelled before
  ///   reading began.
  /// - Complexity: O(*m*) for *m* bytes, held in memory.
  public func content(
    of ids: some Sequence<BlobID> & Sendable
  ) async throws(SnippetStoreError) -> [BlobID: Data] {
    let blobReaders = blobReaders
    return try await OwnThreads.run(to: "read blobs") { _ in
      try blobReaders.data(of: ids)
    }
  }

  /// Reads a blob as a sequence of pieces of at most 1 MiB, in constant memory.
  ///
  /// The bytes are not checked against the hash of the blob; the pieces of a snippet are.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - range: The bytes to read; all by default. Bytes beyond the end are left out.
  /// - Returns: The pieces; nothing is read before you request the first. Reading one throws
  ///   ``SnippetStoreError``: `.notFound`; `.cancelled` if the task was cancelled.
  public func pieces(
    of id: BlobID,
    in range: Range<Int64>? = nil
  ) -> some AsyncSequence<Data, SnippetStoreError> & Sendable {
    ContentPieces(subject: .blob(id), range: range, blobReaders: blobReaders)
  }
}
