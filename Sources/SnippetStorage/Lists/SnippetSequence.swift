/// Rows in an order, reached by position: those of a ``SnippetList`` or of ``SearchResults``.
///
/// All calls block for a fraction of a millisecond and are meant for the thread that draws, but for
/// the first of a ``SnippetList``, which walks an index: 60 ms for a million rows. Every call that
/// reads throws: a store that is closed or cannot be read says so at ``count`` already.
public protocol SnippetSequence: AnyObject, Sendable {
  /// Which snippets are in the list, or were looked at.
  var filter: SnippetFilter { get }

  /// The number of rows.
  ///
  /// - Throws: ``SnippetStoreError``.
  var count: Int { get throws(SnippetStoreError) }

  /// The rows at positions that follow each other, with the count and the version of the list.
  ///
  /// - Parameter positions: Positions from 0; those outside the list are left out.
  /// - Returns: The rows, and what the list was when they were read.
  /// - Throws: ``SnippetStoreError``.
  func page(_ positions: Range<Int>) throws(SnippetStoreError) -> SnippetPage

  /// The rows to show after a change of the list, around a row that keeps its place on screen.
  ///
  /// - Parameters:
  ///   - positions: Positions of the former state.
  ///   - candidates: The rows that may keep their place, with their positions in the former state,
  ///     the best first.
  /// - Returns: As many rows as there are positions, moved on as far as the first candidate that is
  ///   still in the list.
  /// - Throws: ``SnippetStoreError``.
  func page(
    _ positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws(SnippetStoreError) -> AnchoredPage

  /// What makes rows that are held those of the latest state, around a row that keeps its place.
  ///
  /// - Parameters:
  ///   - held: What is held, of an earlier state or of this one.
  ///   - positions: The positions of that state whose rows are wanted.
  ///   - candidates: The rows that may keep their place, with their positions in the former state,
  ///     the best first.
  /// - Returns: The rows that are missing at as many positions, shifted by as much as the first
  ///   candidate that is still in the list has moved; and what became of the list since.
  /// - Throws: ``SnippetStoreError``.
  func update(
    _ held: HeldRows,
    at positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws(SnippetStoreError) -> RowUpdate

  /// The position of a snippet.
  ///
  /// - Parameter id: The snippet to look for.
  /// - Returns: Its position from 0, or `nil` when it is not in the list.
  /// - Throws: ``SnippetStoreError``.
  func position(of id: SnippetID) throws(SnippetStoreError) -> Int?

  /// Calls a closure whenever other rows may stand at the positions, until the observation ends.
  ///
  /// - Parameter handler: Called on any thread, after the change can be read.
  /// - Returns: The observation, which ends with its last reference.
  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation
}

extension SnippetSequence {
  /// The row at a position.
  ///
  /// - Parameter position: From 0; a position outside the list gives `nil`.
  /// - Returns: The row, or `nil`.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: As ``page(_:)`` for one row.
  public func row(at position: Int) throws(SnippetStoreError) -> SnippetRow? {
    guard position >= 0, position < Int.max else { return nil }
    return try rows(in: position..<position + 1).first
  }

  /// The rows at positions that follow each other.
  ///
  /// - Parameter range: Positions from 0; those outside the list are left out.
  /// - Returns: The rows in the list's order.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: As ``page(_:)``.
  public func rows(in range: Range<Int>) throws(SnippetStoreError) -> [SnippetRow] {
    try page(range).rows
  }
}
