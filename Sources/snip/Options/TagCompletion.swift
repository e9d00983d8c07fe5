import ArgumentParser

extension CompletionKind {
  /// The tags of the store that the environment names, without their counts.
  static let tags = CompletionKind.shellCommand(#"snip tag 2>/dev/null | sed "s/  [0-9]*\$//""#)
}

extension CompletionKind {
  /// The conditions of a query, those with few values whole.
  static let conditions = CompletionKind.list(
    [
      "after:", "before:", "duration:", "file:", "from:", "in:title", "in:tags", "in:text",
      "is:pinned", "is:trashed", "kind:text", "kind:image", "kind:voice", "path:", "size:", "tag:",
      "type:",
    ]
  )
}

/// Words that stand for tags.
enum TagWord {
  /// Returns a tag without the sign that snip prints, and people write, before it.
  ///
  /// - Parameter word: The tag as it was typed.
  /// - Returns: The tag.
  static func plain(_ word: String) -> String {
    word.hasPrefix("#") && word.count > 1 ? String(word.dropFirst()) : word
  }
}
