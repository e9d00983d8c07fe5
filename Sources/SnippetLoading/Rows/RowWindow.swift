internal import SnippetStorage

/// The rows around the viewport: one unbroken stretch of one version of the list, read before it is
/// needed.
struct RowWindow {
  /// More rows than any list has, as the assumed length of a list of unknown length.
  static let longestCount = 1 << 48

  /// Whether the view of a row can show another row of its snippet.
  typealias SameView = @Sendable (SnippetRow, SnippetRow) -> Bool

  /// The positions whose rows are held.
  private(set) var range: Range<Int> = 0..<0
  /// The length of the list; `nil` before the first read.
  private(set) var count: Int?
  /// Whether that is the whole length, and not only the part known so far.
  private(set) var isCounted = false
  /// The version of the list that the rows belong to; `nil` before the first read.
  private(set) var listVersion: Int64?
  private var rows: [SnippetRow] = []

  /// Makes a window before the first read.
  init() {}

  /// Makes a window of an answer that depends on no rows in memory.
  init(_ update: RowUpdate) {
    rows = update.positions.map { update.rows[$0] }.prefix { $0 != nil }.compactMap(\.self)
    range = update.positions.lowerBound..<update.positions.lowerBound + rows.count
    (listVersion, count) = (update.batch.version, update.batch.count)
    isCounted = update.isCounted
  }

  /// The rows in memory, as a list takes them; `nil` before the first read.
  var held: HeldRows? {
    guard let listVersion, let count else { return nil }
    return HeldRows(version: listVersion, count: count, positions: range)
  }

  /// The row at a position, or `nil` outside of the window.
  subscript(position: Int) -> SnippetRow? {
    range.contains(position) ? rows[position - range.lowerBound] : nil
  }

  /// Whether all rows of a range that are in the list are in memory.
  func covers(_ wanted: Range<Int>) -> Bool {
    guard let count else { return false }
    let wanted = wanted.clamped(to: 0..<count)
    return wanted.isEmpty
      || (range.lowerBound <= wanted.lowerBound && wanted.upperBound <= range.upperBound)
  }

  /// Whether a row is in memory, or next to one that is.
  func touches(_ position: Int) -> Bool {
    range.lowerBound - 1 <= position && position <= range.upperBound
  }

  /// The positions to read in one go so that a range is in memory afterwards.
  ///
  /// If only one end is missing, that end; otherwise the whole range. Every read goes `slack`
  /// positions further in the direction in which it extends the window, so that a slow scroll does
  /// not read at every step.
  ///
  /// - Parameters:
  ///   - wanted: The positions that must be in memory.
  ///   - slack: The number of positions to read ahead.
  /// - Returns: The positions to read; empty when nothing is missing.
  func missing(from wanted: Range<Int>, slack: Int) -> Range<Int> {
    let list = 0..<(count ?? Self.longestCount)
    let wanted = wanted.clamped(to: list)
    if wanted.isEmpty || covers(wanted) { return 0..<0 }
    let isBelow = wanted.lowerBound < range.lowerBound
    let isAbove = wanted.upperBound > range.upperBound
    let touches = wanted.lowerBound <= range.upperBound && wanted.upperBound >= range.lowerBound
    let start = max(0, wanted.lowerBound - slack)
    let end = min(list.upperBound, wanted.upperBound + slack)
    guard !rows.isEmpty, touches, isBelow != isAbove else { return start..<max(start, end) }
    return isAbove ? range.upperBound..<end : start..<range.lowerBound
  }

  /// The range to ask for so that a range is in memory afterwards, joined to the rows in memory if
  /// they touch.
  func stretched(over wanted: Range<Int>) -> Range<Int> {
    guard !rows.isEmpty, wanted.lowerBound <= range.upperBound,
      range.lowerBound <= wanted.upperBound
    else { return wanted }
    return min(range.lowerBound, wanted.lowerBound)..<max(range.upperBound, wanted.upperBound)
  }

  /// Takes in the changes that bring the rows in memory to another state, or more rows of the same
  /// one.
  ///
  /// - Parameters:
  ///   - update: The rows and changes that were read.
  ///   - leaves: Whether rows elsewhere in the same state replace those in memory. Rows read ahead
  ///     do not, if the window has moved elsewhere since.
  /// - Returns: Whether the update fits. One of another state, or one that leaves rows unknown that
  ///   are not in memory, changes nothing.
  mutating func take(_ update: RowUpdate, leaves: Bool) -> Bool {
    let batch = update.batch
    let isSame = batch.version == batch.formerVersion && !batch.isReset
    guard batch.formerVersion == listVersion, batch.formerCount == count else { return false }
    let map = ListPositions(batch)
    let told = Set(
      batch.inserted.map(\.position) + batch.updated.map(\.position) + batch.moved.map(\.to)
    )
    let positions = isSame ? stretched(over: update.positions) : update.positions
    var taken: [SnippetRow] = []
    taken.reserveCapacity(positions.count)
    for position in positions {
      let kept = batch.isReset || told.contains(position) ? nil : self[map.old(position)]
      // In the same state, a row that was read again is the same.
      guard let row = update.rows[position] ?? kept else { return isSame }
      taken.append(row)
    }
    let isElsewhere = isSame && !rows.isEmpty && !positions.overlaps(range)
    if isElsewhere && !leaves || taken.isEmpty && isSame { return true }
    rows = taken
    range = positions
    listVersion = batch.version
    count = batch.count
    isCounted = update.isCounted
    return true
  }

  /// Whether a change needs other cells than this window did, because rows were inserted, deleted
  /// or moved, or changed their kind.
  ///
  /// After a reset this is only known for rows that are all in memory.
  func hasOtherCells(
    than new: RowWindow,
    after batch: ListBatch,
    by takesSameView: SameView
  ) -> Bool {
    if batch.isReset { return !hasSameCells(as: new, by: takesSameView) }
    return !batch.removed.isEmpty || !batch.inserted.isEmpty || !batch.moved.isEmpty
  }

  /// Whether a row in memory before and after a batch needs another view.
  func changesViews(
    to new: RowWindow,
    after batch: ListBatch,
    by takesSameView: SameView
  ) -> Bool {
    let positions = ListPositions(batch)
    let places =
      batch.updated.map { (positions.old($0.position), $0.position) }
      + batch.moved.map { ($0.from, $0.to) }
    return places.contains { old, now in
      guard let former = self[old], let row = new[now] else { return false }
      return !takesSameView(former, row)
    }
  }

  private func hasSameCells(as other: RowWindow, by takesSameView: SameView) -> Bool {
    guard isCounted, other.isCounted, count == other.count, range == other.range,
      range == 0..<(count ?? 0)
    else { return false }
    return zip(rows, other.rows).allSatisfy { $0.id == $1.id && takesSameView($0, $1) }
  }

  /// Drops all rows outside of a range.
  mutating func trim(to kept: Range<Int>) {
    let remaining = range.clamped(to: kept)
    guard remaining != range else { return }
    guard !remaining.isEmpty else {
      rows.removeAll(keepingCapacity: true)
      range = 0..<0
      return
    }
    rows.removeLast(range.upperBound - remaining.upperBound)
    rows.removeFirst(remaining.lowerBound - range.lowerBound)
    range = remaining
  }
}
