import Foundation
import SnippetRecognition

/// The rules for titles, notes and tags.
package enum TextRules {
  /// The most bytes of a text that is stored as text, and of a note; the schema has the same limit.
  package static let maximumTextByteCount = 65_536

  /// Folds a title to one line.
  static func title(_ text: String, during operation: String) throws(SnippetStoreError) -> String {
    let title = text.foldingWhiteSpace()
    guard title.unicodeScalars.count <= 1000 else {
      throw SnippetStoreError(
        .invalidInput,
        operation,
        because: "the title is longer than 1,000 characters",
        do: "Give a shorter one."
      )
    }
    return title
  }

  /// Returns a note without white space at its ends and without NUL, at which SQLite's text
  /// functions stop.
  package static func note(_ text: String, during operation: String) throws(SnippetStoreError)
    -> String
  {
    let note = trimmed(text)
    guard note.utf8.count <= maximumTextByteCount else {
      throw SnippetStoreError(
        .invalidInput,
        operation,
        because: "the note is longer than 65,536 bytes",
        keeping: "Nothing was changed.",
        do: "Give a shorter one, or save it as a text of its own."
      )
    }
    return note
  }

  /// Returns what content says of itself as a note; too much is cut.
  package static func note(of content: String) -> String {
    let note = trimmed(content)
    guard note.utf8.count > maximumTextByteCount else { return note }
    let beginning = note.utf8.prefix(maximumTextByteCount)
    return trimmed(TextEncoding.utf8.decodePrefix(Array(beginning)))
  }

  private static func trimmed(_ text: String) -> String {
    // Foundation takes its time even for nothing, and most snippets have no note.
    guard !text.isEmpty else { return "" }
    var text = text
    if text.utf8.contains(0) { text.unicodeScalars.removeAll { $0.value == 0 } }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Whether a text may have this preview: the one of this version, or any that begins with the
  /// same letters, which is the rule of the schema for short texts.
  package static func isPreview(_ preview: String, of beginning: String) -> Bool {
    func letters(_ text: String) -> String.UnicodeScalarView {
      String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isWhitespace })
    }
    return preview == TextPreview(of: beginning).preview
      || letters(beginning).starts(with: letters(preview))
  }

  /// Removes duplicate tags, and keeps the order.
  ///
  /// As in the database, the case of ASCII letters is ignored, and that of other letters is not.
  package static func tags(_ tags: [String], during operation: String) throws(SnippetStoreError)
    -> [String]
  {
    guard !tags.isEmpty else { return [] }
    var seen: Set<[UInt8]> = []
    var result: [String] = []
    for tag in tags {
      let tag = try self.tag(tag, during: operation)
      if seen.insert(key(ofTag: tag)).inserted { result.append(tag) }
    }
    return result
  }

  /// Returns what is equal for two tags that are the same in the store.
  package static func key(ofTag tag: String) -> [UInt8] { tag.utf8.map(SortKey.lowercased) }

  /// Returns a tag in composed form, without white space at its ends.
  package static func tag(_ text: String, during operation: String) throws(SnippetStoreError)
    -> String
  {
    let tag = composed(text)
    guard !tag.isEmpty, tag.unicodeScalars.count <= 100,
      !tag.utf8.contains(UInt8(ascii: ","))
    else {
      throw SnippetStoreError(
        .invalidInput,
        operation,
        because: "“\(text)” is not a tag",
        do: "Give a tag of 1 to 100 characters without a comma."
      )
    }
    return tag
  }

  /// Checks that a media type has two parts.
  package static func mediaType(
    _ text: String,
    during operation: String
  ) throws(SnippetStoreError) -> String {
    let bytes = text.utf8
    guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")), slash > bytes.startIndex,
      bytes.index(after: slash) < bytes.endIndex, text.foldingWhiteSpace() == text
    else {
      throw SnippetStoreError(
        .invalidInput,
        operation,
        because: "“\(text)” is not a media type",
        do: "Give one with a slash, such as image/png."
      )
    }
    return text
  }

  /// Returns the spelling in which a tag is stored and looked up.
  ///
  /// A text far too long for a tag stays as it is: composing takes time quadratic in its length.
  static func composed(_ tag: String) -> String {
    let folded = tag.foldingWhiteSpace()
    return folded.utf8.count > 10_000 ? folded : folded.precomposedStringWithCanonicalMapping
  }
}
