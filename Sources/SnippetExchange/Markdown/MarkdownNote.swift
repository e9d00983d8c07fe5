package import Foundation

/// What a note in Markdown says of itself: in its front matter, and by the tags in its text.
///
/// The text is only read. Links and pictures in it are left alone, so they lead where they led as
/// long as the files keep their places.
package struct MarkdownNote: Equatable, Sendable {
  /// `title` of the front matter; `nil` without one.
  package var title: String?
  /// The tags of the front matter and those of the text, in this order.
  package var tags: [String]
  /// Those of the front matter.
  package var listedTags: [String]
  /// `created` or `date` of the front matter.
  package var createdAt: Date?
  /// `updated` or `modified` of the front matter.
  package var modifiedAt: Date?
  /// Whether the front matter says `pinned: true`.
  package var isPinned: Bool
  /// Why the front matter says nothing, where it cannot be read.
  package var frontMatterFlaw: FrontMatterFlaw?

  /// As much of a note is looked through for what it says of itself.
  static let maximumByteCount = 1 << 20

  /// The tags of a note that count; more are of no use to anybody.
  static let maximumTagCount = 100

  /// Reads a note.
  ///
  /// - Parameter text: The text, or its beginning.
  /// - Complexity: O(*n*).
  package init(_ text: String) {
    let frontMatter = FrontMatter(of: text)
    var values: FrontMatterValues?
    do throws(FrontMatterFlaw) {
      if let frontMatter { values = try FrontMatterValues(text[frontMatter.range]) }
    } catch {
      frontMatterFlaw = error
    }
    title = values?.title
    listedTags = Self.unique(values?.tags ?? [])
    createdAt = values?.createdAt
    modifiedAt = values?.modifiedAt
    isPinned = values?.isPinned ?? false
    var scan = MarkdownTagScan(limit: Self.maximumTagCount)
    tags = Self.unique(
      listedTags + scan.tags(in: text.utf8[(frontMatter?.end ?? text.startIndex)...])
    )
  }

  /// Whether a file of this name is Markdown.
  package static func isMarkdown(name: String) -> Bool {
    let suffix = (name as NSString).pathExtension.lowercased()
    return ["md", "markdown", "mdown", "mkd"].contains(suffix)
  }

  private static func unique(_ tags: [String]) -> [String] {
    var seen: Set<String> = []
    return tags.filter { seen.insert($0.lowercased()).inserted }
  }
}
