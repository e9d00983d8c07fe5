import Foundation
import SnippetStorage

/// What people see of a snippet, without what a store gives by itself: its revision and its blob.
struct ShownSnippet: Equatable {
  private let values: [String]
  private let content: Data

  init(_ row: SnippetRow, _ content: Data) {
    values = [
      row.id.description, row.uuid.uuidString, row.kind.name, row.title, row.preview,
      "\(row.createdAt.timeIntervalSince1970)", "\(row.modifiedAt.timeIntervalSince1970)",
      "\(row.isPinned)", row.tags.joined(separator: ","), "\(row.byteCount)", row.mediaType,
      "\(row.facts)", "\(row.deletedAt?.timeIntervalSince1970 ?? 0)",
    ]
    self.content = content
  }
}
