import GRDB

// A list can show its first window before it has been walked to its end.
extension SnippetList {
  /// Reads the rows near the start of the list, even before it has been counted.
  ///
  /// A screen should ask for this first: it is as fast for a million rows as for a thousand. In a
  /// long list that has not been counted, ``SnippetPage/count`` is a minimum and
  /// ``SnippetPage/isCounted`` is `false`. Call ``page(_:)`` off the main thread to have the list
  /// counted; after that both functions do the same.
  ///
  /// - Parameter positions: Positions from 0; those outside the list are left out.
  /// - Returns: The rows in the list's order, with the count and version of the list.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(*k*) in the upper bound of the positions, whatever the length of the list;
  ///   that of ``page(_:)`` once it has been counted.
  public func firstPage(_ positions: Range<Int>) throws(SnippetStoreError) -> SnippetPage {
    guard !isWalked else { return try page(positions) }
    let found = try connections.read(.rows, to: "read rows of a list") { db in
      try beginning(positions, in: db)
    }
    if let found { return found }
    return try page(positions)
  }

  /// The number of rows to count beyond those requested.
  ///
  /// A short list is then counted completely, and a longer one has room to scroll until it is
  /// counted.
  static let countedAhead = 1024

  /// Reads the rows at positions by a walk from the start; `nil` if the walk reached the end.
  private func beginning(_ positions: Range<Int>, in db: Database) throws -> SnippetPage? {
    let start = max(0, positions.lowerBound)
    let end = max(start, positions.upperBound)
    let (limit, isEndless) = end.addingReportingOverflow(Self.countedAhead)
    guard !isEndless else { return nil }
    var walk = ListIndexWalk(query)
    if let index = try walk.advance(by: limit, in: db) {
      adopt(index)
      return nil
    }
    let block = start / ListIndex.stride
    let first = try self.start(
      start % ListIndex.stride,
      after: block == 0 ? nil : walk.fences[block - 1],
      in: db
    )
    return SnippetPage(
      version: try DataVersion(db).uncounted,
      count: limit,
      start: start,
      rows: try rows(from: first, limit: end - start, in: db),
      isCounted: false
    )
  }

  /// Walks the list in steps, so that other reads get their turn in between and the next read finds
  /// the complete index.
  ///
  /// A commit makes the walk begin again. After too many, the next read builds the index in one go.
  func walkInSteps() throws(SnippetStoreError) {
    guard !isWalked else { return }
    var walk = ListIndexWalk(query)
    while walk.restartCount < 3 {
      let index = try connections.read(.rows, to: "count the snippets of a list") { db in
        try walk.advance(by: ListIndexWalk.step, in: db)
      }
      if let index { return adopt(index) }
    }
  }
}
