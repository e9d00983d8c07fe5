public import Foundation
import GRDB
import SnippetBase

extension SnippetStore {
  /// The size of a blob.
  ///
  /// - Parameter id: The blob.
  /// - Returns: The number of its bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound` when there is no such blob.
  public func byteCount(of id: BlobID) async throws(SnippetStoreError) -> Int64 {
    try await OwnThreads.result { [blobReaders] () throws(SnippetStoreError) in
      try ContentCursor(.blob(id), blobReaders: blobReaders).byteCount
    }
  }

  /// The bytes of a blob, which are not held against its hash.
  ///
  /// That takes longer than to read them; ``content(of:in:)`` does it.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - range: Which bytes; all by default. What lies beyond the end is left out.
  /// - Returns: The bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.damaged` when chunks are missing; `.cancelled`
  ///   when the task was cancelled before the reading.
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

  /// The bytes of several blobs at once, for the rows on a screen.
  ///
  /// As many as together have 4 MiB are read in one snapshot, which spares each its own. They are
  /// not held against their hashes.
  ///
  /// - Parameter ids: The blobs to read; one that comes twice is read once.
  /// - Returns: The bytes of each blob that is there; one that is not is left out.
  /// - Throws: ``SnippetStoreError``: `.damaged` when chunks of a blob are missing, which the error
  ///   names; the others can still be read. `.cancelled` when the task was cancelled before the
  ///   reading.
  /// - Complexity: O(*m*) for *m* bytes, held in memory.
  public func blobs(
    _ ids: some Sequence<BlobID> & Sendable
  ) async throws(SnippetStoreError) -> [BlobID: Data] {
    let blobReaders = blobReaders
    return try await OwnThreads.run(to: "read blobs") { _ in
      try blobReaders.data(of: ids)
    }
  }

  /// The bytes of a blob as a sequence of pieces of at most 1 MiB, in constant memory.
  ///
  /// They are not held against its hash; the pieces of a snippet are.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - range: Which bytes; all by default. What lies beyond the end is left out.
  /// - Returns: The pieces; nothing is read before the first is asked for. Reading one throws
  ///   ``SnippetStoreError``: `.notFound`; `.cancelled` when the task was.
  public func pieces(
    of id: BlobID,
    in range: Range<Int64>? = nil
  ) -> some AsyncSequence<Data, SnippetStoreError> & Sendable {
    ContentPieces(subject: .blob(id), range: range, blobReaders: blobReaders)
  }

  /// Some bytes of a blob, which are not held against its hash, for a thread that may block: the
  /// loader's workers.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - range: Which bytes. What lies beyond the end is left out.
  /// - Returns: The bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound`.
  package func blockingBytes(
    of id: BlobID,
    in range: Range<Int64>
  ) throws(SnippetStoreError) -> Data {
    var cursor = try ContentCursor(.blob(id), in: range, blobReaders: blobReaders)
    return try cursor.readToEnd()
  }

  /// The bytes of a snippet, those of a short text in UTF-8, for a thread that may block: the
  /// loader's workers.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - range: Which bytes; all by default. What lies beyond the end is left out.
  /// - Returns: The bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound`.
  package func blockingBytes(
    of id: SnippetID,
    in range: Range<Int64>? = nil
  ) throws(SnippetStoreError) -> Data {
    var cursor = try ContentCursor(.snippet(id), in: range, blobReaders: blobReaders)
    return try cursor.readToEnd()
  }

  /// The bytes of a blob for a worker of the loader, which may stop waiting for them.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - check: Told the size of the blob before each MiB but the first, and once at least, while
  ///     nothing is held; what it throws ends the reading and is thrown on.
  /// - Returns: The bytes.
  /// - Throws: ``SnippetStoreError``, or what `check` throws.
  package func blob(_ id: BlobID, check: (Int64) throws -> Void) throws -> Data {
    do {
      return try blobReaders.data(of: id, check: check)
    } catch let error where error is DatabaseError || error is BlobDeletion {
      throw SnippetStoreError(error, during: "read blob \(id)")
    }
  }
}
