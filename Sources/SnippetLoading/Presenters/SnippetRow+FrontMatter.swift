package import SnippetStorage

extension SnippetRow {
  /// The preview of a text without its front matter; empty if that alone fills the preview.
  package var previewWithoutFrontMatter: Substring {
    preview.withoutFrontMatter(isCut: preview.count >= SnippetRow.maximumPreviewLength)
  }
}

extension String {
  /// Returns the text after the YAML that it begins with, as notes in Markdown do.
  ///
  /// A preview is on one line, so words tell the YAML: three dashes, a key with a colon, and three
  /// dashes again.
  ///
  /// - Parameter isCut: Whether the text goes on elsewhere, maybe with the end of the YAML.
  /// - Returns: The text after the YAML; the whole text if it has none. Nothing if it is cut within
  ///   the YAML.
  /// - Complexity: O(*n*) for *n* characters; O(1) for a text that does not begin with dashes.
  package func withoutFrontMatter(isCut: @autoclosure () -> Bool) -> Substring {
    guard hasPrefix("---") else { return self[...] }
    var rest = self[...]
    guard rest.takeWord() == "---", rest.takeWord().hasSuffix(":") else { return self[...] }
    while !rest.isEmpty {
      if rest.takeWord() == "---" { return rest }
    }
    return isCut() ? "" : self[...]
  }
}

extension Substring {
  /// Removes the first word, with the white space behind it.
  fileprivate mutating func takeWord() -> Substring {
    let word = prefix { !$0.isWhitespace }
    self = dropFirst(word.count).drop(while: \.isWhitespace)
    return word
  }
}
