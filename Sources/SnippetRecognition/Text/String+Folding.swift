extension String {
  /// Folds every run of white space to one blank, and removes it at the ends.
  ///
  /// NUL is removed too, because SQLite's text functions stop at it.
  package func foldingWhiteSpace() -> String {
    if isFolded { return self }
    // Work on scalars: a mark after a line end would join the blank into one character, and be
    // removed with it the next time.
    return unicodeScalars.split { $0.properties.isWhitespace || $0 == "\0" }
      .map { String($0) }.joined(separator: " ")
  }

  /// Whether the text consists of visible ASCII words with a single blank between them.
  ///
  /// Looking at the characters of an arbitrary text takes far longer.
  private var isFolded: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      var last: UInt8 = 0x20
      for byte in bytes {
        guard (0x21...0x7E).contains(byte) || (byte == 0x20 && last != 0x20) else { return false }
        last = byte
      }
      return bytes.isEmpty || last != 0x20
    } ?? false
  }
}
