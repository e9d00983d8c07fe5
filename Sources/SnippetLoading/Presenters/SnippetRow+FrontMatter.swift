package import SnippetStorage

extension SnippetRow {
  /// The preview of a text without its front matter; empty if that alone fills the preview.
  package var previewWithoutFrontMatter: Substring {
    preview.withoutFrontMatter(isCut: preview.count >= SnippetRow.maximumPreviewLength)
  }
}

extension String {
  /// Returns the text after the YAML or TOML that it begins with, as notes in Markdown do.
  ///
  /// A preview is on one line, so words tell the fields: three dashes, a key with a colon, and three
  /// dashes again; or three plus signs, with an equals sign after the key.
  ///
  /// - Parameter isCut: Whether the text goes on elsewhere, maybe with the end of the fields.
  /// - Returns: The text after the fields; the whole text if it has none. Nothing if it is cut within
  ///   the fields.
  /// - Complexity: O(*n*) for *n* characters; O(1) for a text that begins with something else.
  package func withoutFrontMatter(isCut: @autoclosure () -> Bool) -> Substring {
    guard hasPrefix("---") || hasPrefix("+++") else { return self[...] }
    var rest = self[...]
    let fence = rest.takeWord()
    switch fence {
    case "---": guard rest.takeWord().hasSuffix(":") else { return self[...] }
    case "+++": guard rest.takeWord().contains("=") || rest.hasPrefix("=") else { return self[...] }
    default: return self[...]
    }
    while !rest.isEmpty {
      if rest.takeWord() == fence { return rest }
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
