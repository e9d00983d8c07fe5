/// The number of occurrences of each pair of bytes in a text, which is enough to judge every
/// single-byte encoding.
struct BytePairCounts {
  /// Whether the bytes so far may be text: they include no control characters foreign to texts.
  private(set) var areOfText = true
  private var counts = [Int](repeating: 0, count: 1 << 16)
  // As if the text began after a line end.
  private var last = UInt8(ascii: "\n")

  /// Counts the pairs in a piece.
  ///
  /// - Parameter piece: The next piece.
  mutating func count(_ piece: UnsafeBufferPointer<UInt8>) {
    for byte in piece {
      if byte < 0x80 {
        guard TextCharacters.areAllowed(byte) else { return areOfText = false }
      }
      if byte | last >= 0x80 { counts[Int(last) << 8 | Int(byte)] += 1 }
      last = byte
    }
  }

  /// Every pair that occurs and is not ASCII, with its count; the end of the text counts as a line
  /// end.
  var pairs: [(first: UInt8, second: UInt8, count: Int)] {
    var pairs = counts.indices.filter { counts[$0] > 0 }.map { index in
      (first: UInt8(index >> 8), second: UInt8(index & 0xFF), count: counts[index])
    }
    if last >= 0x80 { pairs.append((last, UInt8(ascii: "\n"), 1)) }
    return pairs
  }
}
