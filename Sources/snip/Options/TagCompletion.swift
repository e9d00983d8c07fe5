import ArgumentParser
import SnippetStorage

extension CompletionKind {
  /// The tags of the store that the environment names.
  static let tags = offered(.tags)
  /// The conditions of a query, those with few values whole, and one for each tag of the store.
  static let conditions = offered(.conditions)

  private static func offered(_ words: OfferedWords) -> CompletionKind {
    .shellCommand("snip tag --for-completion \(words.rawValue) 2>/dev/null")
  }
}

/// The words that a shell offers in place of a typed one.
enum OfferedWords: String, ExpressibleByArgument {
  case tags, conditions

  private static let beginnings = [
    "after:", "before:", "duration:", "file:", "from:", "in:title", "in:tags", "in:text",
    "is:pinned", "is:trashed", "kind:text", "kind:image", "kind:voice", "path:", "size:", "tag:",
    "type:",
  ]

  /// Returns the words as a shell takes them.
  ///
  /// - Parameters:
  ///   - tags: The tags of the store.
  ///   - shell: The name of the shell, as the script of the parser gives it to commands.
  /// - Returns: The words, each a line.
  func lines(with tags: [String], for shell: String?) -> [String] {
    let all =
      switch self {
      case .tags: tags
      case .conditions: Self.beginnings + tags.map { SearchQuery.tag($0).text }
      }
    // To zsh a description follows a colon.
    return shell == "zsh"
      ? all.map { $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:") } : all
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
