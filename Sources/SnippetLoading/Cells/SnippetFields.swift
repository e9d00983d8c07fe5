public import SnippetStorage

/// One fact about a snippet that a row states.
///
/// There is a case for everything that a cell may show. A `switch` without a `default` stops
/// compiling when a new case is added.
public enum SnippetField: UInt16, Hashable, Sendable, CaseIterable {
  /// The kind: text, image or voice.
  case kind
  /// The title.
  case title
  /// The beginning of a text.
  case preview
  /// The time at which the snippet was made.
  case createdAt
  /// The time of the last change.
  case modifiedAt
  /// Whether the snippet is pinned.
  case isPinned
  /// The tags.
  case tags
  /// The size of the content.
  case byteCount
  /// The media type of the content.
  case mediaType
  /// Pixel size and playing time.
  case facts
  /// The blob that holds the content.
  case blob
  /// The time at which the snippet was moved to the trash, or that it is not there.
  case deletedAt
}

/// A set of fields, such as those that changed between two rows of a snippet.
public struct SnippetFields: OptionSet, Hashable, Sendable {
  /// One bit for each field.
  public let rawValue: UInt16

  /// Makes a set of its bits.
  ///
  /// - Parameter rawValue: One bit for each field.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Makes a set with one field.
  ///
  /// - Parameter field: The field.
  public init(_ field: SnippetField) {
    rawValue = 1 << field.rawValue
  }

  /// All fields.
  public static let all = Self(rawValue: (1 << UInt16(SnippetField.allCases.count)) - 1)

  /// Whether a field is in the set.
  ///
  /// - Parameter field: The field.
  /// - Returns: Whether it is.
  public func contains(_ field: SnippetField) -> Bool {
    rawValue & 1 << field.rawValue != 0
  }

  /// Calls a closure with every field of the set.
  ///
  /// - Parameter body: Takes a field.
  public func forEach(_ body: (SnippetField) -> Void) {
    for field in SnippetField.allCases where contains(field) { body(field) }
  }

  /// The fields in which two rows of a snippet differ.
  ///
  /// - Parameters:
  ///   - old: The row that is shown; `nil` when none is, and then all fields differ.
  ///   - new: The row to show.
  public init(from old: SnippetRow?, to new: SnippetRow) {
    guard let old, old.id == new.id else {
      self = .all
      return
    }
    var fields: SnippetFields = []
    func compare(_ field: SnippetField, _ isEqual: Bool) {
      if !isEqual { fields.insert(Self(field)) }
    }
    compare(.kind, old.kind == new.kind)
    compare(.title, old.title == new.title)
    compare(.preview, old.preview == new.preview)
    compare(.createdAt, old.createdAt == new.createdAt)
    compare(.modifiedAt, old.modifiedAt == new.modifiedAt)
    compare(.isPinned, old.isPinned == new.isPinned)
    compare(.tags, old.tags == new.tags)
    compare(.byteCount, old.byteCount == new.byteCount)
    compare(.mediaType, old.mediaType == new.mediaType)
    compare(.facts, old.facts == new.facts)
    compare(.blob, old.blobID == new.blobID)
    compare(.deletedAt, old.deletedAt == new.deletedAt)
    self = fields
  }
}
