import GRDB
import SnippetBase

/// An ordered, filtered sequence of rows, reached by position.
///
/// Reading at the end of a list costs as much as at its start. A list takes at most one byte of
/// memory for each snippet of the store. The first call walks an index, 60 ms for a million rows,
/// unless it is ``firstPage(_:)``. All others block for a fraction of a millisecond, so the main
/// thread may make them. They never wait for blobs, searches or checks.
///
/// Positions are those of the store's latest state. At each call the list catches up with all
/// commits, by this process, another one or the `sqlite3` shell. ``updates()`` reports what changed.
///
/// - Complexity: O(*n*) for the first call. Catching up costs O(log *n*) for each change since the
///   last call, and some 20 µs for a million rows; only after very many changes does the list walk
///   its index again. Each call documents its cost apart from that.
public final class SnippetList: RowList, UpdatingRowList {
  /// The errors of reads.
  public typealias Failure = SnippetStoreError

  /// The conditions that select the snippets of the list.
  public let filter: SnippetFilter
  /// The order of the list.
  public let order: SnippetOrder

  let connections: Connections
  let changeFeed: ChangeFeed
  let query: ListQuery
  let state = Lock(State())

  /// The state that the list remembers.
  struct State {
    /// `nil` before the first call.
    var index: ListIndex?
    /// The latest changes, for followers of the list.
    var history = ListHistory()
  }

  init(filter: SnippetFilter, order: SnippetOrder, connections: Connections, changeFeed: ChangeFeed)
  {
    self.filter = filter
    self.order = order
    self.connections = connections
    self.changeFeed = changeFeed
    query = ListQuery(filter: filter, order: order)
  }

  /// Reads the rows at consecutive positions, with the count and version of the list.
  ///
  /// The whole page shows one state of the store, even while others write.
  ///
  /// - Parameter positions: Positions from 0; those outside the list are left out.
  /// - Returns: The rows in the list's order, with the count and version of the list.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(log *n* + *m*) for *m* rows.
  public func page(_ positions: Range<Int>) throws(SnippetStoreError) -> SnippetPage {
    try walkInSteps()
    return try connections.read(.rows, to: "read rows of a list") { db in
      try page(positions, of: currentIndex(db), in: db)
    }
  }

  /// Returns the change of the list since a version.
  ///
  /// - Parameter version: The ``SnippetPage/version`` of rows that you hold.
  /// - Returns: The change up to the latest state, without rows if nothing changed; `nil` if it
  ///   cannot be told row by row, as described for ``ListBatch/isReset``, or if the version is
  ///   older than the latest 64 changes.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(*m* log *m*) for *m* changed rows.
  public func changes(since version: Int64) throws(SnippetStoreError) -> ListBatch? {
    try walkInSteps()
    return try connections.read(.rows, to: "read the changes of a list") { db in
      let index = try currentIndex(db)
      return state.withLock(\.history)
        .batch(since: version, to: index.serial, count: index.count)
    }
  }

  /// Reads only the rows that changed, were inserted or were not held.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows to read, and O(*m* log *m*) for *m* wanted rows.
  package func update(
    _ held: HeldRows,
    at positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws(SnippetStoreError) -> RowUpdate {
    try walkInSteps()
    return try connections.read(.rows, to: "read rows of a list") { db in
      let index = try currentIndex(db)
      let anchor = try RowMove.ofFirst(candidates) { id in
        try query.key(of: id, in: db).flatMap { try position(of: $0, in: index, db) }
      }
      return try RowUpdate(
        of: held,
        at: positions,
        anchor,
        state.withLock(\.history),
        to: index.serial,
        count: index.count
      ) { gaps in
        var rows: [Int: SnippetRow] = [:]
        for place in gaps.told { rows[place.position] = try SnippetRowQuery.row(place.id, in: db) }
        for run in gaps.runs {
          for (position, row) in zip(run, try self.rows(at: run, of: index, in: db)) {
            rows[position] = row
          }
        }
        return rows
      }
    }
  }

  /// Finds the position of a snippet.
  ///
  /// - Parameter id: The snippet to look for.
  /// - Returns: Its position, counted from 0; `nil` if the list does not hold it.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(log *n*).
  public func position(of id: SnippetID) throws(SnippetStoreError) -> Int? {
    try walkInSteps()
    return try connections.read(.rows, to: "find the position of snippet \(id)") { db in
      let index = try currentIndex(db)
      guard let key = try query.key(of: id, in: db) else { return nil }
      return try position(of: key, in: index, db)
    }
  }

  // MARK: - Following the changes

  /// Returns the index, brought up to the state of the database that `db` sees.
  ///
  /// The connection serves one call at a time, so no other call updates the index at the same time.
  @discardableResult
  func currentIndex(_ db: Database) throws -> ListIndex {
    let version = try DataVersion(db)
    guard let current = state.withLock(\.index) else {
      let built = try ListIndex.build(query, in: db)
      state.withLock { $0.index = built }
      return built
    }
    if current.version == version { return current }
    guard let difference = try ListDifference(of: query, since: current, in: db) else {
      var built = try ListIndex.build(query, in: db)
      built.serial = current.serial + 1
      let batch = ListBatch(from: current, to: built.serial, count: built.count, isReset: true)
      state.withLock { state in
        state.index = built
        state.history.append(batch)
      }
      return built
    }
    var next = current
    next.follow(difference, to: version)
    if next.isOutgrown {
      var built = try ListIndex.build(query, in: db)
      built.serial = next.serial
      next = built
    }
    state.withLock { [next] state in
      state.index = next
      if difference.batch.version != difference.batch.formerVersion {
        state.history.append(difference.batch)
      }
    }
    return next
  }

  /// Whether the list has ever been walked to its end.
  var isWalked: Bool { state.withLock { $0.index != nil } }

  /// Adopts the index of a first walk, unless there is one already.
  func adopt(_ first: ListIndex) {
    state.withLock { if $0.index == nil { $0.index = first } }
  }

  // MARK: - Finding positions

  /// Reads the rows at positions, in the state that both `db` and the index show.
  func page(
    _ positions: Range<Int>,
    of index: ListIndex,
    in db: Database
  ) throws -> SnippetPage {
    let range = positions.clamped(to: 0..<index.count)
    return SnippetPage(
      version: index.serial,
      count: index.count,
      start: range.lowerBound,
      rows: try rows(at: range, of: index, in: db)
    )
  }

  /// Reads the rows at positions within the list.
  private func rows(
    at range: Range<Int>,
    of index: ListIndex,
    in db: Database
  ) throws -> [SnippetRow] {
    guard !range.isEmpty else { return [] }
    guard let identities = index.identities else {
      let start = try start(at: range.lowerBound, of: index, in: db)
      return try rows(from: start, limit: range.count, in: db)
    }
    var ids: [Int64] = []
    var (block, rest) = index.counts.find(range.lowerBound)
    while ids.count < range.count, block < identities.count {
      ids += identities[block].dropFirst(rest).prefix(range.count - ids.count)
      (block, rest) = (block + 1, 0)
    }
    return try SnippetRowQuery.rows(ids, in: db)
  }

  /// Reads the rows from a sort key on; `nil` for the start of the list.
  func rows(from start: SortKey?, limit: Int, in db: Database) throws -> [SnippetRow] {
    var rows = try query.rows(from: start, limit: limit, in: db)
    var result: [SnippetRow] = []
    result.reserveCapacity(limit)
    while let row = try rows.next() { result.append(try SnippetRowQuery.row(from: row)) }
    return result
  }

  /// Walks from the fence before a position to that position.
  private func start(
    at position: Int,
    of index: ListIndex,
    in db: Database
  ) throws -> SortKey? {
    let (block, steps) = index.counts.find(position)
    return try start(steps, after: index.start(of: block), in: db)
  }

  /// Returns a key from which a walk begins a number of rows after a fence; `nil` for the very first
  /// row.
  func start(_ steps: Int, after fence: SortKey?, in db: Database) throws -> SortKey? {
    guard steps > 0 else { return fence }
    var keys = try query.keys(from: fence, limit: steps + 1, in: db)
    for _ in 1..<steps { _ = try keys.next() }
    // The index counts existing rows, so one that is missing means damage.
    guard let former = try keys.next().map(SortKey.init),
      let latter = try keys.next().map(SortKey.init)
    else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    return query.fence(after: former, before: latter)
  }

  /// Finds the position of a sort key by counting in its block.
  func position(of key: SortKey, in index: ListIndex, _ db: Database) throws -> Int? {
    let block = index.block(of: key, in: query)
    let start = index.counts.sum(before: block)
    if let identities = index.identities {
      return identities[block].firstIndex(of: key.id).map { start + $0 }
    }
    var keys = try query.keys(
      from: index.start(of: block),
      limit: index.counts[block],
      in: db
    )
    var position = start
    while let row = try keys.next() {
      if try row.number(1) == key.id { return position }
      position += 1
    }
    return nil
  }
}
