import GRDB

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
