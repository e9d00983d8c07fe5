/// Video formats.
enum VideoHeader {
  /// Returns the name of the format.
  ///
  /// - Parameter reader: Bytes that no ``MediaHeader`` has recognised.
  /// - Returns: The name; `nil` if there is no video.
  /// - Throws: ``HeaderReader/OutOfReach``, or errors of the source.
  static func format(in reader: inout HeaderReader) throws -> String? {
    if try reader.spells("RIFF", at: 0), try reader.spells("AVI ", at: 8) { return "AVI" }
    if try reader.spells("OggS", at: 0), try reader.spells("theora", at: 29) { return "Ogg" }
    if let type = try MatroskaHeader.typeBesideVideo(in: &reader) { return type.name }
    guard let brands = try ISOBrands(in: &reader), try M4AHeader.hasVideo(in: &reader) else {
      return nil
    }
    switch brands.major {
    // Raw pictures of cameras have the structure of a video.
    case "crx ": return nil
    case "qt  ": return "QuickTime"
    case let brand where brand.hasPrefix("3g"): return "3GP"
    default: return "MP4"
    }
  }
}
