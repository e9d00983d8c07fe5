import GRDB
import SnippetStorage

/// The rows of the snippets to export, page by page, in the order of their ids, which never change.
///
/// So whatever is saved or deleted during the export, no snippet comes twice, and none that stays
/// is left out.
struct ExportPages {
  /// The snippets to export.
  enum Selection {
    case filtered(SnippetFilter)
    /// By their ids, in ascending order.
    case chosen(ArraySlice<Int64>)
  }

  private let seam: StoreSeam
  private let operation: String
  private var selection: Selection
  private var last: Int64 = 0

  /// The number of rows in a page.
  private static let count = 256

  init(of selection: Selection, _ job: ExportJob) {
    (self.selection, seam, operation) = (selection, job.seam, job.operation)
  }

  /// Reads the next page; `nil` at the end.
  mutating func next() throws -> [SnippetRow]? {
    try seam.scan(to: operation) { db in
      let ids: [Int64]
      switch selection {
      case .chosen(let rest):
        ids = Array(rest.prefix(Self.count))
        selection = .chosen(rest.dropFirst(Self.count))
      case .filtered(let filter):
        ids = try StoreSeam.ids(in: filter, after: last, limit: Self.count, in: db)
      }
      guard let end = ids.last else { return nil }
      // In a damaged file the rows may form a circle.
      guard end > last else {
        throw DatabaseError.damage("snippet \(end) comes after snippet \(last)")
      }
      last = end
      return try db.snippetRows(ids)
    }
  }
}
