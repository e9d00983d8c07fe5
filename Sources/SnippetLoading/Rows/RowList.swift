public import SnippetStorage

/// Gives the rows of a list by position.
///
/// Lists and search results of a store do, and say when they change.
///
/// The loader reads rows ahead of the movement on its own threads. On the main actor it reads only
/// the first screen, the target of a jump and rows far from the viewport. So a read must be quick
/// and must not touch a payload.
public protocol RowList: Sendable {
  /// Reads the rows at consecutive positions.
  ///
  /// - Parameter positions: Any range; what lies outside of the list is left out.
  /// - Returns: The rows, and the length and the version of the list that they belong to: a later
  ///   state of the list has a greater version.
  /// - Throws: Why the rows could not be read. Cells that are bound then fail with it, and
  ///   ``SnippetLoader/listError`` is set. The loader tries again when the viewport moves, and in
  ///   ``SnippetLoader/rowsDidChange()``.
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

  /// Reads what makes rows that are held those of the latest state of the list.
  ///
  /// The default reads the page at the same positions, and looks in it for a row that keeps its
  /// place; where the version is another it says that any row may have changed. A list that knows
  /// what became of its rows says so, and reads only those that changed or are not held.
  ///
  /// - Parameters:
  ///   - held: What is held, of an earlier state or of this one.
  ///   - positions: The positions of that state whose rows are wanted.
  ///   - candidates: The rows on screen with their positions, the best first.
  /// - Returns: The rows that are missing at the positions, shifted by as much as the first
  ///   candidate still in the list has moved, and what became of the list.
  /// - Throws: As ``page(_:)``.
  func update(
    _ held: HeldRows,
    at positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws -> RowUpdate

  /// Calls a closure after every change of the list, or after several at once.
  ///
  /// The default observes nothing: then the owner calls ``SnippetLoader/rowsDidChange()``.
  ///
  /// - Parameter handler: Called on any thread, after the change can be read. It does not block.
  /// - Returns: The observation, which ends with its last reference; `nil` for a list that does not
  ///   say when it changes.
  func observeRows(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation?
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
  ///   - held: What is held.
  ///   - positions: The positions whose rows are wanted.
  ///   - candidates: The rows on screen with their positions, the best first.
  /// - Returns: All rows at the positions, and the first candidate among them; a reset where the
  ///   version is another than that of what is held.
  /// - Throws: As ``page(_:)``.
  public func update(
    _ held: HeldRows,
    at positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws -> RowUpdate {
    let page = try page(positions)
    let anchor = AnchoredPage.anchor(among: candidates) { id in
      page.rows.firstIndex { $0.id == id }.map { page.start + $0 }
    }
    return RowUpdate(page, from: held, anchor: anchor)
  }

  /// Observes nothing.
  ///
  /// - Parameter handler: Never called.
  /// - Returns: `nil`.
  public func observeRows(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation? { nil }
}

extension RowList where Self: SnippetSequence {
  /// Calls a closure after every change of the store that may concern the list, by any program.
  ///
  /// - Parameter handler: Called on a thread of the store, after the change can be read.
  /// - Returns: The observation, which ends with its last reference.
  public func observeRows(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation? {
    observeChanges(handler)
  }
}

extension SnippetList: RowList {}
extension SearchResults: RowList {}
