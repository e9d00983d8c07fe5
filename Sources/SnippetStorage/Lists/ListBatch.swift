import SnippetBase

/// What changed in a list from one state to the next: which rows came, went, moved and changed,
/// with their positions.
///
/// ``apply(to:at:reading:)`` turns the old rows into the new ones. It removes those at ``removed`` and
/// ``RowMove/from``, counted in the old list. Then it inserts those at ``inserted`` and
/// ``RowMove/to``, first to last, counted in the new list. Last it reads those that were
/// ``updated`` or moved. ``splices`` says the same in the form of a list model.
public struct ListBatch: Sendable, Hashable {
  /// The ``SnippetPage/version`` of the list before.
  public var formerVersion: Int64
  /// The ``SnippetPage/version`` of the list after: a page of this version shows the new rows.
  public var version: Int64
  /// How many rows the list had before.
  public var formerCount: Int
  /// How many rows the list has after.
  public var count: Int
  /// Whether any row may have changed; the positions are empty then.
  ///
  /// More than 1,024 rows have changed at once, the record of changes no longer goes back to the
  /// old state, or a backup was restored. Read the rows again, and find the row that keeps its
  /// place with ``SnippetList/position(of:)``.
  public var isReset: Bool
  /// The positions of the rows that are gone, in the old list, first to last.
  public var removed: [RowPlace] = []
  /// The positions of the new rows, in the new list, first to last.
  public var inserted: [RowPlace] = []
  /// The rows that moved among the others, by their new positions, first to last.
  ///
  /// What they show has changed too.
  public var moved: [RowMove] = []
  /// The positions of the rows that changed without moving among the others, in the new list, first
  /// to last.
  public var updated: [RowPlace] = []

  /// Makes a batch that tells of no row yet, for your own sources and for tests.
  ///
  /// Lists make theirs.
  ///
  /// - Parameters:
  ///   - formerVersion: The version of the list before.
  ///   - version: The version of the list after.
  ///   - formerCount: How many rows the list had before.
  ///   - count: How many rows the list has after.
  ///   - isReset: Whether any row may have changed; not by default.
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

  /// The position in the new list of what stood at a position of the old one.
  ///
  /// For a row that is gone it is the position of the next one that stayed, or of the last row. So
  /// a viewport can keep the row at its edge.
  ///
  /// - Parameter formerPosition: A position in the old list.
  /// - Returns: The position in the new list; `nil` after a reset and outside of the old list, and
  ///   where the new list is empty.
  /// - Complexity: O(*m*) for *m* changed rows.
  public func position(of formerPosition: Int) -> Int? {
    guard !isReset, (0..<formerCount).contains(formerPosition), count > 0 else { return nil }
    if let move = moved.first(where: { $0.from == formerPosition }) { return move.to }
    // How many of the rows that stay in their order stand before it; and so they do afterwards.
    var position = formerPosition
    for place in removed where place.position < formerPosition { position -= 1 }
    for move in moved where move.from < formerPosition { position -= 1 }
    for arrival in arrivals where arrival.position <= position { position += 1 }
    return min(position, count - 1)
  }

  /// Makes the old rows into the new ones, if they are the old ones.
  ///
  /// Keep the version beside the rows. A batch that comes late, twice or from another state is
  /// refused, and so is a reset: read the rows again then.
  ///
  /// - Parameters:
  ///   - rows: All rows of the old list, in its order; all of the new one where this returns
  ///     `true`, otherwise as they were.
  ///   - rowsVersion: The ``SnippetPage/version`` of the rows; ``version`` where this returns `true`.
  ///   - row: Makes the row for a place in the new list.
  /// - Returns: Whether the rows are those of the new list now.
  /// - Throws: What `row` throws; the rows are as they were then.
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
    // A batch that somebody made up may not fit itself.
    guard result.count == count else { return false }
    for place in updated {
      guard result.indices.contains(place.position) else { return false }
      result[place.position] = try row(place)
    }
    (rows, rowsVersion) = (result, version)
    return true
  }

  /// What comes to stand somewhere, first to last.
  private var arrivals: [RowPlace] {
    let moves = moved.map { RowPlace(id: $0.id, position: $0.to) }
    return (inserted + moves).sorted { $0.position < $1.position }
  }
}

/// A row and its position.
public struct RowPlace: Sendable, Hashable {
  /// The snippet that the row is of.
  public var id: SnippetID
  /// Its position.
  public var position: Int

  /// Makes a place.
  ///
  /// - Parameters:
  ///   - id: The snippet that the row is of.
  ///   - position: Its position.
  public init(id: SnippetID, position: Int) {
    self.id = id
    self.position = position
  }
}

/// A row that moved.
public struct RowMove: Sendable, Hashable {
  /// The snippet that the row is of.
  public var id: SnippetID
  /// Its position in the old list.
  public var from: Int
  /// Its position in the new list.
  public var to: Int

  /// Makes a move.
  ///
  /// - Parameters:
  ///   - id: The snippet that the row is of.
  ///   - from: Its position in the old list.
  ///   - to: Its position in the new list.
  public init(id: SnippetID, from: Int, to: Int) {
    self.id = id
    self.from = from
    self.to = to
  }
}

extension ListBatch {
  /// A batch of no changes yet.
  init(from former: ListIndex, to version: Int64, count: Int, isReset: Bool = false) {
    self.init(
      formerVersion: former.serial,
      version: version,
      formerCount: former.count,
      count: count,
      isReset: isReset
    )
  }

  /// Takes in what became of each row: its old position, its new one, or both, and whether what it
  /// is ordered by is another.
  package mutating func add(_ rows: [(id: Int64, old: Int?, new: Int?, isOrderedAnew: Bool)]) {
    // Rows without a place of their own yet: those that others stand still around.
    let leaving = rows.compactMap { $0.isOrderedAnew ? $0.old : nil }.sorted()
    let arriving = rows.compactMap { $0.isOrderedAnew ? $0.new : nil }.sorted()
    var lastStaying = -1
    for row in rows.sorted(by: { ($0.old ?? 0) < ($1.old ?? 0) }) {
      let id = SnippetID(rawValue: row.id)
      switch (row.old, row.new) {
      case (let old?, nil): removed.append(RowPlace(id: id, position: old))
      case (nil, let new?): inserted.append(RowPlace(id: id, position: new))
      case (let old?, let new?):
        // It stays where it is if it is still between the same rows that stand still, and behind
        // the last one that stays like this.
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
