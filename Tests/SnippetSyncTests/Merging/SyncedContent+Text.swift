import SnippetStorage

@testable import SnippetSync

extension SyncedContent {
  /// The content of a short text.
  static func text(_ text: String, title: String = "", file: String? = nil) -> SyncedContent {
    SyncedContent(
      kind: .text,
      body: .text(text),
      byteCount: Int64(text.utf8.count),
      mediaType: "text/plain",
      preview: text,
      facts: MediaFacts(),
      title: title,
      file: file
    )
  }
}
