import SnippetStorage

extension TextRules {
  /// The most characters of a title.
  static let maximumTitleCount = 1000

  /// Shortens a title from a file to the limit; `nil` if it is empty.
  static func fittingTitle(_ text: String?) -> String? {
    guard let title = text?.foldingWhiteSpace(), !title.isEmpty else { return nil }
    let fitting = String(
      String.UnicodeScalarView(title.unicodeScalars.filter { $0 != "\0" }.prefix(maximumTitleCount))
    )
    // The store would remove a blank at the cut, and the title would look like an edited one.
    return fitting.foldingWhiteSpace()
  }

  /// Returns a tag from a file; `nil` if it is not valid.
  static func fittingTag(_ text: String) -> String? {
    try? tag(text, during: "read a tag")
  }
}
