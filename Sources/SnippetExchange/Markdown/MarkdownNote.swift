package import Foundation

/// The metadata in a Markdown note: its front matter, and the tags in its text.
///
/// The text is only read. Links and pictures in it are left alone, so they stay valid as long as
/// the files keep their places.
package struct MarkdownNote: Equatable, Sendable {
  /// The `title` in the front matter; `nil` if there is none.
  package var title: String?
  /// The tags in the front matter, then those in the text.
  package var tags: [String]
  /// The tags in the front matter.
  package var listedTags: [String]
  /// The value of `created`, `date` or one of their other names in the front matter.
  package var createdAt: Date?
  /// The value of `updated`, `modified` or one of their other names in the front matter.
  package var modifiedAt: Date?
  /// Whether the front matter says `pinned: true`.
  package var isPinned: Bool
  /// The values of the front matter that cannot be taken over.
  package var unread: [FrontMatterFlaw]
  /// The reason why the front matter is ignored, if it cannot be read.
  package var frontMatterFlaw: FrontMatterFlaw?

  /// The most bytes of a note that are searched for metadata.
  static let maximumByteCount = 1 << 20

  /// The most tags of a note; more would be useless.
  static let maximumTagCount = 100

  /// Reads a note or its beginning.
  package init(_ text: String) {
    let frontMatter = FrontMatter(of: text)
    var values: FrontMatterValues?
    do throws(FrontMatterFlaw) {
      if let frontMatter { values = try FrontMatterValues(text[frontMatter.range]) }
    } catch {
      frontMatterFlaw = error
    }
    if frontMatter == nil { frontMatterFlaw = FrontMatterFlaw(ofUnread: text) }
    unread = values?.unread ?? []
    title = values?.title
    listedTags = Self.unique(values?.tags ?? [])
    createdAt = values?.createdAt
    modifiedAt = values?.modifiedAt
    isPinned = values?.isPinned ?? false
    var scan = MarkdownTagScan(limit: Self.maximumTagCount)
    tags = Self.unique(
      listedTags + scan.tags(in: text.utf8[(frontMatter?.end ?? text.startIndex)...])
    )
    if scan.hasMore {
      let reason = "the text has more than \(Self.maximumTagCount) #tags"
      unread.append(FrontMatterFlaw(reason: reason))
    }
  }

  /// Whether the name of a file is that of a Markdown file.
  package static func isMarkdown(name: String) -> Bool {
    let suffix = (name as NSString).pathExtension.lowercased()
    return ["md", "markdown", "mdown", "mkd"].contains(suffix)
  }

  /// Returns different tags; the first spelling of each stays.
  static func unique(_ tags: [String]) -> [String] {
    var seen: Set<String> = []
    return tags.filter { seen.insert($0.lowercased()).inserted }
  }
}
