import Foundation
import GRDB

/// The SQL of one list.
///
/// Every statement walks the covering index of the order, starts at a sort key that is known, and
/// never skips by OFFSET.
struct ListQuery: Sendable {
  let filter: SnippetFilter
  let order: SnippetOrder

  /// The tags that a snippet must carry, as they are stored.
  let tags: [String]

  private let column: String
  private let index: String
  private let conditions: [Condition]
  /// The bounds of the date of making, apart, since they can be bounds of the order too.
  private let earliest: Condition?
  private let latest: Condition?

  init(filter: SnippetFilter, order: SnippetOrder) {
    self.filter = filter
    self.order = order
    switch order.key {
    case .created: (column, index) = ("created_at", "snippet_by_created")
    case .modified: (column, index) = ("modified_at", "snippet_by_modified")
    case .title: (column, index) = ("title", "snippet_by_title")
    }

    var conditions: [Condition] = []
    if let kinds = filter.kinds {
      let numbers = kinds.map(\.rawValue).sorted().map(String.init)
      conditions.append(Condition("kind IN (\(numbers.joined(separator: ", ")))"))
    }
    if let isPinned = filter.isPinned {
      conditions.append(Condition("pinned = \(isPinned ? 1 : 0)"))
    }
    tags = filter.tags.map(TextRules.composed).sorted()
    for tag in tags {
      conditions.append(
        Condition(
          """
          EXISTS (
            SELECT 1 FROM snippet_tag
            WHERE snippet_id = snippet.id AND tag_id = (SELECT id FROM tag WHERE name = ?)
          )
          """,
          tag
        )
      )
    }
    self.conditions = conditions
    earliest = filter.createdAt.map { Condition("created_at >= ?", $0.lowerBound.milliseconds) }
    latest = filter.createdAt.map { Condition("created_at < ?", $0.upperBound.milliseconds) }
  }

  /// Whether every snippet is in the list.
  var isUnfiltered: Bool { conditions.isEmpty && filter.createdAt == nil }

  /// Whether a row with one sort key stands before one with another.
  func precedes(_ lhs: SortKey, _ rhs: SortKey) -> Bool {
    order.isDescending ? SortKey.precedes(rhs, lhs) : SortKey.precedes(lhs, rhs)
  }

  /// A short key between two rows that follow each other, for ``ListIndex``.
  func fence(after former: SortKey, before latter: SortKey) -> SortKey {
    .fence(after: former, before: latter, isDescending: order.isDescending)
  }

  /// Walks along the sort keys of the list: the sort value, then the identity.
  func keys(
    from start: SortKey? = nil,
    limit: Int = .max,
    in db: Database
  ) throws -> ListWalk {
    ListWalk(statements(selecting: "\(column), id", from: start), limit: limit, in: db)
  }

  /// Walks along the rows of the list, starting at the one with the given sort key.
  func rows(
    from start: SortKey? = nil,
    limit: Int = .max,
    in db: Database
  ) throws -> ListWalk {
    ListWalk(statements(selecting: SnippetRowQuery.columns, from: start), limit: limit, in: db)
  }

  /// The sort key of one snippet, if the list holds it.
  func key(of id: SnippetID) -> Statement {
    let all =
      [Condition("id = ?", id.rawValue)] + conditions + [earliest, latest].compactMap(\.self)
    return Statement("SELECT \(column), id FROM snippet", where: all)
  }

  /// The statements whose results, one after the other, are the list from a sort key on.
  ///
  /// Each takes the number of its results as its last argument. There are two where there is a
  /// start: the snippets that are equal to it, then those beyond. To compare both columns at once
  /// would not do: since the identity is the number of the row, SQLite looks for the first of the
  /// equal ones and walks from there, however many they are.
  func statements(selecting columns: String, from start: SortKey?) -> [Statement] {
    func statement(_ conditions: [Condition]) -> Statement {
      Statement(
        "SELECT \(columns) FROM snippet INDEXED BY \(index)",
        where: conditions,
        "ORDER BY \(column)\(direction), id\(direction) LIMIT ?"
      )
    }
    guard let start else {
      return [statement(conditions + [earliest, latest].compactMap(\.self))]
    }
    let comparison = order.isDescending ? "<" : ">"
    // SQLite takes one bound from each side, and it must be that of the start.
    let rest =
      order.key == .created ? [order.isDescending ? earliest : latest] : [earliest, latest]
    let filters = conditions + rest.compactMap(\.self)
    return [
      statement(
        [Condition("\(column) = ?", start.value), Condition("id \(comparison)= ?", start.id)]
          + filters
      ),
      statement([Condition("\(column) \(comparison) ?", start.value)] + filters),
    ]
  }

  private var direction: String { order.isDescending ? " DESC" : "" }

  /// A statement with its arguments.
  struct Statement {
    var sql: String
    var arguments: [DatabaseValue]

    fileprivate init(_ beginning: String, where conditions: [Condition], _ end: String = "") {
      sql = beginning
      if !conditions.isEmpty {
        sql += " WHERE \(conditions.map(\.sql).joined(separator: " AND "))"
      }
      if !end.isEmpty { sql += " \(end)" }
      arguments = conditions.compactMap(\.argument)
    }
  }

  /// What must hold, with at most one argument.
  fileprivate struct Condition {
    var sql: String
    var argument: DatabaseValue?

    init(_ sql: String, _ argument: (any DatabaseValueConvertible)? = nil) {
      self.sql = sql
      self.argument = argument?.databaseValue
    }
  }
}
