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
  /// Those, and the others that the filter names.
  let namedTags: [String]

  /// Where the rows come from.
  let source: ListSource
  // Made once: to put the SQL together would take a good part of the time that a window takes.
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
    ListWalk(keyWalk.statements(from: start), limit: limit, in: db)
  }

  /// Walks along the rows of the list, starting at the one with the given sort key.
  func rows(
    from start: SortKey? = nil,
    limit: Int = .max,
    in db: Database
  ) throws -> ListWalk {
    ListWalk(rowWalk.statements(from: start), limit: limit, in: db)
  }

  /// The next snippets of the list by their numbers, whatever it is ordered by.
  func ids(after last: Int64, limit: Int, in db: Database) throws -> [Int64] {
    let statement = source.byNumber
    let arguments = [last.databaseValue] + statement.arguments + [limit.databaseValue]
    return try db.numbers(statement.sql, arguments)
  }

  /// A SELECT with its arguments.
  struct Selection {
    var sql: String
    var arguments: [DatabaseValue]

    /// Binds it in a connection, its limit last if it takes one.
    func begun(limit: Int? = nil, in db: Database) throws -> SteppedStatement {
      var stepped = try SteppedStatement(sql, in: db)
      for argument in arguments { try stepped.bind(argument) }
      if let limit { try stepped.bind(Int64(limit)) }
      return stepped
    }
  }
}

/// A walk along a list: the results of its statements, one after the other, up to a number.
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

  /// The next result, valid until the one after it, or `nil` at the end.
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
