import Foundation
import GRDB

/// The SQL of one list.
///
/// Every statement walks the covering index of the order, starts at a sort key that is known, and
/// never skips by OFFSET.
struct ListQuery: Sendable {
  let filter: SnippetFilter
  let order: SnippetOrder

  private let column: String
  private let index: String
  private let conditions: [String]
  private let conditionArguments: [DatabaseValue]

  init(filter: SnippetFilter, order: SnippetOrder) {
    self.filter = filter
    self.order = order
    switch order.key {
    case .created: (column, index) = ("created_at", "snippet_by_created")
    case .modified: (column, index) = ("modified_at", "snippet_by_modified")
    case .title: (column, index) = ("title", "snippet_by_title")
    }

    var conditions: [String] = []
    var arguments: [DatabaseValue] = []
    if let kinds = filter.kinds {
      let numbers = kinds.map(\.rawValue).sorted().map(String.init)
      conditions.append("kind IN (\(numbers.joined(separator: ", ")))")
    }
    if let isPinned = filter.isPinned {
      conditions.append("pinned = \(isPinned ? 1 : 0)")
    }
    if let createdAt = filter.createdAt {
      conditions.append("created_at >= ? AND created_at < ?")
      arguments.append(createdAt.lowerBound.milliseconds.databaseValue)
      arguments.append(createdAt.upperBound.milliseconds.databaseValue)
    }
    for tag in filter.tags.map(TextRules.composed).sorted() {
      conditions.append(
        """
        EXISTS (
          SELECT 1 FROM snippet_tag
          WHERE snippet_id = snippet.id AND tag_id = (SELECT id FROM tag WHERE name = ?)
        )
        """
      )
      arguments.append(tag.databaseValue)
    }
    self.conditions = conditions
    self.conditionArguments = arguments
  }

  /// Whether every snippet is in the list.
  var isUnfiltered: Bool { conditions.isEmpty }

  /// The sort keys of the list in order: the sort value, then the identity.
  func keys(from start: SortKey?, limit: Int?) -> (sql: String, arguments: StatementArguments) {
    query(selecting: "\(column), id", from: start, limit: limit)
  }

  /// The rows of the list in order, from the one with the given sort key.
  func rows(from start: SortKey?, limit: Int) -> (sql: String, arguments: StatementArguments) {
    query(selecting: SnippetRowQuery.columns, from: start, limit: limit)
  }

  /// The sort key of one snippet, if the list holds it.
  func key(of id: SnippetID) -> (sql: String, arguments: StatementArguments) {
    let sql = """
      SELECT \(column), id FROM snippet
      WHERE \((["id = ?"] + conditions).joined(separator: " AND "))
      """
    return (sql, StatementArguments([id.rawValue.databaseValue] + conditionArguments))
  }

  private func query(
    selecting columns: String,
    from start: SortKey?,
    limit: Int?
  ) -> (sql: String, arguments: StatementArguments) {
    var conditions = conditions
    var arguments = conditionArguments
    if let start {
      conditions.append("(\(column), id) \(order.isDescending ? "<=" : ">=") (?, ?)")
      arguments.append(start.value.databaseValue)
      arguments.append(start.id.databaseValue)
    }
    var sql = "SELECT \(columns) FROM snippet INDEXED BY \(index)"
    if !conditions.isEmpty { sql += " WHERE \(conditions.joined(separator: " AND "))" }
    let direction = order.isDescending ? " DESC" : ""
    sql += " ORDER BY \(column)\(direction), id\(direction)"
    if let limit {
      sql += " LIMIT ?"
      arguments.append(limit.databaseValue)
    }
    return (sql, StatementArguments(arguments))
  }
}
