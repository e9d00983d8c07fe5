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

  /// Checks all bytes of a blob against their hash, in constant memory; blocks until it is done.
  ///
  /// - Parameters:
  ///   - id: The blob.
  ///   - check: Called before each MiB. An error that it throws ends the reading and is rethrown.
  /// - Returns: The number of bytes.
  /// - Throws: ``SnippetStoreError``: `.damaged` if the bytes do not match their hash; or errors of
  ///   `check`.
  package func verifiedByteCount(of id: BlobID, check: () throws -> Void) throws -> Int64 {
    var cursor = try ContentCursor(.blob(id), checkingBlob: true, blobReaders: blobReaders)
    repeat { try check() } while try cursor.next() != nil
    return cursor.byteCount
  }

  /// Reads bytes of a blob into the caller's memory, without a copy in between.
  ///
  /// It blocks until it is done, and holds no lock afterwards. A blob never changes, so several
  /// calls can read the parts of one blob.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - offset: The position of the first byte, not negative; 0 by default.
  ///   - buffer: The memory to fill, as far as there are bytes.
  /// - Returns: The number of bytes read. It is less than the size of the buffer only at the end of
  ///   the blob, and 0 beyond it.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.damaged` if chunks are missing. The content of
  ///   the memory is then undefined.
  /// - Complexity: O(*m*) for *m* bytes, wherever in the blob they are.
  @discardableResult
  package func readBlob(
    _ id: BlobID,
    at offset: Int64 = 0,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SnippetStoreError) -> Int {
    precondition(offset >= 0, "No byte of a blob comes before its first.")
    return try blobReaders.read(to: "read blob \(id)") {
      try $0.read(id, at: offset, into: buffer)
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

  /// Reads bytes of a blob on a thread that may block, without checking them against a hash.
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

  /// Reads the bytes of a snippet on a thread that may block.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - range: The bytes to read; all by default. Bytes beyond the end are left out.
  /// - Returns: The bytes; for a short text, its UTF-8.
  /// - Throws: ``SnippetStoreError``: `.notFound`.
  package func blockingBytes(
    of id: SnippetID,
    in range: Range<Int64>? = nil
  ) throws(SnippetStoreError) -> Data {
    var cursor = try ContentCursor(.snippet(id), in: range, blobReaders: blobReaders)
    return try cursor.readToEnd()
  }

  /// Reads the bytes of a blob for a caller that may cancel.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - check: Called with the size of the blob before each MiB but the first, at least once, and
  ///     without any lock. An error that it throws ends the reading and is rethrown.
  /// - Returns: The bytes.
  /// - Throws: ``SnippetStoreError``, or errors of `check`.
  package func blob(_ id: BlobID, check: (Int64) throws -> Void) throws -> Data {
    do {
      return try blobReaders.data(of: id, check: check)
    } catch let error where error is DatabaseError || error is BlobDeletion {
      throw SnippetStoreError(error, during: "read blob \(id)")
    }
  }
}
