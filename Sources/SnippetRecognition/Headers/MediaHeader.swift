/// The identifying header of an image or a recording, for one family of formats.
///
/// The bytes may come from anyone. A conforming type reads only through a ``HeaderReader``, which
/// limits what is read and refuses positions outside the content, and it computes without overflow.
protocol MediaHeader: SendableMetatype {
  /// Recognizes bytes of this family; `nil` if they are something else.
  init?(in reader: inout HeaderReader) throws

  /// The type of the bytes.
  var type: ContentType { get }

  /// Reads the facts; those missing in the header are `nil`.
  func facts(in reader: inout HeaderReader) throws -> MediaFacts

  /// Reads the tags in front that several of the following come from; nothing by default.
  mutating func readTags(in reader: inout HeaderReader) throws

  /// Finds the position of the EXIF block; `nil` if there is none, which is the default.
  func exifOffset(in reader: inout HeaderReader) throws -> Int64?

  /// Finds the XMP packet; `nil` if there is none, which is the default.
  func xmpPlace(in reader: inout HeaderReader) throws -> Range<Int64>?

  /// Reads the beginning of the packet that extends an XMP packet; empty by default.
  func extendedPacket(of packet: [UInt8], in reader: inout HeaderReader) throws -> [UInt8]

  /// Reads the dates outside of EXIF and XMP; none by default.
  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence

  /// Reads the title in the form of ``EmbeddedTitle``; `nil` if there is none, which is the
  /// default.
  func title(in reader: inout HeaderReader) throws -> String?

  /// Reads the description outside of EXIF and XMP in the form of ``EmbeddedNote``; `nil` if there
  /// is none, which is the default.
  func ownNote(in reader: inout HeaderReader) throws -> String?

  /// Reads every description outside of EXIF, XMP and IPTC in the same form, so that those that do
  /// not become the note can be named; none by default.
  func namedNotes(in reader: inout HeaderReader) throws -> [NamedNote]

  /// Finds the IPTC records, or the image resources of Photoshop that hold them; `nil` if there are
  /// none, which is the default.
  func iptcPlace(in reader: inout HeaderReader) throws -> Range<Int64>?

  /// Decodes a block that a text holds in digits; `nil` if there is none, which is the default.
  func writtenBlock(_ kind: WrittenBlock, in reader: inout HeaderReader) throws -> [UInt8]?

  /// Finds the chunk with an ID3 tag; `nil` if there is none, which is the default.
  func tagPlace(in reader: inout HeaderReader) throws -> Range<Int64>?

  /// Reads a comment without a purpose in the form of ``EmbeddedNote``, which counts less than any
  /// description; `nil` if there is none, which is the default.
  func comment(in reader: inout HeaderReader) throws -> String?

  /// Reads the keywords of a recording, each in the form of ``EmbeddedTitle``; none by default.
  func ownKeywords(in reader: inout HeaderReader) throws -> [String]

  /// Finds the texts that would be taken over if they were in a form that can be read; none by
  /// default.
  func unreadTexts(in reader: inout HeaderReader) throws -> [UnreadText]
}

extension MediaHeader {
  mutating func readTags(in reader: inout HeaderReader) throws {}

  func title(in reader: inout HeaderReader) throws -> String? { nil }

  func exifOffset(in reader: inout HeaderReader) throws -> Int64? { nil }

  func xmpPlace(in reader: inout HeaderReader) throws -> Range<Int64>? { nil }

  func extendedPacket(of packet: [UInt8], in reader: inout HeaderReader) throws -> [UInt8] { [] }

  func ownDates(in reader: inout HeaderReader) throws -> DateEvidence { DateEvidence() }

  func namedNotes(in reader: inout HeaderReader) throws -> [NamedNote] { [] }

  func iptcPlace(in reader: inout HeaderReader) throws -> Range<Int64>? { nil }

  func writtenBlock(_ kind: WrittenBlock, in reader: inout HeaderReader) throws -> [UInt8]? { nil }

  func tagPlace(in reader: inout HeaderReader) throws -> Range<Int64>? { nil }

  func comment(in reader: inout HeaderReader) throws -> String? { nil }

  func ownKeywords(in reader: inout HeaderReader) throws -> [String] { [] }

  func unreadTexts(in reader: inout HeaderReader) throws -> [UnreadText] { [] }
}
