/// The result of recognizing the bytes of a snippet's content.
package struct RecognizedContent: Sendable, Hashable {
  /// The type of the content.
  package let type: ContentType
  /// The pixel size, the playing time and the like, as far as they are known.
  package let facts: MediaFacts
  /// The title inside the file, on one line; `nil` if there is none.
  ///
  /// At most 200 characters; bytes that are invalid in their encoding give no title.
  package let title: String?
  /// The description inside the file, in lines; `nil` if there is none that a person has written.
  ///
  /// At most 16 KiB in UTF-8; ``unreadTexts`` tells whether it goes on.
  package let note: String?
  /// The keywords inside a picture or a recording, each on one line like a title, in their order.
  package let keywords: [String]
  /// The dates inside the file at which a picture was taken or a sound recorded.
  package let dates: DateEvidence
  /// The texts inside the file that are not taken over, or not whole.
  package let unreadTexts: [UnreadText]
  /// The encoding of a text; `nil` for images and recordings.
  package let encoding: TextEncoding?
  /// Whether the end of an image or a recording is missing, other bytes come before it, the head of a
  /// PNG does not match its checksum, or a text has bytes that are not characters.
  package private(set) var isIrregular = false

  package init(
    type: ContentType,
    facts: MediaFacts = MediaFacts(),
    title: String? = nil,
    note: String? = nil,
    keywords: [String] = [],
    dates: DateEvidence = DateEvidence(),
    unreadTexts: [UnreadText] = [],
    encoding: TextEncoding? = nil
  ) {
    self.type = type
    self.facts = facts
    self.title = title
    self.note = note
    self.keywords = keywords
    self.dates = dates
    self.unreadTexts = unreadTexts
    self.encoding = encoding
  }

  /// The same content, marked as irregular.
  var irregular: RecognizedContent {
    var content = self
    content.isIrregular = true
    return content
  }
}

/// A text inside an image or a recording that is not taken over, or not whole.
package enum UnreadText: Sendable, Hashable {
  /// A note that goes on behind the 16 KiB that were taken.
  case longNote
  /// A title that goes on behind the 200 characters that were taken.
  case longTitle
  /// A compressed text of a PNG, by its key.
  case compressed(key: String)
  /// A text or a date with a name that is damaged, or in no form that is read.
  case unreadable(name: String)
  /// A text with a name besides the one that was taken.
  case further(name: String)
  /// Comments that are too many to be named.
  case tooMany

  /// The reason in words.
  package var reason: String {
    switch self {
    case .longNote: "the note in it was cut to \(EmbeddedNote.maximumByteCount / 1024) KiB"
    case .longTitle: "the title in it was cut to \(EmbeddedTitle.maximumLength) characters"
    case .compressed(let key): "the text “\(key)” in it is compressed and was not read"
    case .unreadable(let name): "the value “\(name)” in it cannot be read"
    case .further(let name): "the further text “\(name)” in it was not taken"
    case .tooMany: "the other comments in it are too many to be named"
    }
  }
}
