import Foundation

/// The identifying header of an image or a recording, for one family of formats.
///
/// The bytes may come from anyone. A conforming type reads only through a ``HeaderReader``, which
/// limits what is read and refuses positions outside the content, and it computes without overflow.
protocol MediaHeader: SendableMetatype {
  /// Recognizes the type of bytes of this family; `nil` if they are something else.
  static func type(in reader: inout HeaderReader) throws -> ContentType?

  /// Reads the facts from bytes that ``type(in:)`` has recognized; those missing in the header are
  /// `nil`.
  static func facts(in reader: inout HeaderReader) throws -> MediaFacts

  /// Finds the position of the EXIF block; `nil` if there is none, which is the default.
  static func exifOffset(in reader: inout HeaderReader) throws -> Int64?

  /// Reads when the image or recording was made, by default from EXIF; `nil` if that is not given.
  static func capturedAt(in reader: inout HeaderReader) throws -> Date?

  /// Reads the title in the form of ``EmbeddedTitle``; `nil` if there is none, which is the
  /// default.
  static func title(in reader: inout HeaderReader) throws -> String?
}

extension MediaHeader {
  static func title(in reader: inout HeaderReader) throws -> String? { nil }

  static func exifOffset(in reader: inout HeaderReader) throws -> Int64? { nil }
}
