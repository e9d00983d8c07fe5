import Foundation

/// The rotation and mirroring needed to show an image, as numbered by EXIF.
struct ImageOrientation {
  /// The stored orientation.
  static let upright = ImageOrientation(number: 1)
  /// The TIFF tag of the number.
  static let tag: UInt16 = 0x0112

  private let number: UInt64

  /// Wraps a number from an image; any that is not from 1 to 8 counts as upright.
  init(number: UInt64) {
    self.number = number
  }

  /// Reads the number from the EXIF block at a position, that of its TIFF header or of the `Exif`
  /// mark that some programs write before it.
  init(exifAt offset: Int64, in reader: inout HeaderReader) throws {
    let base = try reader.tiffHeaderOffset(inEXIFAt: offset)
    let directory = try TIFFDirectory(at: base, in: &reader)
    self.init(number: directory?.values[Self.tag] ?? 1)
  }

  /// Whether width and height are swapped when the image is shown.
  var isTurned: Bool { (5...8).contains(number) }
}

/// The time at which a picture was taken, as its camera wrote it.
///
/// Exif 2.32, section 4.6.5.
enum EXIFDate {
  private static let directory: UInt16 = 0x8769
  private static let dateTaken: UInt16 = 0x9003
  private static let offsetFromUTC: UInt16 = 0x9011

  /// Reads the time from an EXIF block, in the zone of this machine if the camera wrote none; `nil`
  /// if there is none or it is invalid.
  static func date(exifAt offset: Int64, in reader: inout HeaderReader) throws -> Date? {
    let base = try reader.tiffHeaderOffset(inEXIFAt: offset)
    guard let first = try TIFFDirectory(at: base, in: &reader),
      let place = first.values[directory],
      let details = try TIFFDirectory(at: base, directoryAt: place, in: &reader),
      let moment = try text(dateTaken, of: details, in: &reader)
    else { return nil }
    let zone = try reader.attempt { try text(offsetFromUTC, of: details, in: &$0) } ?? nil
    return WrittenMoment.date(moment, zone: zone)
  }

  private static func text(
    _ tag: UInt16,
    of details: TIFFDirectory,
    in reader: inout HeaderReader
  ) throws -> Substring? {
    guard let place = details.textPlaces[tag], place.count <= 64 else { return nil }
    let bytes = try reader.bytes(at: place.lowerBound, count: place.count)
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)[...]
  }
}

extension MediaHeader {
  /// Reads the orientation of the picture from its EXIF block.
  static func orientation(in reader: inout HeaderReader) throws -> ImageOrientation {
    try exifOffset(in: &reader).map { try ImageOrientation(exifAt: $0, in: &reader) } ?? .upright
  }

  static func capturedAt(in reader: inout HeaderReader) throws -> Date? {
    try exifOffset(in: &reader).flatMap { try EXIFDate.date(exifAt: $0, in: &reader) }
  }
}

extension HeaderReader {
  /// Returns the position of the TIFF header in an EXIF block, after the mark that may precede it.
  fileprivate mutating func tiffHeaderOffset(inEXIFAt offset: Int64) throws -> Int64 {
    try offset + (spells("Exif\0\0", at: offset) ? 6 : 0)
  }
}
