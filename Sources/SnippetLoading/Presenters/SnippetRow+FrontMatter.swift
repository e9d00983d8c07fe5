import SnippetBase
package import SnippetStorage

extension SnippetRow {
  /// The preview of a text without its front matter; empty if that alone fills the preview.
  package var previewWithoutFrontMatter: Substring {
    preview.withoutFrontMatter(isCut: preview.count >= SnippetRow.maximumPreviewLength)
  }
}

extension SearchExcerpt {
  /// Returns the text without the front matter that it begins with or in, unless only that has a
  /// match which neither the title nor a tag shows.
  ///
  /// - Parameter row: The snippet of the text.
  /// - Returns: The text after the front matter; empty if it is cut within that.
  package func textWithoutFrontMatter(of row: SnippetRow) -> Substring {
    let end = frontMatterEnd
    let shown = ([row.title] + row.tags).map { $0.lowercased() }
    let isExplained =
      matches.contains { $0.upperBound > end }
      || matches.allSatisfy { match in
        let word = text[match].lowercased()
        return shown.contains { $0.contains(word) }
      }
    return isExplained ? text[end...] : text[...]
  }

  private var frontMatterEnd: String.Index {
    let rest = text.withoutFrontMatter(isCut: text.hasSuffix(" …"))
    if rest.isEmpty { return text.endIndex }
    return rest.startIndex > text.startIndex ? rest.startIndex : cutFrontMatterEnd
  }

  /// The end of front matter whose beginning is cut off: lines with keys or items, and a fence.
  private var cutFrontMatterEnd: String.Index {
    guard text.hasPrefix("… ") else { return text.startIndex }
    var (rest, lineCount, hasField) = (text[...], 0, false)
    while let blanks = rest.firstRange(of: "  ") {
      let line = rest[..<blanks.lowerBound]
      rest = rest[blanks.upperBound...]
      if line == "---" || line == "+++" { return hasField ? rest.startIndex : text.startIndex }
      let isField = line.contains(":") || line.contains("=")
      // The first may be a part of a line.
      guard isField || line.hasPrefix("- ") || lineCount == 0 else { return text.startIndex }
      hasField = hasField || isField
      lineCount += 1
    }
    return text.startIndex
  }
}

extension String {
  /// Returns the text after the YAML, TOML or JSON that it begins with, as notes in Markdown do.
  ///
  /// A preview is on one line, so words tell the fields: three dashes, a key with a colon, and three
  /// dashes again; or three plus signs, with an equals sign after the key. Behind an object in JSON
  /// there must be another text: the preview of a file of JSON is all that it has.
  ///
  /// - Parameter isCut: Whether the text goes on elsewhere, maybe with the end of the fields.
  /// - Returns: The text after the fields; the whole text if it has none. Nothing if it is cut within
  ///   the fields of YAML or TOML; the whole text if it is cut within an object in JSON.
  /// - Complexity: O(*n*) for *n* characters; O(1) for a text that begins with something else.
  package func withoutFrontMatter(isCut: @autoclosure () -> Bool) -> Substring {
    if utf8.first == UInt8(ascii: "{") { return withoutObject }
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

extension String {
  private var withoutObject: Substring {
    guard let end = jsonObjectEnd else { return self[...] }
    let blanks = self[end...].prefix(while: \.isWhitespace)
    let rest = self[blanks.endIndex...]
    return blanks.isEmpty || rest.isEmpty || rest.first == "{" ? self[...] : rest
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
