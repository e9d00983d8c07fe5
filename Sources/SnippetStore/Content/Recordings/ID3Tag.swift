/// The ID3 version 2 tags that may come before a recording.
///
/// <https://id3.org/id3v2.4.0-structure>
enum ID3Tag {
  // More than one is a mistake of some programs, and common enough.
  private static let maximumCount = 4

  /// Finds the end of the tags at the beginning of a file.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: Where the content begins; zero when there is no tag.
  /// - Throws: ``HeaderReader/OutOfReach``, and what the source throws.
  static func end(in reader: inout HeaderReader) throws -> Int64 {
    var end: Int64 = 0
    for _ in 0..<maximumCount {
      guard try reader.spells("ID3", at: end) else { break }
      let head = try reader.bytes(at: end, count: 10)
      // Seven bits of each byte count.
      guard (2...4).contains(head[3]), head[6...].allSatisfy({ $0 < 0x80 }) else { break }
      let hasFooter = head[5] & 0x10 != 0
      end += head[6...].reduce(0) { $0 << 7 | Int64($1) } + (hasFooter ? 20 : 10)
    }
    return end
  }
}
