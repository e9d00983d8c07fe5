/// The file and bitmap headers of a Windows bitmap.
///
/// <https://learn.microsoft.com/windows/win32/gdi/bitmap-storage>
struct BMPHeader: MediaHeader {
  private static let coreHeaderByteCount: UInt32 = 12
  private static let headerByteCounts: Set<UInt32> = [
    coreHeaderByteCount, 40, 52, 56, 64, 108, 124,
  ]
  // Zero stands for an embedded JPEG or PNG image.
  private static let pixelBitCounts: Set<UInt16> = [0, 1, 2, 4, 8, 16, 24, 32]

  let type = ContentType.bmp

  init?(in reader: inout HeaderReader) throws {
    // Two letters are not enough for a signature, so the following numbers must make sense too.
    guard try reader.spells("BM", at: 0) else { return nil }
    let headerByteCount = try reader.number(UInt32.self, at: 14, .littleEndian)
    let pixelOffset = try reader.number(UInt32.self, at: 10, .littleEndian)
    guard Self.headerByteCounts.contains(headerByteCount), pixelOffset >= 14 + headerByteCount,
      Int64(pixelOffset) <= reader.byteCount
    else { return nil }
    let planesAt: Int64 = headerByteCount == Self.coreHeaderByteCount ? 22 : 26
    guard try reader.number(UInt16.self, at: planesAt, .littleEndian) == 1,
      Self.pixelBitCounts.contains(try reader.number(UInt16.self, at: planesAt + 2, .littleEndian))
    else { return nil }
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    if try reader.number(UInt32.self, at: 14, .littleEndian) == Self.coreHeaderByteCount {
      return MediaFacts.image(
        width: try reader.number(UInt16.self, at: 18, .littleEndian),
        height: try reader.number(UInt16.self, at: 20, .littleEndian)
      )
    }
    let width = try reader.number(UInt32.self, at: 18, .littleEndian)
    let height = try reader.number(UInt32.self, at: 22, .littleEndian)
    // A negative height means that the rows are stored from the top.
    return MediaFacts.image(
      width: Int32(bitPattern: width),
      height: Int32(bitPattern: height).magnitude
    )
  }
}
