import GRDB

/// A walk along a list: the results of its statements, one after the other, up to a number.
struct ListWalk {
  private let db: Database
  private var statements: ArraySlice<ListQuery.Statement>
  private var rest: Int
  private var cursor: RowCursor?

  init(_ statements: [ListQuery.Statement], limit: Int, in db: Database) {
    self.db = db
    self.statements = statements[...]
    rest = limit
  }

  /// The next result, valid until the one after it, or `nil` at the end.
  mutating func next() throws -> Row? {
    while rest > 0 {
      if let row = try cursor?.next() {
        rest -= 1
        return row
      }
      guard let statement = statements.popFirst() else { return nil }
      cursor = try Row.fetchCursor(
        db.cachedStatement(sql: statement.sql),
        arguments: StatementArguments(statement.arguments + [rest.databaseValue])
      )
    }
    return nil
  }
}
