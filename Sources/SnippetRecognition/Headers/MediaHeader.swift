import Foundation

/// The part of an image or a recording that says what it is, for one family of formats.
///
/// The bytes may come from anyone. A conforming type reads through a ``HeaderReader`` only, which
/// bounds what is read and refuses positions outside the content, and computes with what it read
/// without overflow.
protocol MediaHeader: SendableMetatype {
  /// Recognises bytes of this family, and their type.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: The type, or `nil` when the bytes are something else.
  /// - Throws: ``HeaderReader/OutOfReach`` when they end too early for this family, and what the
  ///   source throws.
  static func type(in reader: inout HeaderReader) throws -> ContentType?

  /// Reads the facts out of bytes that ``type(in:)`` has recognised.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: The facts; one that the header does not tell is `nil`.
  /// - Throws: ``HeaderReader/OutOfReach`` when the header is cut short, and what the source
  ///   throws.
  static func facts(in reader: inout HeaderReader) throws -> MediaFacts

  /// Finds the EXIF block of bytes that ``type(in:)`` has recognised.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: Where the block begins; `nil` when there is none. By default there is none.
  /// - Throws: ``HeaderReader/OutOfReach`` when the bytes end before one was found, and what the
  ///   source throws.
  static func exifOffset(in reader: inout HeaderReader) throws -> Int64?

  /// Reads when the bytes that ``type(in:)`` has recognised were taken or recorded.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: The moment; `nil` when they do not tell. By default it is what EXIF says.
  /// - Throws: ``HeaderReader/OutOfReach`` when the bytes end before one was found, and what the
  ///   source throws.
  static func capturedAt(in reader: inout HeaderReader) throws -> Date?

  /// Reads the title out of bytes that ``type(in:)`` has recognised.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: The title as ``EmbeddedTitle`` makes it; `nil` when there is none. By default there
  ///   is none.
  /// - Throws: ``HeaderReader/OutOfReach`` when the bytes end before one was found, and what the
  ///   source throws.
  static func title(in reader: inout HeaderReader) throws -> String?
}

extension MediaHeader {
  static func title(in reader: inout HeaderReader) throws -> String? { nil }

  static func exifOffset(in reader: inout HeaderReader) throws -> Int64? { nil }
}
