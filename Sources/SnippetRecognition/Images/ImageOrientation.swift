/// The rotation and mirroring needed to show an image, as numbered by EXIF.
struct ImageOrientation {
  /// The stored orientation.
  static let upright = ImageOrientation(number: 1)
  /// The TIFF tag of the number.
  static let tag: UInt16 = 0x0112

  private let number: UInt64

  /// Wraps a number from an image.
  ///
  /// - Parameter number: From 1 to 8; anything else counts as upright.
  init(number: UInt64) {
    self.number = number
  }

  /// Reads the number from an EXIF block.
  ///
  /// - Parameters:
  ///   - offset: The position of the block's TIFF header, or of the `Exif` mark that some programs
  ///     write before it.
  ///   - reader: The bytes.
  /// - Throws: ``HeaderReader/OutOfReach`` if the block is truncated, or errors of the source.
  init(exifAt offset: Int64, in reader: inout HeaderReader) throws {
    let mark: Int64 = try reader.spells("Exif\0\0", at: offset) ? 6 : 0
    let directory = try TIFFDirectory(at: offset + mark, in: &reader)
    self.init(number: directory?.values[Self.tag] ?? 1)
  }

  /// Whether width and height are swapped when the image is shown.
  var isTurned: Bool { (5...8).contains(number) }
}

extension MediaHeader {
  /// Reads the orientation of the picture from its EXIF block.
  static func orientation(in reader: inout HeaderReader) throws -> ImageOrientation {
    try exifOffset(in: &reader).map { try ImageOrientation(exifAt: $0, in: &reader) } ?? .upright
  }
}
