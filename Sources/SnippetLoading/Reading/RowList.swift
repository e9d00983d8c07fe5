public import SnippetStorage

/// Gives the rows of a list by position: what the loader needs of a list.
///
/// The loader reads rows ahead of the movement on threads of its own. On the main actor it reads
/// only what must be there at once and is not: the first screen, and what a jump leads to. So a read
/// must be quick and must touch no payload.
public protocol RowList: Sendable {
  /// Reads the rows at consecutive positions.
  ///
  /// - Parameter positions: Any range; what lies outside of the list is left out.
  /// - Returns: The rows, and the length and the version of the list that they belong to: a later
  ///   state of the list has a greater version.
  /// - Throws: Whatever kept the rows from being read. The loader shows it in the cells that are
  ///   bound meanwhile and tries again when the viewport moves.
  func page(_ positions: Range<Int>) throws -> SnippetPage

  /// Reads the rows at consecutive positions near the start, at once, whether or not the list has
  /// been counted.
  ///
  /// The default reads a page like any other.
  ///
  /// - Parameter positions: Any range; what lies outside of the list is left out.
  /// - Returns: The rows. Where the list is not counted yet, the page says so, and its version is
  ///   not that of any page that is counted; the loader then reads a page apart from the main actor.
  /// - Throws: As ``page(_:)``.
  func firstPage(_ positions: Range<Int>) throws -> SnippetPage

  /// Reads the rows again after the list may have changed, around a row that is to keep its place.
  ///
  /// The default reads the page at the same positions, and looks for such a row in it.
  ///
  /// - Parameters:
  ///   - positions: The positions at which rows were held.
  ///   - candidates: The rows on screen with their positions, the best first.
  /// - Returns: The rows at the positions, as far further as the first candidate that is still in the
  ///   list has moved on, and that one.
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

/// Tells when snippets change, whoever changes them.
public protocol RowChangeFeed: Sendable {
  /// Calls a closure after every change, or after several at once.
  ///
  /// - Parameter handler: Called on any thread, after the change can be read. It does not block.
  /// - Returns: What keeps the closure being called; it ends with the last reference to this.
  func observeRows(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation
}
