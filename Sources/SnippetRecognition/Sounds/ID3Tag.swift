/// An ID3 version 2 tag, of those that may come before a recording.
///
/// <https://id3.org/id3v2.4.0-structure>
struct ID3Tag {
  // More than one is a mistake of some programs, and common enough.
  private static let maximumCount = 4

  /// The version: 2, 3 or 4.
  let version: UInt8
  /// What concerns the tag as a whole; the bits differ from version to version.
  let flags: UInt8
  /// Where its frames lie, behind the head.
  let content: Range<Int64>
  /// Where what comes after it begins.
  var end: Int64 { content.upperBound + (hasFooter ? 10 : 0) }

  private var hasFooter: Bool { flags & 0x10 != 0 }

  /// Finds the tags at the beginning of a file.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: The tags in their order; none when the file begins with something else.
  /// - Throws: ``HeaderReader/OutOfReach``, and what the source throws.
  static func tags(in reader: inout HeaderReader) throws -> [ID3Tag] {
    var tags: [ID3Tag] = []
    for _ in 0..<maximumCount {
      guard let tag = try ID3Tag(at: tags.last?.end ?? 0, in: &reader) else { break }
      tags.append(tag)
    }
    return tags
  }

  /// Finds the end of the tags at the beginning of a file.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: Where the content begins; zero when there is no tag.
  /// - Throws: ``HeaderReader/OutOfReach``, and what the source throws.
  static func end(in reader: inout HeaderReader) throws -> Int64 {
    try tags(in: &reader).last?.end ?? 0
  }

  /// Puts a tag together out of what is known of it.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - flags: What concerns the tag as a whole.
  ///   - content: Where its frames lie.
  init(version: UInt8, flags: UInt8, content: Range<Int64>) {
    self.version = version
    self.flags = flags
    self.content = content
  }

  private init?(at offset: Int64, in reader: inout HeaderReader) throws {
    guard try reader.spells("ID3", at: offset) else { return nil }
    let head = try reader.bytes(at: offset, count: 10)
    // Seven bits of each byte count.
    guard (2...4).contains(head[3]), head[6...].allSatisfy({ $0 < 0x80 }) else { return nil }
    let byteCount = head[6...].reduce(0) { $0 << 7 | Int64($1) }
    version = head[3]
    flags = head[5]
    content = offset + 10..<offset + 10 + byteCount
  }
}
