/// The name of a chunk in WAVE, AIFF and Core Audio files.
enum ChunkName {
  /// The most chunks to read in one file; real ones have about ten.
  static let maximumCount = 256

  /// Checks whether a chunk can begin at a position.
  ///
  /// Names are printable, so zeros and noise at the end of a file are not taken for thousands of
  /// chunks.
  ///
  /// Returns whether there are four printable ASCII characters.
  static func isThere(at offset: Int64, in reader: inout HeaderReader) throws -> Bool {
    try reader.bytes(at: offset, count: 4).allSatisfy { (0x20...0x7E).contains($0) }
  }
}
