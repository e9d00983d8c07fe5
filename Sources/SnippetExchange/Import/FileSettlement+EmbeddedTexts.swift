import SnippetBase
import SnippetStorage

extension FileSettlement {
  /// The texts within a picture or a recording that its snippet takes over, besides the title.
  struct EmbeddedTexts {
    /// The keywords.
    var tags: [String] = []
    /// The description; empty if there is none.
    var note = ""
  }

  /// Reads the texts within the bytes that a snippet has; a text has none.
  func embeddedTexts(of row: SnippetRow) throws -> EmbeddedTexts {
    guard row.kind != .text, let blob = row.blobID, let media = try db.recognizedMedia(in: blob)
    else { return EmbeddedTexts() }
    return EmbeddedTexts(
      tags: media.keywords.compactMap { TextRules.tag(ofKeyword: $0) },
      note: media.note.map(TextRules.note(of:)) ?? ""
    )
  }

  /// Gives a picture or a recording the note within its new bytes, if it still has that of the
  /// former ones.
  ///
  /// One that another file tells counts more.
  func takeEmbeddedNote(
    _ file: ReadFile,
    after former: EmbeddedTexts,
    _ row: SnippetRow,
    _ lost: inout LostValues
  ) throws {
    let new = file.snippet.note
    guard row.kind != .text, file.description?.fittingNote == nil, new != former.note else {
      return
    }
    let present = try writer.note(of: row.id) ?? ""
    if present == former.note {
      try writer.replaceNote(of: row.id, with: new)
    } else if present != new, !new.isEmpty {
      lost.untaken.append(FrontMatterFlaw(untaken: "note", new))
    }
  }
}
