import SnippetBase

/// Used by SnippetMedia.
///
/// A decoder asks for bytes from within a C library, on a thread of its own: it can neither wait
/// for an `async` call nor take the bytes in memory other than its own.
extension SnippetStore {
  /// Compares all bytes of a blob with their hash, in constant memory, and blocks.
  ///
  /// Returns the number of bytes. `check` is called before each MiB; an error that it throws ends
  /// the reading. Throws `.damaged` if the bytes do not match.
  package func verifiedByteCount(of id: BlobID, check: () throws -> Void) throws -> Int64 {
    var cursor = try ContentCursor(.blob(id), checkingBlob: true, blobReaders: blobReaders)
    repeat { try check() } while try cursor.next() != nil
    return cursor.byteCount
  }

  /// Fills the caller's memory with bytes of a blob from an offset on, without a copy in between.
  ///
  /// It blocks until it is done, and holds no lock afterwards. A blob never changes, so several
  /// calls can read the parts of one blob. Returns the number of bytes read, which is less than the
  /// size of the buffer only at the end of the blob. After an error (`.notFound`, or `.damaged` if
  /// chunks are missing) the content of the memory is undefined.
  @discardableResult
  package func readBlob(
    _ id: BlobID,
    at offset: Int64 = 0,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SnippetStoreError) -> Int {
    precondition(offset >= 0, "No byte of a blob comes before its first.")
    return try SnippetStoreError.converting(during: "read blob \(id)") {
      try blobReaders.read(id, at: offset, into: buffer)
    }
  }
}
