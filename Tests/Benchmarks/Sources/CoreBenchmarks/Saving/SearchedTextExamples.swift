import SnippetStorage

/// Texts in several scripts.
package enum SearchedTextExamples {
  private static let words = [
    "potato", "soup", "leek", "milk", "harbour", "Köln", "naïve", "東京都", "牛乳を", "서울에서",
    "привет", "Ἀθῆναι", "c++", "invoice", "meeting", "garden", "train", "window", "letter", "river",
  ]

  /// A text of 24 words and its number.
  package static func text(_ number: Int) -> String {
    let words = (0..<24).map { Self.words[(number &* 31 &+ $0 &* $0 &* 7) % Self.words.count] }
    return "\(words.joined(separator: " ")) no\(number)"
  }

  /// The draft of that text, without a title.
  package static func draft(_ number: Int) -> SnippetDraft {
    SnippetDraft(.text(text(number)), title: "")
  }
}
