/// The rows of a list that the caller has in memory.
package struct HeldRows: Sendable, Hashable {
  /// The ``SnippetPage/version`` of the rows.
  package var version: Int64
  /// The length of the list in that version.
  package var count: Int
  /// The positions at which rows are held.
  package var positions: Range<Int>

  /// Describes the rows in memory.
  package init(version: Int64, count: Int, positions: Range<Int>) {
    self.version = version
    self.count = count
    self.positions = positions
  }
}

/// The changes that bring rows in memory up to the latest state of a list.
///
/// Everything in it describes one state of the store.
package struct RowUpdate: Sendable, Hashable {
  /// The change of the list since the version of the held rows.
  ///
  /// It is empty if the versions are equal, and a ``ListBatch/isReset`` if the change cannot be
  /// described row by row.
  package var batch: ListBatch
  /// The positions whose rows are known after the update.
  package var positions: Range<Int>
  /// The rows at these positions that changed, were inserted or were not held, by position; after a
  /// reset, all of them.
  package var rows: [Int: SnippetRow]
  /// The row that keeps its place on screen, with its old and new position; `nil` if the list no
  /// longer holds any of the candidates.
  package var anchor: RowMove?
  /// Whether ``ListBatch/count`` covers all rows, as in a ``SnippetPage/isCounted`` page.
  package var isCounted: Bool

  /// Makes an update.
  package init(
    batch: ListBatch,
    positions: Range<Int>,
    rows: [Int: SnippetRow],
    anchor: RowMove? = nil,
    isCounted: Bool = true
  ) {
    self.batch = batch
    self.positions = positions
    self.rows = rows
    self.anchor = anchor
    self.isCounted = isCounted
  }

  /// Makes an update from a page with all rows at the positions.
  package init(_ page: SnippetPage, from held: HeldRows, anchor: RowMove? = nil) {
    let batch = ListBatch(
      formerVersion: held.version,
      version: page.version,
      formerCount: held.count,
      count: page.count,
      isReset: page.version != held.version
    )
    self.init(
      batch: batch,
      positions: page.start..<page.start + page.rows.count,
      rows: Dictionary(uniqueKeysWithValues: zip(page.start..., page.rows)),
      anchor: anchor,
      isCounted: page.isCounted
    )
  }
}

/// A list that reads what changed in one go.
///
/// The lists of a store are such ones. Other lists need not be: a loader asks them for a page and
/// for the changes since.
package protocol UpdatingRowList: RowList {
  /// Brings rows in memory up to the latest state, around a row that keeps its place on screen.
  ///
  /// - Parameters:
  ///   - held: The rows in memory, of an earlier state or of this one.
  ///   - positions: The wanted positions, in that state.
  ///   - candidates: The rows that may keep their place, with their positions in that state, the
  ///     best first.
  /// - Returns: The missing rows and the change of the list since. The positions are as many as
  ///   were wanted, shifted as far as the first candidate still in the list has moved.
  /// - Throws: As ``RowList/page(_:)``.
  func update(
    _ held: HeldRows,
    at positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws(Failure) -> RowUpdate
}

extension RowList {
  /// Brings rows in memory up to the latest state, as ``UpdatingRowList/update(_:at:anchoredAt:)``
  /// does.
  ///
  /// A list that does not update by itself is asked for its changes and a page. Where it does not
  /// know the changes, or changes in between, any row may be another one, and the anchor is looked
  /// for among those that were read.
  package func readUpdate(
    of held: HeldRows,
    at positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws -> RowUpdate {
    if let list = self as? any UpdatingRowList {
      return try list.update(held, at: positions, anchoredAt: candidates)
    }
    if let batch = try changes(since: held.version), !batch.isReset,
      batch.formerVersion == held.version, batch.formerCount == held.count
    {
      let anchor = batch.anchor(among: candidates)
      let page = try page(positions.shifted(with: anchor))
      if page.version == batch.version, page.count == batch.count {
        return RowUpdate(page, from: held, by: batch, anchor: anchor)
      }
    }
    let page = try page(positions)
    let anchor = RowMove.ofFirst(candidates) { id in
      page.rows.firstIndex { $0.id == id }.map { page.start + $0 }
    }
    return RowUpdate(page, from: held, anchor: anchor)
  }
}

extension RowUpdate {
  /// Makes an update from a page and the change since, without the rows that stay.
  package init(
    _ page: SnippetPage,
    from held: HeldRows,
    by batch: ListBatch,
    anchor: RowMove? = nil
  ) {
    self.init(page, from: held, anchor: anchor)
    self.batch = batch
    let gaps = batch.gaps(in: positions, besides: held.positions)
    let missing = Set(gaps.told.map(\.position) + gaps.runs.flatMap(Array.init))
    rows = rows.filter { missing.contains($0.key) }
  }
}

extension RowUpdate {
  /// Makes an update of rows that were held of a list, to its latest state.
  ///
  /// `read` returns the rows that are missing, by position.
  init(
    of held: HeldRows,
    at positions: Range<Int>,
    _ anchor: RowMove?,
    _ history: ListHistory,
    to version: Int64,
    count: Int,
    reading read: (ListBatch.Gaps) throws -> [Int: SnippetRow]
  ) rethrows {
    let wanted = positions.shifted(with: anchor).clamped(to: 0..<count)
    let batch = history.batch(from: held.version, held.count, to: version, count: count)
    let rows = try read(batch.gaps(in: wanted, besides: held.positions))
    self.init(batch: batch, positions: wanted, rows: rows, anchor: anchor)
  }
}

extension RowMove {
  /// Finds the first candidate that is still in the list, the row that keeps its place.
  ///
  /// The candidates have their former positions; `position` returns the present one of a snippet.
  package static func ofFirst<Failure: Error>(
    _ candidates: [RowPlace],
    position: (SnippetID) throws(Failure) -> Int?
  ) throws(Failure) -> RowMove? {
    for candidate in candidates {
      guard let now = try position(candidate.id) else { continue }
      return RowMove(id: candidate.id, from: candidate.position, to: now)
    }
    return nil
  }
}

extension Range<Int> {
  /// Shifts positions of a former state as far as a row has moved since, but not below 0.
  package func shifted(with anchor: RowMove?) -> Range<Int> {
    guard let anchor else { return self }
    let (distance, isTooFar) = anchor.to.subtractingReportingOverflow(anchor.from)
    let (start, isOutside) = lowerBound.addingReportingOverflow(distance)
    guard !isTooFar, !isOutside else { return self }
    let (end, isEndless) = Swift.max(0, start).addingReportingOverflow(count)
    return Swift.max(0, start)..<(isEndless ? Int.max : end)
  }
}

extension ListBatch {
  /// Returns the move of the first candidate that is still in the list.
  fileprivate func anchor(among candidates: [RowPlace]) -> RowMove? {
    let gone = Set(removed.map(\.id))
    guard let first = candidates.first(where: { !gone.contains($0.id) }) else { return nil }
    if let move = moved.first(where: { $0.id == first.id }) { return move }
    let now = ListPositions(self).new(first.position)
    return RowMove(id: first.id, from: first.position, to: now)
  }

  /// The rows at some positions that must be read.
  struct Gaps {
    /// The changed rows, with their positions.
    var told: [RowPlace] = []
    /// The positions of rows that were not held.
    var runs: [Range<Int>] = []
  }

  /// Finds the rows at wanted positions in the new list that must be read, besides those held of
  /// the old list.
  ///
  /// Takes O(*n* log *m*) for *n* positions and *m* changed rows.
  func gaps(in positions: Range<Int>, besides held: Range<Int>) -> Gaps {
    if isReset { return Gaps(runs: positions.isEmpty ? [] : [positions]) }
    var gaps = Gaps()
    let moves = moved.map { RowPlace(id: $0.id, position: $0.to) }
    gaps.told = (inserted + updated + moves).filter { positions.contains($0.position) }
    let told = Set(gaps.told.map(\.position))
    let map = ListPositions(self)
    for position in positions
    where !told.contains(position) && !held.contains(map.old(position)) {
      if let last = gaps.runs.last, last.upperBound == position {
        gaps.runs[gaps.runs.count - 1] = last.lowerBound..<position + 1
      } else {
        gaps.runs.append(position..<position + 1)
      }
    }
    return gaps
  }
}
