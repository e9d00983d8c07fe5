extension RecognizedContent {
  /// Tells what an image or a recording is, by its first bytes and its headers.
  ///
  /// - Parameters:
  ///   - byteCount: The size of the content.
  ///   - read: Fills a buffer with the bytes from a place on; returns how many there were, fewer
  ///     than asked for only at the end.
  /// - Returns: The type and the facts; `nil` for text and for anything that a store does not know.
  /// - Throws: What `read` throws.
  /// - Complexity: O(1): at most 1 MiB is read.
  package static func ofMedia(
    byteCount: Int64,
    read: @escaping @Sendable (UnsafeMutableRawBufferPointer, Int64) throws -> Int
  ) throws -> RecognizedContent? {
    try ContentRecognizer.recognizeMedia(SuppliedBytes(byteCount: byteCount, supply: read))
  }
}

/// Bytes that somebody else reads.
private struct SuppliedBytes: ByteSource {
  let byteCount: Int64
  let supply: @Sendable (UnsafeMutableRawBufferPointer, Int64) throws -> Int

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    min(max(0, try supply(buffer, offset)), buffer.count)
  }
}
