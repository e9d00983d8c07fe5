/// The tag that some players put at the end of a recording, before the one of 128 bytes.
///
/// <https://wiki.hydrogenaudio.org/index.php?title=APEv2_specification>
struct APETag {
  private static let footerByteCount: Int64 = 32
  private static let maximumItemCount = 100
  private static let maximumKeyByteCount = 255

  /// The place of the items.
  private let items: Range<Int64>
  /// The size of the tag, with its header if it has one.
  let byteCount: Int64

  /// Finds the tag that ends at a position; `nil` if none does.
  init?(endingAt end: Int64, in reader: inout HeaderReader) throws {
    let footer = end - Self.footerByteCount
    guard try reader.spells("APETAGEX", at: footer) else { return nil }
    let byteCount = Int64(try reader.number(UInt32.self, at: footer + 12, .littleEndian))
    guard (Self.footerByteCount...end).contains(byteCount) else { return nil }
    items = end - byteCount..<footer
    // The highest bit tells of a header, which is like the footer and not counted by the size.
    let flags = try reader.number(UInt32.self, at: footer + 20, .littleEndian)
    let header = items.lowerBound - Self.footerByteCount
    let hasHeader = try flags >> 31 == 1 && reader.spells("APETAGEX", at: header)
    self.byteCount = byteCount + (hasHeader ? Self.footerByteCount : 0)
  }

  /// Reads the first text of an item, whose name may be in any case; `nil` if there is none.
  func text(
    _ name: String,
    in reader: inout HeaderReader,
    _ make: ([UInt8], TextEncoding) -> String?
  ) throws -> String? {
    try reader.attempt { reader -> String? in
      var offset = items.lowerBound
      for _ in 0..<Self.maximumItemCount where offset + 8 < items.upperBound {
        let byteCount = Int64(try reader.number(UInt32.self, at: offset, .littleEndian))
        let flags = try reader.number(UInt32.self, at: offset + 4, .littleEndian)
        let room = min(Int64(Self.maximumKeyByteCount + 1), items.upperBound - offset - 8)
        let key = try reader.bytes(at: offset + 8, count: Int(room)).prefix { $0 != 0 }
        let start = offset + 8 + Int64(key.count) + 1
        guard byteCount <= items.upperBound - start else { return nil }
        offset = start + byteCount
        // Two bits tell what a value is: 0 stands for a text.
        guard flags & 6 == 0, String(decoding: key, as: UTF8.self).lowercased() == name else {
          continue
        }
        // Several texts have a NUL between them.
        let bytes = try reader.noteBytes(from: start, to: offset).prefix { $0 != 0 }
        return make(Array(bytes), .utf8)
      }
      return nil
    } ?? nil
  }
}
