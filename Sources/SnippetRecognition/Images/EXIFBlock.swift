import Foundation

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
  /// Checks whether the EXIF block swaps width and height when the picture is shown.
  ///
  /// Returns `false` if there is no block, or it is out of reach.
  func isTurned(in reader: inout HeaderReader) throws -> Bool {
    try reader.attempt { reader in
      guard let offset = try exifOffset(in: &reader) else { return false }
      let base = try reader.tiffHeaderOffset(inEXIFAt: offset)
      return try TIFFDirectory(at: base, in: &reader)?.isTurned ?? false
    } ?? false
  }

  func capturedAt(in reader: inout HeaderReader) throws -> Date? {
    try exifOffset(in: &reader).flatMap { try EXIFDate.date(exifAt: $0, in: &reader) }
  }
}

extension HeaderReader {
  /// Returns the position of the TIFF header in an EXIF block, after the mark that some programs
  /// write before it.
  fileprivate mutating func tiffHeaderOffset(inEXIFAt offset: Int64) throws -> Int64 {
    try offset + (spells("Exif\0\0", at: offset) ? 6 : 0)
  }
}
