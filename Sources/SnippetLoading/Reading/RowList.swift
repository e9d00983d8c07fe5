public import SnippetStorage

/// Gives the rows of a list by position.
///
/// Lists and search results of a store do.
///
/// The loader reads rows ahead of the movement on its own threads. On the main actor it reads only
/// the first screen and the target of a jump. So a read must be quick and must not touch a payload.
public protocol RowList: Sendable {
  /// Reads the rows at consecutive positions.
  ///
  /// - Parameter positions: Any range; what lies outside of the list is left out.
  /// - Returns: The rows, and the length and the version of the list that they belong to: a later
  ///   state of the list has a greater version.
  /// - Throws: Why the rows could not be read. The loader shows that in cells, and tries again when
  ///   the viewport moves.
  func page(_ positions: Range<Int>) throws -> SnippetPage

  /// Reads the rows near the start at once, even before the list is counted.
  ///
  /// The default reads a page like any other.
  ///
  /// - Parameter positions: Any range; what lies outside of the list is left out.
  /// - Returns: The rows. Where the list is not counted yet, the page says so, and its version is
  ///   not that of any page that is counted; the loader then reads a page apart from the main
  ///   actor.
  /// - Throws: As ``page(_:)``.
  func firstPage(_ positions: Range<Int>) throws -> SnippetPage

  /// Reads the rows again after the list may have changed, around a row that keeps its place.
  ///
  /// The default reads the page at the same positions, and looks for such a row in it.
  ///
  /// - Parameters:
  ///   - positions: The positions at which rows were held.
  ///   - candidates: The rows on screen with their positions, the best first.
  /// - Returns: The rows at the positions, shifted by as much as the first candidate still in the
  ///   list has moved, and that candidate.
  /// - Throws: As ``page(_:)``.
  func page(_ positions: Range<Int>, anchoredAt candidates: [RowPlace]) throws -> AnchoredPage
}

extension RowList {
  /// Reads a page like any other.
  ///
  /// - Parameter positions: Any range; what lies outside of the list is left out.
  /// - Returns: The rows, and the length and the version of the list that they belong to.
  /// - Throws: As ``page(_:)``.
  public func firstPage(_ positions: Range<Int>) throws -> SnippetPage {
    try page(positions)
  }

  /// Reads the page at the same positions, and looks for the first candidate in it.
  ///
  /// - Parameters:
  ///   - positions: The positions at which rows were held.
  ///   - candidates: The rows on screen with their positions, the best first.
  /// - Returns: The rows at the positions, and the first candidate among them.
  /// - Throws: As ``page(_:)``.
  public func page(
    _ positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws -> AnchoredPage {
    let page = try page(positions)
    let anchor = AnchoredPage.anchor(among: candidates) { id in
      page.rows.firstIndex { $0.id == id }.map { page.start + $0 }
    }
    return AnchoredPage(page: page, anchor: anchor)
  }
}

/// Says when snippets change.
public protocol RowChangeFeed: Sendable {
  /// Calls a closure after every change, or after several at once.
  ///
  /// - Parameter handler: Called on any thread, after the change can be read. It does not block.
  /// - Returns: The observation, which ends with its last reference.
  func observeRows(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation
}
