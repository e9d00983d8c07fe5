import GRDB

// The first window of a list is there before the list has been walked to its end.
extension SnippetList {
  /// The rows near the start of the list, even before it is counted.
  ///
  /// A screen asks for this first, because it takes no longer for a million rows than for a
  /// thousand. In a long list that has not been counted, ``SnippetPage/count`` is a minimum and
  /// ``SnippetPage/isCounted`` is `false`. Call ``page(_:)`` off the main thread to have it
  /// counted; from then on both do the same.
  ///
  /// - Parameter positions: Positions from 0; those outside the list are left out.
  /// - Returns: The rows in the list's order, and what is known of the list.
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

  /// How many rows beyond those asked for are counted at once, so that a short list is counted
  /// whole, and a longer one has room to scroll meanwhile.
  static let countedAhead = 1024

  /// The rows at positions, by a walk from the start; `nil` where that has come to the end.
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
    let first = try key(
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

  /// Walks the list in steps, between which others can read rows, so that the one read that needs
  /// the whole index finds it there.
  ///
  /// A commit meanwhile makes it begin again; after too many the walk is left to that one read.
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
