import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage

extension FileSettlement {
  /// The texts and dates within a picture or a recording that its snippet takes over, besides the
  /// title.
  struct EmbeddedTexts {
    /// The keywords.
    var tags: [String] = []
    /// The description; empty if there is none.
    var note = ""
    /// The dates.
    var dates = DateEvidence()
  }

  /// Reads the texts and dates within the bytes that a snippet has; a text has none.
  ///
  /// If those are the bytes of the file they are read there, because a rehearsal stores none.
  func embeddedTexts(of row: SnippetRow, _ file: ReadFile) throws -> EmbeddedTexts {
    guard row.kind != .text, let media = try found(of: row, file) else { return EmbeddedTexts() }
    return EmbeddedTexts(
      tags: media.keywords.compactMap { TextRules.tag(ofKeyword: $0) },
      note: media.note.map(TextRules.note(of:)) ?? "",
      dates: media.dates
    )
  }

  private func found(of row: SnippetRow, _ file: ReadFile) throws -> RecognizedContent? {
    if case .blob(let blob, _) = file.snippet.body, try db.contentHash(of: row) == blob.sha256 {
      return try ContentRecognizer.recognizeMedia(blob.source)
    }
    return try row.blobID.flatMap { try db.recognizedMedia(in: $0) }
  }

  /// Gives a picture or a recording the note within its new bytes, if it still has that of the
  /// former ones.
  ///
  /// One that another file tells counts more, and comes in place of the former one too.
  func takeEmbeddedNote(
    _ file: ReadFile,
    after former: EmbeddedTexts,
    _ row: SnippetRow,
    _ lost: inout LostValues
  ) throws {
    let told = file.description?.fittingNote
    let new = told ?? file.snippet.note
    guard row.kind != .text, new != former.note else { return }
    let present = try writer.note(of: row.id) ?? ""
    if present == former.note {
      try writer.replaceNote(of: row.id, with: new)
    } else if told == nil, present != new, !new.isEmpty {
      lost.untaken.append(FrontMatterFlaw(untaken: "note", new))
    }
  }

  /// Returns the date of creation that a picture or a recording takes from its new bytes; `nil` if
  /// they tell the same as the former ones, or a person has given it another one.
  func newDate(
    _ file: ReadFile,
    after former: EmbeddedTexts,
    _ row: SnippetRow,
    _ origin: OriginRow,
    _ lost: inout LostValues
  ) throws -> Date? {
    guard row.kind != .text, let present = try db.snippetRow(row.id),
      let embedded = try embeddedTexts(of: present, file).dates.best,
      embedded.milliseconds != former.dates.best?.milliseconds
    else { return nil }
    let date = file.snippet.createdAt.clampedToStore
    guard date.milliseconds != row.createdAt.milliseconds else { return nil }
    let told = FileDates(
      of: origin.path,
      changedAt: origin.stamp.roughNanoseconds,
      origin.note?.described,
      former.dates,
      now: now
    )
    if told?.tell(row.createdAt) == true { return date }
    let words = date.iso8601Milliseconds
    lost.untaken.append(FrontMatterFlaw(untaken: "date of creation", words))
    return nil
  }
}
