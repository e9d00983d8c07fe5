extension String {
  /// The text with every run of white space folded to one blank, and none at its ends.
  ///
  /// NUL goes too, because SQLite's text functions stop at it.
  package func foldingWhiteSpace() -> String {
    if isFolded { return self }
    // Scalar by scalar: a mark behind a line end would become one character with the blank, and go
    // with it the next time.
    return unicodeScalars.split { $0.properties.isWhitespace || $0 == "\0" }
      .map { String($0) }.joined(separator: " ")
  }

  /// Whether this is words of visible ASCII with one blank between each two.
  ///
  /// To look at the characters of any text takes far longer.
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
