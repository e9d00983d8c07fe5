import SnippetBase
package import SnippetStorage

extension SnippetLoader {
  /// Reads rows at any positions on another thread, for a host that needs very many.
  ///
  /// - Parameter positions: Positions of the state that the host knows, in ascending order.
  /// - Returns: A task with the newest rows of the snippets there, in the order of the list, without
  ///   those that are gone; `nil` if the list cannot be read, or cannot name each row that changed since.
  package func readRows(at positions: [Int]) -> Task<[SnippetRow]?, Never> {
    guard !isClosed, let told = reader.machine.toldState else { return Task { nil } }
    let list = reader.list
    return Task { await OwnThreads.run { try? list.rows(at: positions, of: told) } }
  }
}

extension RowMachine {
  /// The state of the list that the host knows, without its rows; `nil` before the first read.
  fileprivate var toldState: HeldRows? {
    guard let version = untold?.batch.formerVersion ?? window.listVersion, let count else {
      return nil
    }
    return HeldRows(version: version, count: count, positions: 0..<0)
  }
}

extension RowList {
  /// Reads the rows at ascending positions of a former state; `nil` if the list cannot name each
  /// change.
  fileprivate func rows(at positions: [Int], of told: HeldRows) throws -> [SnippetRow]? {
    var batch = ListBatch(
      formerVersion: told.version,
      version: told.version,
      formerCount: told.count,
      count: told.count
    )
    // The list may go on between two pages.
    for _ in 0..<8 {
      let rows = try rows(at: batch.newPositions(of: positions), after: &batch, since: told)
      if rows != nil || batch.isReset { return rows }
    }
    return nil
  }

  /// Reads the rows at ascending positions after a change; `nil`, with the change by now, if the
  /// list has gone on.
  private func rows(
    at positions: [Int],
    after batch: inout ListBatch,
    since told: HeldRows
  ) throws -> [SnippetRow]? {
    var rows: [SnippetRow] = []
    rows.reserveCapacity(positions.count)
    var rest = positions[...]
    while let first = rest.first {
      // A page keeps the main actor from reading for some milliseconds at most.
      var last = first
      let wanted = rest.prefix { position in
        guard position - last <= 16, position - first < 1000 else { return false }
        last = position
        return true
      }
      let update = try readUpdate(of: told, at: first..<last + 1, anchoredAt: [])
      guard update.batch.version == batch.version, !update.batch.isReset else {
        batch = update.batch
        return nil
      }
      rows += wanted.lazy.compactMap { update.rows[$0] }
      rest = rest[wanted.endIndex...]
    }
    return rows
  }
}

extension ListBatch {
  /// The positions that rows of the old list have in the new one, in ascending order.
  ///
  /// Takes O((*n* + *m*) log *m*) for *n* positions and *m* changed rows.
  fileprivate func newPositions(of positions: [Int]) -> [Int] {
    guard !removed.isEmpty || !inserted.isEmpty || !moved.isEmpty else { return positions }
    let gone = Set(removed.map(\.position))
    let moves = Dictionary(moved.map { ($0.from, $0.to) }) { first, _ in first }
    let others = ListPositions(self)
    return positions.filter { !gone.contains($0) }.map { moves[$0] ?? others.new($0) }.sorted()
  }
}
