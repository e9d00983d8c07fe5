package import Foundation
import SnippetRecognition

extension SnippetRow {
  /// Returns the row that an edit is expected to produce, with its revision and dates unchanged.
  ///
  /// Titles, notes and tags that break the rules leave the row as it is. So does a new text a title that
  /// was made of the former one, which the row has only a part of.
  package func edited(by edit: SnippetEdit) -> SnippetRow {
    let removed = (try? TextRules.tags(edit.removedTags, during: "")) ?? []
    let added = (try? TextRules.tags(edit.addedTags, during: "")) ?? []
    let note = kind == .text ? nil : edit.note.flatMap { try? TextRules.note($0, during: "") }
    return copy(
      title: edit.title.flatMap { try? TextRules.title($0, during: "") },
      preview: (edit.text ?? note).map { TextPreview(of: $0).preview },
      createdAt: edit.createdAt,
      isPinned: edit.isPinned,
      tags: removed.isEmpty && added.isEmpty ? nil : tags(without: removed, with: added),
      byteCount: edit.text.map { Int64($0.utf8.count) },
      deletedAt: edit.isInTrash.map { $0 ? deletedAt ?? modifiedAt : nil }
    )
  }

  /// Whether an edit would lose bytes of the text that are no characters.
  ///
  /// Each such byte is a U+FFFD in the text as it was read, and would be saved as that.
  package func wouldLoseBytes(byEditing text: String) -> Bool {
    kind == .text && facts.isIrregular && text.unicodeScalars.contains("\u{FFFD}")
  }

  /// Compares and sorts tags as the database does.
  private func tags(without removed: [String], with added: [String]) -> [String] {
    let kept = tags.filter { tag in !removed.contains { SortKey.isEqual($0, tag) } }
    let new = added.filter { tag in !kept.contains { SortKey.isEqual($0, tag) } }
    return (kept + new).sorted { SortKey.compareWithoutASCIICase($0, $1) < 0 }
  }

  /// Returns the row with other values in some of its fields.
  package func copy(
    title: String? = nil,
    preview: String? = nil,
    createdAt: Date? = nil,
    isPinned: Bool? = nil,
    tags: [String]? = nil,
    byteCount: Int64? = nil,
    revision: Int64? = nil,
    blobID: BlobID?? = nil,
    deletedAt: Date?? = nil
  ) -> SnippetRow {
    SnippetRow(
      id: id,
      uuid: uuid,
      kind: kind,
      title: title ?? self.title,
      preview: preview ?? self.preview,
      createdAt: createdAt ?? self.createdAt,
      modifiedAt: modifiedAt,
      isPinned: isPinned ?? self.isPinned,
      tags: tags ?? self.tags,
      byteCount: byteCount ?? self.byteCount,
      mediaType: mediaType,
      facts: facts,
      revision: revision ?? self.revision,
      blobID: blobID ?? self.blobID,
      deletedAt: deletedAt ?? self.deletedAt
    )
  }
}
