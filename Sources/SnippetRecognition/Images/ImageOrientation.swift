/// How an image has to be turned or mirrored to be shown, by the numbers of EXIF.
struct ImageOrientation {
  /// Shown as it is stored.
  static let upright = ImageOrientation(number: 1)
  /// The TIFF tag that holds the number.
  static let tag: UInt16 = 0x0112

  private let number: UInt64

  /// Wraps a number from an image.
  ///
  /// - Parameter number: From 1 to 8; anything else counts as upright.
  init(number: UInt64) {
    self.number = number
  }

  /// Reads the number out of an EXIF block.
  ///
  /// - Parameters:
  ///   - offset: Where the block's TIFF header begins, or the `Exif` mark that some writers put
  ///     before it.
  ///   - reader: The bytes.
  /// - Throws: ``HeaderReader/OutOfReach`` when the block is cut short, and what the source throws.
  init(exifAt offset: Int64, in reader: inout HeaderReader) throws {
    let mark: Int64 = try reader.spells("Exif\0\0", at: offset) ? 6 : 0
    let directory = try TIFFDirectory(at: offset + mark, in: &reader)
    self.init(number: directory?.values[Self.tag] ?? 1)
  }

  /// Whether width and height change places when the image is shown.
  var isTurned: Bool { (5...8).contains(number) }
}

extension MediaHeader {
  /// How the picture is to be turned, by its EXIF block.
  static func orientation(in reader: inout HeaderReader) throws -> ImageOrientation {
    try exifOffset(in: &reader).map { try ImageOrientation(exifAt: $0, in: &reader) } ?? .upright
  }
}
