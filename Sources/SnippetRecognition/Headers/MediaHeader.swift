import Foundation

/// The identifying header of an image or a recording, for one family of formats.
///
/// The bytes may come from anyone. A conforming type reads only through a ``HeaderReader``, which
/// limits what is read and refuses positions outside the content, and it computes without overflow.
protocol MediaHeader: SendableMetatype {
  /// Recognises bytes of this family, and their type.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: The type; `nil` if the bytes are something else.
  /// - Throws: ``HeaderReader/OutOfReach`` if they end too early for this family, or errors of the
  ///   source.
  static func type(in reader: inout HeaderReader) throws -> ContentType?

  /// Reads the facts from bytes that ``type(in:)`` has recognised.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: The facts; those missing in the header are `nil`.
  /// - Throws: ``HeaderReader/OutOfReach`` if the header is truncated, or errors of the source.
  static func facts(in reader: inout HeaderReader) throws -> MediaFacts

  /// Finds the EXIF block of bytes that ``type(in:)`` has recognised.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: The position of the block; `nil` if there is none, which is the default.
  /// - Throws: ``HeaderReader/OutOfReach`` if the bytes end too early, or errors of the source.
  static func exifOffset(in reader: inout HeaderReader) throws -> Int64?

  /// Reads when the image or recording that ``type(in:)`` has recognised was made.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: The time; `nil` if there is none. By default it comes from EXIF.
  /// - Throws: ``HeaderReader/OutOfReach`` if the bytes end too early, or errors of the source.
  static func capturedAt(in reader: inout HeaderReader) throws -> Date?

  /// Reads the title from bytes that ``type(in:)`` has recognised.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: The title in the form of ``EmbeddedTitle``; `nil` if there is none, which is the
  ///   default.
  /// - Throws: ``HeaderReader/OutOfReach`` if the bytes end too early, or errors of the source.
  static func title(in reader: inout HeaderReader) throws -> String?
}

extension MediaHeader {
  static func title(in reader: inout HeaderReader) throws -> String? { nil }

  static func exifOffset(in reader: inout HeaderReader) throws -> Int64? { nil }
}
