internal import Foundation
package import SnippetLoader
package import SnippetStore

/// A list in memory that a test edits as it likes.
@MainActor
package final class FakeRows: RowSource {
  /// The rows, in the order of the list.
  package var rows: [SnippetRow]
  /// What the next reads throw; `nil` lets them succeed.
  package var error: (any Error)?
  /// The ranges that were read.
  package private(set) var reads: [Range<Int>] = []

  package init(_ rows: [SnippetRow]) {
    self.rows = rows
  }

  /// A list of pictures; row *n* has the snippet and the blob *n* + 1.
  package convenience init(count: Int, byteCount: Int = 1_000) {
    self.init((0..<count).map { SnippetRow.image(Int64($0) + 1, byteCount: byteCount) })
  }

  package var count: Int { rows.count }

  package func rows(in positions: Range<Int>) throws -> [SnippetRow] {
    reads.append(positions)
    if let error { throw error }
    return Array(rows[positions.clamped(to: 0..<rows.count)])
  }
}

extension SnippetRow {
  /// A picture; the blob has the number of the snippet unless told otherwise.
  package static func image(
    _ id: Int64,
    blob: Int64? = nil,
    revision: Int64 = 1,
    title: String = "",
    byteCount: Int = 1_000
  ) -> SnippetRow {
    SnippetRow(
      id: SnippetID(rawValue: id),
      uuid: UUID(),
      kind: .image,
      title: title,
      createdAt: Date(timeIntervalSince1970: 0),
      modifiedAt: Date(timeIntervalSince1970: 0),
      byteCount: Int64(byteCount),
      mediaType: "image/png",
      revision: revision,
      blobID: BlobID(rawValue: blob ?? id)
    )
  }

  /// A short text, which is all in its row.
  package static func text(_ id: Int64, _ preview: String, revision: Int64 = 1) -> SnippetRow {
    SnippetRow(
      id: SnippetID(rawValue: id),
      uuid: UUID(),
      kind: .text,
      title: "",
      preview: preview,
      createdAt: Date(timeIntervalSince1970: 0),
      modifiedAt: Date(timeIntervalSince1970: 0),
      byteCount: Int64(preview.utf8.count),
      mediaType: "text/plain",
      revision: revision
    )
  }
}

extension LoadKey {
  /// The original of a blob by its number.
  package init(blob: Int64) {
    self.init(blobID: BlobID(rawValue: blob))
  }
}
