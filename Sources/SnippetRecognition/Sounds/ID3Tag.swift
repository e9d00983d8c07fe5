/// An ID3 version 2 tag, of those that may come before a recording.
///
/// <https://id3.org/id3v2.4.0-structure>
struct ID3Tag {
  // Having more than one is a mistake of some programs, but common.
  private static let maximumCount = 4

  /// The version: 2, 3 or 4.
  let version: UInt8
  /// The flags of the whole tag; their bits depend on the version.
  let flags: UInt8
  /// The range of its frames, after the head.
  let content: Range<Int64>
  /// The position after the tag.
  var end: Int64 { content.upperBound + (hasFooter ? 10 : 0) }

  private var hasFooter: Bool { flags & 0x10 != 0 }

  /// Finds the tags at the beginning of a file.
  ///
  /// Returns the tags in their order; empty if the file begins with something else.
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
  /// Returns the position of the content; zero if there is no tag.
  static func end(in reader: inout HeaderReader) throws -> Int64 {
    try tags(in: &reader).last?.end ?? 0
  }

  /// Makes a tag from its parts.
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
