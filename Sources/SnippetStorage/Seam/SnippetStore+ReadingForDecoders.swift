import SnippetBase

/// Used by SnippetMedia.
///
/// A decoder asks for bytes from within a C library, on a thread of its own: it can neither wait
/// for an `async` call nor take the bytes in memory other than its own.
extension SnippetStore {
  /// Compares all bytes of a blob with their hash, in constant memory, and blocks.
  ///
  /// - Parameters:
  ///   - id: The blob.
  ///   - check: Called before each MiB; an error that it throws ends the reading and is rethrown.
  /// - Returns: The number of bytes.
  /// - Throws: ``SnippetStoreError``: `.damaged` if the bytes do not match their hash; or the error
  ///   of `check`.
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
}
