import ArgumentParser

extension CompletionKind {
  /// The tags of the store that the environment names, without their counts.
  static let tags = CompletionKind.shellCommand(#"snip tag 2>/dev/null | sed "s/  [0-9]*\$//""#)
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
