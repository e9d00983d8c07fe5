extension RecognizedContent {
  /// Recognises an image or a recording by its first bytes and its headers.
  ///
  /// - Parameters:
  ///   - byteCount: The size of the content.
  ///   - read: Fills a buffer with the bytes from a position on and returns their number, which may
  ///     be less than requested only at the end.
  /// - Returns: The type and the facts; `nil` for text and for unknown content.
  /// - Throws: Errors of `read`.
  /// - Complexity: O(1): at most 1 MiB is read.
  package static func ofMedia(
    byteCount: Int64,
    read: @escaping @Sendable (UnsafeMutableRawBufferPointer, Int64) throws -> Int
  ) throws -> RecognizedContent? {
    try ContentRecognizer.recognizeMedia(SuppliedBytes(byteCount: byteCount, supply: read))
  }
}

/// Bytes that a closure reads.
private struct SuppliedBytes: ByteSource {
  let byteCount: Int64
  let supply: @Sendable (UnsafeMutableRawBufferPointer, Int64) throws -> Int

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    min(max(0, try supply(buffer, offset)), buffer.count)
  }
}
