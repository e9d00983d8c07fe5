/// The beginning of a text, as a row of a list shows it.
struct TextPreview {
  /// The most characters of a title.
  static let maximumTitleLength = 80
  // A text may begin with any number of blanks, and one character may have any number of marks.
  private static let examinedScalarCount = 1 << 14
  private static let maximumScalarsPerCharacter = 16

  /// The beginning on one line: runs of white space are one blank each; at most
  /// ``SnippetRow/maximumPreviewLength`` characters.
  let preview: String
  /// The first line that is not blank, likewise; cut to ``maximumTitleLength`` characters, the last
  /// of which is an ellipsis then.
  let title: String

  /// Makes the preview of a text.
  ///
  /// - Parameter text: The text or its beginning, of which the first 16,384 code points are looked
  ///   at.
  /// - Complexity: O(1) in the size of the text.
  init(of text: String) {
    let beginning = Substring(text.unicodeScalars.prefix(Self.examinedScalarCount))
    preview = Self.fold(beginning, limit: SnippetRow.maximumPreviewLength).text
    let line = beginning.drop { $0.isWhitespace }.prefix { !$0.isNewline }
    let (title, isCut) = Self.fold(line, limit: Self.maximumTitleLength)
    let shortened = title.prefix(Self.maximumTitleLength - 1)
    self.title = isCut ? (shortened.last == " " ? shortened.dropLast() : shortened) + "…" : title
  }

  /// Folds white space, up to a number of characters.
  private static func fold(_ text: Substring, limit: Int) -> (text: String, isCut: Bool) {
    var folded = ""
    var length = 0
    var hasBlank = false
    for character in text {
      if character.isWhitespace {
        hasBlank = length > 0
        continue
      }
      guard length + (hasBlank ? 2 : 1) <= limit else { return (folded, true) }
      if hasBlank { folded.append(" ") }
      folded.unicodeScalars.append(
        contentsOf: character.unicodeScalars.prefix(maximumScalarsPerCharacter)
      )
      length += hasBlank ? 2 : 1
      hasBlank = false
    }
    return (folded, false)
  }
}
