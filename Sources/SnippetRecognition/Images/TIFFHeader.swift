/// The first directory of a TIFF or BigTIFF image.
enum TIFFHeader: MediaHeader {
  private static let width: UInt16 = 0x0100
  private static let height: UInt16 = 0x0101
  // Raw pictures of cameras share the structure, but contain no picture that a TIFF reader can
  // show.
  private static let dngVersion: UInt16 = 0xC612

  static func type(in reader: inout HeaderReader) throws -> ContentType? {
    // The mark of four bytes is too short to rely on.
    guard let values = try TIFFDirectory(at: 0, in: &reader)?.values,
      values[width] != nil, values[height] != nil, values[dngVersion] == nil,
      try !reader.spells("CR", at: 8)
    else { return nil }
    return .tiff
  }

  static func exifOffset(in reader: inout HeaderReader) -> Int64? { 0 }

  static func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard let directory = try TIFFDirectory(at: 0, in: &reader),
      let width = directory.values[width], let height = directory.values[height]
    else { return MediaFacts() }
    return MediaFacts.image(width: width, height: height, isTurned: directory.isTurned)
  }
}
