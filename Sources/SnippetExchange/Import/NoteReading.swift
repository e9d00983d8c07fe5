import SnippetBase
package import SnippetStorage

/// Reads the metadata of a note while its file is prepared to be saved.
package final class NoteReading: Sendable {
  private let note = Lock<NoteMetadata?>(nil)

  /// The note; `nil` before it was read, and for other files.
  package var value: NoteMetadata? { note.withLock { $0 } }

  package init() {}

  /// Completes the draft of a note, which may be that of a bundle, with the metadata in its text.
  package func complete(
    _ reading: DraftReading,
    _ draft: inout SnippetDraft,
    in language: NoteLanguage,
    ofBundle isOfBundle: Bool
  ) throws {
    guard let text = try reading.text(ofByteCount: NoteMetadata.maximumByteCount) else { return }
    complete(text, of: reading, &draft, in: language, ofBundle: isOfBundle)
  }

  /// Completes the draft of a text without a file, if it begins with front matter between two lines.
  package func complete(frontMatterIn reading: DraftReading, _ draft: inout SnippetDraft) throws {
    guard let text = try reading.text(ofByteCount: NoteMetadata.maximumByteCount) else { return }
    complete(frontMatterOf: text, of: reading, &draft)
  }

  /// Completes the draft of a text without a file, if it begins with front matter between two lines.
  ///
  /// Without a title there, the text gets the one that is made of it.
  package func complete(
    frontMatterOf text: String,
    of reading: DraftReading? = nil,
    _ draft: inout SnippetDraft
  ) {
    // An object may be the text itself.
    guard let frontMatter = FrontMatter(of: text), frontMatter.language != .json else { return }
    complete(text, of: reading, &draft, in: .markdown, ofBundle: false)
    draft.title = draft.title ?? TextPreview(of: text).title
  }

  private func complete(
    _ text: String,
    of reading: DraftReading?,
    _ draft: inout SnippetDraft,
    in language: NoteLanguage,
    ofBundle isOfBundle: Bool
  ) {
    var found = NoteMetadata(text, in: language, ofBundle: isOfBundle)
    for tag in found.tags where TextRules.fittingTag(tag) == nil {
      let reason = "“\(tag.prefix(100))” has a comma, or more than 100 characters (tags)"
      found.unread.append(FrontMatterFlaw(reason: reason))
    }
    if let flaw = FrontMatterFlaw(ofTitle: found.title) { found.unread.append(flaw) }
    if let reading, reading.byteCount > Int64(NoteMetadata.maximumByteCount) {
      let reason = "tags in the text behind its first 1 MiB were not looked for"
      found.unread.append(FrontMatterFlaw(reason: reason))
    }
    // The note itself counts more than a file beside it.
    draft.title = TextRules.fittingTitle(found.title) ?? draft.title
    draft.tags += found.tags.compactMap(TextRules.fittingTag)
    draft.isPinned = draft.isPinned || found.isPinned
    draft.createdAt = draft.createdAt ?? found.createdAt
    draft.modifiedAt = draft.modifiedAt ?? found.modifiedAt ?? reading?.modifiedAt
    note.withLock { [found] in $0 = found }
  }
}
