import Foundation
import SnippetRecognition
import SnippetStorage

/// The file of a note: its text, and front matter for the properties that neither the text nor the
/// path expresses.
enum NoteFile {
  /// Properties missing in a file because its front matter cannot be changed.
  struct Omission {
    /// Some of: the title, the tags, the pin.
    let words: [String]
    /// The reason.
    let reason: String
  }

  /// Returns the bytes for the file of a snippet at a path in its folder, and the properties
  /// missing in them; `told` is what another file beside it tells.
  ///
  /// The bytes are the unchanged content if that already has all properties, is not Markdown in
  /// UTF-8, or has front matter that cannot be changed; the last is an omission.
  static func bytes(
    _ content: Data,
    in encoding: TextEncoding?,
    of row: SnippetRow,
    at path: String,
    _ told: ToldFacts? = nil
  ) -> (Data, Omission?) {
    guard isNote(row, in: encoding, at: path),
      let text = String(validating: content, as: UTF8.self)
    else { return (content, nil) }
    let note = NoteMetadata(beginning(of: content))
    let edit = edit(of: row, note, path, told)
    if edit.isEmpty { return (content, nil) }
    // Front matter of another form would stay below ours, and be a text.
    if FrontMatter(of: text) == nil, let flaw = note.frontMatterFlaw {
      return (
        content, Omission(words: edit.words, reason: "its front matter cannot be read: \(flaw)")
      )
    }
    if let edited = edit.applied(to: text) { return (Data(edited.utf8), nil) }
    let reason =
      note.frontMatterFlaw.map { "its front matter cannot be read: \($0)" }
      ?? "its front matter cannot be changed line by line without losing something"
    guard let edited = edit.withoutTags.applied(to: text) else {
      return (content, Omission(words: edit.words, reason: reason))
    }
    return (Data(edited.utf8), Omission(words: ["the tags"], reason: reason))
  }

  /// Returns the properties that the file of a note lacks that is too large to be changed.
  static func omission(
    _ beginning: Data,
    in encoding: TextEncoding?,
    of row: SnippetRow,
    at path: String,
    _ told: ToldFacts? = nil
  ) -> Omission? {
    guard row.kind == .text, encoding == .utf8, NoteMetadata.isMarkdown(name: path) else {
      return nil
    }
    let edit = edit(of: row, NoteMetadata(self.beginning(of: beginning)), path, told)
    if edit.isEmpty { return nil }
    return Omission(words: edit.words, reason: "it is larger than \(maximumByteCount >> 20) MiB")
  }

  /// Returns the part of a note that an import searches for metadata.
  static func beginning(of content: Data) -> String {
    TextEncoding.utf8.decodePrefix(Array(content.prefix(NoteMetadata.maximumByteCount)))
  }

  /// Larger notes are not changed.
  static let maximumByteCount = 64 << 20

  /// Whether the file of a snippet can express more than its content.
  ///
  /// The bytes are not enough to decide: plain letters in UTF-16 or ISO-2022-JP are valid UTF-8 as
  /// well.
  static func isNote(_ row: SnippetRow, in encoding: TextEncoding?, at path: String) -> Bool {
    row.kind == .text && encoding == .utf8 && NoteMetadata.isMarkdown(name: path)
      && row.byteCount <= Int64(maximumByteCount)
  }

  private static func edit(
    of row: SnippetRow,
    _ note: NoteMetadata,
    _ path: String,
    _ described: ToldFacts?
  ) -> FrontMatterEdit {
    var edit = FrontMatterEdit()
    let title =
      TextRules.fittingTitle(note.title) ?? described?.title ?? FileNames.title(of: path)
    if row.title != title, !row.title.isEmpty { edit.title = row.title }
    let told = TagSet(
      note.tags.compactMap(TextRules.fittingTag) + FileNames.folderTags(of: path)
        + (described?.tags ?? [])
    )
    let untold = row.tags.filter { !told.contains($0) }
    let known = TagSet(row.tags)
    // Values that cannot be tags in the store were not removed there.
    let kept = note.listedTags.filter { TextRules.fittingTag($0).map(known.contains) ?? true }
    if !untold.isEmpty || kept.count < note.listedTags.count { edit.tags = kept + untold }
    if row.isPinned != (note.isPinned || described?.pinned == true) { edit.isPinned = row.isPinned }
    return edit
  }
}

extension FrontMatterEdit {
  /// The changes that are possible if the tags must stay.
  fileprivate var withoutTags: FrontMatterEdit { FrontMatterEdit(title: title, isPinned: isPinned) }

  /// The properties that the edit changes.
  fileprivate var words: [String] {
    [
      title.map { _ in "the title" }, tags.map { _ in "the tags" },
      isPinned.map { _ in "the pin" },
    ]
    .compactMap(\.self)
  }
}
