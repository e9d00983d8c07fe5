/// The first directory of a TIFF or BigTIFF image.
struct TIFFHeader: MediaHeader {
  private static let width: UInt16 = 0x0100
  private static let height: UInt16 = 0x0101
  private static let xmp: UInt16 = 0x02BC
  // Raw pictures of cameras share the structure, but contain no picture that a TIFF reader can
  // show.
  private static let dngVersion: UInt16 = 0xC612

  let type = ContentType.tiff
  private let directory: TIFFDirectory

  init?(in reader: inout HeaderReader) throws {
    // The mark of four bytes is too short to rely on.
    guard let directory = try TIFFDirectory(at: 0, in: &reader),
      directory.values[Self.width] != nil, directory.values[Self.height] != nil,
      directory.values[Self.dngVersion] == nil, try !reader.spells("CR", at: 8)
    else { return nil }
    self.directory = directory
  }

  func exifOffset(in reader: inout HeaderReader) -> Int64? { 0 }

  func xmpPlace(in reader: inout HeaderReader) -> Range<Int64>? {
    directory.places[Self.xmp]?.ofPacket
  }

  func facts(in reader: inout HeaderReader) -> MediaFacts {
    MediaFacts.image(
      width: directory.values[Self.width] ?? 0,
      height: directory.values[Self.height] ?? 0,
      isTurned: directory.isTurned
    )
  }
}
