import GRDB
import SnippetBase
import SnippetRecognition
public import SnippetStorage

extension SnippetStore {
  /// Completes an edit that replaces the text of a note with what the new text changes of the
  /// metadata in it: the title, the tags, the pin and the date in its front matter, and `#tags`.
  ///
  /// A tag that is new in the text is added, and one that is not in it any more is removed. If the
  /// snippet has another title than its former text gave it, that title stays. What the edit says
  /// already counts more.
  ///
  /// A note is a text whose file is one of Markdown or Org by its name, or that has no file. The
  /// edit of anything else is returned as it is.
  ///
  /// Apply the result, or give this to a `SnippetTextEditor` as `completing`.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - id: The snippet to be edited.
  /// - Returns: The edit to apply.
  /// - Throws: `SnippetStoreError`. A missing snippet is no error: applying the edit throws it.
  /// - Complexity: O(*n*) in the size of both texts, up to 1 MiB of each.
  @concurrent
  public func completing(
    _ edit: SnippetEdit,
    of id: SnippetID
  ) async throws(SnippetStoreError) -> SnippetEdit {
    guard let text = edit.text else { return edit }
    let former = try await seam.read(to: "change snippet \(id)") { db in
      try EditedNote(id, in: db)
    }
    guard let former else { return edit }
    let beginning = Array(text.utf8.prefix(NoteMetadata.maximumByteCount))
    return former.completing(edit, with: TextEncoding.utf8.decodePrefix(beginning))
  }
}

/// A note as the store has it before an edit.
private struct EditedNote: Sendable {
  private let row: SnippetRow
  private let language: NoteLanguage
  private let isOfBundle: Bool
  /// The title that its file has by its name, or by what another file tells of it; `nil` without
  /// a file.
  private let fileTitle: String?
  private let text: String

  /// Reads a note; `nil` for a snippet that is none, or does not exist.
  init?(_ id: SnippetID, in db: Database) throws {
    guard let row = try db.snippetRow(id), row.kind == .text else { return nil }
    let origins = try OriginStatements(db: db).origins(of: id)
    let file = origins.first { NoteLanguage(ofFile: $0.path) != nil }
    guard origins.isEmpty || file != nil else { return nil }
    self.row = row
    language = file.flatMap { NoteLanguage(ofFile: $0.path) } ?? .markdown
    isOfBundle = file?.note?.described != nil
    // The name of an item of Joplin says nothing.
    if let file, !file.isItem {
      let told = file.note?.described?.title
      fileTitle = told ?? FileNames.title(of: file.path, isText: true)
    } else {
      fileTitle = nil
    }
    text = try db.beginning(
      ofTextOf: id,
      in: row.blobID,
      upTo: Int64(NoteMetadata.maximumByteCount)
    )
  }

  /// Completes an edit whose text begins so.
  func completing(_ edit: SnippetEdit, with text: String) -> SnippetEdit {
    let former = NoteMetadata(self.text, in: language, ofBundle: isOfBundle)
    let new = NoteMetadata(text, in: language, ofBundle: isOfBundle)
    var edit = edit
    edit.title = edit.title ?? title(after: former, new, in: text)
    if former.isPinned != new.isPinned { edit.isPinned = edit.isPinned ?? new.isPinned }
    if let date = new.createdAt, date != former.createdAt {
      edit.createdAt = edit.createdAt ?? date.clampedToStore
    }
    let tags = new.tags.compactMap(TextRules.fittingTag)
    let formerTags = former.tags.compactMap(TextRules.fittingTag)
    let (known, present) = (TagSet(formerTags), TagSet(tags + edit.addedTags))
    let chosen = TagSet(edit.removedTags)
    edit.addedTags += tags.filter { !known.contains($0) && !chosen.contains($0) }
    // Beyond the limit, a tag may still be in the text.
    if new.tags.count < NoteMetadata.maximumTagCount {
      edit.removedTags += formerTags.filter { !present.contains($0) }
    }
    return edit
  }

  /// Returns the title that the row gets by the new text; `nil` if it stays, or the store makes it.
  private func title(
    after former: NoteMetadata,
    _ new: NoteMetadata,
    in text: String
  ) -> String? {
    let (formerTitle, title) = (
      TextRules.fittingTitle(former.title), TextRules.fittingTitle(new.title)
    )
    let isOfText = TextPreview(of: self.text).makes(row.title)
    // Where the text said nothing, a title in it is news, whatever the row has.
    let isFirst = former.title == nil && former.frontMatterFlaw == nil && title != nil
    guard isFirst || isOfText || row.title == formerTitle || row.title == fileTitle else {
      return nil
    }
    if let title { return title == formerTitle ? nil : title }
    // Otherwise the store makes a title of the text where the row has one.
    return formerTitle == nil ? nil : fileTitle ?? TextPreview(of: text).title
  }
}
