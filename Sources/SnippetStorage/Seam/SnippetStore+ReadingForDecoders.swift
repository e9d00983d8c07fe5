import SnippetBase

/// Used by SnippetMedia.
///
/// A decoder asks for bytes from within a C library, on a thread of its own: it can neither wait
/// for an `async` call nor take the bytes in any memory but its own.
extension SnippetStore {
  /// Holds all bytes of a blob against their hash, in constant memory, and blocks.
  ///
  /// - Parameters:
  ///   - id: The blob.
  ///   - check: Called before each MiB; what it throws ends the reading and is thrown on.
  /// - Returns: How many bytes they are.
  /// - Throws: ``SnippetStoreError``: `.damaged` when they do not match their hash; or what `check`
  ///   throws.
  package func verifiedByteCount(of id: BlobID, check: () throws -> Void) throws -> Int64 {
    var cursor = try ContentCursor(.blob(id), checkingBlob: true, blobReaders: blobReaders)
    repeat { try check() } while try cursor.next() != nil
    return cursor.byteCount
  }

  /// Fills memory of the caller with bytes of a blob, which are not copied on the way.
  ///
  /// It blocks, and holds no lock when it returns. A blob never changes, so that several calls for
  /// parts of one give parts of the same.
  ///
  /// - Parameters:
  ///   - id: The blob to read.
  ///   - offset: The place of the first byte, 0 by default; none below 0.
  ///   - buffer: Where the bytes go, as many as there is room for.
  /// - Returns: How many bytes were read: fewer than there is room for only at the end of the blob,
  ///   and 0 beyond it.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.damaged` when chunks are missing. What the
  ///   memory holds then is not said.
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
}
