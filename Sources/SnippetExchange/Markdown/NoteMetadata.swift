package import Foundation
import SnippetBase
import SnippetStorage

/// The metadata in a note: in Markdown its front matter, the properties that Logseq writes, and the
/// tags in its text.
///
/// The text is only read. Links and pictures in it are left alone, so they stay valid as long as
/// the files keep their places.
package struct NoteMetadata: Equatable, Sendable {
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
  /// Whether the front matter says that it is the note of the file that it is beside.
  package var isSideFile: Bool
  /// The values of the front matter that cannot be taken over.
  package var unread: [FrontMatterFlaw]
  /// The reason why the front matter, or a field of it, is ignored, if it cannot be read.
  package var frontMatterFlaw: FrontMatterFlaw?

  /// The most bytes of a note that are searched for metadata.
  static let maximumByteCount = 1 << 20

  /// The most tags of a note; more would be useless.
  static let maximumTagCount = 100

  /// Reads a note or its beginning; in one of a bundle, a second mark may close a tag.
  package init(
    _ text: String,
    in language: NoteLanguage = .markdown,
    ofBundle isOfBundle: Bool = false
  ) {
    switch language {
    case .markdown: self.init(markdown: text.withLineFeeds ?? text, ofBundle: isOfBundle)
    case .org: self.init(org: text)
    }
  }

  private init(markdown text: String, ofBundle isOfBundle: Bool) {
    let frontMatter = FrontMatter(of: text)
    var values: FrontMatterValues?
    do throws(FrontMatterFlaw) {
      if let frontMatter { values = try FrontMatterValues(frontMatter, in: text) }
    } catch {
      frontMatterFlaw = error
      values = frontMatter.flatMap { FrontMatterValues(mending: $0, in: text, after: error) }
    }
    if frontMatter == nil { frontMatterFlaw = FrontMatterFlaw(ofUnread: text) }
    let rest = text[(frontMatter?.end ?? text.startIndex)...]
    let properties = FrontMatterValues(ofPage: rest)
    unread = (values?.unread ?? []) + (properties?.unread ?? [])
    if let frontMatter, let flaw = FrontMatterFlaw(ofBlockBehind: frontMatter, in: text) {
      unread.append(flaw)
    }
    title = values?.title ?? properties?.title
    listedTags = Self.unique(values?.tags ?? [])
    createdAt = values?.createdAt ?? properties?.createdAt
    modifiedAt = values?.modifiedAt ?? properties?.modifiedAt
    isPinned = values?.isPinned ?? properties?.isPinned ?? false
    isSideFile = values?.isSideFile ?? false
    var scan = MarkdownTagScan(limit: Self.maximumTagCount, takesClosedTags: isOfBundle)
    tags = Self.unique(listedTags + (properties?.tags ?? []) + scan.tags(in: rest.utf8))
    if scan.hasMore {
      let reason = "the text has more than \(Self.maximumTagCount) #tags"
      unread.append(FrontMatterFlaw(reason: reason))
    }
  }

  /// Whether the name of a file is that of a Markdown file.
  package static func isMarkdown(name: String) -> Bool {
    NoteLanguage(ofFile: name) == .markdown
  }

  /// Returns different tags; the first spelling of each stays.
  static func unique(_ tags: [String]) -> [String] {
    var seen: Set<String> = []
    return tags.filter { seen.insert($0.lowercased()).inserted }
  }
}

/// The language of a note.
package enum NoteLanguage: Sendable {
  case markdown
  /// The language of Org mode, in Emacs.
  case org

  /// Tells the language of a file by its name; `nil` if it is of no note.
  package init?(ofFile name: String) {
    let ending = name.fileExtension.lowercased()
    if TextRules.markdownEndings.contains(ending) {
      self = .markdown
    } else if ending == "org" {
      self = .org
    } else {
      return nil
    }
  }
}
