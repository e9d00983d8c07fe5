/// The name of a chunk in WAVE, AIFF and Core Audio files.
enum ChunkName {
  /// The most chunks looked at in one file; real ones have some ten.
  static let maximumCount = 256

  /// Tells whether a chunk can begin at a position.
  ///
  /// Names are printable, so the zeros and the noise that some files end with are not taken for
  /// thousands of chunks.
  ///
  /// - Parameters:
  ///   - offset: The position.
  ///   - reader: The bytes.
  /// - Returns: Whether four printable characters of ASCII are there.
  /// - Throws: ``HeaderReader/OutOfReach``, and what the source throws.
  static func isThere(at offset: Int64, in reader: inout HeaderReader) throws -> Bool {
    try reader.bytes(at: offset, count: 4).allSatisfy { (0x20...0x7E).contains($0) }
  }
}
