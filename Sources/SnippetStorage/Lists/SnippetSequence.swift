/// An ordered sequence of rows, reached by position: a ``SnippetList`` or ``SearchResults``.
///
/// All calls block for a fraction of a millisecond and may be made on the thread that draws. The
/// exception is the first call of a ``SnippetList``, which walks an index: 60 ms for a million
/// rows. Every call that reads can throw, even ``count``: the store may be closed or unreadable.
public protocol SnippetSequence: AnyObject, Sendable {
  /// The conditions that select the snippets.
  var filter: SnippetFilter { get }

  /// The number of rows.
  ///
  /// - Throws: ``SnippetStoreError``.
  var count: Int { get throws(SnippetStoreError) }

  /// Reads the rows at consecutive positions, with the count and version of the list.
  ///
  /// - Parameter positions: Positions from 0; those outside the list are left out.
  /// - Returns: The rows in the list's order, with the count and version of the list.
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

  /// Brings rows in memory up to the latest state, around a row that keeps its place on screen.
  ///
  /// - Parameters:
  ///   - held: The rows in memory, of an earlier state or of this one.
  ///   - positions: The wanted positions, in that state.
  ///   - candidates: The rows that may keep their place, with their positions in that state, the
  ///     best first.
  /// - Returns: The missing rows and the change of the list since. The positions are as many as
  ///   were wanted, shifted as far as the first candidate still in the list has moved.
  /// - Throws: ``SnippetStoreError``.
  func update(
    _ held: HeldRows,
    at positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws(SnippetStoreError) -> RowUpdate

  /// Finds the position of a snippet.
  ///
  /// - Parameter id: The snippet to look for.
  /// - Returns: Its position, counted from 0; `nil` if the list does not hold it.
  /// - Throws: ``SnippetStoreError``.
  func position(of id: SnippetID) throws(SnippetStoreError) -> Int?

  /// Calls a closure whenever the rows at the positions may have changed, until the observation
  /// ends.
  ///
  /// - Parameter handler: Called on any thread, after the change can be read.
  /// - Returns: The observation. It ends when it is released.
  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation
}

extension SnippetSequence {
  /// Reads the row at a position.
  ///
  /// - Parameter position: From 0; a position outside the list gives `nil`.
  /// - Returns: The row; `nil` outside the list.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: As ``page(_:)`` for one row.
  public func row(at position: Int) throws(SnippetStoreError) -> SnippetRow? {
    guard position >= 0, position < Int.max else { return nil }
    return try rows(in: position..<position + 1).first
  }

  /// Reads the rows at consecutive positions.
  ///
  /// - Parameter range: Positions from 0; those outside the list are left out.
  /// - Returns: The rows in the list's order.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: As ``page(_:)``.
  public func rows(in range: Range<Int>) throws(SnippetStoreError) -> [SnippetRow] {
    try page(range).rows
  }
}
