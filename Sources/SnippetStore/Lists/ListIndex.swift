import GRDB

/// What a list remembers of its order, so that any position is a few steps away.
///
/// One remembered sort key, a *fence*, for every ``stride`` rows: a position is found by starting
/// at the fence before it. A filter that lets few rows through would leave long walks between two
/// rows of the list; such a list remembers the identity of every row instead, which is less than
/// a byte for each row of the store.
struct ListIndex: Sendable {
  /// How the positions are found.
  enum Positions: Sendable {
    case fences([SortKey])
    case identities([Int64])
  }

  /// Rows from one fence to the next.
  ///
  /// Measured: 64 to 512 give the same speed.
  static let stride = 128

  let positions: Positions
  let count: Int
  /// The state of the database that this describes.
  let version: DataVersion
  /// Which one this is of those that a list has built.
  var serial: Int64 = 1

  /// Walks the list once along its covering index.
  ///
  /// - Complexity: O(*n*) in the number of snippets, about 60 ns each.
  static func build(_ query: ListQuery, version: DataVersion, in db: Database) throws -> ListIndex {
    var fences: [SortKey] = []
    var identities: [Int64] = []
    var count = 0
    var keys = try query.keys(in: db)
    while let key = try keys.next() {
      if count % stride == 0 { fences.append(try SortKey(key)) }
      if !query.isUnfiltered { identities.append(try key.number(1)) }
      count += 1
    }
    return try ListIndex(
      fences: fences,
      identities: identities,
      count: count,
      version: version,
      of: query,
      in: db
    )
  }
}

extension ListIndex {
  /// Keeps of a whole walk whatever takes less memory.
  ///
  /// - Parameters:
  ///   - fences: Every ``stride``th sort key.
  ///   - identities: Every identity; empty for a list that holds every snippet.
  ///   - count: How many rows there are.
  ///   - version: The state of the database that was walked.
  ///   - query: What was walked.
  ///   - db: The connection.
  /// - Throws: What SQLite says.
  init(
    fences: [SortKey],
    identities: [Int64],
    count: Int,
    version: DataVersion,
    of query: ListQuery,
    in db: Database
  ) throws {
    let total =
      query.isUnfiltered ? 0 : try Int.fetchOne(db, sql: "SELECT count(*) FROM snippet") ?? 0
    let isSparse = !query.isUnfiltered && count * 8 <= total
    self.init(
      positions: isSparse ? .identities(identities) : .fences(fences),
      count: count,
      version: version
    )
  }
}
