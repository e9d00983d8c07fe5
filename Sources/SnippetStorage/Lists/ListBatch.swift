import SnippetBase

/// A change of a list from one state to the next: the rows removed, inserted, moved and updated,
/// with their positions.
///
/// ``apply(to:at:reading:)`` turns the old rows into the new ones. It first removes the rows at
/// ``removed`` and ``RowMove/from``, counted in the old list. Then it inserts those at ``inserted``
/// and ``RowMove/to``, from first to last, counted in the new list. Finally it reads the rows that
/// were ``updated`` or moved. ``splices`` expresses the same change for list models that take one
/// splice at a time.
public struct ListBatch: Sendable, Hashable {
  /// The ``SnippetPage/version`` of the list before the change.
  public var formerVersion: Int64
  /// The ``SnippetPage/version`` of the list after the change; a page of this version shows the new
  /// rows.
  public var version: Int64
  /// The number of rows before the change.
  public var formerCount: Int
  /// The number of rows after the change.
  public var count: Int
  /// Whether any row may have changed; the positions are empty then.
  ///
  /// This happens when more than 1,024 rows changed at once, when the record of changes no longer
  /// reaches back to the old state, or when a backup was restored. Read the rows again, and use
  /// ``SnippetList/position(of:)`` to find the row that keeps its place.
  public var isReset: Bool
  /// The positions of the removed rows in the old list, in ascending order.
  public var removed: [RowPlace] = []
  /// The positions of the inserted rows in the new list, in ascending order.
  public var inserted: [RowPlace] = []
  /// The rows that moved among the others, ordered by their new positions.
  ///
  /// Their content has changed too.
  public var moved: [RowMove] = []
  /// The positions in the new list of the rows that changed without moving among the others, in
  /// ascending order.
  public var updated: [RowPlace] = []

  /// Makes a batch without rows, for your own sources and for tests.
  ///
  /// Lists make their own batches.
  ///
  /// - Parameters:
  ///   - formerVersion: The version of the list before.
  ///   - version: The version of the list after.
  ///   - formerCount: The number of rows before the change.
  ///   - count: The number of rows after the change.
  ///   - isReset: Whether any row may have changed; `false` by default.
  public init(
    formerVersion: Int64,
    version: Int64,
    formerCount: Int,
    count: Int,
    isReset: Bool = false
  ) {
    self.formerVersion = formerVersion
    self.version = version
    self.formerCount = formerCount
    self.count = count
    self.isReset = isReset
  }

  /// Returns the position in the new list of the row at a position of the old one.
  ///
  /// For a removed row it is the position of the next row that stayed, or of the last row. A
  /// viewport can use it to keep the row at its edge.
  ///
  /// - Parameter formerPosition: A position in the old list.
  /// - Returns: The position in the new list; `nil` after a reset, for a position outside the old
  ///   list, and if the new list is empty.
  /// - Complexity: O(*m*) for *m* changed rows.
  public func position(of formerPosition: Int) -> Int? {
    guard !isReset, (0..<formerCount).contains(formerPosition), count > 0 else { return nil }
    if let move = moved.first(where: { $0.from == formerPosition }) { return move.to }
    // The rows that keep their order and stand before it do so afterwards too.
    var position = formerPosition
    for place in removed where place.position < formerPosition { position -= 1 }
    for move in moved where move.from < formerPosition { position -= 1 }
    for arrival in arrivals where arrival.position <= position { position += 1 }
    return min(position, count - 1)
  }

  /// Turns the old rows into the new ones, if the batch fits them.
  ///
  /// Keep the version beside the rows. A batch that arrives late, arrives twice or starts from
  /// another state is refused, and so is a reset; read the rows again then.
  ///
  /// - Parameters:
  ///   - rows: All rows of the old list, in its order. They become those of the new list if this
  ///     returns `true`, and stay unchanged otherwise.
  ///   - rowsVersion: The ``SnippetPage/version`` of the rows; set to ``version`` if this returns
  ///     `true`.
  ///   - row: Makes the row for a place in the new list.
  /// - Returns: Whether the rows are now those of the new list.
  /// - Throws: Errors of `row`; the rows then stay unchanged.
  /// - Complexity: O(*n* + *m* log *m*) for *m* changed rows.
  public func apply<Row, Failure: Error>(
    to rows: inout [Row],
    at rowsVersion: inout Int64,
    reading row: (RowPlace) throws(Failure) -> Row
  ) throws(Failure) -> Bool {
    guard !isReset, rowsVersion == formerVersion else { return false }
    guard rows.count == formerCount else { return false }
    let gone = Set(removed.map(\.position) + moved.map(\.from))
    var staying = rows.indices.lazy.filter { !gone.contains($0) }.makeIterator()
    var result: [Row] = []
    for place in arrivals {
      while result.count < place.position, let index = staying.next() { result.append(rows[index]) }
      result.append(try row(place))
    }
    while let index = staying.next() { result.append(rows[index]) }
    // A batch made by hand may contradict itself.
    guard result.count == count else { return false }
    for place in updated {
      guard result.indices.contains(place.position) else { return false }
      result[place.position] = try row(place)
    }
    (rows, rowsVersion) = (result, version)
    return true
  }

  /// The places where rows arrive, in ascending order.
  private var arrivals: [RowPlace] {
    let moves = moved.map { RowPlace(id: $0.id, position: $0.to) }
    return (inserted + moves).sorted { $0.position < $1.position }
  }
}

/// A row and its position.
public struct RowPlace: Sendable, Hashable {
  /// The snippet that the row shows.
  public var id: SnippetID
  /// Its position.
  public var position: Int

  /// Makes a place.
  ///
  /// - Parameters:
  ///   - id: The snippet that the row shows.
  ///   - position: Its position.
  public init(id: SnippetID, position: Int) {
    self.id = id
    self.position = position
  }
}

/// A row that moved.
public struct RowMove: Sendable, Hashable {
  /// The snippet that the row shows.
  public var id: SnippetID
  /// Its position in the old list.
  public var from: Int
  /// Its position in the new list.
  public var to: Int

  /// Makes a move.
  ///
  /// - Parameters:
  ///   - id: The snippet that the row shows.
  ///   - from: Its position in the old list.
  ///   - to: Its position in the new list.
  public init(id: SnippetID, from: Int, to: Int) {
    self.id = id
    self.from = from
    self.to = to
  }
}

extension ListBatch {
  /// Makes a batch without rows.
  init(from former: ListIndex, to version: Int64, count: Int, isReset: Bool = false) {
    self.init(
      formerVersion: former.serial,
      version: version,
      formerCount: former.count,
      count: count,
      isReset: isReset
    )
  }

  /// Adds rows, each with its old position, its new one or both, and whether its sort key has
  /// changed.
  package mutating func add(_ rows: [(id: Int64, old: Int?, new: Int?, isOrderedAnew: Bool)]) {
    // The rows that leave or arrive; the others keep their order around them.
    let leaving = rows.compactMap { $0.isOrderedAnew ? $0.old : nil }.sorted()
    let arriving = rows.compactMap { $0.isOrderedAnew ? $0.new : nil }.sorted()
    var lastStaying = -1
    for row in rows.sorted(by: { ($0.old ?? 0) < ($1.old ?? 0) }) {
      let id = SnippetID(rawValue: row.id)
      switch (row.old, row.new) {
      case (let old?, nil): removed.append(RowPlace(id: id, position: old))
      case (nil, let new?): inserted.append(RowPlace(id: id, position: new))
      case (let old?, let new?):
        // It stays in place if it is still between the same unmoved rows, and behind the last row
        // that stayed this way.
        let isBetweenTheSame =
          old - leaving.partitionPoint { $0 < old } == new - arriving.partitionPoint { $0 < new }
        if !row.isOrderedAnew {
          updated.append(RowPlace(id: id, position: new))
        } else if isBetweenTheSame, new > lastStaying {
          lastStaying = new
          updated.append(RowPlace(id: id, position: new))
        } else {
          moved.append(RowMove(id: id, from: old, to: new))
        }
      case (nil, nil): break
      }
    }
    inserted.sort { $0.position < $1.position }
    moved.sort { $0.to < $1.to }
    updated.sort { $0.position < $1.position }
  }
}
