public import Foundation
import GRDB
import SnippetBase

extension SnippetStore {
  /// Returns the size of a blob in bytes.
  ///
  /// - Parameter id: The blob.
  /// - Returns: The number of bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound` if there is no such blob.
  public func byteCount(of id: BlobID) async throws(SnippetStoreError) -> Int64 {
    try await OwnThreads.result { [blobReaders] () throws(SnippetStoreError) in
      try ContentCursor(.blob(id), blobReaders: blobReaders).byteCount
    }
  }

  /// Reads the bytes of a blob, without checking them against its hash.
  ///
  /// The check would take longer than the reading; ``content(of:in:)`` does it.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - range: The bytes to read; all by default. Bytes beyond the end are left out.
  /// - Returns: The bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.damaged` if chunks are missing; `.cancelled`
  ///   if the task was cancelled before reading began.
  /// - Complexity: O(*m*) for *m* bytes, wherever in the blob they are.
  public func blob(
    _ id: BlobID,
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
  public func blobs(
    _ ids: some Sequence<BlobID> & Sendable
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

  /// Reads bytes of a blob without comparing them with its hash, and blocks; for the loader's
  /// workers.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - range: The bytes to read. Bytes beyond the end are left out.
  /// - Returns: The bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound`.
  package func blockingBytes(
    of id: BlobID,
    in range: Range<Int64>
  ) throws(SnippetStoreError) -> Data {
    var cursor = try ContentCursor(.blob(id), in: range, blobReaders: blobReaders)
    return try cursor.readToEnd()
  }

  /// Reads the bytes of a snippet, for a short text its UTF-8, and blocks; for the loader's
  /// workers.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - range: The bytes to read; all by default. Bytes beyond the end are left out.
  /// - Returns: The bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound`.
  package func blockingBytes(
    of id: SnippetID,
    in range: Range<Int64>? = nil
  ) throws(SnippetStoreError) -> Data {
    var cursor = try ContentCursor(.snippet(id), in: range, blobReaders: blobReaders)
    return try cursor.readToEnd()
  }

  /// Reads the bytes of a blob for a worker of the loader, which may stop waiting for them.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - check: Receives the size of the blob before each MiB but the first, and at least once,
  ///     while nothing is held. An error that it throws ends the reading and is rethrown.
  /// - Returns: The bytes.
  /// - Throws: ``SnippetStoreError``, or the error of `check`.
  package func blob(_ id: BlobID, check: (Int64) throws -> Void) throws -> Data {
    do {
      return try blobReaders.data(of: id, check: check)
    } catch let error where error is DatabaseError || error is BlobDeletion {
      throw SnippetStoreError(error, during: "read blob \(id)")
    }
  }
}
