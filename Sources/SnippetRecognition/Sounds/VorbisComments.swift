/// The comments of FLAC files and Ogg streams.
///
/// <https://xiph.org/vorbis/doc/v-comment.html>
enum VorbisComments {
  // Real files have about ten; pictures of any size may be among them.
  private static let maximumCount = 1000
  private static let titleKey = Array("title=".utf8)

  /// Finds the title; `nil` if there is no valid one.
  static func title(in place: Range<Int64>, _ reader: inout HeaderReader) throws -> String? {
    let vendorByteCount = try reader.number(UInt32.self, at: place.lowerBound, .littleEndian)
    var offset = place.lowerBound + 4 + Int64(vendorByteCount)
    let count = try reader.number(UInt32.self, at: offset, .littleEndian)
    offset += 4
    for _ in 0..<min(Int(clamping: count), maximumCount) {
      let byteCount = Int64(try reader.number(UInt32.self, at: offset, .littleEndian))
      let start = offset + 4
      guard byteCount <= place.upperBound - start else { return nil }
      offset = start + byteCount
      let key = try reader.bytes(at: start, count: min(titleKey.count, Int(byteCount)))
      // The case of the key is ignored.
      guard key.map({ $0 | 0x20 }) == titleKey.map({ $0 | 0x20 }) else { continue }
      let text = start + Int64(titleKey.count)
      let bytes = try reader.titleBytes(from: text, to: offset)
      if let title = EmbeddedTitle.text(bytes, in: .utf8) { return title }
    }
    return nil
  }
}
