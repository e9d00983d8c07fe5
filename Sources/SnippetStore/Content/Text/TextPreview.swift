/// The beginning of a text, as a row of a list shows it.
struct TextPreview {
  /// The most characters of a title.
  static let maximumTitleLength = 80
  // A text may begin with any number of blanks, and one character may have any number of marks.
  private static let examinedByteCount = 1 << 16
  private static let maximumBytesPerCharacter = 64

  /// The beginning on one line: runs of white space are one blank each; at most
  /// ``SnippetRow/maximumPreviewLength`` characters.
  let preview: String
  /// The first line that is not blank, likewise; cut to ``maximumTitleLength`` characters, the last
  /// of which is an ellipsis then.
  let title: String

  /// Makes the preview of a text.
  ///
  /// - Parameter text: The text or its beginning; 64 KiB of it decide.
  /// - Complexity: O(1) in the size of the text.
  init(of text: String) {
    let beginning = Self.beginning(of: text)
    preview = Self.fold(beginning, limit: SnippetRow.maximumPreviewLength)
    let line = beginning.drop { $0.isWhitespace }.prefix { !$0.isNewline }
    let title = Self.fold(line, limit: Self.maximumTitleLength + 1)
    if title.count > Self.maximumTitleLength {
      let cut = title.prefix(Self.maximumTitleLength - 1)
      self.title = (cut.last == " " ? cut.dropLast() : cut) + "…"
    } else {
      self.title = title
    }
  }

  private static func beginning(of text: String) -> Substring {
    let end = text.utf8.index(
      text.startIndex,
      offsetBy: examinedByteCount,
      limitedBy: text.endIndex
    )
    // Rounds down to a whole character of Unicode; a longer cluster may be cut.
    return text[..<(end?.samePosition(in: text.unicodeScalars) ?? text.endIndex)]
  }

  /// Folds white space, up to a number of characters.
  private static func fold(_ text: Substring, limit: Int) -> String {
    var folded = ""
    var length = 0
    var hasBlank = false
    for character in text {
      if character.isWhitespace {
        hasBlank = length > 0
        continue
      }
      guard length + (hasBlank ? 2 : 1) <= limit,
        character.utf8.count <= maximumBytesPerCharacter
      else { break }
      if hasBlank { folded.append(" ") }
      folded.append(character)
      length += hasBlank ? 2 : 1
      hasBlank = false
    }
    return folded
  }
}
