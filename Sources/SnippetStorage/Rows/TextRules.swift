import Foundation
package import SnippetRecognition

/// The rules for titles and tags.
package enum TextRules {
  /// A title on one line.
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

  /// As much of a title that a file brings as fits; `nil` for none.
  package static func fittingTitle(_ text: String?) -> String? {
    guard let title = text?.foldingWhiteSpace(), !title.isEmpty else { return nil }
    return String(String.UnicodeScalarView(title.unicodeScalars.filter { $0 != "\0" }.prefix(1000)))
  }

  /// A tag that a file brings; `nil` for one that can be none.
  package static func fittingTag(_ text: String) -> String? {
    try? tag(text, during: "read a tag")
  }

  /// The preview of a text.
  package static func preview(_ words: TextPreview) -> String {
    words.preview.foldingWhiteSpace()
  }

  /// Whether a preview is one that a text may have: that of this version, or another that begins
  /// with the same letters, as the schema has it for short texts.
  package static func isPreview(_ preview: String, of beginning: String) -> Bool {
    func letters(_ text: String) -> String.UnicodeScalarView {
      String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isWhitespace })
    }
    return preview == Self.preview(TextPreview(of: beginning))
      || letters(beginning).starts(with: letters(preview))
  }

  /// Tags without repetitions, in the order given.
  ///
  /// As in the database, the case of ASCII letters makes no difference, that of others does.
  package static func tags(_ tags: [String], during operation: String) throws(SnippetStoreError)
    -> [String]
  {
    guard !tags.isEmpty else { return [] }
    var seen: Set<[UInt8]> = []
    var result: [String] = []
    for tag in tags {
      let tag = try self.tag(tag, during: operation)
      let bytes = tag.utf8.map(SortKey.lowercased)
      if seen.insert(bytes).inserted { result.append(tag) }
    }
    return result
  }

  /// A tag, composed and without white space at its ends.
  static func tag(_ text: String, during operation: String) throws(SnippetStoreError) -> String {
    let tag = composed(text)
    guard !tag.isEmpty, tag.unicodeScalars.count <= 100,
      !tag.utf8.contains(UInt8(ascii: ","))
    else {
      throw SnippetStoreError(
        .invalidInput,
        operation,
        because: "“\(text)” is no tag",
        do: "Give a tag of 1 to 100 characters without a comma."
      )
    }
    return tag
  }

  /// A media type of two parts.
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
        because: "“\(text)” is no media type",
        do: "Give one with a slash, such as image/png."
      )
    }
    return text
  }

  /// The spelling under which a tag is stored and looked for.
  ///
  /// What is far too long for a tag stays as it is: to compose takes a time that grows with the
  /// square of the length.
  static func composed(_ tag: String) -> String {
    let folded = tag.foldingWhiteSpace()
    return folded.utf8.count > 10_000 ? folded : folded.precomposedStringWithCanonicalMapping
  }
}
