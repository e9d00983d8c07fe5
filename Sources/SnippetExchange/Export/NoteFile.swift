import Foundation
import SnippetRecognition
import SnippetStorage

/// The file of a note: its text, and above it what the snippet says that neither the text nor the
/// path of the file does.
enum NoteFile {
  /// What a file cannot say of its snippet, because its front matter cannot be changed.
  struct Omission {
    /// The title, the tags, the pin: some of them.
    let words: [String]
    /// Why.
    let reason: String
  }

  /// The bytes of the file of a snippet, and what they leave out.
  ///
  /// - Parameters:
  ///   - content: The content of the snippet.
  ///   - encoding: How that is to be understood; `nil` where it is no text.
  ///   - row: Its row.
  ///   - path: The file, below its folder.
  /// - Returns: The content itself where it says everything, is no Markdown in UTF-8, is longer than
  ///   a note is read, or has front matter that cannot be changed; the last is an omission.
  static func bytes(
    _ content: Data,
    in encoding: TextEncoding?,
    of row: SnippetRow,
    at path: String
  ) -> (Data, Omission?) {
    guard isNote(row, in: encoding, at: path), content.count <= MarkdownNote.maximumByteCount,
      let text = String(validating: content, as: UTF8.self)
    else { return (content, nil) }
    let note = MarkdownNote(text)
    let edit = edit(of: row, note, path)
    if let edited = edit.applied(to: text) { return (Data(edited.utf8), nil) }
    let reason =
      note.frontMatterFlaw.map { "its front matter cannot be read: \($0)" }
      ?? "its front matter cannot be changed line by line without losing something"
    guard let edited = edit.withoutTags.applied(to: text) else {
      return (content, Omission(words: edit.words, reason: reason))
    }
    return (Data(edited.utf8), Omission(words: ["the tags"], reason: reason))
  }

  /// Whether the file of a snippet can say more than its content.
  ///
  /// The bytes do not tell: those of UTF-16 in plain letters or of ISO-2022-JP are UTF-8 as well.
  static func isNote(_ row: SnippetRow, in encoding: TextEncoding?, at path: String) -> Bool {
    row.kind == .text && encoding == .utf8 && MarkdownNote.isMarkdown(name: path)
      && row.byteCount <= Int64(MarkdownNote.maximumByteCount)
  }

  private static func edit(
    of row: SnippetRow,
    _ note: MarkdownNote,
    _ path: String
  ) -> FrontMatterEdit {
    var edit = FrontMatterEdit()
    let title = TextRules.fittingTitle(note.title) ?? FileNames.title(of: path)
    if row.title != title, !row.title.isEmpty { edit.title = row.title }
    let told = note.tags.compactMap(TextRules.fittingTag) + FileNames.folderTags(of: path)
    let untold = row.tags.filter { !told.contains(equalTo: $0) }
    // What can be no tag in the store was not taken off there.
    let kept = note.listedTags.filter { tag in
      TextRules.fittingTag(tag).map { row.tags.contains(equalTo: $0) } ?? true
    }
    if !untold.isEmpty || kept.count < note.listedTags.count { edit.tags = kept + untold }
    if row.isPinned != note.isPinned { edit.isPinned = row.isPinned }
    return edit
  }
}

extension FrontMatterEdit {
  /// What can be said where the tags must stay as they are.
  fileprivate var withoutTags: FrontMatterEdit { FrontMatterEdit(title: title, isPinned: isPinned) }

  /// What it changes.
  fileprivate var words: [String] {
    [
      title.map { _ in "the title" }, tags.map { _ in "the tags" },
      isPinned.map { _ in "the pin" },
    ]
    .compactMap(\.self)
  }
}
