import Foundation
import GRDB

/// The SQL of one list.
///
/// Every statement walks the covering index of the order from a known sort key, and none uses
/// OFFSET.
struct ListQuery: Sendable {
  let filter: SnippetFilter
  let order: SnippetOrder

  /// The tags that a snippet must carry, in their stored form.
  let tags: [String]
  /// The required tags and all others that the filter mentions.
  let namedTags: [String]

  /// Where the rows come from.
  let source: ListSource
  // Prepared once: building the SQL would take a good part of the time for reading a window.
  private let keyWalk: ListSource.Walk
  private let rowWalk: ListSource.Walk

  init(filter: SnippetFilter, order: SnippetOrder) {
    self.filter = filter
    self.order = order
    tags = filter.tags.map(TextRules.composed).sorted()
    namedTags = tags + (filter.query?.expression?.tags ?? [])
    source = ListSource(filter: filter, tags: tags, order: order)
    keyWalk = source.walk(selecting: "\(source.column), id")
    rowWalk = source.walk(selecting: SnippetRowQuery.columns)
  }

  /// Whether one sort key precedes another in this order.
  func precedes(_ lhs: SortKey, _ rhs: SortKey) -> Bool {
    order.isDescending ? SortKey.precedes(rhs, lhs) : SortKey.precedes(lhs, rhs)
  }

  /// Returns a short key between two neighbouring rows, for ``ListIndex``.
  func fence(after former: SortKey, before latter: SortKey) -> SortKey {
    .fence(after: former, before: latter, isDescending: order.isDescending)
  }

  /// Walks the sort keys of the list: the sort value, then the identity.
  func keys(
    from start: SortKey? = nil,
    limit: Int = .max,
    in db: Database
  ) throws -> ListWalk {
    ListWalk(keyWalk.statements(from: start), limit: limit, in: db)
  }

  /// Walks the rows of the list, from the one with the given sort key on.
  func rows(
    from start: SortKey? = nil,
    limit: Int = .max,
    in db: Database
  ) throws -> ListWalk {
    ListWalk(rowWalk.statements(from: start), limit: limit, in: db)
  }

  /// Returns the next snippets of the list in ascending order of identity, whatever its order is.
  func ids(after last: Int64, limit: Int, in db: Database) throws -> [Int64] {
    let statement = source.byNumber
    let arguments = [last.databaseValue] + statement.arguments + [limit.databaseValue]
    return try db.numbers(statement.sql, arguments)
  }

  /// Counts the snippets of the list.
  func count(in db: Database) throws -> Int {
    let statement = source.counted
    return Int(try db.number(statement.sql, statement.arguments) ?? 0)
  }

  /// A SELECT with its arguments.
  struct Selection {
    var sql: String
    var arguments: [DatabaseValue]

    /// Prepares the statement and binds its arguments, with the limit last if there is one.
    func begun(limit: Int? = nil, in db: Database) throws -> SteppedStatement {
      let limits = limit.map { [$0.databaseValue] } ?? []
      return try db.stepped(sql, arguments + limits)
    }
  }
}

/// A walk along a list: the results of its statements in turn, up to a limit.
struct ListWalk: ~Copyable {
  private let db: Database
  private var statements: ArraySlice<ListQuery.Selection>
  private var rest: Int
  private var current: SteppedStatement?

  init(_ statements: [ListQuery.Selection], limit: Int, in db: Database) {
    self.db = db
    self.statements = statements[...]
    rest = limit
  }

  /// Returns the next result, valid until the following call; `nil` at the end.
  mutating func next() throws -> StatementRow? {
    while rest > 0 {
      if let row = try current?.next() {
        rest -= 1
        return row
      }
      guard let statement = statements.popFirst() else { return nil }
      current = try statement.begun(limit: rest, in: db)
    }
    return nil
  }
}
