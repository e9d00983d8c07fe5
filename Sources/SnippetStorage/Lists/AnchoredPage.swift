/// Rows read around a row that keeps its place on screen.
public struct AnchoredPage: Sendable, Hashable {
  /// The rows, and what the list was when they were read.
  public var page: SnippetPage
  /// The row that keeps its place, with its position before and now; `nil` when none of the
  /// candidates is in the list any more.
  public var anchor: RowMove?

  /// Makes a page by hand, for your own sources and for tests.
  ///
  /// Lists make theirs.
  ///
  /// - Parameters:
  ///   - page: The rows.
  ///   - anchor: The row that keeps its place.
  public init(page: SnippetPage, anchor: RowMove?) {
    self.page = page
    self.anchor = anchor
  }

  /// Finds the row that keeps its place.
  ///
  /// - Parameters:
  ///   - candidates: The rows that may, with their positions before, the best first.
  ///   - position: Tells where a snippet stands now; `nil` when the list does not hold it.
  /// - Returns: The first candidate that is still in the list; `nil` when none is.
  /// - Throws: Errors of `position`.
  package static func anchor(
    among candidates: [RowPlace],
    position: (SnippetID) throws -> Int?
  ) rethrows -> RowMove? {
    for candidate in candidates {
      guard let now = try position(candidate.id) else { continue }
      return RowMove(id: candidate.id, from: candidate.position, to: now)
    }
    return nil
  }

  /// Shifts positions of a former state by as much as a row has moved since.
  ///
  /// - Parameters:
  ///   - positions: Positions of the former state.
  ///   - anchor: The row that is to keep its place.
  /// - Returns: As many positions, none below 0.
  package static func positions(_ positions: Range<Int>, around anchor: RowMove?) -> Range<Int> {
    guard let anchor else { return positions }
    let (distance, isTooFar) = anchor.to.subtractingReportingOverflow(anchor.from)
    let (start, isOutside) = positions.lowerBound.addingReportingOverflow(distance)
    guard !isTooFar, !isOutside else { return positions }
    let (end, isEndless) = max(0, start).addingReportingOverflow(positions.count)
    return max(0, start)..<(isEndless ? Int.max : end)
  }
}
