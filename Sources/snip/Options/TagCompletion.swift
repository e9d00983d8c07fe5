import ArgumentParser
import SnippetStorage

extension CompletionKind {
  /// The tags of the store that the environment names, without their counts.
  static let tags = CompletionKind.shellCommand(#"snip tag 2>/dev/null | sed "s/  [0-9]*\$//""#)
}

extension CompletionKind {
  /// The conditions of a query, those with few values whole, and one for each tag of the store.
  static let conditions = CompletionKind.shellCommand("snip tag --for-completion 2>/dev/null")
}

/// The beginnings of conditions that a shell offers.
enum OfferedConditions {
  private static let known = [
    "after:", "before:", "duration:", "file:", "from:", "in:title", "in:tags", "in:text",
    "is:pinned", "is:trashed", "kind:text", "kind:image", "kind:voice", "path:", "size:", "tag:",
    "type:",
  ]

  /// Returns the conditions as a shell takes them, with one for each tag.
  ///
  /// - Parameters:
  ///   - tags: The tags of the store.
  ///   - shell: The name of the shell, as the script of the parser gives it to commands.
  /// - Returns: The conditions, each a line.
  static func lines(with tags: [String], for shell: String?) -> [String] {
    let all = known + tags.map { SearchQuery.tag($0).text }
    // To zsh a description follows a colon.
    return shell == "zsh" ? all.map { $0.replacing(":", with: "\\:") } : all
  }
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
